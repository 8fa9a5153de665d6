import Retrace
import RetraceSystem
import RetraceToolSupport

/// The replay tool of another build, run as `TOOL step --json`; each answer is one line.
struct OtherBuild: ~Copyable {
  private let tool: String
  private let process: ChildProcess

  init(_ tool: String, store: String) throws(ToolFailure) {
    self.tool = tool
    var options = ChildProcess.Options()
    options.error = .inherit
    do throws(SystemError) {
      process = try ChildProcess.spawn(
        tool.contains("/") ? tool : "./\(tool)",
        ["step", "--json", "--limit", "\(Int.max)", "--store", store], options: options)
    } catch {
      throw ToolFailure(
        what: "The two builds could not be compared.", why: "\(tool) did not start: \(error).",
        advice: "Give the path of a replay tool with --with.", exitCode: ToolExit.usage)
    }
  }

  /// Sends a request and waits for its answer.
  func ask(_ line: String) throws(ToolFailure) -> JSONValue {
    try send(line)
    return try receive()
  }

  /// Sends a request whose answer is received later.
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
    return ToolFailure(
      what: "The other build did not answer.", why: "\(tool): \(why).",
      advice: "Run `\(tool) verify` with the same --store to see why.",
      exitCode: code.flatMap { $0 == 0 ? nil : $0 } ?? ToolExit.incompatible)
  }
}
