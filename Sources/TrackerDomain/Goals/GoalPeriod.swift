public import RetraceAvro

/// How often the time of a goal is to be spent.
public enum GoalPeriod: Recordable, Hashable, CaseIterable {
  case day
  case week
  case month
}
