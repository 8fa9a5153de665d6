import CivilTime
public import RetraceState
public import TimeTracking

/// An interval of timewarrior, as which a report extension reads an entry.
///
/// Times are whole seconds, because timewarrior has no fractions.
public struct TimewarriorInterval: Hashable, Sendable {
  /// The id.
  public var id: Int64
  /// The start.
  public var start: Moment
  /// The end; `nil` for an open interval.
  public var end: Moment?
  /// The tags, each once, in the order of their bytes.
  public let tags: [String]
  /// The annotation; empty for none.
  public var annotation: String

  /// Creates an interval.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - start: The start; its fraction of a second is dropped.
  ///   - end: The end; its fraction of a second is dropped.
  ///   - tags: The tags in any order.
  ///   - annotation: The annotation.
  public init(
    id: Int64, start: Moment, end: Moment?, tags: [String] = [], annotation: String = ""
  ) {
    self.id = id
    self.start = start.wholeSecond
    self.end = end?.wholeSecond
    self.tags = Self.ordered(tags)
    self.annotation = annotation
  }

  /// Creates the interval of an entry.
  ///
  /// The project and the task of the entry are tags of the interval. The annotation is the
  /// description and the annotations of the entry, joined by a semicolon and a space. An entry with
  /// only tags and one text becomes an interval with the same tags and text.
  ///
  /// - Parameters:
  ///   - id: The id of the entry, which becomes the id of the interval.
  ///   - entry: The entry.
  ///   - labels: The names of what it refers to.
  public init(_ id: TimeEntryID, _ entry: TimeEntry, _ labels: EntryLabels) {
    let texts = [entry.description] + entry.annotations
    self.init(
      id: id.value, start: entry.start, end: entry.end,
      tags: labels.tags + [labels.project, labels.task].compactMap { $0 },
      annotation: texts.filter { !$0.isEmpty }.joined(separator: "; "))
  }

  private static func ordered(_ tags: [String]) -> [String] {
    let sorted = tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var unique: [String] = []
    for tag in sorted where unique.last.map({ $0.utf8.elementsEqual(tag.utf8) }) != true {
      unique.append(tag)
    }
    return unique
  }

  /// Returns whether the interval has a tag of this name, byte for byte.
  func hasTag(_ name: String) -> Bool {
    tags.contains { $0.utf8.elementsEqual(name.utf8) }
  }
}
