extension PosixRule {
  /// The default dates of daylight saving time: the rule of the United States, as in glibc and in
  /// the code of the tz database.
  static var defaultDates: String { ",M3.2.0,M11.1.0" }

  init?(_ text: [UInt8]) {
    var scanner = Scanner(bytes: text)
    guard scanner.name(), let standard = scanner.time(hourLimit: 24) else { return nil }
    standardOffset = -Int32(standard)
    daylight = nil
    if scanner.isAtEnd { return }
    guard scanner.name() else { return nil }
    var offset = standardOffset + 3_600
    if !scanner.isAtEnd && !scanner.next(is: ",") {
      guard let time = scanner.time(hourLimit: 24) else { return nil }
      offset = -Int32(time)
    }
    if scanner.isAtEnd { scanner = Scanner(bytes: Array(Self.defaultDates.utf8)) }
    guard scanner.accept(","), let begin = scanner.change(), scanner.accept(","),
      let end = scanner.change(), scanner.isAtEnd
    else { return nil }
    daylight = Daylight(offset: offset, begin: begin, end: end)
  }

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

    /// Skips a name of at least three letters; in angle brackets also digits and signs.
    ///
    /// - Returns: Whether there is such a name.
    mutating func name() -> Bool {
      let isQuoted = accept("<")
      let start = index
      while index < bytes.count && isOfName(bytes[index], isQuoted: isQuoted) { index += 1 }
      return index >= start + 3 && (!isQuoted || accept(">"))
    }

    private func isOfName(_ byte: UInt8, isQuoted: Bool) -> Bool {
      switch byte {
      case 0x41...0x5a, 0x61...0x7a: true
      case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
      default: false
      }
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
