/// What two builds, or two runs, differ by in one figure, as far as the noise lets it be seen.
public struct BenchVerdict: Hashable, Sendable {
  /// What was found.
  public enum Finding: String, Hashable, Sendable {
    /// Less time here than there.
    case faster
    /// More time here than there.
    case slower
    /// No difference that the noise does not explain.
    case notSeen = "none"
  }

  /// What was found.
  public var finding: Finding
  /// The difference, relative to the other: 0.1 is a tenth more here.
  public var difference: Bootstrap.Interval
  /// The smallest relative difference that would have been found.
  public var smallestVisible: Double

  /// The difference that is never found: where the compiler happens to put code makes as much.
  public static var floor: Double { 0.01 }

  /// Judges rounds measured in turns, each beside the round of the other that it stands for.
  ///
  /// - Parameters:
  ///   - here: One figure a round.
  ///   - there: The figures of the other, as many, none of them 0 in the middle.
  ///   - resolution: The step in which the figures come, if they do.
  ///   - confidence: How often nothing is found where there is no difference.
  ///   - bootstrap: How rounds are drawn anew.
  /// - Returns: `nil` where the other's figure is too small to be compared with.
  /// - Complexity: O(draws × rounds).
  public init?(
    inTurns here: [Double], _ there: [Double], resolution: Double = 0, confidence: Double,
    bootstrap: Bootstrap
  ) {
    let base = Bootstrap.median(there)
    guard base > 0, here.count == there.count else { return nil }
    let differences = zip(here, there).map { ($0 - $1) / base }
    self.init(
      bootstrap.interval(of: differences, confidence: confidence), drift: 0,
      resolution: resolution / base)
  }

  /// Judges rounds of two runs at different times.
  ///
  /// - Parameters:
  ///   - here: One figure a round.
  ///   - there: The figures of the earlier run.
  ///   - drift: The relative difference that the machine itself had between the runs.
  ///   - resolution: The step in which the figures come, if they do.
  ///   - confidence: How often nothing is found where there is no difference.
  ///   - bootstrap: How rounds are drawn anew.
  /// - Returns: `nil` where the other's figure is too small to be compared with.
  /// - Complexity: O(draws × rounds).
  public init?(
    apart here: [Double], _ there: [Double], drift: Double, resolution: Double = 0,
    confidence: Double, bootstrap: Bootstrap
  ) {
    let base = Bootstrap.median(there)
    guard base > 0, !here.isEmpty else { return nil }
    self.init(
      bootstrap.difference(of: here, from: there, confidence: confidence), drift: abs(drift),
      resolution: resolution / base)
  }

  private init(_ difference: Bootstrap.Interval, drift: Double, resolution: Double) {
    self.difference = difference
    smallestVisible = max(difference.halfWidth + drift, resolution, Self.floor)
    finding =
      abs(difference.median) <= smallestVisible
      ? .notSeen : difference.median < 0 ? .faster : .slower
  }
}
