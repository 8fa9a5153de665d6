public import RetraceState

/// A format of durations in text, such as in a column of a CSV file.
public enum DurationFormat: String, CaseIterable, Hashable, Sendable {
  /// A decimal number of minutes, such as `90` or `1.5`.
  case minutes
  /// A decimal number of hours.
  case hours
  /// A decimal number of seconds.
  case seconds
  /// Hours, minutes and optional seconds, such as `1:30` or `1:30:00`.
  case clock

  /// The longest accepted duration: 100,000 hours, about eleven years.
  public static var longest: ElapsedTime { .seconds(360_000_000) }

  /// The error of a text that is not a duration.
  public enum ParseError: Error, Hashable, Sendable {
    /// The text is not in the format.
    case mismatch
    /// The duration is negative.
    case negative
    /// The duration is longer than ``DurationFormat/longest``.
    case tooLong
  }

  /// Reads a duration, truncated to microseconds; decimals after the ninth are ignored.
  ///
  /// - Throws: ``ParseError`` if the text is not in the format, negative or too long.
  public func parse(_ text: String) throws(ParseError) -> ElapsedTime {
    if let unit, let number = Self.wholeNumber(text.utf8.span) {
      let time = ElapsedTime(microseconds: number * unit)
      guard time <= Self.longest else { throw .tooLong }
      return time
    }
    let bytes = Array(text.utf8)
    if bytes.first == UInt8(ascii: "-") {
      _ = try Self.magnitude(Array(bytes.dropFirst()), self)
      throw .negative
    }
    let time = try Self.magnitude(bytes, self)
    guard time <= Self.longest else { throw .tooLong }
    return time
  }

  private static func magnitude(
    _ bytes: [UInt8], _ format: DurationFormat
  ) throws(ParseError) -> ElapsedTime {
    guard let unit = format.unit else { return try clock(bytes) }
    return try decimal(bytes, unit: unit)
  }

  /// The unit of a decimal number in microseconds; `nil` for a clock.
  private var unit: Int64? {
    switch self {
    case .minutes: 60_000_000
    case .hours: 3_600_000_000
    case .seconds: 1_000_000
    case .clock: nil
    }
  }

  /// Returns the number of one to nine digits, which most durations are; `nil` for another text.
  private static func wholeNumber(_ bytes: Span<UInt8>) -> Int64? {
    guard (1...9).contains(bytes.count) else { return nil }
    var value: Int64 = 0
    for index in bytes.indices {
      guard isDigit(bytes[index]) else { return nil }
      value = value * 10 + Int64(bytes[index] - 0x30)
    }
    return value
  }

  /// Reads `digits[.digits]` in units of `unit` microseconds, with integer arithmetic.
  private static func decimal(
    _ bytes: [UInt8], unit: Int64
  ) throws(ParseError) -> ElapsedTime {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { throw .mismatch }
    guard parts[0].count <= 9, parts.allSatisfy({ $0.allSatisfy(isDigit) }) else {
      throw parts.allSatisfy { $0.allSatisfy(isDigit) } ? .tooLong : .mismatch
    }
    var microseconds = number(parts[0]) * unit
    if parts.count == 2 {
      // Ignored decimals are worth less than 4 us in hours, and less than 1 us in other units.
      let digits = parts[1].prefix(9)
      var scale: Int64 = 1
      for _ in digits { scale *= 10 }
      microseconds += number(digits) * (unit / 1_000) / scale * 1_000
      let rest = number(digits) * (unit / 1_000) % scale
      microseconds += rest * 1_000 / scale
    }
    return ElapsedTime(microseconds: microseconds)
  }

  private static func clock(_ bytes: [UInt8]) throws(ParseError) -> ElapsedTime {
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), !parts[0].isEmpty,
      parts.allSatisfy({ $0.allSatisfy(isDigit) }), parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { throw .mismatch }
    guard parts[0].count <= 10 else { throw .tooLong }
    let minutes = number(parts[1])
    let seconds = parts.count == 3 ? number(parts[2]) : 0
    guard minutes < 60, seconds < 60 else { throw .mismatch }
    return .seconds(number(parts[0]) * 3_600 + minutes * 60 + seconds)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64 {
    digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}

extension ElapsedTime {
  /// The duration in hours, minutes and seconds: `1:23:45`.
  public var clock: String {
    let sign = microseconds < 0 ? "-" : ""
    let rest = Int64(seconds.magnitude)
    return "\(sign)\(rest / 3_600):\(padded(rest / 60 % 60, to: 2)):\(padded(rest % 60, to: 2))"
  }
}
