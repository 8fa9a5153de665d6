import Retrace
import RetraceReplay
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// A build that is measured in child processes: this one or another one.
///
/// Each round has its own process. The memory layout of a process makes all its rounds a few
/// percent faster or slower, so with a single process for each build, two equal builds would seem
/// to differ.
struct BenchedBuild {
  private let tool: String?
  private let store: String
  private let notes: ReaderNotes
  /// The process of the next round, if it has started.
  private var process: ChildProcess?
  private(set) var run: BenchRun

  /// The flag that makes a process measure on request.
  static var flag: String { "serve" }

  /// Starts a build and waits until it is warm.
  ///
  /// - Parameters:
  ///   - tool: The replay tool of the other build; `nil` for this one.
  ///   - store: The store.
  ///   - last: The last record to measure; `nil` for the last of the log.
  /// - Throws: The failure that the build reports, or the failure to start it.
  init(_ tool: String?, store: String, through last: UInt64?) throws(ToolFailure) {
    self.tool = tool
    self.store = store
    let notes = try ReaderNotes(reading: store)
    self.notes = notes
    do throws(BuildFailure) {
      (process, run) = try Self.start(tool, store: store, through: last, notes)
    } catch {
      guard error.shouldRetry else { throw error.failure }
      // A second process writes the sequence of each record to a file before it folds the record,
      // so the record at which the reducer traps is known.
      do throws(BuildFailure) {
        (process, run) = try Self.start(tool, store: store, through: last, notes)
      } catch {
        throw error.failure
      }
    }
  }

  /// The reason why a build does not answer.
  private struct BuildFailure: Error {
    var failure: ToolFailure
    var shouldRetry = false
  }

  private static func start(
    _ tool: String?, store: String, through last: UInt64?, _ notes: ReaderNotes
  ) throws(BuildFailure) -> (ChildProcess, BenchRun) {
    var words = ["bench", "--\(flag)", "--json", "--store", store]
    if let last { words += ["--at", "\(last)"] }
    let path = tool.map { $0.contains("/") ? $0 : "./\($0)" }
    words = (path.map { OtherBuild.prefix(of: $0) } ?? ToolProcess.prefix) + words
    var options = ChildProcess.Options()
    options.variables = notes.variables
    options.variables["SWIFT_BACKTRACE"] = "enable=no"
    let process: ChildProcess
    let name = name(tool)
    do throws(SystemError) {
      process = try ChildProcess.spawn(path ?? "/proc/self/exe", words, options: options)
    } catch {
      throw BuildFailure(
        failure: ToolFailure(
          what: "The build could not be measured.", why: "\(name) did not start: \(error).",
          advice: "Give the path of a replay tool with --with.", exitCode: ToolExit.usage))
    }
    let answer = try answer(of: process, name, store, notes)
    guard let run = BenchRun(answer) else {
      throw BuildFailure(failure: notMeasured("\(name) uses another version of the bench output"))
    }
    return (process, run)
  }

  mutating func measure() throws(ToolFailure) {
    let answer: JSONValue
    do throws(BuildFailure) {
      let process: ChildProcess
      if let waiting = self.process { process = waiting } else { process = try next() }
      self.process = nil
      // If the process has ended, reading its answer fails.
      try? process.write("round\n")
      answer = try Self.answer(of: process, Self.name(tool), store, notes)
      Self.end(process)
    } catch {
      throw error.failure
    }
    guard let round = BenchRound(answer), round.types.count == run.types.count else {
      throw Self.notMeasured("\(Self.name(tool)) did not return a measurement")
    }
    run.append(round)
  }

  private func next() throws(BuildFailure) -> ChildProcess {
    let (process, run) = try Self.start(
      tool, store: store, through: self.run.records, notes)
    guard run.chain == self.run.chain, run.build == self.run.build else {
      throw BuildFailure(
        failure: Self.notMeasured("\(Self.name(tool)) was replaced while it was being measured"))
    }
    return process
  }

  private static func name(_ tool: String?) -> String { tool ?? "this build" }

  func end() { process.map { Self.end($0) } }

  private static func end(_ process: ChildProcess) {
    process.closeInput()
    _ = try? process.wait(timeoutMilliseconds: 5_000)
  }

  private static func answer(
    of process: ChildProcess, _ tool: String, _ store: String, _ notes: ReaderNotes
  ) throws(BuildFailure) -> JSONValue {
    let line: String?
    do throws(SystemError) {
      line = try process.readLine()
    } catch {
      throw failure(of: process, tool, store, notes, "\(error)")
    }
    guard let line else { throw failure(of: process, tool, store, notes, "it exited") }
    guard let answer = try? JSONValue(parsing: line) else {
      throw failure(of: process, tool, store, notes, "its answer is not JSON")
    }
    return answer
  }

  /// Returns the reason why a build does not answer: its error, or the signal that ended it.
  private static func failure(
    of process: ChildProcess, _ tool: String, _ store: String, _ notes: ReaderNotes,
    _ why: String
  ) -> BuildFailure {
    process.closeInput()
    let exit = (try? process.wait(timeoutMilliseconds: 5_000)) ?? nil
    if case .signalled(let signal)? = exit {
      let (error, shouldRetry) = ChildProcessReader.failure(
        of: process.identifier, by: signal, reading: store, noting: notes)
      return BuildFailure(failure: ToolFailure(error), shouldRetry: shouldRetry)
    }
    // A process that still runs has not closed its standard error, so reading it would block.
    let errorOutput = exit == nil ? [] : (try? process.readError()) ?? []
    let text = String(decoding: errorOutput, as: UTF8.self)
    if let reported = (try? JSONValue(parsing: text)).flatMap(ToolFailure.init(json:)) {
      return BuildFailure(failure: reported)
    }
    return BuildFailure(failure: notMeasured("\(tool): \(why)"))
  }

  private static func notMeasured(_ why: String) -> ToolFailure {
    ToolFailure(
      what: "The build could not be measured.", why: "\(why).",
      advice: "Try again. A tool given with --with has to be of this version of the package.",
      exitCode: ToolExit.incompatible)
  }
}

extension ToolFailure {
  /// Parses a failure that another tool printed with `--json`; `nil` for anything else.
  init?(json: JSONValue) {
    guard let error = json["error"], let what = error["what"]?.stringValue,
      let why = error["why"]?.stringValue, let advice = error["do"]?.stringValue,
      let code = error["exitCode"]?.integerValue, let exitCode = Int32(exactly: code)
    else { return nil }
    self.init(what: what, why: why, advice: advice, exitCode: exitCode)
    self.code = error["code"]?.stringValue
  }
}
