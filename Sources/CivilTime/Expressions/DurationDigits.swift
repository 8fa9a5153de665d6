public import RetraceState

/// The digits of a duration that is typed like on a calculator: `1`, `3`, `0` is `01:30`.
///
/// At most five digits are right-aligned in hours and minutes. Minutes above 59 stay as they are
/// in ``description``, and count as typed in ``time``.
public struct DurationDigits: Hashable, Sendable {
  /// The digits as a decimal number, from 0 to 99,999.
  private var number = 0

  /// Creates a value without digits.
  public init() {}

  /// Creates the digits of a duration, cut to whole minutes and clamped to 0 to 999 hours.
  public init(_ time: ElapsedTime) {
    let clamped = min(max(time, .zero), DurationExpression.longest)
    let minutes = Int(clamped.seconds / 60)
    number = minutes / 60 * 100 + minutes % 60
  }

  /// The hours, from 0 to 999.
  public var hours: Int { number / 100 }

  /// The minutes, from 0 to 99.
  public var minutes: Int { number % 100 }

  /// The duration, at most 999 hours.
  public var time: ElapsedTime {
    min(.seconds(Int64(hours * 60 + minutes) * 60), DurationExpression.longest)
  }

  /// Appends a digit.
  ///
  /// Nothing changes if five digits are there, if the digit would be a leading zero, or if the
  /// number is not a digit.
  public mutating func push(_ digit: Int) {
    guard number < 10_000, (0...9).contains(digit) else { return }
    number = number * 10 + digit
  }

  /// Removes the last digit, if there is one.
  public mutating func pop() { number /= 10 }
}

extension DurationDigits: CustomStringConvertible {
  /// The digits as `01:30`.
  public var description: String { "\(padded(hours, to: 2)):\(padded(minutes, to: 2))" }
}
