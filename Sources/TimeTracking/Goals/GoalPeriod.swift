public import RetraceAvro

/// The period of a goal.
public enum GoalPeriod: Recordable, Hashable, CaseIterable {
  /// A day.
  case day
  /// A week.
  case week
  /// A month.
  case month
}
