import RetraceState

extension DateFormat {
  /// Reads a whole text without an offset in this format, and drops fractions of a second.
  ///
  /// - Throws: As ``read(_:)``.
  /// - Complexity: O(bytes of the text).
  public func parse(_ text: String) throws(ParseError) -> LocalTime {
    let time = try read(text)
    guard time.offsetSeconds == nil else { throw .mismatch }
    return time.local
  }

  /// Reads a whole text in this format.
  ///
  /// - Throws: ``ParseError`` if the text is not in the format or no such time exists.
  /// - Complexity: O(bytes of the text).
  public func read(_ text: String) throws(ParseError) -> WrittenTime {
    var fields = Fields()
    var reader = Reader(text.utf8.span)
    switch form {
    case .pattern(let parts, let hasHour):
      fields.hasTimeOfDay = hasHour
      for part in parts { try fields.read(part, from: &reader) }
    case .timestamp:
      if let moment = Moment(timestamp: text) { return WrittenTime(moment) }
      try fields.readNumbers(from: &reader, isDayFirst: nil)
      guard !reader.isAtEnd else { throw .mismatch }
    case .epochSeconds: return WrittenTime(try Self.epochMoment(&reader))
    case .numbers(let isDayFirst): try fields.readNumbers(from: &reader, isDayFirst: isDayFirst)
    }
    var offset: Int?
    if !reader.isAtEnd {
      guard fields.hasTimeOfDay else { throw .mismatch }
      offset = try reader.offset()
      guard reader.isAtEnd else { throw .mismatch }
    }
    return WrittenTime(
      local: try fields.localTime(), fraction: ElapsedTime(microseconds: fields.microseconds),
      offsetSeconds: offset, hasTimeOfDay: fields.hasTimeOfDay, hasSeconds: fields.hasSeconds)
  }

  private static func epochMoment(_ reader: inout Reader) throws(ParseError) -> Moment {
    let seconds = try reader.long(digits: 1...15)
    let fraction = try reader.fraction()
    guard reader.isAtEnd else { throw .mismatch }
    guard years.contains(LocalTime(secondsSince1970: seconds).date.year) else {
      throw .yearOutOfRange
    }
    return Moment(secondsSince1970: seconds).adding(ElapsedTime(microseconds: fraction))
  }

  /// A position in the bytes of the text.
  private struct Reader: ~Escapable {
    let bytes: Span<UInt8>
    var index = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }
    var isAtDigit: Bool { index < bytes.count && (0x30...0x39).contains(bytes[index]) }

    mutating func byte() -> UInt8? {
      guard index < bytes.count else { return nil }
      defer { index += 1 }
      return bytes[index]
    }

    /// Reads as many digits as there are, up to the upper bound; throws if there are too few.
    ///
    /// - Precondition: There are at most 18 digits.
    mutating func long(digits: ClosedRange<Int>) throws(ParseError) -> Int64 {
      var value: Int64 = 0
      var count = 0
      while count < digits.upperBound, index < bytes.count {
        let byte = bytes[index]
        guard (0x30...0x39).contains(byte) else { break }
        value = value * 10 + Int64(byte - 0x30)
        count += 1
        index += 1
      }
      guard digits.contains(count) else { throw .mismatch }
      return value
    }

    /// Reads a number of at most nine digits.
    mutating func number(digits: ClosedRange<Int>) throws(ParseError) -> Int {
      Int(try long(digits: digits))
    }

    /// Passes a byte if it is one of the given ones, and returns whether it is.
    mutating func pass(_ letters: String) -> Bool {
      guard index < bytes.count, letters.utf8.contains(bytes[index]) else { return false }
      index += 1
      return true
    }

    /// Passes bytes if they are next, and returns whether they are.
    mutating func pass(_ literal: [UInt8]) -> Bool {
      let start = index
      for byte in literal where self.byte() != byte {
        index = start
        return false
      }
      return true
    }

    /// Reads the decimals of a second, if there are any, and returns whole microseconds.
    mutating func fraction() throws(ParseError) -> Int64 {
      let start = index
      guard pass(".,"), isAtDigit else {
        index = start
        return 0
      }
      var (microseconds, unit) = (Int64(0), Int64(100_000))
      while isAtDigit {
        microseconds += Int64(bytes[index] - 0x30) * unit
        unit /= 10
        index += 1
      }
      return microseconds
    }

    /// Reads an offset from UTC in seconds.
    mutating func offset() throws(ParseError) -> Int {
      while pass(" ") {}
      if pass("Zz") || pass(Array("UTC".utf8)) { return 0 }
      let isWest = index < bytes.count && bytes[index] == UInt8(ascii: "-")
      guard pass("+-") else { throw .mismatch }
      let hours = try number(digits: 2...2)
      let hasColon = pass(":")
      let minutes = hasColon || isAtDigit ? try number(digits: 2...2) : 0
      guard hours < 24, minutes < 60 else { throw .noSuchTime }
      return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
  }

  private struct Fields {
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var second = 0
    var microseconds: Int64 = 0
    var isAfternoon: Bool?
    var isHalfDayHour = false
    var hasTimeOfDay = false
    var hasSeconds = false

