/// What decoding and reducing each record took, type by type, in nanoseconds.
final class TypeSamples {
  /// How often the log is gone through.
  let repetitions: Int
  private var decode: [[UInt32]]
  private var reduce: [[UInt32]]
  private var whole: [[UInt32]]

  /// Makes room for the records of each type.
  init(types: [Int], repetitions: Int) {
    self.repetitions = max(1, repetitions)
    decode = types.map { _ in [] }
    reduce = decode
    whole = decode
    for (type, count) in types.enumerated() {
      decode[type].reserveCapacity(count * self.repetitions)
      reduce[type].reserveCapacity(count * self.repetitions)
      whole[type].reserveCapacity(count * self.repetitions)
    }
  }

  func note(_ type: Int, decode first: Double, reduce second: Double) {
    decode[type].append(UInt32(clamping: Int(first)))
    reduce[type].append(UInt32(clamping: Int(second)))
    whole[type].append(UInt32(clamping: Int(first + second)))
  }

  /// The times of each type.
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
