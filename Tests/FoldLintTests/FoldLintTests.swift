import Foundation
import Testing
import ToolTestSupport

private let root = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
private let objects = root.appending(path: ".build/debug/FoldLintTests.build")

/// The lint, run on the object files of this test target in the debug build.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: objects.path),
    "needs the debug build: swift build --target FoldLintTests"))
struct FoldLintTests {
  /// The tool's output, from one run for all tests.
  private static let run = Result { try lint() }
  private static let pageRun = Result { try lint("--page") }

  private static func lint(_ options: String...) throws -> ToolResult {
    try runProgram(
      "\(root.path)/Tools/lint/run", ["--no-build"] + options + ["FoldLintTests"], in: root.path)
  }

  /// The findings of a file, by line; what is below the first line of a finding is left out.
  private func findings(
    in file: String, of run: Result<ToolResult, any Error> = run
  ) throws -> [Int: String] {
    let prefix = "Tests/FoldLintTests/\(file):"
    let text = try run.get().output
    return text.split(separator: "\n").filter { $0.hasPrefix(prefix) }.reduce(into: [:]) {
      let parts = $1.dropFirst(prefix.count).split(separator: ":", maxSplits: 1)
      if let line = Int(parts[0]) { $0[line, default: ""] += String(parts[1]) }
    }
  }

  private func lines(of file: String) throws -> [Substring] {
    let path = "Tests/FoldLintTests/\(file)"
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `each planted use of a Unicode table is found and named`() throws {
    #expect(try check("Planted.swift", findings(in: "Planted.swift")) > 30)
  }

  @Test func `what a page cannot run is found and named if it is asked for`() throws {
    let file = "PlantedForPages.swift"
    #expect(try findings(in: file) == [:])
    #expect(try check(file, findings(in: file, of: Self.pageRun)) == 3)
  }

  /// Compares the findings of a file with its comments, and returns the number of planted ones.
  private func check(_ file: String, _ findings: [Int: String]) throws -> Int {
    var planted = 0
    for (index, line) in try lines(of: file).enumerated() {
      if line.hasSuffix("// lint:allow") {
        #expect(findings[index + 1]?.contains("this allowance has no reason") == true)
        continue
      }
      guard let mark = line.firstRange(of: "// found: ") else {
        #expect(findings[index + 1] == nil, "line \(index + 1) is reported")
        continue
      }
      planted += 1
      let found = try #require(findings[index + 1], "line \(index + 1) is not reported: \(line)")
      #expect(found.contains(line[mark.upperBound...]), "line \(index + 1)")
    }
    return planted
  }

  @Test func `code that uses bytes, and what a comment allows, is not reported`() throws {
    #expect(try findings(in: "Harmless.swift") == [:])
  }

  @Test func `a finding has the way from the reducer, and what to do instead`() throws {
    let result = try Self.run.get()
    #expect(result.status == 1)
    #expect(result.output.contains("folded by: ThroughHelper.update(_:_:) > matches(_:_:)"))
    #expect(result.output.contains("instead: compare UTF-8: a.utf8.elementsEqual(b.utf8)"))
  }

  @Test func `a module that cannot be checked is an error with what to do`() throws {
    let tool = "\(root.path)/Tools/lint/run"
    for (arguments, words) in [
      (["NoSuchModule"], "swift build --target NoSuchModule"), (["CivilTime"], "--all CivilTime"),
      (["--no-such-option"], "--help"),
    ] {
      let result = try runProgram(tool, ["--no-build"] + arguments, in: root.path)
      #expect(result.status == (arguments[0].hasPrefix("--") ? 64 : 66))
      #expect(result.output.isEmpty)
      let lines = result.errors.split(separator: "\n")
      #expect(lines.count == 4 && lines[2].contains("do: ") && lines[2].contains(words))
    }
  }
}
