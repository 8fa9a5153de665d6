/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// The year; year 0 precedes year 1.
  public var year: Int
  /// The month, from 1 to 12.
  public var month: Int
  /// The day of the month, from 1.
  public var day: Int

  /// Creates a date; `nil` if there is no such day, or if the year has more than six digits.
  public init?(year: Int, month: Int, day: Int) {
    guard (-999_999...999_999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date that is a number of days after 1970-01-01.
  public init(daysSince1970 days: Int) {
    // Years start in March, so that a leap day is the last day of its year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days after 1970-01-01.
  public var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day of the week: 0 is Sunday, 6 is Saturday.
  public var weekday: Int { Self.floorMod(daysSince1970 + 4, 7) }

  /// Returns the date a number of days later, or earlier if the number is negative.
  public func adding(days: Int) -> CivilDate {
    CivilDate(daysSince1970: daysSince1970 + days)
  }

  /// Returns the dates of the week in which this date is.
  ///
  /// - Parameter first: The day on which weeks start: 0 for Sunday, 1 for Monday, up to 6.
  public func week(startingOn first: Int) -> Range<CivilDate> {
    let start = adding(days: -Self.floorMod(weekday - first, 7))
    return start..<start.adding(days: 7)
  }

  /// The dates of the month in which this date is.
  public var monthDates: Range<CivilDate> {
    let start = adding(days: 1 - day)
    return start..<start.adding(days: Self.days(inMonth: month, of: year))
  }

  /// Returns whether one date is earlier than another.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// Returns whether a year has a leap day.
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the number of days of a month from 1 to 12; 0 for any other number.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 0
    }
  }

  /// Returns the quotient, rounded down.
  static func floorDiv<Value: SignedInteger>(_ value: Value, _ divisor: Value) -> Value {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// Returns the remainder, which is never negative.
  static func floorMod<Value: SignedInteger>(_ value: Value, _ divisor: Value) -> Value {
    let remainder = value % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

extension CivilDate: CustomStringConvertible {
  /// The date as `2026-11-21`.
  public var description: String {
    "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }
}

package func padded(_ number: Int, to width: Int) -> String { padded(Int64(number), to: width) }

package func padded(_ number: Int64, to width: Int) -> String {
  let digits = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
  return (number < 0 ? "-" : "") + zeros + digits
}
