import CivilTime
import RetraceState
import TimeTracking
import TrackerFormats

/// The rows of a file, as an import reads them.
struct ImportedFile {
  private(set) var rows: [ImportedRow] = []
  private(set) var rejected: [RowRejection] = []

  /// The columns of the CESAW file.
  static let cesaw: [(field: ImportField, column: String)] = [
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
    _ bytes: [UInt8], columns: [(field: ImportField, column: String)],
    dateFormat: String = "M/d/yyyy H:mm", duration: DurationFormat = .minutes,
    zone: ZoneRules = .utc, piece: Int = 1 << 16
  ) throws {
    var options = ImportOptions(user: Name("me"), zone: zone)
    (options.columns, options.durationFormat) = (columns, duration)
    options.dateFormat = try DateFormat(dateFormat)
    var source = ImportSources.standard.init(options)
    var read = ReadRows()
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + piece)
      try source.read(Array(bytes[start..<end]), into: &read)
      start = end
    }
    try source.finish(into: &read)
    (rows, rejected) = (read.rows.map(\.row), read.rejections)
  }
}
