import RetraceTesting
import Testing

@testable import RetraceReplayTool

/// Rounds that are made, so that what is true of them is known.
@Suite struct BootstrapTests {
  /// The noise of a machine: a little in each round, and now and then a lot.
  enum Noise: String, CaseIterable {
    case even, outliers, skewed

    func factor(_ random: inout SeededGenerator) -> Double {
      // A sum of twelve is nearly normal.
      let even = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
      switch self {
      case .even: return 1 + 0.02 * even
      case .outliers:
        let isOut = Int.random(in: 0..<10, using: &random) == 0
        return 1 + 0.01 * even + (isOut ? Double.random(in: 0...0.6, using: &random) : 0)
      case .skewed:
        let one = Double.random(in: 0...1, using: &random)
        return 1 + 0.1 * one * one * one * one
      }
    }
  }

  /// How many of `trials` comparisons find what, where the current run takes so many times as long.
  private func findings(
    _ ratio: Double, _ noise: Noise, rounds: Int, confidence: Double, trials: Int,
    separate: Bool = false, _ random: inout SeededGenerator
  ) -> [BenchVerdict.Finding: Int] {
    var found: [BenchVerdict.Finding: Int] = [:]
    for trial in 0..<trials {
      let reference = (0..<rounds).map { _ in 250 * noise.factor(&random) }
      let current = (0..<rounds).map { _ in 250 * ratio * noise.factor(&random) }
      let bootstrap = Bootstrap(seed: UInt64(trial), resamples: 200)
      let verdict =
        separate
        ? BenchVerdict(
          separate: current, reference, drift: 0, confidence: confidence, bootstrap: bootstrap)
        : BenchVerdict(
          alternating: current, reference, confidence: confidence, bootstrap: bootstrap)
      if let verdict { found[verdict.finding, default: 0] += 1 }
    }
    return found
  }

  @Test(arguments: Noise.allCases, [7, 11, 15])
  func `equal builds are found to differ as seldom as is promised`(
    noise: Noise, rounds: Int
  ) throws {
    withSeed("BootstrapTests") { random in
      for separate in [false, true] {
        let found = findings(
          1, noise, rounds: rounds, confidence: 0.95, trials: 200, separate: separate, &random)
        // 5 of 100 are promised; so many trials of exactly that find 20 once in a thousand.
        #expect(found[.noDifference, default: 0] >= 180, "\(noise) \(rounds) \(separate): \(found)")
      }
    }
  }

  @Test(arguments: Noise.allCases)
  func `a build that takes a fifth more or less is found out, and which way`(
    noise: Noise
  ) throws {
    withSeed("BootstrapTests") { random in
      for (ratio, finding) in [(1.2, BenchVerdict.Finding.slower), (1 / 1.2, .faster)] {
        for separate in [false, true] {
          let found = findings(
            ratio, noise, rounds: 11, confidence: 0.99, trials: 50, separate: separate, &random)
          #expect(found[finding, default: 0] >= 45, "\(noise) \(ratio) \(separate): \(found)")
        }
      }
    }
  }

