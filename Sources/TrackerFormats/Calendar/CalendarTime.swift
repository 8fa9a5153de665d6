import CivilTime
import RetraceState

/// A date, or a date with a time, of a calendar file (RFC 5545, sections 3.3.4 and 3.3.5).
struct CalendarTime: Hashable, Sendable {
  /// What a time is relative to.
  enum Kind: Hashable, Sendable {
    /// It is a whole day.
    case day
    /// It is a time on any clock, wherever the user is.
    case floating
    /// It is a time in a zone, which is the index in the list of the file; 0 is UTC.
    case zone(Int32)
  }

  /// The seconds from 1970-01-01 00:00 to the date and time on the clock.
  var clock: Int64
  var kind: Kind

  /// The local time, or the midnight at which the day begins.
  var local: LocalTime { LocalTime(secondsSince1970: clock) }

  /// The days from 1970-01-01 to the date.
  var day: Int { local.date.daysSince1970 }

  /// Parses a date such as `20260302`, or a date with a time such as `20260302T090000Z`.
  ///
  /// A second of 60 is 59, as section 3.3.12 says of clocks without leap seconds.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - kind: The kind of a time without `Z`.
  /// - Returns: The time; `nil` if the text is neither.
  /// - Throws: ``RowRejection/Reason/noSuchTime`` in a failure, if a calendar or clock never shows
  ///   it.
  init?(_ text: Substring, _ kind: Kind) throws(CalendarFailure) {
    let bytes = Array(text.utf8)
    let digits = bytes.prefix(8)
    guard digits.count == 8, let date = Self.number(digits) else { return nil }
    let civil = CivilDate(year: date / 10_000, month: date / 100 % 100, day: date % 100)
    if bytes.count == 8 {
      guard let civil, civil.year > 0 else { throw CalendarFailure(.noSuchTime) }
      self.init(day: civil.daysSince1970)
      return
    }
    let isUTC = bytes.last == UInt8(ascii: "Z") || bytes.last == UInt8(ascii: "z")
    guard bytes.count == (isUTC ? 16 : 15), bytes[8] | 0x20 == UInt8(ascii: "t"),
      let time = Self.number(bytes[9..<15])
    else { return nil }
    let second = time % 100 == 60 ? 59 : time % 100
    guard let civil, civil.year > 0,
      let local = LocalTime(
        date: civil, hour: time / 10_000, minute: time / 100 % 100, second: second)
    else { throw CalendarFailure(.noSuchTime) }
    self.init(clock: local.secondsSince1970, kind: isUTC ? .zone(0) : kind)
  }

  /// Creates a whole day.
  init(day: Int) { self.init(clock: Int64(day) * 86_400, kind: .day) }

  init(clock: Int64, kind: Kind) { (self.clock, self.kind) = (clock, kind) }

  /// Returns the value of digits; `nil` if there are other bytes.
  static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(digits.count) else { return nil }
    var value = 0
    for byte in digits {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
}

/// The reason why a value of a calendar file cannot be read.
struct CalendarFailure: Error {
  let reason: RowRejection.Reason

  init(_ reason: RowRejection.Reason) { self.reason = reason }

  init(_ reason: String) { self.reason = .other(reason) }
}

/// The length of an event.
enum CalendarLength: Hashable, Sendable {
  /// The event has an end, and each of its occurrences the time from its start to that end
  /// (RFC 5545, section 3.8.5.3).
  case end(CalendarTime)
  /// The event lasts a number of days on the calendar, and then of seconds (section 3.3.6).
  case duration(days: Int, seconds: Int64)

  /// The maximum number of days of a duration.
  static var daysMax: Int { 36_600 }

  /// Parses a duration such as `P1DT2H30M` or `P2W`.
  ///
  /// - Throws: The reason why the text is not a duration of an event.
  init(duration text: some StringProtocol) throws(CalendarFailure) {
    var rest = text.utf8[...]
    func isAhead(_ letter: Unicode.Scalar) -> Bool {
      rest.first.map { $0 & 0xdf == UInt8(ascii: letter) } == true
    }
    let other = CalendarFailure("not a duration such as PT1H30M, P1D or P2W")
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard isAhead("P") else { throw other }
    rest.removeFirst()
    var (days, seconds, parts) = (0, 0, 0)
    var units: [(letter: Unicode.Scalar, days: Int, seconds: Int)] = [("W", 7, 0), ("D", 1, 0)]
    var isTime = false
    while !rest.isEmpty {
      if !isTime, isAhead("T") {
        isTime = true
        units = [("H", 0, 3_600), ("M", 0, 60), ("S", 0, 1)]
        rest.removeFirst()
      }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[digits.endIndex...]
      guard let number = CalendarTime.number(Array(digits)[...]),
        let index = units.firstIndex(where: { isAhead($0.letter) })
      else { throw other }
      rest.removeFirst()
      days += number * units[index].days
      seconds += number * units[index].seconds
      units.removeSubrange(...index)
      parts += 1
    }
    guard parts > 0 else { throw other }
    guard !isNegative || days == 0 && seconds == 0 else {
      throw CalendarFailure(.negativeDuration)
    }
    guard days <= Self.daysMax, seconds <= Self.daysMax * 86_400 else {
      throw CalendarFailure("longer than \(Self.daysMax) days")
    }
    self = .duration(days: days, seconds: Int64(seconds))
  }
}
