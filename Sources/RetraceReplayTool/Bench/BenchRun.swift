import Retrace
import RetraceReplay

/// The measurements of one build, as `--json` prints and `--baseline` reads them.
struct BenchRun {
  static var format: Int64 { 2 }

  var app: String
  var build: String
  /// The fingerprint of its reducer, in hexadecimal.
  var reducer: String
  /// Whether it is a release build.
  var isOptimised: Bool

  var records: UInt64
  /// The bytes of these records in the log, payload and envelope.
  var bytes: UInt64
  /// The chain after the last of them, in hexadecimal, which identifies the log.
  var chain: String
  /// The hash of the state after the last of them, in hexadecimal.
  var stateHash: String
  /// The number of state hashes that a round computes.
  var hashes: UInt64

  /// The number of times a round repeats each part.
  var repetitions: UInt64
  /// The cost of reading the clock once, in nanoseconds.
  var clockNanoseconds: Double
  /// The resolution of the clock that measures the types, in nanoseconds.
  var clockStepNanoseconds: Double
  /// The types of the records, in the order of their first occurrence in the log.
  var types: [TypeTimings]

  /// The processor time of each part, in nanoseconds per record, one figure for each round.
  var parts: [BenchPart: [Double]] = [:]
  /// The wall-clock time of each round, in nanoseconds.
  var wall: [Double] = []
  var processor: [Double] = []
  /// The processor time of a fixed workload in each round, in nanoseconds.
  var calibration: [Double] = []

  struct TypeTimings {
    var recordType: BenchedType
    /// The nanoseconds, one figure for each round.
    var times: [TimeStatistic: [Double]] = [:]

    func median(_ time: TimeStatistic) -> Double { Bootstrap.median(times[time] ?? []) }
  }

  /// The figures measured for a type.
  enum TimeStatistic: String, CaseIterable {
    case whole50, whole99, decode50, decode99, reduce50, reduce99
  }

  var rounds: Int { wall.count }

  mutating func append(_ round: BenchRound) {
    for (part, time) in round.parts { parts[part, default: []].append(time) }
    for (index, time) in round.types.enumerated() where types.indices.contains(index) {
      let figures: [(TimeStatistic, Double)] = [
        (.whole50, time.whole.p50), (.whole99, time.whole.p99), (.decode50, time.decode.p50),
        (.decode99, time.decode.p99), (.reduce50, time.reduce.p50), (.reduce99, time.reduce.p99),
      ]
      for (name, figure) in figures { types[index].times[name, default: []].append(figure) }
    }
    wall.append(Double(round.wallNanoseconds))
    processor.append(Double(round.processorNanoseconds))
    calibration.append(Double(round.calibrationNanoseconds))
  }

  /// The share of the time in which other programs had the processor, or the bench waited for the
  /// disk.
  var waitingShare: Double {
    let wall = wall.reduce(0, +)
    return wall > 0 ? max(0, 1 - processor.reduce(0, +) / wall) : 0
  }

  /// The additional time of the fixed workload in the slowest round, as a fraction of the median.
  var calibrationSpread: Double {
    let middle = Bootstrap.median(calibration)
    guard middle > 0, let slowest = calibration.max() else { return 0 }
    return slowest / middle - 1
  }
}
