import RetraceSystem

/// A random number generator that is determined by its seed: SplitMix64.
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// let step = Int64.random(in: -9...9, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator; any seed is valid.
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// Runs a random test and prints its seed, so that a failure can be reproduced.
///
/// - Parameters:
///   - label: The name of the test in the output.
///   - seed: The seed unless the environment variable `RETRACE_SEED` has another.
///   - body: The test.
/// - Throws: The error of `body`.
public func withSeed<Result>(
  _ label: String = #function, default seed: UInt64 = 1,
  _ body: (inout SeededGenerator) throws -> Result
) rethrows -> Result {
  let chosen = ThisProcess.environment("RETRACE_SEED").flatMap { UInt64($0) } ?? seed
  print("seed of \(label): RETRACE_SEED=\(chosen)")
  var generator = SeededGenerator(seed: chosen)
  return try body(&generator)
}

/// Returns the number of repetitions of a random test: all if `RETRACE_FULL` is 1, else `few`, by
/// default about a tenth.
public func repetitions(_ full: Int, few: Int? = nil) -> Int {
  ThisProcess.environment("RETRACE_FULL") == "1" ? full : few ?? max(1, full / 10)
}
