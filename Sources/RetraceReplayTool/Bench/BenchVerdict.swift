/// The verdict on whether one figure differs between two builds or two runs, and by how much.
package struct BenchVerdict: Hashable, Sendable {
  package enum Finding: String, Hashable, Sendable {
    /// The measured build took less time than the other one.
    case faster
    /// The measured build took more time than the other one.
    case slower
    /// No difference beyond the noise.
    case noDifference = "none"
  }

  package var finding: Finding
  /// The difference relative to the other build: 0.1 means that the measured build took a tenth
  /// more time.
  package var difference: Bootstrap.Interval
  /// The smallest relative difference that these rounds would have shown.
  package var smallestVisible: Double

  /// The largest relative difference that is not reported, because the placement of code alone can
  /// cause it.
  package static var floor: Double { 0.01 }

  /// Judges alternating rounds.
  ///
  /// Each round is compared with the round of the other build that was measured next to it.
  ///
  /// - Parameters:
  ///   - current: One figure for each round.
  ///   - reference: The figures of the other build, of the same count and with a median above 0.
  ///   - resolution: The resolution of the figures, such as the step of a clock; 0 for exact ones.
  ///   - confidence: The probability that two equal builds get the verdict
  ///     ``BenchVerdict/Finding/noDifference``.
  ///   - bootstrap: Computes the intervals.
  /// - Returns: `nil` if the median of `reference` is 0 or the counts differ.
  /// - Complexity: O(resamples × rounds).
  package init?(
    alternating current: [Double], _ reference: [Double], resolution: Double = 0,
    confidence: Double,
    bootstrap: Bootstrap
  ) {
    let base = Bootstrap.median(reference)
    guard base > 0, current.count == reference.count else { return nil }
    let differences = zip(current, reference).map { ($0 - $1) / base }
    self.init(
      bootstrap.interval(of: differences, confidence: confidence), drift: 0,
      resolution: resolution / base)
  }

  /// Judges the rounds of two runs at different times.
  ///
  /// - Parameters:
  ///   - current: One figure for each round.
  ///   - reference: The figures of the earlier run.
  ///   - drift: How much more time a fixed workload took in the current run than in the earlier
  ///     one, as a share.
  ///   - resolution: The resolution of the figures, such as the step of a clock; 0 for exact ones.
  ///   - confidence: The probability that two equal builds get the verdict
  ///     ``BenchVerdict/Finding/noDifference``.
  ///   - bootstrap: Computes the intervals.
  /// - Returns: `nil` if the median of `reference` is 0 or `current` is empty.
  /// - Complexity: O(resamples × rounds).
  package init?(
    separate current: [Double], _ reference: [Double], drift: Double, resolution: Double = 0,
    confidence: Double, bootstrap: Bootstrap
  ) {
    let base = Bootstrap.median(reference)
    guard base > 0, !current.isEmpty else { return nil }
    self.init(
      bootstrap.difference(of: current, from: reference, confidence: confidence), drift: abs(drift),
      resolution: resolution / base)
  }

  private init(_ difference: Bootstrap.Interval, drift: Double, resolution: Double) {
    self.difference = difference
    smallestVisible = max(difference.halfWidth + drift, resolution, Self.floor)
    finding =
      abs(difference.median) <= smallestVisible
      ? .noDifference : difference.median < 0 ? .faster : .slower
  }
}
