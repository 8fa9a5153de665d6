public import RetraceState

/// A date as a text in a file gives it.
public struct WrittenTime: Hashable, Sendable {
  /// The local time at the offset or, without one, in the zone of the file.
  public var local: LocalTime
  /// The microseconds after the local time, below a second.
  public var fraction: ElapsedTime
  /// The seconds by which local time is ahead of UTC; `nil` if the text does not say it.
  public var offsetSeconds: Int?
  /// Whether the text has a time of day; otherwise the local time is midnight.
  public var hasTimeOfDay: Bool
  /// Whether the text has seconds.
  public var hasSeconds: Bool

  /// The moment; `nil` if it depends on the zone.
  public var moment: Moment? {
    guard let offsetSeconds else { return nil }
    return Moment(secondsSince1970: local.secondsSince1970 - Int64(offsetSeconds)).adding(fraction)
  }

  /// Creates the date of a text that gives a moment.
  init(_ moment: Moment) {
    local = LocalTime(moment, offsetSeconds: 0)
    fraction = moment.elapsed(since: moment.wholeSecond)
    (offsetSeconds, hasTimeOfDay, hasSeconds) = (0, true, true)
  }

  init(
    local: LocalTime, fraction: ElapsedTime, offsetSeconds: Int?, hasTimeOfDay: Bool,
    hasSeconds: Bool
  ) {
    (self.local, self.fraction, self.offsetSeconds) = (local, fraction, offsetSeconds)
    (self.hasTimeOfDay, self.hasSeconds) = (hasTimeOfDay, hasSeconds)
  }
}
