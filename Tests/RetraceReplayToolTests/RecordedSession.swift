import Foundation
import Testing
import ToolTestSupport

/// A store with an app session and a command's session, for the tests of `replay`.
struct RecordedSession {
  let path: String
  /// What the app showed last.
  let screen: [String]

  static let clock = "2026-03-02T09:00:00Z"

  static func with(_ body: (RecordedSession) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let path = "\(folder)/store"
      let app = try RunningTool(
        "track", ["app", "--store", path, "--now", clock, "--size", "72x20"])
      for line in ["text:anna", "enter", "text:n", "text:draft", "screen"] { app.send(line) }
      let ended = app.finish()
      #expect(ended.status == 0, "\(ended.errors)")
      let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      // The answers to four lines, the screen, the answer to that, and the end.
      let screen = Array(lines.dropFirst(4).dropLast(2))
      let started = try run(
        "track", ["start", "write", "--user", "bo", "--store", path, "--now", clock])
      #expect(started.status == 0, "\(started.errors)")
      try body(RecordedSession(path: path, screen: screen))
    }
  }

  /// The sequence of the app session's last action: the session, the scene and how it is seen, a
  /// text, a user with its command, two screens and a text.
  static let lastOfApp = 9
  /// The end of that session, and the other's begin, command, user, entry and end.
  static let last = 15

  /// Runs `replay`, and returns its output.
  func replay(_ arguments: [String], status: Int32 = 0) throws -> ToolResult {
    let result = try run("replay", arguments + ["--store", path])
    #expect(result.status == status, "\(arguments): \(result.errors)")
    return result
  }

  /// Runs `replay` with `--json`, and returns the object that it prints.
  func object(_ arguments: [String]) throws -> [String: Any] {
    try replay(arguments + ["--json"]).json()
  }
}

extension [String: Any] {
  /// Whether a member is 64 hexadecimal digits.
  func isDigest(_ name: String) -> Bool {
    guard let text = self[name] as? String else { return false }
    return text.count == 64 && text.allSatisfy(\.isHexDigit)
  }
}
