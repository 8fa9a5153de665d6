/// The reason why a line of klog is rejected.
struct KlogFailure: Error {
  let reason: RowRejection.Reason

  init(_ reason: RowRejection.Reason) { self.reason = reason }
}

extension RowRejection.Reason {
  /// The first line of a record is not a date.
  static var notKlogDate: Self {
    .other("no date such as 2018-03-24 or 2018-03-24 (8h!), so its record is left out")
  }

  /// The line is neither a range nor a duration.
  static var notKlogEntry: Self {
    .other("neither a range such as 8:00 - 9:00 nor a duration such as 1h30m")
  }

  /// The line is not indented as the entries of its record are.
  static var indentation: Self { .other("not indented as the entries of its record") }

  /// The negative duration is longer than the entries of its record together.
  static var deduction: Self {
    .other("the entries of its record are shorter than this duration below zero")
  }
}