    mutating func read(_ part: Part, from reader: inout Reader) throws(ParseError) {
      switch part {
      case .literal(let bytes):
        for byte in bytes where reader.byte() != byte { throw .mismatch }
      case .year: year = try reader.number(digits: 4...4)
      case .shortYear: year = Self.year(short: try reader.number(digits: 2...2))
      case .monthName: month = try monthName(&reader)
      case .dayPeriod: isAfternoon = try dayPeriod(&reader)
      case .number(let field, let digits):
        let value = try reader.number(digits: digits)
        switch field {
        case .month: month = value
        case .day: day = value
        case .hour: hour = value
        case .twelveHour:
          hour = value
          isHalfDayHour = true
        case .minute: minute = value
        case .second:
          second = value
          hasSeconds = true
        }
      case .optionalSeconds(let separator, let digits):
        try readSeconds(from: &reader, after: separator, digits)
      }
    }

    private mutating func readSeconds(
      from reader: inout Reader, after separator: [UInt8], _ digits: ClosedRange<Int>
    ) throws(ParseError) {
      let start = reader.index
      guard reader.pass(separator), reader.isAtDigit else {
        reader.index = start
        return
      }
      second = try reader.number(digits: digits)
      microseconds = try reader.fraction()
      hasSeconds = true
    }

    private static func year(short: Int) -> Int { short >= 70 ? 1900 + short : 2000 + short }

    /// Reads a date in numbers, and a time if there is one.
    ///
    /// - Parameter isDayFirst: Whether the day comes before the month if the year is not first;
    ///   `nil` if the year has to be first.
    mutating func readNumbers(
      from reader: inout Reader, isDayFirst: Bool?
    ) throws(ParseError) {
      let start = reader.index
      let first = try reader.number(digits: 1...4)
      let firstDigits = reader.index - start
      guard let separator = reader.byte(), "-/.".utf8.contains(separator) else { throw .mismatch }
      let second = try reader.number(digits: 1...2)
      guard reader.byte() == separator else { throw .mismatch }
      if firstDigits == 4 {
        (year, month) = (first, second)
        day = try reader.number(digits: 1...2)
      } else {
        // No language writes the month first with dots.
        guard firstDigits < 3, let isDayFirst, isDayFirst || separator != UInt8(ascii: ".") else {
          throw .mismatch
        }
        (day, month) = isDayFirst ? (first, second) : (second, first)
        let yearStart = reader.index
        year = try reader.number(digits: 2...4)
        switch reader.index - yearStart {
        case 2: year = Self.year(short: year)
        case 4: break
        default: throw .mismatch
        }
      }
      if reader.isAtEnd { return }
      guard reader.pass("Tt") || reader.pass(" ") || reader.pass(Array(", ".utf8)) else {
        throw .mismatch
      }
      while reader.pass(" ") {}
      try readTimeOfDay(from: &reader)
    }

    private mutating func readTimeOfDay(from reader: inout Reader) throws(ParseError) {
      hasTimeOfDay = true
      hour = try reader.number(digits: 1...2)
      guard reader.pass(":") else { throw .mismatch }
      minute = try reader.number(digits: 2...2)
      try readSeconds(from: &reader, after: [UInt8(ascii: ":")], 2...2)
      let end = reader.index
      while reader.pass(" ") {}
      guard reader.pass("AaPp") else {
        reader.index = end
        return
      }
      reader.index -= 1
      isAfternoon = try dayPeriod(&reader)
      isHalfDayHour = true
    }

    private func monthName(_ reader: inout Reader) throws(ParseError) -> Int {
      var name: [UInt8] = []
      for _ in 0..<3 { if let byte = reader.byte() { name.append(byte | 0x20) } }
      let text = String(decoding: name, as: UTF8.self)
      guard let index = DateFormat.monthNames.firstIndex(of: text) else { throw .mismatch }
      return index + 1
    }

    private func dayPeriod(_ reader: inout Reader) throws(ParseError) -> Bool {
      let first = (reader.byte() ?? 0) | 0x20
      guard (reader.byte() ?? 0) | 0x20 == UInt8(ascii: "m") else { throw .mismatch }
      guard first == UInt8(ascii: "a") || first == UInt8(ascii: "p") else { throw .mismatch }
      return first == UInt8(ascii: "p")
    }

    func localTime() throws(ParseError) -> LocalTime {
      var hour = hour
      if isHalfDayHour, let isAfternoon {
        guard (1...12).contains(hour) else { throw .noSuchTime }
        hour = hour % 12 + (isAfternoon ? 12 : 0)
      }
      guard let date = CivilDate(year: year, month: month, day: day) else { throw .noSuchTime }
      if hour == 24, minute == 0, second == 0, microseconds == 0 {
        guard DateFormat.years.contains(year) else { throw .yearOutOfRange }
        return LocalTime(second: 86_400, ofDay: date.daysSince1970)
      }
      guard let local = LocalTime(date: date, hour: hour, minute: minute, second: second)
      else { throw .noSuchTime }
      guard DateFormat.years.contains(year) else { throw .yearOutOfRange }
      return local
    }
  }

  /// The English names of the months, cut to three letters.
  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}
