import CivilTime
import RetraceState

/// A reader of durations in files, which may name their units.
enum DurationText {
  /// Reads a duration in a format, or with units, such as `18:25 min`, `12 sec` and `1h 30m`.
  ///
  /// A number may have a decimal comma, unless the comma may separate thousands.
  ///
  /// - Throws: As `DurationFormat.parse(_:)`.
  /// - Complexity: O(bytes of the text).
  static func read(
    _ text: String, as format: DurationFormat
  ) throws(DurationFormat.ParseError) -> ElapsedTime {
    do throws(DurationFormat.ParseError) {
      return try format.parse(withPoint(text, as: format))
    } catch {
      guard error == .mismatch, let time = try withUnits(text) else { throw error }
      return time
    }
  }

  /// Returns the smallest difference of two durations that are written as one is: a second for
  /// `0:35:05` and `35:05 min`, a minute for `0:35` and `1h 30m`, and 36 seconds for `0.58 h`.
  ///
  /// - Precondition: ``read(_:as:)`` reads the text.
  static func step(of text: String, as format: DurationFormat) -> ElapsedTime {
    let words = text.utf8.split { (byte) in byte == 0x20 || !isNumeric(byte) }
    let number = words.last ?? text.utf8[...]
    let word = text.split { $0.isWhitespace || $0.isNumber || ",.:".contains($0) }.last
    let last = word.flatMap { unit($0) } ?? format
    let colons = number.count { $0 == UInt8(ascii: ":") }
    guard colons == 0 else { return .seconds(colons == 1 && last != .minutes ? 60 : 1) }
    let parts = number.split(whereSeparator: { ",.".utf8.contains($0) })
    var step: Int64 = last == .hours ? 3_600_000_000 : last == .minutes ? 60_000_000 : 1_000_000
    for _ in 0..<(parts.count > 1 ? parts[1].count : 0) { step /= 10 }
    return ElapsedTime(microseconds: step)
  }

  /// Returns a number with a decimal point instead of a decimal comma.
  ///
  /// A comma that may separate thousands is kept.
  private static func withPoint(_ text: String, as format: DurationFormat) -> String {
    guard text.utf8.contains(UInt8(ascii: ",")) else { return text }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard format != .clock, parts.count == 2, !text.utf8.contains(UInt8(ascii: ".")),
      parts[1].utf8.count != 3 || format == .hours
    else { return text }
    return "\(parts[0]).\(parts[1])"
  }

  /// Reads numbers, each with a unit, the longest unit first; `nil` for another text.
  private static func withUnits(
    _ text: String
  ) throws(DurationFormat.ParseError) -> ElapsedTime? {
    var rest = text.utf8[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var (sum, last) = (ElapsedTime.zero, DurationFormat?.none)
    while !rest.isEmpty {
      let number = rest.prefix(while: isNumeric)
      let unitStart = rest[number.endIndex...].drop { $0 == 0x20 }
      let word = unitStart.prefix { (0x61...0x7a).contains($0 | 0x20) }
      rest = unitStart[word.endIndex...].drop { $0 == 0x20 }
      guard let unit = unit(Substring(word)), last.map({ isLonger($0, than: unit) }) ?? true,
        let time = try time(String(Substring(number)), unit)
      else { return nil }
      (sum, last) = (sum.adding(time), unit)
    }
    guard last != nil else { return nil }
    if isNegative, sum > .zero { throw .negative }
    guard sum <= DurationFormat.longest else { throw .tooLong }
    return sum
  }

  /// Reads a number of a unit, which may have the next unit after a colon.
  private static func time(
    _ number: String, _ unit: DurationFormat
  ) throws(DurationFormat.ParseError) -> ElapsedTime? {
    let parts = number.split(separator: ":", omittingEmptySubsequences: false)
    do throws(DurationFormat.ParseError) {
      switch (parts.count, unit) {
      case (1, _): return try unit.parse(withPoint(number, as: unit))
      case (2...3, .hours): return try DurationFormat.clock.parse(number)
      case (2, .minutes) where parts[0].utf8.count <= 9 && parts[1].utf8.count == 2:
        let (minutes, seconds) = (
          try DurationFormat.minutes.parse(String(parts[0])),
          try DurationFormat.seconds.parse(String(parts[1]))
        )
        return seconds < .seconds(60) ? minutes.adding(seconds) : nil
      default: return nil
      }
    } catch {
      if error == .mismatch { return nil }
      throw error
    }
  }

  private static func unit(_ word: Substring) -> DurationFormat? {
    switch word.lowercased() {
    case "h", "hr", "hrs", "hour", "hours": .hours
    case "m", "min", "mins", "minute", "minutes": .minutes
    case "s", "sec", "secs", "second", "seconds": .seconds
    default: nil
    }
  }

  private static func isLonger(_ unit: DurationFormat, than other: DurationFormat) -> Bool {
    unit == .hours ? other != .hours : unit == .minutes && other == .seconds
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || ",.:".utf8.contains(byte)
  }
}
