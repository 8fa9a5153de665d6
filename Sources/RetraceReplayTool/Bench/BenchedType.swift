/// A type of records in a log, with their number and sizes.
package struct BenchedType: Hashable, Sendable {
  /// The names of an action's cases, as in `timeline.started`; for other records their kind.
  package var name: String
  package var records: UInt64
  /// The distribution of the records' bytes in the log, payload and envelope.
  package var bytes: Distribution
}

/// The distribution of a figure over many records.
package struct Distribution: Hashable, Sendable {
  /// The figure that half of the records do not exceed.
  package var p50: Double
  /// The figure that 99 of 100 records do not exceed.
  package var p99: Double
  package var total: Double

  package init(p50: Double, p99: Double, total: Double) {
    self.p50 = p50
    self.p99 = p99
    self.total = total
  }

  /// Computes the distribution of figures; without figures, all its values are 0.
  ///
  /// - Complexity: O(*n* log *n*) in the number of figures.
  package init(of figures: [UInt32]) {
    let sorted = figures.sorted()
    var total: UInt64 = 0
    for figure in sorted { total += UInt64(figure) }
    self.init(
      p50: Self.percentile(50, of: sorted), p99: Self.percentile(99, of: sorted),
      total: Double(total))
  }

  /// Returns the lowest figure that the given percentage of the figures do not exceed.
  private static func percentile(_ percent: Int, of sorted: [UInt32]) -> Double {
    guard !sorted.isEmpty else { return 0 }
    return Double(sorted[(sorted.count * percent + 99) / 100 - 1])
  }
}
