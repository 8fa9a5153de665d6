import CivilTime
public import RetraceState

/// An exact amount of money for time.
///
/// Rates are hundredths of a currency per hour, times are microseconds.
///
/// Amounts add up exactly. ``hundredths`` is rounded, so a column of shown amounts can differ from
/// its shown sum by half a hundredth per row.
public struct Amount: Hashable, Sendable {
  /// The ISO 4217 code of the currency; `nil` if neither the entry nor its user has a workspace,
  /// and the preferences of the user have no currency.
  public var currency: String?
  /// The amount in hundredths of the currency, times 3,600,000,000: the sum of microseconds times
  /// rates.
  public internal(set) var parts: Int128

  /// Creates the amount for a time.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - rate: The hourly rate, in hundredths of the currency.
  ///   - currency: The code of the currency.
  public init(of time: ElapsedTime, at rate: Int64, in currency: String?) {
    self.currency = currency
    parts = Int128(rate) * Int128(time.microseconds)
  }

  /// Returns the sum with an amount in the same currency, clamped.
  package func adding(_ other: Amount) -> Amount {
    var sum = self
    sum.parts = parts.addingClamped(other.parts)
    return sum
  }

  /// The microseconds of an hour.
  static var hour: Int128 { 3_600_000_000 }

  /// The amount in hundredths of the currency, rounded to the nearest, half up.
  public var hundredths: Int64 {
    let (whole, rest) = parts.quotientAndRemainder(dividingBy: Self.hour)
    return Int64(clamping: whole + (rest * 2 >= Self.hour ? 1 : 0))
  }
}

extension Int128 {
  /// Returns the sum, clamped to the range of the type.
  func addingClamped(_ other: Int128) -> Int128 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// Returns a nonnegative number times a fraction of two positive times, rounded to the nearest,
  /// half up, and clamped to the range of the type.
  func scaled(by numerator: ElapsedTime, over denominator: ElapsedTime) -> Int128 {
    let divisor = UInt128(UInt64(clamping: denominator.microseconds))
    guard self > 0, divisor > 0 else { return 0 }
    var product = magnitude.multipliedFullWidth(
      by: UInt128(UInt64(clamping: numerator.microseconds)))
    let (low, carries) = product.low.addingReportingOverflow(divisor / 2)
    product = (product.high + (carries ? 1 : 0), low)
    guard product.high < divisor else { return .max }
    return Int128(clamping: divisor.dividingFullWidth(product).quotient)
  }
}

extension Amount {
  /// The amount with its currency: `EUR 12.50`.
  package var text: String { (currency.map { "\($0) " } ?? "") + decimal }

  /// The amount with two decimals: `12.50`.
  package var decimal: String { Self.decimal(hundredths) }

  /// Returns a number of hundredths with two decimals: `12.50`.
  package static func decimal(_ number: Int64) -> String {
    let rest = Int(number.magnitude % 100)
    return "\(number < 0 ? "-" : "")\(number.magnitude / 100).\(padded(rest, to: 2))"
  }
}
