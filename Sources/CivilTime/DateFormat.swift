/// A pattern for reading dates and times, such as `M/d/yyyy H:mm`.
///
/// Letters: `y` year, `M` month (`MMM` its English name in three letters), `d` day, `H` hour from 0
/// to 23, `h` hour from 1 to 12, `m` minute, `s` second, `a` AM or PM. A single letter reads one or
/// two digits, a double letter two. `y` and `yyyy` read four digits, `yy` two (1970 to 2069). Text
/// in single quotes, and any character that is not a letter, stands for itself; two quotes stand
/// for one.
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

  /// The pattern.
  public let pattern: String
  let parts: [Part]

  /// One field, or literal bytes.
  enum Part: Hashable, Sendable {
    case year
    case shortYear
    case monthName
    case dayPeriod
    case number(Field, ClosedRange<Int>)
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
    parts = try Self.parts(of: pattern)
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
    case .number(.second, _): "second"
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
