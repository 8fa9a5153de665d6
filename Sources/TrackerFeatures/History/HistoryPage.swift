public import CivilTime
public import Retrace

/// A part of the changes in the log as a driver reads it for the history, newest first.
///
/// The log is not in the state, so a frame cannot read it. A driver reads the page, as it reads the
/// rules of the zone, and gives it to the frame as texts. The route has only the
/// place, so the log does not repeat what it has.
public struct HistoryPage: Equatable, Sendable {
  /// The changes, newest first.
  public var changes: [HistoryChange]
  /// The sequences of changes before the first one, the nearest one first; empty if it is the
  /// newest one.
  public var newer: [Int64]
  /// The sequence of the change from which the reading goes on; `nil` at the beginning of the log.
  public var rest: Int64?
  /// What the undo or redo would do that the user is asked about: first what it opens again and
  /// leaves as it is; empty without a question.
  public var plan: [Line] = []

  /// A line about an undo or a redo.
  public struct Line: Equatable, Sendable {
    /// The text.
    public var text: String
    /// Whether the user should know it before answering.
    public var isWarning: Bool

    /// Creates a line.
    public init(_ text: String, isWarning: Bool) {
      (self.text, self.isWarning) = (text, isWarning)
    }
  }

  /// Creates a page.
  public init(changes: [HistoryChange] = [], newer: [Int64] = [], rest: Int64? = nil) {
    (self.changes, self.newer, self.rest) = (changes, newer, rest)
  }
}

/// A change in the log as texts.
public struct HistoryChange: Equatable, Sendable {
  /// The sequence of its command, by which it can be undone and restored.
  public var sequence: Int64
  /// The moment by the clocks of the shown zone.
  public var local: LocalTime
  /// The sequence of the change that it takes back or brings back; `nil` if it is no undo or redo.
  public var restores: Int64?
  /// Whether the change is undone.
  public var isUndone = false
  /// Whether the login of the driver made it, and so can take it back.
  public var isOwn = true
  /// The name, such as `c412`; empty if it is unknown.
  public var name = ""
  /// Who made the change, and with what, such as `anna, command line`.
  public var author = ""
  /// What became of it, such as `undone in part`; empty for nothing.
  public var mark = ""
  /// What is to be known about the clock; empty for nothing.
  public var remark = ""
  /// What it did, as `track history` prints it: a verb and its object.
  public var lines: [Line] = []
  /// The fields that it changed.
  public var fields: [Field] = []
  /// The entities that it changed, each once.
  public var entities: [RestoredEntity] = []

  /// A verb and its object.
  public struct Line: Equatable, Sendable {
    /// The verb; empty in lines that go on.
    public var verb: String
    /// The object.
    public var text: String

    /// Creates a line.
    public init(verb: String, text: String) { (self.verb, self.text) = (verb, text) }
  }

  /// A field with its values.
  public struct Field: Equatable, Sendable {
    /// The entity, such as `entry #12`.
    public var entity: String
    /// The name of the field.
    public var name: String
    /// The value before; `nil` if the entity did not exist.
    public var before: String?
    /// The value after.
    public var after: String

    /// Creates a field.
    public init(entity: String, name: String, before: String?, after: String) {
      (self.entity, self.name, self.before, self.after) = (entity, name, before, after)
    }
  }

  /// Creates a change without texts.
  public init(sequence: Int64, local: LocalTime) {
    (self.sequence, self.local) = (sequence, local)
  }
}

/// What a driver reads for a history: the page from a place on.
public struct HistoryQuery: Hashable, Sendable {
  /// The most changes.
  public var count: Int
  /// The sequence of the first change; `nil` for the newest one.
  public var top: Int64?
  /// The entity whose changes are listed; `nil` for all.
  public var entity: RestoredEntity?
  /// The undo or redo that the user is asked about; `nil` without a question.
  public var question: HistoryQuestion?
}

extension Scene {
  /// Returns what a driver reads before it makes a frame; `nil` if the shown screen needs nothing.
  ///
  /// - Parameter size: The size of the screen.
  public func historyQuery(fitting size: Screen.Size) -> HistoryQuery? {
    guard case .history(let route) = stack.top else { return nil }
    return HistoryQuery(
      count: max(1, size.rows) + 1, top: route.top, entity: route.entity,
      question: route.question)
  }
}
