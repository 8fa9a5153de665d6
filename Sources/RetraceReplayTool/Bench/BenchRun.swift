import RetraceAvro
import RetraceBench
import RetraceReplay

/// What a bench of one build measured, as it is printed by `--json` and read by `--baseline`.
struct BenchRun {
  /// The version of this format.
  static var format: Int64 { 2 }

  /// Whose figures they are.
  var app: String
  var build: String
  var reducer: String
  var isOptimised: Bool

  /// Of which log.
  var records: UInt64
  var bytes: UInt64
  var chain: String
  var stateHash: String
  var hashes: UInt64

  /// How they came about.
  var repetitions: UInt64
  var clockNanoseconds: Double
  /// The step of the clock that the types are measured by.
  var clockStepNanoseconds: Double
  var types: [TypeRun]

  /// Nanoseconds a record, one figure a round.
  var parts: [BenchPart: [Double]] = [:]
  var wall: [Double] = []
  var processor: [Double] = []
  var yardstick: [Double] = []

  /// A type of records, and its times.
  struct TypeRun {
    var about: BenchedType
    /// Nanoseconds, one figure a round.
    var times: [Time: [Double]] = [:]

    /// The median over the rounds.
    func median(_ time: Time) -> Double { Bootstrap.median(times[time] ?? []) }
  }

  /// What is measured of a type.
  enum Time: String, CaseIterable {
    case whole50, whole99, decode50, decode99, reduce50, reduce99
  }

  /// The median over the rounds, in nanoseconds a record.
  func median(_ part: BenchPart) -> Double { Bootstrap.median(parts[part] ?? []) }

  /// How many rounds were measured.
  var rounds: Int { wall.count }

  /// Adds a round.
  mutating func append(_ round: BenchRound) {
    for (part, time) in round.parts { parts[part, default: []].append(time) }
    for (index, time) in round.types.enumerated() where types.indices.contains(index) {
      let figures: [(Time, Double)] = [
        (.whole50, time.whole.p50), (.whole99, time.whole.p99), (.decode50, time.decode.p50),
        (.decode99, time.decode.p99), (.reduce50, time.reduce.p50), (.reduce99, time.reduce.p99),
      ]
      for (name, figure) in figures { types[index].times[name, default: []].append(figure) }
    }
    wall.append(Double(round.wallNanoseconds))
    processor.append(Double(round.processorNanoseconds))
    yardstick.append(Double(round.yardstickNanoseconds))
  }

  /// The share of the time in which others had the processor, or the disk was waited for.
  var missingShare: Double {
    let wall = wall.reduce(0, +)
    return wall > 0 ? max(0, 1 - processor.reduce(0, +) / wall) : 0
  }

  /// How much more a work that is always the same took in the slowest round than in the middle.
  var yardstickSpread: Double {
    let middle = Bootstrap.median(yardstick)
    guard middle > 0, let slowest = yardstick.max() else { return 0 }
    return slowest / middle - 1
  }
}
