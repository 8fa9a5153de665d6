import Foundation
import Testing
import ToolTestSupport

/// What the types of ids refuse.
@Suite struct IdentifierTypeTests {
  /// Lines, and whether they compile.
  private let lines: [(String, compiles: Bool)] = [
    ("import RetraceArchitecture", true),
    ("import RetraceState", true),
    ("func find(_ id: SceneID) {}", true),
    ("func own(_ id: SceneID) { find(id) }", true),
    ("func made(_ number: Int64) { find(SceneID(value: number)) }", true),
    ("func other(_ id: RouteID) { find(id) }", false),
    ("func bare(_ number: Int64) { find(number) }", false),
    ("func literal() { find(7) }", false),
    ("func equal(_ one: SceneID, _ other: RouteID) -> Bool { one == other }", false),
  ]

  @Test func `an id of one type is not taken for another, nor for a number [T5]`() throws {
    try withTemporaryDirectory { folder in
      let file = "\(folder)/ids.swift"
      try lines.map(\.0).joined(separator: "\n").write(
        toFile: file, atomically: true, encoding: .utf8)
      let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "Modules").path
      let result = try run(
        "/usr/bin/env", ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules, file])
      let errors = result.errors.split(separator: "\n").filter { $0.contains(": error: ") }
      let found = errors.compactMap { Int($0.dropFirst(file.count + 1).prefix { $0 != ":" }) }
      let expected = lines.indices.filter { !lines[$0].compiles }.map { $0 + 1 }
      #expect(Array(Set(found)).sorted() == expected, "\(result.errors)")
    }
  }
}
