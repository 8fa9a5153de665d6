import CivilTime
import RetraceState
import TimeTracking
import TrackerFormats

/// The rows of a file, as an import reads them.
struct ImportedFile {
  private(set) var rows: [ImportedRow] = []
  private(set) var rejected: [ImportRejection] = []

  /// The columns of the CESAW file.
  static let cesaw: [(field: ImportMapping.Field, column: String)] = [
    (.start, "time_log_start_date"), (.duration, "time_log_delta_minutes"),
    (.user, "person_key"), (.project, "project_key"), (.description, "phase_short_name"),
    (.id, "time_log_fact_key"),
  ]

  /// The time of all rows in minutes.
  var minutes: Int64 {
    rows.reduce(0) { $0 + $1.end.elapsed(since: $1.start).seconds } / 60
  }

  /// Reads bytes in pieces of any size.
  init(
    _ bytes: [UInt8], columns: [(field: ImportMapping.Field, column: String)],
    dateFormat: String = "M/d/yyyy H:mm", duration: DurationFormat = .minutes,
    zone: ZoneRules = .utc, piece: Int = 1 << 16
  ) throws {
    var parser = CSVParser()
    var mapping: ImportMapping?
    func take(_ record: CSVRecord) throws {
      guard let mapping else {
        mapping = try ImportMapping(
          columns: columns, header: record, dateFormat: DateFormat(dateFormat),
          durationFormat: duration, zone: zone)
        return
      }
      do {
        rows.append(try mapping.row(record, defaultUser: Name("me")))
      } catch {
        rejected.append(error)
      }
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + piece)
      try parser.feed(bytes.span.extracting(start..<end), take)
      start = end
    }
    try parser.finish(take)
  }
}
