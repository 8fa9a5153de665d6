/// The uncertainty of a median of rounds, computed by resampling the rounds.
///
/// The interval is the median plus or minus a multiple of its standard error, which is the standard
/// deviation of the resampled medians. Student's t distribution gives the multiple for the number
/// of rounds. Percentiles of the resampled medians are too narrow: with seven rounds of equal
/// builds, they reported a difference in 12 of 100 cases, where 5 were allowed.
package struct Bootstrap: Sendable {
  /// The seed of the resampling; the same seed gives the same interval.
  package var seed: UInt64
  package var resamples: Int

  /// Creates a bootstrap.
  ///
  /// - Parameters:
  ///   - seed: The seed of the resampling.
  ///   - resamples: The number of times the rounds are resampled, at least 100.
  package init(seed: UInt64, resamples: Int = 2_000) {
    self.seed = seed
    self.resamples = max(100, resamples)
  }

  /// A median with its confidence bounds.
  package struct Interval: Hashable, Sendable {
    package var median: Double
    package var halfWidth: Double
    package var low: Double { median - halfWidth }
    package var high: Double { median + halfWidth }
  }

  /// Returns the interval of the median of rounds.
  ///
  /// - Parameters:
  ///   - rounds: One figure for each round; with fewer than three the interval is infinite.
  ///   - confidence: The probability that such an interval contains the true median, between 0 and
  ///     1.
  /// - Complexity: O(resamples × rounds).
  package func interval(of rounds: [Double], confidence: Double) -> Interval {
    let median = Self.median(rounds)
    guard rounds.count > 2 else { return Interval(median: median, halfWidth: .infinity) }
    var random = SplitMix64(seed)
    var medians: [Double] = []
    medians.reserveCapacity(resamples)
    var drawn = rounds
    for _ in 0..<resamples {
      for index in drawn.indices { drawn[index] = rounds[random.below(rounds.count)] }
      medians.append(Self.median(drawn))
    }
    let error = Self.deviation(medians)
    return Interval(
      median: median,
      halfWidth: StudentT.quantile(confidence: confidence, degreesOfFreedom: rounds.count - 1)
        * error)
  }

  /// Returns the interval of the relative difference of two medians of independent rounds.
  ///
  /// - Parameters:
  ///   - current: One figure for each round.
  ///   - reference: One figure for each round of the other run; their median is not 0.
  ///   - confidence: The probability that such an interval contains the true difference, between 0
  ///     and 1.
  /// - Complexity: O(resamples × rounds of both).
  package func difference(
    of current: [Double], from reference: [Double], confidence: Double
  ) -> Interval {
    let base = Self.median(reference)
    let median = (Self.median(current) - base) / base
    guard current.count > 2, reference.count > 2 else {
      return Interval(median: median, halfWidth: .infinity)
    }
    var random = SplitMix64(seed)
    var differences: [Double] = []
    differences.reserveCapacity(resamples)
    var drawn = (current, reference)
    for _ in 0..<resamples {
      for index in drawn.0.indices { drawn.0[index] = current[random.below(current.count)] }
      for index in drawn.1.indices { drawn.1[index] = reference[random.below(reference.count)] }
      differences.append((Self.median(drawn.0) - Self.median(drawn.1)) / base)
    }
    let degreesOfFreedom = min(current.count, reference.count) - 1
    return Interval(
      median: median,
      halfWidth: StudentT.quantile(confidence: confidence, degreesOfFreedom: degreesOfFreedom)
        * Self.deviation(differences))
  }

  /// Returns the median of figures; 0 for none.
  ///
  /// - Complexity: O(*n* log *n*).
  package static func median(_ figures: [Double]) -> Double {
    guard !figures.isEmpty else { return 0 }
    let sorted = figures.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  private static func deviation(_ figures: [Double]) -> Double {
    let mean = figures.reduce(0, +) / Double(figures.count)
    let squares = figures.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(figures.count - 1)).squareRoot()
  }
}

/// Pseudorandom numbers by SplitMix64; the same seed gives the same numbers on every machine.
private struct SplitMix64 {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    mixed ^= mixed >> 31
    return Int(mixed.multipliedFullWidth(by: UInt64(bound)).high)
  }
}
