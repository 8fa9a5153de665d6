/// The times of decoding and reducing each record, by type, in nanoseconds.
final class TypeSamples {
  let repetitions: Int
  private var decode: [[UInt32]]
  private var reduce: [[UInt32]]
  private var whole: [[UInt32]]

  init(recordCounts: [Int], repetitions: Int) {
    self.repetitions = max(1, repetitions)
    decode = recordCounts.map { _ in [] }
    reduce = decode
    whole = decode
    for (type, count) in recordCounts.enumerated() {
      decode[type].reserveCapacity(count * self.repetitions)
      reduce[type].reserveCapacity(count * self.repetitions)
      whole[type].reserveCapacity(count * self.repetitions)
    }
  }

  func append(_ type: Int, decode first: Double, reduce second: Double) {
    decode[type].append(UInt32(clamping: Int(first)))
    reduce[type].append(UInt32(clamping: Int(second)))
    whole[type].append(UInt32(clamping: Int(first + second)))
  }

  /// Returns the times of each type.
  ///
  /// - Complexity: O(*n* log *n*) in the number of samples.
  func times() -> [BenchRound.TypeTimes] {
    decode.indices.map { type in
      BenchRound.TypeTimes(
        whole: Distribution(of: whole[type]), decode: Distribution(of: decode[type]),
        reduce: Distribution(of: reduce[type]))
    }
  }
}
