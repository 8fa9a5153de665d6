import CivilTime
import RetraceState
import TimeTracking

/// The places of durations that have a day and no time of day: one after the other, from the first
/// moment of the day.
public struct PlacedDurations: Sendable {
  private struct Day: Hashable {
    let user: Name
    let date: CivilDate
  }

  /// The number of durations.
  private(set) var count = 0
  /// The day of the last duration.
  private(set) var lastDay: CivilDate?
  /// The start of the next duration of each user and day.
  private var next: [Day: Moment] = [:]

  /// Creates a value without durations.
  public init() {}

  /// Returns the start of the next duration of a user on a day.
  ///
  /// - Complexity: O(1) and one `ZoneRules.startOfDay(_:)`.
  mutating func place(
    _ duration: ElapsedTime, on date: CivilDate, of user: Name, in zone: ZoneRules
  ) -> Moment {
    let day = Day(user: user, date: date)
    let start = next[day] ?? zone.startOfDay(date)
    next[day] = start.adding(duration)
    (count, lastDay) = (count + 1, date)
    return start
  }
}
