import Retrace
import RetraceReplay
import RetraceToolSupport

/// The figures of this build and another one, with a verdict on each difference.
struct BenchComparison {
  struct Row {
    var name: String
    var current: Double
    var reference: Double
    /// The verdict; `nil` if the figures are too small or too few to be compared.
    var verdict: BenchVerdict?
  }

  /// The method of measuring the two builds.
  enum Design {
    case alternating
    case separate
  }

  let reference: BenchRun
  let design: Design
  /// The additional time of the fixed workload in this run, as a fraction of the reference.
  ///
  /// 0 for alternating rounds.
  let drift: Double
  var parts: [Row] = []
  var types: [Row] = []
  /// The names of the types that only one of the two runs measured.
  var unmatched: [String] = []

  /// The probability that a comparison of equal builds finds no difference in any part; the same
  /// holds for the types.
  static var confidence: Double { 0.95 }

  /// The smallest number of measurements of a type in a round with which the type is compared.
  ///
  /// The time of a type that is measured once or twice, such as the first record of the log,
  /// depends on which pages of the program are in memory.
  static var measurementsMin: Double { 20 }

  /// Compares two runs over the same log.
  init(
    _ current: BenchRun, _ reference: BenchRun, design: Design, bootstrap: Bootstrap
  ) {
    self.reference = reference
    self.design = design
    let middle = Bootstrap.median(reference.calibration)
    drift =
      design == .separate && middle > 0 ? Bootstrap.median(current.calibration) / middle - 1 : 0
    let allParts = BenchPart.allCases
    // With several comparisons, each needs a higher confidence.
    let partConfidence = 1 - (1 - Self.confidence) / Double(allParts.count)
    for part in allParts {
      parts.append(
        row(
          part.rawValue, current.parts[part] ?? [], reference.parts[part] ?? [], 0, partConfidence,
          bootstrap))
    }
    let step = max(current.clockStepNanoseconds, reference.clockStepNanoseconds)
    let typeConfidence = 1 - (1 - Self.confidence) / Double(max(1, current.types.count))
    let others = Dictionary(
      reference.types.map { ($0.recordType.name, $0) }, uniquingKeysWith: { first, _ in first })
    for type in current.types {
      let name = type.recordType.name
      guard let other = others[name] else {
        unmatched.append(name)
        continue
      }
      var row = row(
        name, type.times[.whole50] ?? [], other.times[.whole50] ?? [], step, typeConfidence,
        bootstrap)
      if Double(type.recordType.records) * Double(current.repetitions) < Self.measurementsMin {
        row.verdict = nil
      }
      types.append(row)
    }
    let known = Set(current.types.map(\.recordType.name))
    unmatched += reference.types.map(\.recordType.name).filter { !known.contains($0) }
  }

  private func row(
    _ name: String, _ current: [Double], _ reference: [Double], _ resolution: Double,
    _ confidence: Double, _ bootstrap: Bootstrap
  ) -> Row {
    let verdict =
      switch design {
      case .alternating:
        BenchVerdict(
          alternating: current, reference, resolution: resolution, confidence: confidence,
          bootstrap: bootstrap)
      case .separate:
        BenchVerdict(
          separate: current, reference, drift: drift, resolution: resolution,
          confidence: confidence,
          bootstrap: bootstrap)
      }
    return Row(
      name: name, current: Bootstrap.median(current), reference: Bootstrap.median(reference),
      verdict: verdict)
  }
}

extension BenchComparison {
  func json(of current: BenchRun, source: JSONValue.Member) -> JSONValue {
    .object([
      source,
      .init("app", .string(reference.app)), .init("build", .string(reference.build)),
      .init("reducer", .string(reference.reducer)),
      .init("manner", .string(design == .alternating ? "in turns" : "apart")),
      .init("drift", .figure(drift)),
      .init("confidence", .double(Self.confidence)),
      .init("sameState", .bool(current.stateHash == reference.stateHash)),
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
      .init("name", .string(name)), .init("here", .figure(current)),
      .init("there", .figure(reference)),
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
