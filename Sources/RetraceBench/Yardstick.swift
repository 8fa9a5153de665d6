import RetraceAvro
import RetraceSystem

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

/// What reading each clock once takes, in nanoseconds, and how finely it tells the time.
struct ClockCost {
  /// The clock of the time that passes.
  var monotonic: Double
  /// The clock of the time that the processor gave to this thread.
  var thread: Double
  /// The step in which ``monotonic`` goes, in nanoseconds.
  var step: Double

  /// Medians of many readings.
  static func measured() -> ClockCost {
    ClockCost(
      monotonic: cost { MonotonicClock.nanoseconds() }, thread: cost { ThreadClock.nanoseconds() },
      step: step((0..<10_000).map { _ in MonotonicClock.nanoseconds() }))
  }

  /// The step of a clock, from readings one behind another: how far apart those differences of
  /// neighbours lie that make up nine of ten.
  ///
  /// - Complexity: O(*n* log *n*) in the number of readings.
  static func step(_ readings: [Int64]) -> Double {
    var counts: [Int64: Int] = [:]
    for (first, second) in zip(readings, readings.dropFirst()) {
      counts[second - first, default: 0] += 1
    }
    var usual: [Int64] = []
    var left = (readings.count - 1) * 9 / 10
    for (difference, count) in counts.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) })
    where left > 0 {
      usual.append(difference)
      left -= count
    }
    usual.sort()
    return Double(zip(usual, usual.dropFirst()).map { $1 - $0 }.max() ?? 1)
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
