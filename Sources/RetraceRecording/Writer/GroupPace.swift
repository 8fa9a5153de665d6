/// How many actions are committed together, so that others who write do not wait for long.
///
/// That depends on the app's reducer, of which the group before tells. Only the processor's time
/// counts: a group of fewer actions would not take less of the disk's, nor wait less where the
/// processor has other work.
struct GroupPace {
  /// For how long the processor may reduce a group, in nanoseconds.
  private static var time: Int64 { 40_000_000 }
  /// A group of fewer actions says too little.
  private static var actionsMin: Int { 64 }

  /// The most actions of a group.
  private(set) var actions = 4_096

  /// Takes note of what a group took.
  ///
  /// - Parameters:
  ///   - count: Its actions.
  ///   - time: For how long the processor reduced them, in nanoseconds.
  mutating func note(_ count: Int, took time: Int64) {
    guard count >= Self.actionsMin, time > 0 else { return }
    let fitting = Double(count) * Double(Self.time) / Double(time)
    actions = max(Self.actionsMin, Int(min(fitting, 1e9)))
  }
}
