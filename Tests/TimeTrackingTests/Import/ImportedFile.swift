import CivilTime
import RetraceArchitecture
import RetraceState
import TimeTracking

/// The import of a file into a state, as the tool does it, without a store.
struct ImportedFile {
  var state = AppState()
  var created = 0
  var skipped = 0
  var overlaps = 0
  var rejected: [ImportRejection] = []
  var actions = 0

  /// The columns of the CESAW file.
  static let cesaw: [(field: ImportMapping.Field, column: String)] = [
    (.start, "time_log_start_date"), (.duration, "time_log_delta_minutes"),
    (.user, "person_key"), (.project, "project_key"), (.description, "phase_short_name"),
    (.id, "time_log_fact_key"),
  ]

  /// Imports bytes into the state, in pieces and batches of any size.
  mutating func run(
    _ bytes: [UInt8], columns: [(field: ImportMapping.Field, column: String)],
    dateFormat: String = "M/d/yyyy H:mm", duration: DurationFormat = .minutes,
    zone: ZoneRules = .utc, piece: Int = 1 << 16, batch: Int = 1_000
  ) throws {
    var parser = CSVParser()
    var mapping: ImportMapping?
    var planner = ImportPlanner(defaultUser: "me")
    var rows: [ImportedEntry] = []
    func flush() {
      let planned = planner.plan(rows, in: state)
      rows.removeAll(keepingCapacity: true)
      for action in planned {
        _ = AppReducer().reduce(&state, action, at: Moment(microseconds: 0))
      }
      actions += planned.count
    }
    func take(_ record: CSVRecord) throws {
      guard let mapping else {
        mapping = try ImportMapping(
          columns: columns, header: record, dateFormat: DateFormat(dateFormat),
          durationFormat: duration, zone: zone)
        return
      }
      do {
        rows.append(try mapping.entry(record))
      } catch {
        rejected.append(error)
      }
      if rows.count == batch { flush() }
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + piece)
      try parser.feed(bytes.span.extracting(start..<end), take)
      start = end
    }
    try parser.finish(take)
    flush()
    created = planner.created
    skipped = planner.skipped
    overlaps = planner.overlaps
  }
}
