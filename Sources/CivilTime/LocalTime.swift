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

  /// Creates the local time that is a number of seconds after 1970-01-01 00:00, clamped to years of
  /// at most six digits.
  public init(secondsSince1970 seconds: Int64) {
    let seconds = min(max(seconds, Self.seconds.lowerBound), Self.seconds.upperBound)
    date = CivilDate(daysSince1970: Int(CivilDate.floorDiv(seconds, 86_400)))
    secondOfDay = Int(CivilDate.floorMod(seconds, 86_400))
  }

  /// Creates the local time that is a number of seconds after the midnight at which a day begins.
  ///
  /// - Parameters:
  ///   - second: The seconds, which may lead to another day.
  ///   - day: The day, in days since 1970.
  package init(second: Int, ofDay day: Int) {
    self.init(secondsSince1970: Int64(day) * 86_400 + Int64(second))
  }

  /// The seconds since 1970 of the years that a date may have.
  private static var seconds: ClosedRange<Int64> { -31_619_087_596_800...31_494_784_780_799 }

  /// Creates the local time at a moment, at an offset from UTC in seconds.
  public init(_ moment: Moment, offsetSeconds: Int32) {
    self.init(secondsSince1970: moment.secondsSince1970 + Int64(offsetSeconds))
  }

  /// The seconds since 1970-01-01 00:00, with 86,400 seconds in every day.
  public var secondsSince1970: Int64 { Int64(date.daysSince1970) * 86_400 + Int64(secondOfDay) }

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
