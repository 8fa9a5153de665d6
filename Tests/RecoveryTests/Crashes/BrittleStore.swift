import Foundation
import Testing
import ToolTestSupport

/// A store of the brittle app of `testapp`, in which one command has been performed.
struct BrittleStore {
  let path: String

  /// The output of the tools about it.
  var report: StoreReport { StoreReport(store: path, environment: Self.environment) }

  private static let environment = ["TESTAPP_BRITTLE": "1", "SWIFT_BACKTRACE": "enable=no"]

  fileprivate init(in folder: String) throws {
    path = "\(folder)/store"
    let first = try SenderProcess(path, environment: Self.environment)
    #expect(first.opening == "open 0 recovered")
    first.close()
  }

  // MARK: Processes

  /// Opens the store in a process that continues.
  func open(expecting opening: String? = nil) throws -> SenderProcess {
    let process = try SenderProcess(path, environment: Self.environment)
    if let opening { #expect(process.opening == opening) }
    return process
  }

  /// Performs a command, and then another one that ends the process at a point.
  ///
  /// - Parameters:
  ///   - point: The place, as `CrashPoint` of `testapp` names it.
  ///   - ending: `trap` or `kill`.
  ///   - line: The second command.
  ///   - isAnswered: Whether its durable records are acknowledged before, so that only its effect
  ///     ends the process.
  func crash(
    at point: String, _ ending: String, _ line: String = "ask k run text",
    isAnswered: Bool = false
  ) throws {
    let process = try open()
    #expect(try process.ask("note first before") == "ok 3")
    #expect(try process.ask("crash \(point) \(ending)") == "armed")
    process.process.send(line)
    try end(process.process, at: point, ending, isAnswered: isAnswered)
  }

  /// Opens the store in a process that ends at a point by itself, in an effect that it recovers.
  func crashAgain(at point: String, _ ending: String) throws {
    let environment = Self.environment.merging(["TESTAPP_CRASH": "\(point) \(ending)"]) { $1 }
    let process = try RunningTool("testapp", ["send", "--store", path], environment: environment)
    try end(process, at: point, ending, isAnswered: nil)
  }

  /// - Parameter isAnswered: `nil` if there is no line to be answered.
  private func end(
    _ process: RunningTool, at point: String, _ ending: String, isAnswered: Bool?
  ) throws {
    var output = ""
    while let line = process.readLine() {
      output += line + "\n"
      if isAnswered == false, line.hasPrefix("ok ") { break }
      // The answer may come before or after this line.
      guard ending == "kill", output.contains("holding \(point)") else { continue }
      if isAnswered == true, !output.contains("ok ") { continue }
      process.kill()
      break
    }
    let result = process.finish()
    #expect(result.signal == (ending == "trap" ? trapSignal : SIGKILL), "\(result.errors)")
    if ending == "trap" {
      #expect(result.errors.contains("the app was made to trap in \(point)"), "\(result.errors)")
    }
    if isAnswered == false { #expect(!output.contains("ok "), "\(output)") }
  }

  // MARK: Claims

  /// Checks, without opening the store for writing, that it has what was acknowledged before and
  /// nothing else.
  func expectUnchanged(since before: (records: Int, notes: [String])) throws {
    #expect(try report.records() == before.records)
    #expect(try report.notes() == before.notes)
    #expect(try report.crashed() == [])
    try verify()
  }

  /// Checks, without opening the store for writing, that the command is in the log, and its effect
  /// in flight.
  func expectRecorded(notes: [String], inFlight: Int, records: Int = 6) throws {
    #expect(try report.records() == records)
    #expect(try report.notes() == notes)
    #expect(try report.crashed() == [])
    #expect(try report.effectsInFlight() == inFlight)
    try verify()
  }

  /// Waits for the effects, closes the process, and checks the end of the log.
  func settle(_ process: SenderProcess, expecting notes: [String], crashed: [Int]) throws {
    while try process.ask("effects") != "effects 0" { usleep(1_000) }
    process.close()
    #expect(try report.notes() == notes)
    #expect(try report.crashed().map(\.sequence) == crashed)
    #expect(try report.crashedBySession().values.flatMap { $0 }.sorted() == crashed)
    #expect(try report.effectsInFlight() == 0)
    // The first session ended without closing, and the log says so.
    #expect(try report.sessionEnds().first == "found dead")
    try verify()
  }

  private func verify() throws {
    try report.verify()
    let decided = try run(
      "testapp", ["verify", "--decide", "--every", "--store", path],
      environment: Self.environment)
    #expect(decided.status == 0, "\(decided.errors)")
  }

  /// The texts of the leaves that were started, in any process.
  func started() throws -> [String] {
    guard FileManager.default.fileExists(atPath: path + ".ran") else { return [] }
    return try String(contentsOfFile: path + ".ran", encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  /// How the log says that each leaf ended.
  func ends() throws -> [String] {
    try report.objects("audit", ["list", "--kind", "effectFinished"]).compactMap {
      ($0["payload"] as? [String: Any])?["outcome"] as? String
    }
  }
}

extension SenderProcess {
  /// Performs a command and checks the answer.
  func expectPerformed(_ line: String, by answer: String) throws {
    #expect(try ask(line) == answer)
  }
}

/// Calls a closure with a new store of the brittle app.
func withBrittleStore(_ body: (BrittleStore) throws -> Void) throws {
  try withTemporaryDirectory { try body(BrittleStore(in: $0)) }
}
