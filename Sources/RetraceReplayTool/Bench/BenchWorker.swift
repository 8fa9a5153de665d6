import Retrace
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// The measuring process of a bench: it describes its build, then measures a round for each line
/// `round` on its input.
///
/// Each build is measured in such a process, including this one, so that both are measured under
/// the same conditions, in alternating rounds.
enum BenchWorker<Tool: ReplayTool> {
  typealias App = Tool.App

  /// Serves requests until the input ends.
  ///
  /// - Throws: The failure of the log, or a usage failure for a record after its end.
  static func serve(_ options: StoreOptions, through last: UInt64?) throws(ToolFailure) {
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let head = try orFail(try storage.head().sequence)
      if let last, last > head { throw ToolFailure.noRecord(last, last: head) }
      if head == 0 || last == 0 {
        throw ToolFailure(
          what: "There is nothing to measure.", why: "The log is empty, or --at is 0.",
          advice: "Record something first, or give a record with --at.", exitCode: ToolExit.refused)
      }
      do throws(StoreError) {
        let bench = try LogBench<App>(storage, through: last)
        let run = emptyRun(of: bench)
        Output.standard.print(.object(run.header + [.init("types", .array(run.types.map(\.json)))]))
        while let line = (try? Console.readLine()) ?? nil, !Output.standard.hasFailed {
          guard line == Array("round".utf8) else { continue }
          Output.standard.print(try bench.round().json)
        }
      } catch {
        throw ToolFailure(error)
      }
    }
  }

  private static func emptyRun(of bench: LogBench<App>) -> BenchRun {
    BenchRun(
      app: App.name, build: App.build, reducer: App.reducerFingerprint.hex,
      isOptimised: !_isDebugAssertConfiguration(), records: bench.last, bytes: bench.bytes,
      chain: bench.chain.hex, stateHash: bench.stateHash.hex, hashes: UInt64(bench.hashes),
      repetitions: UInt64(bench.repetitions), clockNanoseconds: bench.clockNanoseconds,
      clockStepNanoseconds: bench.clockStepNanoseconds,
      types: bench.types.map { BenchRun.TypeTimings(recordType: $0) })
  }
}

// The JSON of a round, sent over the pipe.
extension BenchRound {
  var json: JSONValue {
    [
      "parts": .object(
        BenchPart.allCases.map { .init($0.rawValue, .figure(parts[$0] ?? 0)) }),
      "types": .array(
        types.map {
          .figures([
            $0.whole.p50, $0.whole.p99, $0.decode.p50, $0.decode.p99, $0.reduce.p50, $0.reduce.p99,
          ])
        }),
      "wall": .integer(wallNanoseconds), "processor": .integer(processorNanoseconds),
      "yardstick": .integer(calibrationNanoseconds),
    ]
  }

  /// Parses the output of `json`; `nil` for anything else.
  init?(_ json: JSONValue) {
    guard let wall = json["wall"]?.integerValue, let processor = json["processor"]?.integerValue,
      let calibration = json["yardstick"]?.integerValue, let types = json["types"]?.arrayValue
    else { return nil }
    var parts: [BenchPart: Double] = [:]
    for part in BenchPart.allCases {
      guard let figure = json["parts"]?[part.rawValue]?.number else { return nil }
      parts[part] = figure
    }
    var times: [TypeTimes] = []
    for type in types {
      guard let figures = type.numbers, figures.count == 6 else { return nil }
      func distribution(_ at: Int) -> Distribution {
        Distribution(p50: figures[at], p99: figures[at + 1], total: 0)
      }
      times.append(
        TypeTimes(whole: distribution(0), decode: distribution(2), reduce: distribution(4)))
    }
    self.init(
      parts: parts, types: times, wallNanoseconds: wall, processorNanoseconds: processor,
      calibrationNanoseconds: calibration)
  }
}
