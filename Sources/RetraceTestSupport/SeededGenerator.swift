/// Random numbers that repeat: SplitMix64 from a seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts from a seed; equal seeds give equal numbers everywhere.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// Runs a body with seeded random numbers and prints the seed, so that a failure can be repeated.
///
/// - Parameters:
///   - seed: The seed; a new one for each run where none is given.
///   - label: What is run, printed beside the seed.
///   - body: What uses the numbers.
/// - Throws: What the body throws.
public func withSeed<Result, Failure: Error>(
  _ seed: UInt64? = nil, _ label: String = #function,
  _ body: (inout SeededGenerator) throws(Failure) -> Result
) throws(Failure) -> Result {
  let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
  print("seed \(seed) for \(label)")
  var generator = SeededGenerator(seed: seed)
  return try body(&generator)
}
