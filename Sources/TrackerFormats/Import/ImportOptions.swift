public import CivilTime
public import TimeTracking

/// The values that a user gives for a file to import, because the file lacks them.
public struct ImportOptions: Sendable {
  /// The user of rows, unless the file has users.
  public var user: Name
  /// Whether all rows are of ``user``, even if the file has users.
  public var takesAllRows = false
  /// The zone of the times in the file, unless the file has zones.
  public var zone: ZoneRules
  /// The columns of CSV and their fields; none for the columns of a program that the header shows.
  ///
  /// The columns of one field are joined by a space.
  public var columns: [(field: ImportField, column: String)] = []
  /// The byte between two columns of CSV.
  public var separator = UInt8(ascii: ",")
  /// The program that wrote the CSV; `nil` if it is unknown.
  public var program: CSVProgram?
  /// The format of dates in CSV; `nil` for dates in numbers, whose order the file shows.
  public var dateFormat: DateFormat?
  /// The format of durations in CSV.
  public var durationFormat: DurationFormat = .clock

  /// The tags that name projects.
  public var projectTags = ProjectTags()

  /// Creates options without columns.
  public init(user: Name, zone: ZoneRules) {
    self.user = user
    self.zone = zone
  }
}
