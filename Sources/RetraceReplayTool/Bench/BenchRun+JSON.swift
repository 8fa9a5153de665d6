import Retrace
import RetraceReplay

// Another build may read this JSON, so nothing in it depends on the app.
extension BenchRun {
  /// Parses what `--json` or a measuring process prints; `nil` for anything else.
  init?(_ json: JSONValue) {
    guard json["bench"]?.integerValue == Self.format, let log = json["log"],
      let app = json["app"]?.stringValue, let build = json["build"]?.stringValue,
      let reducer = json["reducer"]?.stringValue, case .bool(let isOptimised)? = json["optimised"],
      let records = log.count("records"), let bytes = log.count("bytes"),
      let chain = log["chain"]?.stringValue, let stateHash = log["stateHash"]?.stringValue,
      let hashes = log.count("hashes"), let repetitions = json.count("repetitions"),
      let clock = json["clockNanoseconds"]?.number,
      let step = json["clockStepNanoseconds"]?.number, let types = json["types"]?.arrayValue
    else { return nil }
    var read: [TypeTimings] = []
    for type in types {
      guard let type = TypeTimings(type) else { return nil }
      read.append(type)
    }
    self.init(
      app: app, build: build, reducer: reducer, isOptimised: isOptimised, records: records,
      bytes: bytes, chain: chain, stateHash: stateHash, hashes: hashes, repetitions: repetitions,
      clockNanoseconds: clock, clockStepNanoseconds: step, types: read)
    for part in json["parts"]?.arrayValue ?? [] {
      guard let name = part["name"]?.stringValue, let known = BenchPart(rawValue: name),
        let rounds = part["rounds"]?.numbers
      else { return nil }
      parts[known] = rounds
    }
    guard let rounds = json["rounds"] else { return }
    guard let wall = rounds["wall"]?.numbers, let processor = rounds["processor"]?.numbers,
      let calibration = rounds["yardstick"]?.numbers
    else { return nil }
    (self.wall, self.processor, self.calibration) = (wall, processor, calibration)
  }

  /// Returns the members of the object that `--json` prints.
  ///
  /// - Parameters:
  ///   - bootstrap: Computes the intervals of the medians.
  ///   - confidence: The probability that an interval contains the true median.
  func members(bootstrap: Bootstrap, confidence: Double) -> [JSONValue.Member] {
    header + [
      .init(
        "parts",
        .array(
          BenchPart.allCases.compactMap { part in
            guard let rounds = parts[part] else { return nil }
            let interval = bootstrap.interval(of: rounds, confidence: confidence)
            return [
              "name": .string(part.rawValue),
              "nanoseconds": [
                "median": .figure(interval.median), "low": .figure(interval.low),
                "high": .figure(interval.high),
              ],
              "recordsPerSecond": interval.median > 0
                ? .figure(1_000_000_000 / interval.median) : .null,
              "rounds": .figures(rounds),
            ]
          })),
      .init("types", .array(types.map(\.json))),
      .init(
        "rounds",
        [
          "count": .integer(Int64(rounds)), "wall": .figures(wall),
          "processor": .figures(processor), "yardstick": .figures(calibration),
        ]),
    ]
  }

  /// The members that are known before the first round.
  var header: [JSONValue.Member] {
    [
      .init("bench", .integer(Self.format)), .init("app", .string(app)),
      .init("build", .string(build)), .init("reducer", .string(reducer)),
      .init("optimised", .bool(isOptimised)),
      .init(
        "log",
        [
          "records": .integer(Int64(clamping: records)), "bytes": .integer(Int64(clamping: bytes)),
          "chain": .string(chain), "stateHash": .string(stateHash),
          "hashes": .integer(Int64(clamping: hashes)),
        ]),
      .init("repetitions", .integer(Int64(clamping: repetitions))),
      .init("clockNanoseconds", .figure(clockNanoseconds)),
      .init("clockStepNanoseconds", .figure(clockStepNanoseconds)),
    ]
  }
}

extension BenchRun.TypeTimings {
  /// Parses the output of `json`; `nil` for anything else.
  init?(_ json: JSONValue) {
    guard let name = json["name"]?.stringValue, let records = json.count("records"),
      let bytes = json["bytes"].flatMap(Distribution.init)
    else { return nil }
    recordType = BenchedType(name: name, records: records, bytes: bytes)
    guard let rounds = json["rounds"] else { return }
    for time in BenchRun.TimeStatistic.allCases {
      guard let figures = rounds[time.rawValue]?.numbers else { return nil }
      times[time] = figures
    }
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(recordType.name)),
      .init("records", .integer(Int64(clamping: recordType.records))),
      .init("bytes", recordType.bytes.json),
    ]
    guard !times.isEmpty else { return .object(members) }
    for (name, low, high) in [
      ("nanoseconds", BenchRun.TimeStatistic.whole50, BenchRun.TimeStatistic.whole99),
      ("decode", .decode50, .decode99), ("reduce", .reduce50, .reduce99),
    ] {
      members.append(.init(name, ["p50": .figure(median(low)), "p99": .figure(median(high))]))
    }
    members.append(
      .init(
        "rounds",
        .object(
          BenchRun.TimeStatistic.allCases.map { .init($0.rawValue, .figures(times[$0] ?? [])) })))
    return .object(members)
  }
}

extension Distribution {
  /// Parses the output of `json`; `nil` for anything else.
  init?(_ json: JSONValue) {
    guard let p50 = json["p50"]?.number, let p99 = json["p99"]?.number,
      let total = json["total"]?.number
    else { return nil }
    self.init(p50: p50, p99: p99, total: total)
  }

  var json: JSONValue { ["p50": .figure(p50), "p99": .figure(p99), "total": .figure(total)] }
}

extension JSONValue {
  /// Returns a number, rounded to thousandths.
  static func figure(_ value: Double) -> JSONValue {
    guard value.isFinite else { return .null }
    let thousandths = (value * 1000).rounded()
    guard let whole = Int64(exactly: thousandths / 1000) else { return .double(thousandths / 1000) }
    return .integer(whole)
  }

  /// Returns numbers, each rounded to thousandths.
  static func figures(_ values: [Double]) -> JSONValue { .array(values.map { .figure($0) }) }

  /// The number, with or without a fraction.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The numbers of an array that contains only numbers; `nil` for anything else.
  var numbers: [Double]? {
    guard let items = arrayValue else { return nil }
    let numbers = items.compactMap(\.number)
    return numbers.count == items.count ? numbers : nil
  }

  func count(_ name: String) -> UInt64? {
    self[name]?.integerValue.flatMap { UInt64(exactly: $0) }
  }
}
