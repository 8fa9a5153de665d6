import Testing
import ToolTestSupport

/// `track app` on pipes: lines in, answers out.
final class PipedApp {
  let process: RunningTool

  init(_ store: String, size: String = "72x20", clock: String = "09:00:00") throws {
    process = try RunningTool(
      "track",
      ["app", "--store", store, "--now", "2026-03-02T\(clock)Z", "--size", size])
  }

  /// The answer to a line, its last line `ok …` or `error …` included.
  func lines(_ line: String) throws -> [String] {
    process.send(line)
    var lines: [String] = []
    while let answer = process.readLine() {
      lines.append(answer)
      if answer.hasPrefix("ok ") || answer.hasPrefix("error ") { return lines }
    }
    throw ToolError.noAnswer(line)
  }

  /// The sequence that a line is acknowledged with.
  @discardableResult
  func press(_ line: String) throws -> Int {
    let answer = try lines(line)
    try #require(answer.count == 1)
    return try #require(Int(answer[0].dropFirst(3)), "\(line): \(answer)")
  }

  /// What the app shows, and where its cursor is.
  func screen() throws -> [String] { Array(try lines("screen").dropLast()) }

  /// Closes the input and expects success, or the exit code after a refused line.
  func end(afterRefusal: Bool = false, location: SourceLocation = #_sourceLocation) {
    let result = process.finish()
    #expect(result.status == (afterRefusal ? 64 : 0), "\(result.errors)", sourceLocation: location)
    #expect(result.errors.isEmpty == !afterRefusal, sourceLocation: location)
  }
}
