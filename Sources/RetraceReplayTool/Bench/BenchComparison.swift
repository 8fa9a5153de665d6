import RetraceAvro
import RetraceBench
import RetraceReplay
import RetraceToolSupport

/// The figures of this build and another one, with a verdict on each difference.
struct BenchComparison {
  /// A figure of both builds.
  struct Row {
    var name: String
    var here: Double
    var there: Double
    /// The verdict; `nil` if the figures are too small or too few to be compared.
    var verdict: BenchVerdict?
  }

  /// How the two builds were measured.
  enum Manner {
    /// In alternating rounds.
    case inTurns
    /// At different times.
    case apart
  }

  let there: BenchRun
  let manner: Manner
  /// The relative change in the machine's own speed between the two runs; 0 for alternating rounds.
  let drift: Double
  var parts: [Row] = []
  var types: [Row] = []
  /// The names of the types that only one of the two runs measured.
  var unmatched: [String] = []

  /// The probability that a comparison of equal builds finds no difference in any part; the same
  /// holds for the types.
  static var confidence: Double { 0.95 }

  /// The smallest number of times that a round has to measure a type to compare it.
  ///
  /// The time of a type that is measured once or twice, such as the first record of the log,
  /// depends on which pages of the program are in memory.
  static var timesMin: Double { 20 }

  /// Compares two runs over the same log.
  init(
    _ here: BenchRun, _ there: BenchRun, manner: Manner, bootstrap: Bootstrap
  ) {
    self.there = there
    self.manner = manner
    let middle = Bootstrap.median(there.yardstick)
    drift =
      manner == .apart && middle > 0 ? Bootstrap.median(here.yardstick) / middle - 1 : 0
    let names = BenchPart.allCases
    // With several comparisons, each needs a higher confidence.
    let partConfidence = 1 - (1 - Self.confidence) / Double(names.count)
    for part in names {
      parts.append(
        row(
          part.rawValue, here.parts[part] ?? [], there.parts[part] ?? [], 0, partConfidence,
          bootstrap))
    }
    let step = max(here.clockStepNanoseconds, there.clockStepNanoseconds)
    let typeConfidence = 1 - (1 - Self.confidence) / Double(max(1, here.types.count))
    let others = Dictionary(
      there.types.map { ($0.about.name, $0) }, uniquingKeysWith: { first, _ in first })
    for type in here.types {
      let name = type.about.name
      guard let other = others[name] else {
        unmatched.append(name)
        continue
      }
      var row = row(
        name, type.times[.whole50] ?? [], other.times[.whole50] ?? [], step, typeConfidence,
        bootstrap)
      if Double(type.about.records) * Double(here.repetitions) < Self.timesMin {
        row.verdict = nil
      }
      types.append(row)
    }
    let known = Set(here.types.map(\.about.name))
    unmatched += there.types.map(\.about.name).filter { !known.contains($0) }
  }

  private func row(
    _ name: String, _ here: [Double], _ there: [Double], _ resolution: Double,
    _ confidence: Double, _ bootstrap: Bootstrap
  ) -> Row {
    let verdict =
      switch manner {
      case .inTurns:
        BenchVerdict(
          inTurns: here, there, resolution: resolution, confidence: confidence,
          bootstrap: bootstrap)
      case .apart:
        BenchVerdict(
          apart: here, there, drift: drift, resolution: resolution, confidence: confidence,
          bootstrap: bootstrap)
      }
    return Row(
      name: name, here: Bootstrap.median(here), there: Bootstrap.median(there), verdict: verdict)
  }
}

extension BenchComparison {
  func json(of here: BenchRun, source: JSONValue.Member) -> JSONValue {
    .object([
      source,
      .init("app", .string(there.app)), .init("build", .string(there.build)),
      .init("reducer", .string(there.reducer)),
      .init("manner", .string(manner == .inTurns ? "in turns" : "apart")),
      .init("drift", .figure(drift)),
      .init("confidence", .double(Self.confidence)),
      .init("sameState", .bool(here.stateHash == there.stateHash)),
      .init("parts", .array(parts.map(\.json))),
      .init("types", .array(types.map(\.json))),
      .init("unmatched", .array(unmatched.map { .string($0) })),
    ])
  }
}

extension BenchComparison.Row {
  /// The row as JSON; differences are relative to the other build.
  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("here", .figure(here)), .init("there", .figure(there)),
    ]
    guard let verdict else { return .object(members + [.init("verdict", .null)]) }
    members += [
      .init("verdict", .string(verdict.finding.rawValue)),
      .init("difference", .ratio(verdict.difference.median)),
      .init("low", .ratio(verdict.difference.low)), .init("high", .ratio(verdict.difference.high)),
      .init("smallestVisible", .ratio(verdict.smallestVisible)),
    ]
    return .object(members)
  }
}

extension JSONValue {
  /// Returns a ratio, rounded to ten-thousandths.
  fileprivate static func ratio(_ value: Double) -> JSONValue {
    value.isFinite ? .double((value * 10_000).rounded() / 10_000) : .null
  }
}
