public import RetraceState

/// A duration that a user typed, such as `1h30`, `90m`, `1:30` or `1.5h`.
///
/// A decimal without a unit is hours, as on an invoice: `1.5` is `1h 30m`. An integer without a
/// unit is refused, because trackers disagree (`15` is 15 minutes in Toggl, `1` is an hour in
/// Kimai) and the mistake is sixtyfold. `m` is minutes, never months; days and longer units are
/// refused, because they are not equally long. Decimals, at most six, are read exactly.
public struct DurationExpression: Hashable, Sendable {
  /// The duration, from zero to ``longest``.
  public let time: ElapsedTime

  /// The longest duration: 999 hours.
  public static var longest: ElapsedTime { .seconds(Int64(longestHours) * 3_600) }

  static var longestHours: Int { 999 }

  /// Reads a duration.
  ///
  /// - Throws: ``ExpressionError`` if the text is not one duration.
  /// - Complexity: O(1), because longer texts than ``ExpressionContext/longestText`` are refused.
  public init(_ text: String) throws(ExpressionError) {
    self = try Self(ExpressionText(text))
  }

  init(_ text: ExpressionText) throws(ExpressionError) {
    var text = text
    // As ISO 8601 writes it: PT1H30M.
    if text.accept("pt") {
      guard text.isAtDigit else { throw .unreadable(text.text, .duration) }
    }
    let isNegative = text.accept("-")
    let microseconds = try text.positions(of: ":").isEmpty ? Self.units(&text) : Self.clock(&text)
    if isNegative { throw .negative }
    guard microseconds <= Self.longest.microseconds else { throw .durationTooLong }
    time = ElapsedTime(microseconds: microseconds)
  }

  /// Reads `h:mm`, `h:mm:ss`, both also with `h`, or `mm:ss min`.
  private static func clock(_ text: inout ExpressionText) throws(ExpressionError) -> Int64 {
    var numbers: [Int64] = []
    repeat {
      let start = text.index
      let digits = text.digits()
      guard !digits.isEmpty, numbers.count < 3 else { throw .unreadable(text.text, .duration) }
      guard digits.utf8.count <= 9, let number = Int64(digits) else { throw .durationTooLong }
      if !numbers.isEmpty && digits.utf8.count == 1 && text.isAtEnd {
        let head = String(decoding: text.original[..<start], as: UTF8.self)
        let tens = number < 6 ? ["\(head)\(number)0"] : []
        throw .ambiguous(text.text, instead: ["\(head)0\(number)"] + tens)
      }
      if !numbers.isEmpty {
        guard digits.utf8.count == 2 else { throw .unreadable(text.text, .duration) }
        guard number < 60 else { throw .over59(text.text) }
      }
      numbers.append(number)
    } while text.accept(":")
    _ = text.accept(" ")
    let unit = text.word()
    guard text.isAtEnd, numbers.count >= 2, ["", "h", "min"].contains(unit),
      unit != "min" || numbers.count == 2
    else { throw .unreadable(text.text, .duration) }
    if unit == "min" { numbers.insert(0, at: 0) }
    let seconds = numbers.count == 3 ? numbers[2] : 0
    return (numbers[0] * 3_600 + numbers[1] * 60 + seconds) * 1_000_000
  }

  /// Reads numbers with units, each smaller than the one before.
  private static func units(_ text: inout ExpressionText) throws(ExpressionError) -> Int64 {
    var sum: Int64 = 0
    var last: Int64?
    while true {
      let number = try Decimal(&text)
      _ = text.accept(" ")
      let word = text.word()
      var unit: Int64 = 3_600_000_000
      switch ExpressionWords.unit(word) {
      case .fixed(let value): unit = value
      case nil where word.isEmpty && text.isAtEnd && (last == unit || last == nil):
        if last != nil {
          unit = 60_000_000
        } else if number.decimals.isEmpty {
          let digits = number.whole
          throw .ambiguous(text.text, instead: ["\(digits)m", "\(digits)h"])
        }
      case nil: throw .unreadable(text.text, .duration)
      default: throw .notFixed(text.text)
      }
      _ = text.accept(" ")
      let isAlone = last == nil && text.isAtEnd
      guard number.decimals.isEmpty || isAlone || unit == 1_000_000, last.map({ $0 > unit }) ?? true
      else { throw .unreadable(text.text, .duration) }
      if unit < 3_600_000_000, number.isLikeThousands, last == nil {
        let thousands = number.whole + number.decimals
        throw .ambiguous(text.text, instead: ["\(thousands)\(word)", "\(number.short)\(word)"])
      }
      let value = try number.times(unit)
      if last != nil && value >= 60 * unit { throw .over59(text.text) }
      sum += value
      last = unit
      if text.isAtEnd { return sum }
    }
  }

  /// A number with at most six decimals.
  private struct Decimal {
    let whole: String
    let decimals: String

    init(_ text: inout ExpressionText) throws(ExpressionError) {
      whole = text.digits()
      let hasPoint = !whole.isEmpty && (text.accept(".") || text.accept(","))
      decimals = hasPoint ? text.digits() : ""
      if whole.isEmpty || (hasPoint && decimals.isEmpty) || decimals.utf8.count > 6 {
        throw .unreadable(text.text, .duration)
      }
    }

    /// Whether the point may separate thousands, as in 1,250.
    var isLikeThousands: Bool {
      decimals.utf8.count == 3 && whole.utf8.count <= 3 && whole.utf8.first != 0x30
    }

    /// The number without zeros at the end of the decimals.
    var short: String {
      let kept = decimals.utf8.reversed().drop { $0 == 0x30 }.reversed()
      return kept.isEmpty ? whole : whole + "." + String(decoding: Array(kept), as: UTF8.self)
    }

    /// Returns the product with a unit, in microseconds; exact, because units are a multiple of
    /// 1,000,000.
    func times(_ unit: Int64) throws(ExpressionError) -> Int64 {
      guard whole.utf8.count <= 9, let number = Int64(whole) else { throw .durationTooLong }
      var scale: Int64 = 1
      for _ in decimals.utf8 { scale *= 10 }
      return number * unit + (Int64(decimals) ?? 0) * (unit / scale)
    }
  }
}

extension DurationExpression: CustomStringConvertible {
  /// The duration that was understood, as `1h 30m`; it can be read again.
  public var description: String {
    let seconds = Int(time.seconds)
    var parts: [String] = []
    if seconds >= 3_600 { parts.append("\(seconds / 3_600)h") }
    if seconds / 60 % 60 > 0 { parts.append("\(seconds / 60 % 60)m") }
    let fraction = fractionText(of: time.microseconds)
    if seconds % 60 > 0 || !fraction.isEmpty || parts.isEmpty {
      parts.append("\(seconds % 60)\(fraction)s")
    }
    return parts.joined(separator: " ")
  }
}

/// Returns the fraction of a second as `.25`, without zeros at the end; empty for a whole second.
func fractionText(of microseconds: Int64) -> String {
  let fraction = CivilDate.floorMod(microseconds, 1_000_000)
  if fraction == 0 { return "" }
  let digits = padded(fraction, to: 6).utf8.reversed().drop { $0 == 0x30 }.reversed()
  return "." + String(decoding: Array(digits), as: UTF8.self)
}
