public import RetraceAvro

/// How often the time of a goal is to be spent.
public enum GoalPeriod: Recordable, Hashable, CaseIterable {
  /// Each day.
  case day
  /// Each week.
  case week
  /// Each month.
  case month
}
