/// The form of a date in numbers whose order of day and month a user has chosen.
///
/// Other dates in numbers that could be two days are refused.
public struct NumericDateForm: Hashable, Sendable {
  /// What stands between the numbers: `-`, `/` or `.`.
  public let separator: String
  /// Whether the day comes before the month.
  public let isDayFirst: Bool

  /// Creates a form.
  public init(separator: String, isDayFirst: Bool) {
    self.separator = separator
    self.isDayFirst = isDayFirst
  }
}
