/// Returns how many parts a value takes of those that a whole takes, rounded down.
///
/// - Parameters:
///   - value: The value; below 0 counts as 0, above the whole counts as the whole.
///   - whole: The whole; below 1 counts as 1.
///   - parts: The parts of the whole, at least 0.
func proportion(_ value: Int64, of whole: Int64, in parts: Int) -> Int {
  let whole = UInt64(max(whole, 1))
  let product = min(UInt64(max(value, 0)), whole).multipliedFullWidth(by: UInt64(max(parts, 0)))
  return Int(whole.dividingFullWidth(product).quotient)
}

extension Int64 {
  /// Returns the number plus another one; the nearest number, if the sum is out of range.
  func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the number, or the nearest index of a count of items; 0 for none.
  func clampedIndex(of count: Int64) -> Int64 {
    Swift.min(Swift.max(self, 0), Swift.max(count, 1) - 1)
  }
}

extension Int {
  /// Creates the nearest index of a count of items; 0 for none.
  init(index: Int64, of count: Int) {
    self.init(index.clampedIndex(of: Int64(count)))
  }
}
