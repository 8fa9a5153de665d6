import Foundation
import Testing
import ToolTestSupport

/// `testapp send` on a store, line by line.
struct SenderProcess {
  let process: RunningTool
  /// What it said when it had opened the store.
  let opening: String

  init(_ store: String, environment: [String: String] = [:]) throws {
    process = try RunningTool("testapp", ["send", "--store", store], environment: environment)
    guard let line = process.readLine() else {
      throw ToolError.noAnswer("open: \(process.finish().errors)")
    }
    opening = line
  }

  /// The sequences of the `crashed` records that opening appended.
  var recovered: [Int] { opening.split(separator: " ").dropFirst(3).compactMap { Int($0) } }

  /// The next line of its output.
  func line() throws -> String {
    guard let line = process.readLine() else {
      throw ToolError.noAnswer("a line: \(process.finish().errors)")
    }
    return line
  }

  /// Sends lines, of which the last is answered.
  func ask(_ lines: String...) throws -> String {
    for line in lines { process.send(line) }
    guard let answer = process.readLine() else {
      throw ToolError.noAnswer("\(lines): \(process.finish().errors)")
    }
    return answer
  }

  /// Sends lines, of which the last ends the process by a trap in the reducer.
  func trap(_ lines: String...) throws -> ToolResult {
    for line in lines { process.send(line) }
    let result = process.finish()
    #expect(result.signal == trapSignal, "\(result.errors)")
    #expect(!result.output.contains("ok "), "\(result.output)")
    return result
  }

  /// The hash of the state.
  func hash() throws -> String { String(try ask("hash").dropFirst(5)) }

  /// Ends the process at a phase of the commit that the lines begin.
  func killInPhase(_ phase: String, _ lines: String...) throws {
    #expect(try ask("hold \(phase)") == "armed")
    for line in lines { process.send(line) }
    #expect(process.readLine() == "holding \(phase)")
    process.kill()
    let result = process.finish()
    #expect(result.signal == SIGKILL)
    #expect(!result.output.contains("ok "), "\(result.output)")
  }

  /// Closes the input and waits for the orderly end.
  func close() {
    let result = process.finish()
    #expect(result.status == 0 && result.signal == nil, "\(result.errors)")
  }
}

/// The signal by which a trap of Swift ends a process: an invalid instruction on x86, a breakpoint
/// on arm64.
#if arch(x86_64)
  let trapSignal = SIGILL
#else
  let trapSignal = SIGTRAP
#endif

/// The output of the tools about a store.
struct StoreReport {
  let store: String
  /// The environment of the tools, which selects an app of `testapp`.
  var environment: [String: String] = [:]

  /// The lines of a command that prints one JSON object per line.
  func objects(_ tool: String, _ arguments: [String]) throws -> [[String: Any]] {
    let result = try run(
      tool, arguments + ["--store", store, "--json"], environment: environment)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    return try result.output.split(separator: "\n").map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
  }

  /// The texts of the notes after a record.
  func notes(at sequence: Int? = nil) throws -> [String] {
    let state = try state(at: sequence)["state"] as? [String: Any]
    let rows = try #require(state?["notes"] as? [[String: Any]])
    return rows.compactMap { ($0["value"] as? [String: Any])?["text"] as? String }
  }

  func hash(at sequence: Int? = nil) throws -> String {
    try #require(try state(at: sequence)["stateHash"] as? String)
  }

  private func state(at sequence: Int?) throws -> [String: Any] {
    let position = sequence.map { ["--at", "\($0)"] } ?? []
    return try #require(try objects("testapp", ["state"] + position).first)
  }

  /// Checks that the log is whole and that the fold reproduces it.
  func verify() throws {
    for tool in ["testapp", "audit"] {
      let result = try run(
        tool, ["verify", "--store", store, "--json"], environment: environment)
      #expect(result.status == 0, "\(tool): \(result.output) \(result.errors)")
    }
  }

  /// The `crashed` records: their actions as compact JSON, as `audit` and as `replay` show them.
  func crashed() throws -> [CrashedRecord] {
    let audited = try objects("audit", ["list", "--kind", "crashed"]).map(CrashedRecord.init)
    let replayed = try objects("testapp", ["show"])
      .filter { $0["kind"] as? String == "crashed" }.map(CrashedRecord.init)
    #expect(audited == replayed)
    return audited
  }

  /// The sequences of crashed records that `replay sessions` shows, by the session they are in.
  func crashedBySession() throws -> [Int: [Int]] {
    var found: [Int: [Int]] = [:]
    for session in try sessions() {
      let crashed = try #require(session["crashed"] as? [Int])
      if !crashed.isEmpty { found[try #require(session["session"] as? Int)] = crashed }
    }
    return found
  }

  /// How each session ended.
  func sessionEnds() throws -> [String?] { try sessions().map { $0["end"] as? String } }

  /// The number of leaves in flight that `replay sessions` shows.
  func effectsInFlight() throws -> Int {
    try sessions().reduce(0) { count, session in
      count + (try #require(session["effectsInFlight"] as? [Any])).count
    }
  }

  private func sessions() throws -> [[String: Any]] {
    let result = try run(
      "testapp", ["sessions", "--store", store, "--json"], environment: environment)
    let sessions = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require(sessions as? [[String: Any]])
  }

  /// The number of records.
  func records() throws -> Int { try objects("audit", ["list"]).count }
}

/// A `crashed` record as a tool shows it.
struct CrashedRecord: Equatable {
  var sequence: Int
  var session: Int
  var batch: Int
  var actions: [String]

  init(sequence: Int, session: Int, batch: Int, actions: [String]) {
    self.sequence = sequence
    self.session = session
    self.batch = batch
    self.actions = actions
  }

  init(_ object: [String: Any]) throws {
    let payload = try #require(object["payload"] as? [String: Any])
    sequence = try #require(object["sequence"] as? Int)
    session = try #require(payload["session"] as? Int)
    batch = try #require(payload["batch"] as? Int)
    actions = try #require(payload["actions"] as? [[String: Any]]).map { action in
      let data = try JSONSerialization.data(withJSONObject: action, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self)
    }
  }
}
