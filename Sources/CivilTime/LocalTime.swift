public import RetraceState

/// A date and a time of day as on a wall clock, without a time zone.
public struct LocalTime: Hashable, Comparable, Sendable {
  /// The date.
  public var date: CivilDate
  /// The seconds since midnight, from 0 to 86,399.
  public var secondOfDay: Int

  /// Creates a local time, or `nil` if a day has no such time.
  public init?(date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    self.date = date
    secondOfDay = hour * 3_600 + minute * 60 + second
  }

  /// Creates the local time that is a number of seconds after 1970-01-01 00:00.
  public init(secondsSince1970 seconds: Int) {
    date = CivilDate(daysSince1970: CivilDate.floorDiv(seconds, 86_400))
    secondOfDay = CivilDate.floorMod(seconds, 86_400)
  }

  /// Creates the local time at a moment, at an offset from UTC in seconds.
  public init(_ moment: Moment, offsetSeconds: Int32) {
    let seconds = CivilDate.floorDiv(Int(moment.microseconds), 1_000_000)
    self.init(secondsSince1970: seconds + Int(offsetSeconds))
  }

  /// The seconds since 1970-01-01 00:00, with 86,400 seconds in every day.
  public var secondsSince1970: Int { date.daysSince1970 * 86_400 + secondOfDay }

  /// The hour, from 0 to 23.
  public var hour: Int { secondOfDay / 3_600 }
  /// The minute, from 0 to 59.
  public var minute: Int { secondOfDay / 60 % 60 }
  /// The second, from 0 to 59.
  public var second: Int { secondOfDay % 60 }

  /// Returns whether one local time is earlier than another.
  public static func < (left: LocalTime, right: LocalTime) -> Bool {
    (left.date, left.secondOfDay) < (right.date, right.secondOfDay)
  }

  /// The hour and minute as `09:05`.
  public var clock: String { "\(padded(hour, to: 2)):\(padded(minute, to: 2))" }

  /// The hour, minute and second as `09:05:00`.
  public var clockWithSeconds: String { "\(clock):\(padded(second, to: 2))" }
}

extension LocalTime: CustomStringConvertible {
  /// The time as `2026-11-21 09:05:00`.
  public var description: String { "\(date) \(clockWithSeconds)" }
}
