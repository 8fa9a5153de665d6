public import CivilTime
import RetraceArchitecture
public import RetraceState

/// A row of a file that became a time entry.
public struct ImportedEntry: Hashable, Sendable {
  /// The line of the file on which the row starts, counted from 1.
  public var line: Int
  /// The name of the user; `nil` when the file has no such column.
  public var user: String?
  /// The name of the project, if the row has one.
  public var project: String?
  /// The names of the tags.
  public var tags: [String]
  /// What was done.
  public var text: String
  /// When it began.
  public var start: Moment
  /// How long it took.
  public var duration: ElapsedTime
  /// The id of the zone in which the start is meant.
  public var zoneID: String
  /// The offset from UTC that was in force at the start, in seconds.
  public var offsetSeconds: Int32
  /// Whether it is billable.
  public var isBillable: Bool
  /// The id by which an import of the same row is noticed.
  public var externalID: String?

  /// Makes a row.
  public init(
    line: Int, user: String?, project: String?, tags: [String], text: String, start: Moment,
    duration: ElapsedTime, zoneID: String, offsetSeconds: Int32, isBillable: Bool,
    externalID: String?
  ) {
    self.line = line
    self.user = user
    self.project = project
    self.tags = tags
    self.text = text
    self.start = start
    self.duration = duration
    self.zoneID = zoneID
    self.offsetSeconds = offsetSeconds
    self.isBillable = isBillable
    self.externalID = externalID
  }
}

/// A row, or a value in it, that cannot be imported.
public struct ImportRejection: Error, Hashable, Sendable {
  /// Why a value cannot be imported.
  public enum Reason: Hashable, Sendable {
    /// The row has another number of fields than the header.
    case fieldCount(expected: Int, found: Int)
    /// The record breaks the rules of CSV.
    case malformed(CSVRecord.Problem)
    /// The bytes are not UTF-8.
    case notUTF8
    /// A date that is not written in the format.
    case dateFormat(String)
    /// A day or time that does not exist.
    case noSuchTime
    /// A year outside the accepted range.
    case yearOutOfRange(ClosedRange<Int>)
    /// A local time that the clocks of the zone jumped over.
    case skippedByZone(String)
    /// A duration that is not written in the unit.
    case durationFormat(DurationFormat)
    /// A duration below zero, or an end before the start.
    case negativeDuration
    /// A duration above the longest.
    case durationTooLong
    /// A name that is empty.
    case emptyName
    /// A truth value that is none.
    case notYesOrNo
    /// A text that is longer than a record of the log may be.
    case textTooLong(limit: Int)
  }

  /// The line of the file on which the row starts, counted from 1.
  public var line: Int
  /// The column's name; several are joined with a plus sign; `nil` for a row as a whole.
  public var column: String?
  /// The value, as the file has it.
  public var value: String
  /// Why it cannot be imported.
  public var reason: Reason

  /// Makes a rejection.
  public init(line: Int, column: String?, value: String, reason: Reason) {
    self.line = line
    self.column = column
    self.value = value
    self.reason = reason
  }
}

extension ImportRejection.Reason: CustomStringConvertible {
  /// The reason in words for a person.
  public var description: String {
    switch self {
    case .fieldCount(let expected, let found):
      "the header has \(expected) fields, this row \(found)"
    case .malformed(.strayQuote): "a quote inside a field that does not begin with one"
    case .malformed(.textAfterQuote): "text after a closing quote"
    case .malformed(.unclosedQuote): "a quoted field is never closed"
    case .malformed(.tooLong): "the row is longer than \(CSVParser.longestRecord) bytes"
    case .notUTF8: "not UTF-8"
    case .dateFormat(let pattern): "not in the format \(pattern)"
    case .noSuchTime: "no such day or time"
    case .yearOutOfRange(let years):
      "the year lies outside \(years.lowerBound) to \(years.upperBound)"
    case .skippedByZone(let zone): "the clocks of \(zone) jumped over this time"
    case .durationFormat(let format): "not a duration in \(format.rawValue)"
    case .negativeDuration: "the duration is negative"
    case .durationTooLong: "the duration is longer than \(DurationFormat.longest.clock)"
    case .emptyName: "the name is empty"
    case .notYesOrNo: "neither yes nor no"
    case .textTooLong(let limit): "longer than \(limit) bytes"
    }
  }
}
