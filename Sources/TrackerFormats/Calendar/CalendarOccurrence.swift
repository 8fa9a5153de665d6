import RetraceState
public import TimeTracking

/// An occurrence of an event of a calendar file.
public struct CalendarOccurrence: Hashable, Sendable {
  /// The event as it is in the calendar of the tracker.
  ///
  /// Its id is the `UID` of the file, followed by the start that the rule gives it if the event
  /// recurs. So it stays the same if the occurrence is moved.
  public var event: CalendarEvent
  /// Whether the event is of whole days, from midnight to midnight in the zone of the user.
  public var isWholeDay: Bool
  /// Whether the event is tentative.
  public var isTentative: Bool
  /// The line of the file on which the event begins.
  public var line: Int

  /// Creates an occurrence.
  public init(event: CalendarEvent, isWholeDay: Bool, isTentative: Bool, line: Int) {
    self.event = event
    self.isWholeDay = isWholeDay
    self.isTentative = isTentative
    self.line = line
  }
}

/// The occurrences of the events of a calendar file within a range of time.
public struct CalendarOccurrences: Hashable, Sendable {
  /// The occurrences, ordered by start, end and id.
  public internal(set) var occurrences: [CalendarOccurrence] = []
  /// The events that were left out, because they have too many occurrences; at most as many as the
  /// limit of occurrences.
  public internal(set) var rejections: [RowRejection] = []
  /// The number of events that were left out.
  public internal(set) var rejectedCount = 0
}

extension Moment {
  /// Creates a moment from seconds since 1970, clamped to the range of the type.
  init(second: Int64) { self.init(microseconds: ElapsedTime.seconds(second).microseconds) }
}
