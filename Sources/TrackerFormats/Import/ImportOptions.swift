public import CivilTime
public import TimeTracking

/// What a user says about a file to import, because the file does not.
public struct ImportOptions: Sendable {
  /// The user of rows whose file does not say it.
  public var user: Name
  /// The zone in which the times of the file are meant, unless the file says it.
  public var zone: ZoneRules
  /// The columns of CSV by their fields; a field given twice joins its columns with a blank.
  public var columns: [(field: ImportField, column: String)] = []
  /// The byte between two columns of CSV.
  public var separator = UInt8(ascii: ",")
  /// How dates of CSV are written; `nil` for RFC 3339, which has an offset from UTC.
  public var dateFormat: DateFormat?
  /// How durations of CSV are written.
  public var durationFormat: DurationFormat = .clock

  /// Makes options without columns.
  public init(user: Name, zone: ZoneRules) {
    self.user = user
    self.zone = zone
  }
}
