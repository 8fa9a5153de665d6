import Retrace
import RetraceSystem
import RetraceToolSupport

/// The replay tool of another build, run as `TOOL step --json`; each answer is one line.
///
/// If this tool is a part of a program, the words that chose it choose it in the other build, too.
struct OtherBuild: ~Copyable {
  /// The answer of the tool to `schema`, with which a comparison begins.
  let greeting: JSONValue
  private let pipe: ToolPipe

  /// Starts the tool.
  ///
  /// - Throws: A usage failure if the program does not start or is not a replay tool; the failure
  ///   of the tool if it cannot read the store.
  init(_ tool: String, store: String) throws(ToolFailure) {
    let path = tool.contains("/") ? tool : "./\(tool)"
    let pipe = try ToolPipe(tool, at: path, store: store)
    let greeting = try Self.greeting(of: pipe, tool, at: path)
    self.pipe = pipe
    self.greeting = greeting
  }

  private static func greeting(
    of pipe: ToolPipe, _ tool: String, at path: String
  ) throws(ToolFailure) -> JSONValue {
    do throws(ToolFailure) {
      return try pipe.greeting()
    } catch {
      if isReplayTool(path, after: prefix(of: path)) { throw error }
      throw ToolFailure(
        what: "The program is not a replay tool.",
        why: "\(tool) does not answer as `\(ToolProcess.replay) step --json` does.",
        advice: "Give the path of a replay tool with --with.", exitCode: ToolExit.usage)
    }
  }

  /// Whether the tool answers with its effects and decisions, not only with its states.
  ///
  /// The tools of earlier releases answer only with state hashes.
  var comparesOutcomes: Bool { greeting["compares"] != nil }

  /// Sends a request and waits for its answer.
  func ask(_ line: String) throws(ToolFailure) -> JSONValue {
    try send(line)
    return try receive()
  }

  /// Sends a request whose answer is received later.
  func send(_ line: String) throws(ToolFailure) { try pipe.send(line) }

  func receive() throws(ToolFailure) -> JSONValue { try pipe.receive() }

  func end() { pipe.end() }

  /// Returns the words that choose the replay tool of a program; none if it is nothing else.
  static func prefix(of path: String) -> [String] {
    let words = ToolProcess.prefix
    return !words.isEmpty && isReplayTool(path, after: words) ? words : []
  }

  /// Returns whether a program prints, after some words, the version of a replay tool.
  private static func isReplayTool(_ path: String, after words: [String]) -> Bool {
    var options = ChildProcess.Options()
    (options.input, options.error) = (.discard, .discard)
    guard let process = try? ChildProcess.spawn(path, words + ["--version"], options: options),
      let line = try? process.readLine(timeoutMilliseconds: 5_000, limitBytes: 4_096)
    else { return false }
    return line.contains(", log format ")
  }
}

/// The pipes to and from a replay tool.
private struct ToolPipe {
  private let tool: String
  private let prefix: [String]
  private let process: ChildProcess

  init(_ tool: String, at path: String, store: String) throws(ToolFailure) {
    self.tool = tool
    prefix = OtherBuild.prefix(of: path)
    var options = ChildProcess.Options()
    options.error = .inherit
    let words = ["step", "--json", "--limit", "\(Int.max)", "--store", store]
    do throws(SystemError) {
      process = try ChildProcess.spawn(path, prefix + words, options: options)
    } catch {
      throw ToolFailure(
        what: "The two builds could not be compared.", why: "\(tool) did not start: \(error).",
        advice: "Give the path of a replay tool with --with.", exitCode: ToolExit.usage)
    }
  }

  func greeting() throws(ToolFailure) -> JSONValue {
    try send("schema")
    let answer = try receive()
    guard answer["stateSchema"]?.stringValue != nil else {
      throw noAnswer("its answer has no state schema")
    }
    return answer
  }

  func send(_ line: String) throws(ToolFailure) {
    do throws(SystemError) {
      try process.write(line + "\n")
    } catch {
      throw noAnswer("\(error)")
    }
  }

  func receive() throws(ToolFailure) -> JSONValue {
    let line: String?
    do throws(SystemError) {
      line = try process.readLine()
    } catch {
      throw noAnswer("\(error)")
    }
    guard let line else { throw noAnswer("it exited") }
    // A value can be nested as deeply as a recorded one, and the answer adds some levels around it.
    guard let answer = try? JSONValue(parsing: line, depthLimit: AvroLimits.depth + 16) else {
      throw noAnswer("its answer is not JSON")
    }
    if let error = answer["error"] {
      throw noAnswer(error["why"]?.stringValue ?? error.text())
    }
    return answer
  }

  func end() {
    process.closeInput()
    _ = try? process.wait(timeoutMilliseconds: 5_000)
  }

  private func noAnswer(_ why: String) -> ToolFailure {
    let exit = (try? process.wait(timeoutMilliseconds: 500)) ?? nil
    let code: Int32? = if case .exited(let code) = exit { code } else { nil }
    let words = ([tool] + prefix).joined(separator: " ")
    return ToolFailure(
      what: "The other build did not answer.", why: "\(tool): \(why).",
      advice: "Run `\(words) verify` with the same --store to see why.",
      exitCode: code.flatMap { $0 == 0 ? nil : $0 } ?? ToolExit.incompatible)
  }
}
