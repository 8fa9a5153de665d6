/// A format of dates and times in a file: a pattern such as `M/d/yyyy H:mm`, or a word.
///
/// Letters: `y` year, `M` month (`MMM` its English name in three letters), `d` day, `H` hour from 0
/// to 24, `h` hour from 1 to 12, `m` minute, `s` second, `a` AM or PM. A single letter reads one or
/// two digits, a double letter two. `y` and `yyyy` read four digits, `yy` two (1970 to 2069). Text
/// in single quotes, and any character that is not a letter, stands for itself; two quotes stand
/// for one.
///
/// A text may lack the seconds of its pattern, or have some, with a fraction, where the pattern has
/// none. If the pattern has an hour, the text may end with an offset from UTC: `Z`, `UTC`, `+0100`,
/// `+01:00` or `+01`. 24:00 is the end of a day.
///
/// The word `rfc3339` stands for dates with an offset, such as `2026-03-01T09:00:00+01:00`, and
/// `epoch` for seconds since 1970. `dmy` and `mdy` stand for dates in numbers, with the day or the
/// month first if the year is not, with or without a time, such as `3/4/2026 9:30 AM`,
/// `3.4.26 09:30:15` and `2026-04-03T09:30`.
public struct DateFormat: Hashable, Sendable {
  /// The error of an invalid pattern.
  public enum PatternError: Error, Hashable, Sendable {
    /// The letter is unknown, or is repeated a wrong number of times.
    case unknownField(String)
    /// A field occurs twice.
    case repeatedField(String)
    /// Year, month or day is missing, or there is `h` without `a`, or `a` without `h`.
    case missingField(String)
    /// A quote is not closed.
    case unclosedQuote
  }

  /// The error of a text that cannot be read.
  public enum ParseError: Error, Hashable, Sendable {
    /// The text does not match the pattern.
    case mismatch
    /// The text matches the pattern, but there is no such day or time.
    case noSuchTime
    /// The year is outside ``DateFormat/years``.
    case yearOutOfRange
  }

  /// The years accepted.
  public static var years: ClosedRange<Int> { 1900...2200 }

  /// The pattern, or the word.
  public let pattern: String
  let form: Form

  /// The way in which a text is read.
  enum Form: Hashable, Sendable {
    case pattern([Part], hasHour: Bool)
    case timestamp
    case epochSeconds
    /// Dates in numbers.
    case numbers(isDayFirst: Bool)
  }

  /// One field, or literal bytes.
  enum Part: Hashable, Sendable {
    case year
    case shortYear
    case monthName
    case dayPeriod
    case number(Field, ClosedRange<Int>)
    /// Seconds and their fraction, with the bytes before them, all of which a text may lack.
    case optionalSeconds(after: [UInt8], ClosedRange<Int>)
    case literal([UInt8])
  }

  enum Field: Hashable, Sendable {
    case month, day, hour, twelveHour, minute, second
  }

  /// Creates a format.
  ///
  /// - Throws: ``PatternError`` if the pattern is invalid.
  public init(_ pattern: String) throws(PatternError) {
    self.pattern = pattern
    if let form = Self.words[pattern] {
      self.form = form
      return
    }
    let parts = try Self.parts(of: pattern)
    var seen: Set<String> = []
    for part in parts {
      guard let name = part.name else { continue }
      if !seen.insert(name).inserted { throw .repeatedField(name) }
    }
    for name in ["year", "month", "day"] where !seen.contains(name) { throw .missingField(name) }
    let hasHalfDayHour = parts.contains {
      if case .number(.twelveHour, _) = $0 { true } else { false }
    }
    if hasHalfDayHour != seen.contains("AM or PM") {
      throw .missingField(hasHalfDayHour ? "AM or PM" : "hour from 1 to 12")
    }
    form = .pattern(Self.withOptionalSeconds(parts), hasHour: seen.contains("hour"))
  }

  private init(word: String, _ form: Form) {
    pattern = word
    self.form = form
  }

  /// The format `dmy`.
  public static let dayFirst = DateFormat(word: "dmy", .numbers(isDayFirst: true))
  /// The format `mdy`.
  public static let monthFirst = DateFormat(word: "mdy", .numbers(isDayFirst: false))

  private static let words: [String: Form] = [
    "rfc3339": .timestamp, "epoch": .epochSeconds, "dmy": dayFirst.form, "mdy": monthFirst.form,
  ]

