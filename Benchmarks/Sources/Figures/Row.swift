/// What is measured: one operation, in one unit.
public struct Row: Sendable {
  /// The operation, such as "append, batches of 1,000"; unique in its suite.
  public var name: String
  /// What it works on, with the seed of what is random in it.
  public var input: String
  /// The unit of the figures.
  public var unit: Unit
  /// The best figure that the machine or the method allows, and why; empty if the yardstick is it.
  public var limit: String
  /// The target of ours in the row's unit; a target relative to a yardstick is the yardstick's.
  public var target: Target?
  /// The number of rounds, after one that warms up and is dropped.
  public var rounds: Int
  /// Whether a figure is the time of a whole round, however many operations the round has.
  public var isWhole: Bool

  /// Makes a row.
  public init(
    _ name: String, input: String, unit: Unit = .nanoseconds, limit: String = "",
    target: Target? = nil, rounds: Int = 7, isWhole: Bool = false
  ) {
    self.name = name
    self.input = input
    self.unit = unit
    self.limit = limit
    self.target = target
    self.rounds = rounds
    self.isWhole = isWhole
  }
}

/// The unit of a row's figures.
public enum Unit: Codable, Sendable {
  /// The time per operation.
  case nanoseconds, microseconds, milliseconds, seconds
  /// Operations in a second, in millions.
  case millionPerSecond
  /// A figure that the round counts itself; the text is its unit, such as "B per action".
  case counted(String)

  /// How the unit is written.
  public var text: String {
    switch self {
    case .nanoseconds: "ns"
    case .microseconds: "µs"
    case .milliseconds: "ms"
    case .seconds: "s"
    case .millionPerSecond: "M/s"
    case .counted(let text): text
    }
  }

  /// The figure of a round.
  func value(nanoseconds: Double, operations: Double) -> Double {
    switch self {
    case .nanoseconds, .counted: nanoseconds / operations
    case .microseconds: nanoseconds / operations / 1e3
    case .milliseconds: nanoseconds / operations / 1e6
    case .seconds: nanoseconds / operations / 1e9
    case .millionPerSecond: operations * 1e3 / nanoseconds
    }
  }
}

/// What has to be reached; compared with the median of the rounds.
public enum Target: Codable, Sendable {
  /// Ours takes at most this many times the yardstick's time per operation.
  case timesYardstick(atMost: Double)
  /// Ours takes at most the time of another side of the row, and this many times the yardstick's.
  case timesYardstickBeyond(side: String, atMost: Double)
  /// The yardstick takes at least this many times our time per operation.
  case fasterThanYardstick(atLeast: Double)
  /// Our figure is at most this, in the row's unit.
  case atMost(Double)
  /// Our figure is at least this, in the row's unit.
  case atLeast(Double)

  /// How the target is written.
  public var text: String {
    switch self {
    case .timesYardstick(let times): "≤ \(short(times))x"
    case .timesYardstickBeyond(let side, let times): "≤ \(side) + \(short(times))x"
    case .fasterThanYardstick(let times): "≥ \(short(times))x faster"
    case .atMost(let value): "≤ \(short(value))"
    case .atLeast(let value): "≥ \(short(value))"
    }
  }

  private func short(_ value: Double) -> String {
    value == value.rounded() ? grouped(Int(value)) : "\((value * 100).rounded() / 100)"
  }
}

/// A whole number with commas between groups of three digits.
public func grouped(_ value: Int) -> String {
  var digits = String(abs(value))
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  groups.insert(digits, at: 0)
  return (value < 0 ? "-" : "") + groups.joined(separator: ",")
}
