/// What a typed whole number means.
///
/// ```swift
/// let reading = NumberReading("45", in: 1...60)
/// if case .value(let minutes) = reading { print(minutes) }
/// ```
public enum NumberReading: Hashable, Sendable {
  /// There is no text.
  case empty
  /// A number of the range.
  case value(Int64)
  /// A number outside of the range, or one that is too long.
  case outOfRange
  /// No whole number.
  case notANumber

  /// Reads a text: digits after an optional sign, between blanks.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - range: The allowed numbers.
  /// - Complexity: O(bytes of the text).
  public init(_ text: String, in range: ClosedRange<Int64> = .min ... .max) {
    var bytes = text.utf8[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    guard let first = bytes.first else {
      self = .empty
      return
    }
    let isNegative = first == UInt8(ascii: "-")
    if isNegative || first == UInt8(ascii: "+") { bytes.removeFirst() }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard !bytes.isEmpty, bytes.allSatisfy({ digits ~= $0 }) else {
      self = .notANumber
      return
    }
    var value: Int64 = 0
    for byte in bytes {
      let digit = Int64(byte - digits.lowerBound)
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflows) = product.addingReportingOverflow(isNegative ? -digit : digit)
      guard !overflows, !sumOverflows else {
        self = .outOfRange
        return
      }
      value = sum
    }
    self = range.contains(value) ? .value(value) : .outOfRange
  }
}
