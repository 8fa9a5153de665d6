public import Retrace
import TimeTracking

/// The events of other calendars that a scene has, and of which days.
///
/// A driver reads them from files and sends the difference to what the state has, so the log has
/// each event once. The titles are texts of others: short, in one line, and without what a terminal
/// obeys.
public struct SceneEvents: Recordable, Equatable {
  /// The number of the first day since 1970-01-01.
  public var first: Int32
  /// The number of the last day; before the first one if there are none.
  public var last: Int32
  /// The events in order of their starts, ends and ids.
  public var events: [SceneEvent]

  /// Creates the value without days.
  public init() { (first, last, events) = (0, -1, []) }

  /// The most bytes of a title.
  public static var titleBytesMax: Int { 200 }
  /// The bytes of the sign that a title ends with if it was cut.
  fileprivate static var ellipsisBytes: Int { 3 }
  /// The most events.
  public static var countMax: Int { 500 }
  /// The most days; of more, only the shown ones are kept.
  public static var daysMax: Int32 { 62 }
}

/// An event of another calendar.
public struct SceneEvent: Recordable, Equatable {
  /// A number that is the same each time the event is read.
  public var id: Int64
  /// The title in one line.
  public var title: String
  /// The start.
  public var start: Moment
  /// The end.
  public var end: Moment
  /// Whether it is of whole days.
  public var isWholeDay: Bool

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - id: A number that is the same each time the event is read.
  ///   - title: The title, which is cut to ``SceneEvents/titleBytesMax``, with escaped signs.
  ///   - start: The start.
  ///   - end: The end; the start if it is before that.
  ///   - isWholeDay: Whether it is of whole days.
  public init(id: Int64, title: String, start: Moment, end: Moment, isWholeDay: Bool) {
    (self.id, self.start, self.isWholeDay) = (id, start, isWholeDay)
    self.title = SafeText.line(
      title, bytesMax: SceneEvents.titleBytesMax - SceneEvents.ellipsisBytes)
    self.end = max(start, end)
  }

  /// Returns whether two events are equal; titles are equal if they have the same bytes.
  public static func == (left: SceneEvent, right: SceneEvent) -> Bool {
    left.id == right.id && left.title.hasBytes(of: right.title) && left.start == right.start
      && left.end == right.end && left.isWholeDay == right.isWholeDay
  }
}

/// The difference of the events that were read to those that a scene has.
public struct SceneEventChanges: Recordable, Equatable {
  /// The number of the first day of all events.
  public var first: Int32
  /// The number of the last day.
  public var last: Int32
  /// The ids of the events that there are no more, in order.
  public var removed: [Int64] = []
  /// The new events and those that have changed, in order of their starts, ends and ids.
  public var set: [SceneEvent] = []
}

extension SceneEvents {
  /// Returns the days whose events are read while some are shown: those and the known ones, with
  /// the days between.
  public func days(showing shown: ClosedRange<Int32>) -> ClosedRange<Int32> {
    guard first <= last else { return shown }
    let all = min(first, shown.lowerBound)...max(last, shown.upperBound)
    return all.upperBound - all.lowerBound < Self.daysMax ? all : shown
  }

  /// Returns the difference to events that were read; `nil` for none.
  ///
  /// Of events with one id, the first is taken, and at most ``countMax`` in all.
  ///
  /// - Parameters:
  ///   - read: The events.
  ///   - days: The days of which they are.
  /// - Complexity: O(*n* log *n*) for *n* events.
  public func changes(
    to read: [SceneEvent], of days: ClosedRange<Int32>
  ) -> SceneEventChanges? {
    var new: [Int64: SceneEvent] = [:]
    for event in read.sorted(by: SceneEvents.areOrdered) where new.count < Self.countMax {
      if new[event.id] == nil { new[event.id] = event }
    }
    var changes = SceneEventChanges(first: days.lowerBound, last: days.upperBound)
    var known: [Int64: SceneEvent] = [:]
    for event in events {
      known[event.id] = event
      if new[event.id] == nil { changes.removed.append(event.id) }
    }
    changes.removed.sort()
    changes.set = new.values.filter { known[$0.id] != $0 }.sorted(by: SceneEvents.areOrdered)
    return changes.removed.isEmpty && changes.set.isEmpty ? nil : changes
  }

  /// Takes a difference over.
  ///
  /// - Complexity: O(*n* log *n*) for *n* events.
  mutating func apply(_ changes: SceneEventChanges) {
    (first, last) = (changes.first, changes.last)
    let gone = Set(changes.removed + changes.set.map { $0.id })
    events = (events.filter { !gone.contains($0.id) } + changes.set)
      .sorted(by: SceneEvents.areOrdered)
  }

  private static func areOrdered(_ left: SceneEvent, _ right: SceneEvent) -> Bool {
    (left.start, left.end, left.id) < (right.start, right.end, right.id)
  }
}
