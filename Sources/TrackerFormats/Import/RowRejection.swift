public import CivilTime
public import RetraceState
import TimeTracking

/// A row, or a value in it, that cannot be imported.
public struct RowRejection: Error, Hashable, Sendable {
  /// The reason why a value cannot be imported.
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
    /// A local time that the clocks of the zone skip.
    case skippedByZone(String)
    /// A duration that is not written in the unit.
    case durationFormat(DurationFormat)
    /// A duration below zero, or an end before the start.
    case negativeDuration
    /// A duration longer than any entry.
    case durationTooLong
    /// A duration that is not the time from the start to the end.
    case otherDuration(ElapsedTime)
    /// The name of a user is empty.
    case emptyName
    /// There are more tags than an entry can have.
    case tooManyTags(limit: Int)
    /// A project is missing, but the row has a task.
    case taskWithoutProject
    /// A value that is neither yes nor no.
    case notYesOrNo
    /// A text that is longer than its field can be.
    case textTooLong(limit: Int)
    /// A violated rule of one format, in words.
    case other(String)
  }

  /// The name of the file in a directory that is imported; `nil` for a file that is imported.
  public var file: String?
  /// The line of the file on which the row starts, counted from 1.
  public var line: Int
  /// The name of the column, or several joined by plus signs; `nil` for a row as a whole.
  public var column: String?
  /// The value, as the file has it.
  public var value: String
  /// The reason why it cannot be imported.
  public var reason: Reason
  /// The day on which its entry begins, or the day before or after it; `nil` if unknown.
  public var day: CivilDate?
  /// The time of its entry, which may be below zero; `nil` if unknown.
  public var time: ElapsedTime?

  /// Creates a rejection.
  public init(
    line: Int, column: String?, value: String, reason: Reason, day: CivilDate? = nil,
    time: ElapsedTime? = nil
  ) {
    self.line = line
    self.column = column
    self.value = value
    self.reason = reason
    self.day = day
    self.time = time
  }
}

extension RowRejection.Reason: CustomStringConvertible {
  /// The reason in words for the user.
  public var description: String {
    switch self {
    case .fieldCount(let expected, let found):
      "the header has \(expected) fields, this row \(found)"
    case .malformed(.textAfterQuote): "text after a closing quote"
    case .malformed(.unclosedQuote): "a quoted field is never closed"
    case .malformed(.tooLong): "the row is longer than \(CSVParser.longestRecord) bytes"
    case .notUTF8: "not UTF-8"
    case .dateFormat(let pattern): "not in the format \(pattern)"
    case .noSuchTime: "no such day or time"
    case .yearOutOfRange(let years):
      "the year lies outside \(years.lowerBound) to \(years.upperBound)"
    case .skippedByZone(let zone): "the clocks of \(zone) jumped over this time"
    case .durationFormat(.clock): "not a duration such as 1:30, 1:30:00, 18:25 min or 1.5 h"
    case .durationFormat(let format): "not a duration in \(format.rawValue)"
    case .negativeDuration: "the duration is negative"
    case .durationTooLong: "the duration is longer than \(TimeEntry.durationMax.clock)"
    case .otherDuration(let time):
      "the duration is not that from start to end, which is \(time.clock)"
    case .emptyName: "the name is empty"
    case .tooManyTags(let limit): "more than \(limit) tags"
    case .taskWithoutProject: "a task without a project"
    case .notYesOrNo: "neither yes nor no"
    case .textTooLong(let limit): "longer than \(limit) bytes"
    case .other(let reason): reason
    }
  }
}
