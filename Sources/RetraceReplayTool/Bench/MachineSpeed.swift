import Retrace
import RetraceSystem

/// A constant piece of work whose time shows the current speed of the machine.
enum MachineSpeed {
  /// Hashes 256 KiB and reads 4 MiB in a scattered order.
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
      // An odd step visits every index once.
      index = (index &+ 40_503) & (numbers.count - 1)
    }
    let time = ThreadClock.nanoseconds() - start
    return digest == .zero && sum == 0 ? 0 : time
  }
}

/// The cost of reading each clock once, and the step of the monotonic clock, in nanoseconds.
struct ClockProperties {
  var monotonicCost: Double
  /// The cost of reading the processor time of this thread.
  var threadCost: Double
  /// The step of the monotonic clock, in nanoseconds.
  var step: Double

  /// Measures the costs as medians of many readings.
  static func measured() -> ClockProperties {
    ClockProperties(
      monotonicCost: cost { MonotonicClock.nanoseconds() },
      threadCost: cost { ThreadClock.nanoseconds() },
      step: step((0..<10_000).map { _ in MonotonicClock.nanoseconds() }))
  }

  /// Returns the step of a clock from consecutive readings.
  ///
  /// Considers only the most frequent differences between consecutive readings, which make up nine
  /// tenths of all. The step is the largest gap between neighbours in their sorted list.
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
