/// The number of actions committed together, limited so that other writers do not wait for long.
///
/// It depends on the app's reducer and is derived from the last group. Only processor time counts:
/// fewer actions would not shorten the disk flush, nor the wait for a busy processor.
struct GroupLimit {
  /// The processor time allowed for reducing a group, in nanoseconds.
  private static var time: Int64 { 40_000_000 }
  /// The fewest actions of a group that gives a useful measurement.
  private static var actionsMin: Int { 64 }

  private(set) var actions = 4_096

  /// Adjusts the limit after a group.
  ///
  /// - Parameters:
  ///   - count: The number of its actions.
  ///   - time: The processor time of reducing them, in nanoseconds.
  mutating func adjust(after count: Int, took time: Int64) {
    guard count >= Self.actionsMin, time > 0 else { return }
    let fitting = Double(count) * Double(Self.time) / Double(time)
    actions = max(Self.actionsMin, Int(min(fitting, 1e9)))
  }
}
