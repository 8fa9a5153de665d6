import RetraceAvro
import RetracePlatform

/// A work that is always the same: what it takes tells how fast the machine is at the moment.
enum Yardstick {
  /// Hashes 256 KiB and walks through 4 MiB.
  ///
  /// - Returns: The processor time in nanoseconds; about half a millisecond.
  static func nanoseconds() -> Int64 {
    let bytes = [UInt8](repeating: 0x5a, count: 1 << 18)
    let numbers = [UInt64](repeating: 3, count: 1 << 19)
    let start = ThreadClock.nanoseconds()
    let digest = SHA256Hasher.digest(of: bytes.span)
    var sum: UInt64 = 0
    var index = 0
    for _ in 0..<numbers.count {
      sum &+= numbers[index]
      // Each odd step visits every place once.
      index = (index &+ 40_503) & (numbers.count - 1)
    }
    let time = ThreadClock.nanoseconds() - start
    return digest == .zero && sum == 0 ? 0 : time
  }
}

/// What reading each clock once takes, in nanoseconds.
struct ClockCost {
  /// The clock of the time that passes.
  var monotonic: Double
  /// The clock of the time that the processor gave to this thread.
  var thread: Double

  /// Medians of many readings.
  static func measured() -> ClockCost {
    ClockCost(
      monotonic: cost { MonotonicClock.nanoseconds() }, thread: cost { ThreadClock.nanoseconds() })
  }

  private static func cost(_ read: () -> Int64) -> Double {
    var costs: [Int64] = []
    for _ in 0..<101 {
      let start = read()
      for _ in 0..<100 { _ = read() }
      costs.append(read() - start)
    }
    return Double(costs.sorted()[50]) / 101
  }
}