  @Test func `a difference below the floor is not reported, however certain it is`() throws {
    let reference = [Double](repeating: 100, count: 11)
    for (ratio, finding) in [
      (1.009, BenchVerdict.Finding.noDifference), (1.011, .slower), (0.991, .noDifference),
      (0.989, .faster),
    ] {
      let verdict = try #require(
        BenchVerdict(
          alternating: reference.map { $0 * ratio }, reference, confidence: 0.99,
          bootstrap: Bootstrap(seed: 1))
      )
      #expect(verdict.finding == finding, "\(ratio)")
      #expect(verdict.smallestVisible == BenchVerdict.floor)
    }
  }

  @Test func `drift of the machine's speed is not reported as a difference`() throws {
    let reference = (0..<11).map { 100 + Double($0 % 3) * 0.1 }
    let current = reference.map { $0 * 1.08 }
    func finding(_ drift: Double) -> BenchVerdict.Finding? {
      let bootstrap = Bootstrap(seed: 1)
      return BenchVerdict(
        separate: current, reference, drift: drift, confidence: 0.95, bootstrap: bootstrap)?.finding
    }
    #expect(finding(0) == .slower)
    #expect(finding(0.1) == BenchVerdict.Finding.noDifference)
    #expect(finding(-0.1) == BenchVerdict.Finding.noDifference)
  }

  @Test func `one step of the clock is no difference`() throws {
    let reference = [Double](repeating: 20, count: 11)
    let current = [Double](repeating: 21, count: 11)
    let coarse = try #require(
      BenchVerdict(
        alternating: current, reference, resolution: 1, confidence: 0.95,
        bootstrap: Bootstrap(seed: 1)))
    #expect(coarse.finding == .noDifference && coarse.smallestVisible == 0.05)
    let fine = BenchVerdict(
      alternating: current, reference, confidence: 0.95, bootstrap: Bootstrap(seed: 1))
    #expect(fine?.finding == .slower)
  }

  @Test func `the same seed gives the same interval, and bounds hold the median`() {
    withSeed("BootstrapTests") { random in
      for _ in 0..<20 {
        let rounds = (0..<9).map { _ in Double.random(in: 10...20, using: &random) }
        let seed = random.next()
        let interval = Bootstrap(seed: seed).interval(of: rounds, confidence: 0.9)
        #expect(interval == Bootstrap(seed: seed).interval(of: rounds, confidence: 0.9))
        #expect(interval.median == rounds.sorted()[4])
        #expect(interval.low < interval.median && interval.median < interval.high)
        let surer = Bootstrap(seed: seed).interval(of: rounds, confidence: 0.99)
        #expect(surer.halfWidth > interval.halfWidth)
      }
    }
  }

  @Test func `the bounds hold the true median as often as they say`() {
    withSeed("BootstrapTests") { random in
      for confidence in [0.8, 0.95] {
        var held = 0
        for trial in 0..<400 {
          // The true median of the uniform distribution is 0.5.
          let rounds = (0..<11).map { _ in Double.random(in: 0...1, using: &random) }
          let interval = Bootstrap(seed: UInt64(trial), resamples: 200)
            .interval(of: rounds, confidence: confidence)
          if interval.low <= 0.5 && 0.5 <= interval.high { held += 1 }
        }
        #expect(Double(held) / 400 > confidence - 0.05, "\(held) of 400 at \(confidence)")
      }
    }
  }

  @Test func `too few rounds, or nothing to compare with, give no verdict`() {
    let bootstrap = Bootstrap(seed: 1)
    #expect(bootstrap.interval(of: [1, 2], confidence: 0.95).halfWidth == .infinity)
    #expect(
      BenchVerdict(alternating: [1, 5], [1, 1], confidence: 0.9, bootstrap: bootstrap)?.finding
        == BenchVerdict.Finding.noDifference)
    let zeros = [0.0, 0, 0, 0]
    #expect(BenchVerdict(alternating: zeros, zeros, confidence: 0.9, bootstrap: bootstrap) == nil)
    #expect(
      BenchVerdict(separate: [1], [-1, -1, 0.5], drift: 0, confidence: 0.9, bootstrap: bootstrap)
        == nil)
  }

  // Of the printed tables of Student's distribution.
  @Test(arguments: [
    (0.95, 2, 4.303), (0.95, 6, 2.447), (0.95, 10, 2.228), (0.99, 14, 2.977), (0.99, 3, 5.841),
    (0.999, 10, 4.587), (0.9, 30, 1.697), (0.95, 120, 1.980),
  ])
  func `quantiles of Student's distribution are those of the tables`(
    confidence: Double, degreesOfFreedom: Int, expected: Double
  ) {
    let found = StudentT.quantile(confidence: confidence, degreesOfFreedom: degreesOfFreedom)
    #expect(abs(found - expected) < 0.002, "\(found)")
  }

  @Test func `a percentile is a value that so many values do not exceed`() {
    let hundred = Distribution(of: (1...100).map { UInt32($0) }.shuffled())
    #expect(hundred == Distribution(p50: 50, p99: 99, total: 5_050))
    #expect(Distribution(of: [7]) == Distribution(p50: 7, p99: 7, total: 7))
    #expect(Distribution(of: [3, 1, 2]) == Distribution(p50: 2, p99: 3, total: 6))
    #expect(Distribution(of: []) == Distribution(p50: 0, p99: 0, total: 0))
  }
}
