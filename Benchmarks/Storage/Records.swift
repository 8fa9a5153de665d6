import CBaseline
import RetraceRandom
import RetraceStorage

/// Records of 40 to 64 random bytes, one after another, as ours and C append them.
struct Records {
  /// The seed of the bytes.
  static let seed: UInt64 = 1
  /// How the input is described.
  static let input = "records of 40 to 64 random bytes, seed \(seed)"

  let bytes: [UInt8]
  let offsets: [UInt32]

  /// A million of them.
  static let million = Records(1_000_000)

  /// Makes records.
  init(_ count: Int) {
    var random = SeededGenerator(seed: Self.seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 52)
    var offsets: [UInt32] = [0]
    offsets.reserveCapacity(count + 1)
    for _ in 0..<count {
      let length = Int.random(in: 40...64, using: &random)
      var left = length
      while left > 0 {
        var word = random.next()
        for _ in 0..<min(left, 8) {
          bytes.append(UInt8(truncatingIfNeeded: word))
          word >>= 8
        }
        left -= min(left, 8)
      }
      offsets.append(UInt32(bytes.count))
    }
    self.bytes = bytes
    self.offsets = offsets
  }

  /// The first of them.
  func prefix(_ count: Int) -> Records {
    Records(bytes: bytes, offsets: Array(offsets[...count]))
  }

  /// Returns all records in batches of `size`, encoded as a store encodes what is sent to it.
  func batches(of size: Int) -> [EncodedActions] {
    stride(from: 0, to: count, by: size).map { start in
      EncodedActions((start..<min(start + size, count)).map { Array(bytes[range($0)]) })
    }
  }

  init(bytes: [UInt8], offsets: [UInt32]) {
    self.bytes = bytes
    self.offsets = offsets
  }

  /// Where a record's bytes are.
  func range(_ record: Int) -> Range<Int> {
    Int(offsets[record])..<Int(offsets[record + 1])
  }

  /// How many there are.
  var count: Int { offsets.count - 1 }

  /// Calls `body` with the records in the form that C reads.
  func withC<T>(_ body: (storage_records) throws -> T) rethrows -> T {
    try bytes.withUnsafeBufferPointer { bytes in
      try offsets.withUnsafeBufferPointer { offsets in
        guard let first = bytes.baseAddress, let start = offsets.baseAddress else {
          preconditionFailure("no records")
        }
        return try body(
          storage_records(bytes: first, offsets: start, count: UInt64(count)))
      }
    }
  }
}