  /// The format in words for errors, after "not in the format".
  public var name: String {
    switch form {
    case .pattern: pattern
    case .timestamp: "of RFC 3339, such as 2026-03-01T09:00:00+01:00"
    case .epochSeconds: "of seconds since 1970"
    case .numbers(isDayFirst: true): "of dates such as 2026-03-01 09:00 or 1.3.2026 9:00 AM"
    case .numbers(isDayFirst: false): "of dates such as 2026-03-01 09:00 or 3/1/2026 9:00 AM"
    }
  }

  /// Returns the parts, in which seconds after minutes are optional.
  private static func withOptionalSeconds(_ parts: [Part]) -> [Part] {
    func digits(of part: Part?) -> ClosedRange<Int>? {
      if case .number(.second, let digits)? = part { digits } else { nil }
    }
    let minutes = parts.firstIndex { part in
      if case .number(.minute, _) = part { true } else { false }
    }
    guard let minutes else { return parts }
    var parts = parts
    let rest = parts[(minutes + 1)...]
    if let count = digits(of: rest.first) {
      parts[minutes + 1] = .optionalSeconds(after: [], count)
    } else if case .literal(let bytes)? = rest.first, let count = digits(of: rest.dropFirst().first)
    {
      parts.replaceSubrange(
        minutes + 1...minutes + 2, with: [.optionalSeconds(after: bytes, count)])
    } else if !parts.contains(where: { digits(of: $0) != nil }) {
      parts.insert(.optionalSeconds(after: [UInt8(ascii: ":")], 2...2), at: minutes + 1)
    }
    return parts
  }

  private static func parts(of pattern: String) throws(PatternError) -> [Part] {
    var parts: [Part] = []
    var literal: [UInt8] = []
    let bytes = Array(pattern.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "'") {
        index = try quoted(bytes, from: index + 1, into: &literal)
        continue
      }
      guard (0x61...0x7a).contains(byte | 0x20) else {
        literal.append(byte)
        index += 1
        continue
      }
      if !literal.isEmpty { parts.append(.literal(literal)) }
      literal = []
      let start = index
      while index < bytes.count && bytes[index] == byte { index += 1 }
      parts.append(try field(byte, count: index - start))
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    return parts
  }

  /// Reads quoted text and returns the index after it.
  private static func quoted(
    _ bytes: [UInt8], from start: Int, into literal: inout [UInt8]
  ) throws(PatternError) -> Int {
    let quote = UInt8(ascii: "'")
    var index = start
    if index < bytes.count && bytes[index] == quote {
      literal.append(quote)
      return index + 1
    }
    while index < bytes.count {
      if bytes[index] != quote {
        literal.append(bytes[index])
        index += 1
      } else if index + 1 < bytes.count && bytes[index + 1] == quote {
        literal.append(quote)
        index += 2
      } else {
        return index + 1
      }
    }
    throw .unclosedQuote
  }

  private static func field(_ letter: UInt8, count: Int) throws(PatternError) -> Part {
    let digits = count == 1 ? 1...2 : 2...2
    switch (letter, count) {
    case (UInt8(ascii: "y"), 1), (UInt8(ascii: "y"), 4): return .year
    case (UInt8(ascii: "y"), 2): return .shortYear
    case (UInt8(ascii: "M"), 3): return .monthName
    case (UInt8(ascii: "a"), 1): return .dayPeriod
    case (UInt8(ascii: "M"), 1...2): return .number(.month, digits)
    case (UInt8(ascii: "d"), 1...2): return .number(.day, digits)
    case (UInt8(ascii: "H"), 1...2): return .number(.hour, digits)
    case (UInt8(ascii: "h"), 1...2): return .number(.twelveHour, digits)
    case (UInt8(ascii: "m"), 1...2): return .number(.minute, digits)
    case (UInt8(ascii: "s"), 1...2): return .number(.second, digits)
    default:
      throw .unknownField(String(repeating: String(UnicodeScalar(letter)), count: count))
    }
  }
}

extension DateFormat.Part {
  /// The name of the field, for detecting repeated fields.
  var name: String? {
    switch self {
    case .year, .shortYear: "year"
    case .monthName, .number(.month, _): "month"
    case .dayPeriod: "AM or PM"
    case .number(.day, _): "day"
    case .number(.hour, _), .number(.twelveHour, _): "hour"
    case .number(.minute, _): "minute"
    case .number(.second, _), .optionalSeconds: "second"
    case .literal: nil
    }
  }
}

extension DateFormat.PatternError: CustomStringConvertible {
  /// The reason, in words for the user.
  public var description: String {
    switch self {
    case .unknownField(let letters): "`\(letters)` is not a field of a date or time"
    case .repeatedField(let name): "the \(name) occurs twice"
    case .missingField(let name): "the \(name) is missing"
    case .unclosedQuote: "a quote is not closed"
    }
  }
}
