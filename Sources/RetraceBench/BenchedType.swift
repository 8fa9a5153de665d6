/// What a log holds of one type of record, and what each takes.
public struct BenchedType: Hashable, Sendable {
  /// The names of the cases of an action, as in `timeline.started`; for other records their kind.
  public var name: String
  /// How many records of the type were measured.
  public var records: UInt64
  /// The bytes of each in the log, payload and envelope.
  public var bytes: Distribution

  /// Makes a type of known figures.
  public init(name: String, records: UInt64, bytes: Distribution) {
    self.name = name
    self.records = records
    self.bytes = bytes
  }
}

/// How figures of many records are distributed.
public struct Distribution: Hashable, Sendable {
  /// The figure that half of the records do not exceed.
  public var p50: Double
  /// The figure that 99 of 100 records do not exceed.
  public var p99: Double
  /// The sum of all.
  public var total: Double

  /// Makes a distribution of known figures.
  public init(p50: Double, p99: Double, total: Double) {
    self.p50 = p50
    self.p99 = p99
    self.total = total
  }

  /// The distribution of figures; zeros for none.
  ///
  /// - Complexity: O(*n* log *n*) in the number of figures.
  public init(of figures: [UInt32]) {
    let sorted = figures.sorted()
    var total: UInt64 = 0
    for figure in sorted { total += UInt64(figure) }
    self.init(
      p50: Self.percentile(50, of: sorted), p99: Self.percentile(99, of: sorted),
      total: Double(total))
  }

  /// The lowest figure that so many of a hundred do not exceed.
  private static func percentile(_ percent: Int, of sorted: [UInt32]) -> Double {
    guard !sorted.isEmpty else { return 0 }
    return Double(sorted[(sorted.count * percent + 99) / 100 - 1])
  }
}
