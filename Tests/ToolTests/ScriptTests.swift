import Foundation
import Testing
import ToolTestSupport

/// The scripts that the README and the pages name.
struct ScriptTests {
  @Test(
    "A script prints its help when it is called by a relative path",
    arguments: [
      "Benchmarks/instructions", "Benchmarks/run", "Tools/build", "Tools/chromium", "Tools/clock",
      "Tools/document", "Tools/example", "Tools/flow", "Tools/generate/package",
      "Tools/generate/run", "Tools/install", "Tools/new-app", "Tools/pictures", "Tools/prepare",
      "Tools/session", "Tools/surface", "Tools/test", "Tools/try", "Tools/tutorial",
    ])
  func help(script: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let result = try runProgram(
      "/bin/bash", ["-c", "../\(script) --help"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"],
      in: root.appending(path: "Tests").path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    // What it does, an empty line, how it is called.
    #expect(result.output.contains("\n  \(script)"), "\(result.output)")
    let text = try String(contentsOf: root.appending(path: script), encoding: .utf8)
    guard text.hasPrefix("#!/bin/bash\n") else { return }
    let header = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .prefix { $0.hasPrefix("#") }
    #expect(result.output == header.map { $0.trimmingPrefix(/# ?/) + "\n" }.joined())
  }

  @Test func `the pictures of the tracker's screens are those that its tools make`() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Tools/pictures")
    let tools = TerminalScript.tool.deletingLastPathComponent().path
    let result = try runProgram(
      script.path, ["--check"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "RETRACE_BIN": tools])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(
    "Figures of only a part of the rows are not published",
    arguments: [["Storage"], ["--filter", "scan"], ["--rounds", "1"], ["--no-build"]])
  func publishing(options: [String]) throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Benchmarks/run")
    let result = try runProgram(script.path, options + ["--publish"])
    #expect(result.status == 64 && result.errors.contains("leave out \(options[0])"))
  }
}
