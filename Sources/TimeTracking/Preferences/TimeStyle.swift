public import CivilTime
public import RetraceState

/// The way in which a user reads dates, times of day and durations.
///
/// Screens and lists take all of their texts from it, so that they agree.
public struct TimeStyle: Hashable, Sendable {
  /// The style of dates.
  public var dates: DateStyle
  /// The style of durations.
  public var durations: DurationStyle
  /// Whether the hours of a day are counted to 24, and not twice to 12.
  public var is24Hours: Bool

  /// Creates a style.
  public init(
    dates: DateStyle = .yearMonthDay, durations: DurationStyle = .improved, is24Hours: Bool = true
  ) {
    (self.dates, self.durations, self.is24Hours) = (dates, durations, is24Hours)
  }

  /// Creates the style of a user's preferences.
  public init(_ preferences: PreferenceSet) {
    self.init(
      dates: preferences.dateFormat, durations: preferences.durationFormat.style,
      is24Hours: preferences.is24Hours)
  }

  /// Returns a date: `2026-03-04` or `04.03.2026`.
  public func text(_ date: CivilDate) -> String { dates.text(date) }

  /// Returns a date with its weekday: `Wed 2026-03-04`.
  public func withWeekday(_ date: CivilDate) -> String {
    "\(Self.weekdays[date.weekday]) \(text(date))"
  }

  /// Returns a date with its weekday and without its year: `Wed 03-04`.
  public func withWeekdayAndDay(_ date: CivilDate) -> String {
    "\(Self.weekdays[date.weekday]) \(dates.textWithoutYear(date))"
  }

  /// Returns a duration in whole seconds: `0:47:06` or `0.79 h`.
  public func text(_ time: ElapsedTime) -> String { durations.text(time) }

  /// Returns the time of day: `21:05` or `09:05 PM`.
  public func clock(_ local: LocalTime) -> String { clock(local, seconds: "") }

  /// Returns the time of day with its seconds: `21:05:00` or `09:05:00 PM`.
  public func clockWithSeconds(_ local: LocalTime) -> String {
    clock(local, seconds: ":\(padded(local.second, to: 2))")
  }

  private func clock(_ local: LocalTime, seconds: String) -> String {
    guard !is24Hours else { return local.clock + seconds }
    let hour = padded((local.hour + 11) % 12 + 1, to: 2)
    return "\(hour):\(padded(local.minute, to: 2))\(seconds) \(local.hour < 12 ? "AM" : "PM")"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}
