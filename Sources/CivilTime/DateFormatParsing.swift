extension DateFormat {
  /// Reads a whole text in this format.
  ///
  /// - Throws: ``ParseError`` if the text is not in the format or no such time exists.
  /// - Complexity: O(bytes of the text).
  public func parse(_ text: String) throws(ParseError) -> LocalTime {
    var fields = Fields()
    var reader = Reader(text.utf8.span)
    for part in parts { try fields.read(part, from: &reader) }
    guard reader.isAtEnd else { throw .mismatch }
    return try fields.localTime()
  }

  /// A position in the bytes of the text.
  private struct Reader: ~Escapable {
    let bytes: Span<UInt8>
    var index = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func byte() -> UInt8? {
      guard index < bytes.count else { return nil }
      defer { index += 1 }
      return bytes[index]
    }

    /// Reads as many digits as there are, up to the upper bound; throws if there are too few.
    mutating func number(digits: ClosedRange<Int>) throws(ParseError) -> Int {
      var value = 0
      var count = 0
      while count < digits.upperBound, index < bytes.count {
        let byte = bytes[index]
        guard (0x30...0x39).contains(byte) else { break }
        value = value * 10 + Int(byte - 0x30)
        count += 1
        index += 1
      }
      guard digits.contains(count) else { throw .mismatch }
      return value
    }
  }

  private struct Fields {
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var second = 0
    var isAfternoon: Bool?
    var isHalfDayHour = false

    mutating func read(_ part: Part, from reader: inout Reader) throws(ParseError) {
      switch part {
      case .literal(let bytes):
        for byte in bytes where reader.byte() != byte { throw .mismatch }
      case .year: year = try reader.number(digits: 4...4)
      case .shortYear:
        let short = try reader.number(digits: 2...2)
        year = short >= 70 ? 1900 + short : 2000 + short
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
        case .second: second = value
        }
      }
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
      guard let date = CivilDate(year: year, month: month, day: day),
        let local = LocalTime(date: date, hour: hour, minute: minute, second: second)
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
