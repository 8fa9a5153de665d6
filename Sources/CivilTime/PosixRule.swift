/// The rule for the time after the last transition, from the last line of a tz file, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixRule: Hashable, Sendable {
  /// The offset in standard time, in seconds east of Greenwich.
  var standardOffset: Int32
  /// Daylight saving time, if there is any.
  var daylight: Daylight?

  /// The period and the offset of daylight saving time.
  struct Daylight: Hashable, Sendable {
    /// The offset in seconds east of Greenwich.
    var offset: Int32
    /// The start of daylight saving time.
    var begin: Change
    /// The end of daylight saving time.
    var end: Change
  }

  /// A yearly change of the offset, in the local time before the change.
  struct Change: Hashable, Sendable {
    /// The day.
    var day: Day
    /// The seconds after midnight; negative for before midnight.
    var second: Int
  }

  /// A day of each year.
  enum Day: Hashable, Sendable {
    /// A day from 1 to 365; 29 February is never counted.
    case julian(Int)
    /// A day from 0 to 365; 29 February is counted in leap years.
    case ordinal(Int)
    /// The n-th weekday (0 is Sunday) of a month; week 5 means the last.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// Returns the offset at a second since 1970.
  func offset(atSecond second: Int64) -> Int32 {
    guard let daylight else { return standardOffset }
    let local = LocalTime(secondsSince1970: Int(second) + Int(standardOffset))
    let year = local.date.year
    let begin = daylight.begin.localSeconds(in: year) - Int(standardOffset)
    let end = daylight.end.localSeconds(in: year) - Int(daylight.offset)
    let instant = Int(second)
    let isDaylight =
      begin < end ? instant >= begin && instant < end : instant >= begin || instant < end
    return isDaylight ? daylight.offset : standardOffset
  }
}

extension PosixRule.Change {
  /// Returns the local time of the change in a year, in seconds since 1970.
  func localSeconds(in year: Int) -> Int {
    let first = CivilDate.firstDay(of: year, month: 1)
    switch day {
    case .julian(let number):
      let leap = CivilDate.isLeap(year) && number >= 60 ? 1 : 0
      return (first + number - 1 + leap) * 86_400 + second
    case .ordinal(let number):
      return (first + number) * 86_400 + second
    case .weekday(let month, let week, let weekday):
      let start = CivilDate.firstDay(of: year, month: month)
      let shift = CivilDate.floorMod(weekday - CivilDate.floorMod(start + 4, 7), 7)
      var day = shift + (week - 1) * 7
      if day >= CivilDate.days(inMonth: month, of: year) { day -= 7 }
      return (start + day) * 86_400 + second
    }
  }
}

extension CivilDate {
  /// Returns the first day of a month, in days since 1970.
  static func firstDay(of year: Int, month: Int) -> Int {
    CivilDate(year: year, month: month, day: 1)?.daysSince1970 ?? 0
  }
}

extension PosixRule {
  /// Parses the text of a rule; `nil` if the text is not a rule.
  init?(_ text: [UInt8]) {
    var scanner = Scanner(bytes: text)
    guard scanner.name(), let standard = scanner.time(hourLimit: 24) else { return nil }
    standardOffset = -Int32(standard)
    daylight = nil
    if scanner.isAtEnd { return }
    guard scanner.name() else { return nil }
    var offset = standardOffset + 3_600
    if !scanner.next(is: ",") {
      guard let time = scanner.time(hourLimit: 24) else { return nil }
      offset = -Int32(time)
    }
    guard scanner.accept(","), let begin = scanner.change(), scanner.accept(","),
      let end = scanner.change(), scanner.isAtEnd
    else { return nil }
    daylight = Daylight(offset: offset, begin: begin, end: end)
  }

  /// A scanner for the parts of a rule.
  private struct Scanner {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    func next(is scalar: Unicode.Scalar) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: scalar)
    }

    mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
      guard next(is: scalar) else { return false }
      index += 1
      return true
    }

    /// Skips a name: letters, or any text in angle brackets; returns whether there is one.
    mutating func name() -> Bool {
      let start = index
      if accept("<") {
        while index < bytes.count && !next(is: ">") { index += 1 }
        return accept(">")
      }
      while index < bytes.count && (bytes[index] | 0x20) >= 0x61 && (bytes[index] | 0x20) <= 0x7a {
        index += 1
      }
      return index > start
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let start = index
      var value = 0
      while index < bytes.count, index - start < 4, (0x30...0x39).contains(bytes[index]) {
        value = value * 10 + Int(bytes[index] - 0x30)
        index += 1
      }
      return index > start && range.contains(value) ? value : nil
    }

    /// Reads `[+-]h[:m[:s]]` in seconds.
    mutating func time(hourLimit: Int) -> Int? {
      let isNegative = accept("-")
      if !isNegative { _ = accept("+") }
      guard let hours = number(0...hourLimit) else { return nil }
      var seconds = hours * 3_600
      if accept(":") {
        guard let minutes = number(0...59) else { return nil }
        seconds += minutes * 60
        if accept(":") {
          guard let rest = number(0...59) else { return nil }
          seconds += rest
        }
      }
      return isNegative ? -seconds : seconds
    }

    mutating func change() -> Change? {
      guard let day = day() else { return nil }
      guard accept("/") else { return Change(day: day, second: 7_200) }
      guard let second = time(hourLimit: 167) else { return nil }
      return Change(day: day, second: second)
    }

    private mutating func day() -> Day? {
      if accept("J") { return number(1...365).map { .julian($0) } }
      guard accept("M") else { return number(0...365).map { .ordinal($0) } }
      guard let month = number(1...12), accept("."), let week = number(1...5), accept("."),
        let weekday = number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}
