import Foundation
import Testing
import ToolTestSupport

/// The scripts that the README and the pages name.
struct ScriptTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(
    "A script prints its help when it is called by a relative path",
    arguments: [
      "Benchmarks/instructions", "Benchmarks/run", "Tools/build", "Tools/chromium", "Tools/clock",
      "Tools/copy", "Tools/document", "Tools/example", "Tools/flow", "Tools/generate/package",
      "Tools/generate/run", "Tools/install", "Tools/new-app", "Tools/pictures", "Tools/prepare",
      "Tools/session", "Tools/surface", "Tools/terminal", "Tools/test", "Tools/try",
      "Tools/tutorial",
    ])
  func help(script: String) throws {
    let result = try runProgram(
      "/bin/bash", ["-c", "../\(script) --help"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"],
      in: Self.root.appending(path: "Tests").path)
    #expect(result.status == 0)
    #expect(result.errors == "")
    // What it does, an empty line, how it is called.
    #expect(result.output.contains("\n  \(script)"), "\(result.output)")
    let text = try String(contentsOf: Self.root.appending(path: script), encoding: .utf8)
    guard text.hasPrefix("#!/bin/bash\n") else { return }
    let header = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .prefix { $0.hasPrefix("#") }
    #expect(result.output == header.map { $0.trimmingPrefix(/# ?/) + "\n" }.joined())
  }

  @Test func `the pictures of the tracker's screens are those that its tools make`() throws {
    let script = Self.root.appending(path: "Tools/pictures")
    let tools = TerminalScript.tool.deletingLastPathComponent().path
    let result = try runProgram(
      script.path, ["--check"],
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "RETRACE_BIN": tools])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func `a copy has the files of its package, and an equal file is not written again`() throws
  {
    try withTemporaryDirectory { folder in
      let (from, to) = ("\(folder)/from", "\(folder)/to")
      func write(_ text: String, to file: String) throws {
        let url = URL(filePath: file)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      func copy() throws -> [String: String] {
        let script = Self.root.appending(path: "Tools/copy").path
        let result = try runProgram(script, [from, to])
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        return try filesInTree(to).mapValues { String(decoding: $0, as: UTF8.self) }
      }
      try write(".package(name: \"retrace\", path: \"../..\"),", to: "\(from)/Package.swift")
      try write("equal", to: "\(from)/A/Equal.swift")
      try write("one", to: "\(from)/A/Changed.swift")
      try write("gone", to: "\(from)/Gone.swift")
      try write("built", to: "\(from)/.build/product")
      var expected = [
        "Package.swift": ".package(name: \"retrace\", path: \"\(Self.root.path)\"),",
        "A/Equal.swift": "equal", "A/Changed.swift": "one", "Gone.swift": "gone",
      ]
      let pins = Self.root.appending(path: "Package.resolved")
      expected["Package.resolved"] = try? String(contentsOf: pins, encoding: .utf8)
      #expect(try copy() == expected)

      let old = Date(timeIntervalSince1970: 1_000_000_000)
      for file in ["A/Equal.swift", "A/Changed.swift"] {
        try FileManager.default.setAttributes(
          [.modificationDate: old], ofItemAtPath: "\(to)/\(file)")
      }
      try write("two", to: "\(from)/A/Changed.swift")
      try FileManager.default.removeItem(atPath: "\(from)/Gone.swift")
      try write("kept", to: "\(to)/.build/product")
      expected["A/Changed.swift"] = "two"
      expected["Gone.swift"] = nil
      expected[".build/product"] = "kept"
      #expect(try copy() == expected)
      let times = try ["A/Equal.swift", "A/Changed.swift"].map {
        try FileManager.default.attributesOfItem(atPath: "\(to)/\($0)")[.modificationDate] as? Date
      }
      #expect(times[0] == old && times[1] != old)
    }
  }

  @Test(
    "Figures of only a part of the rows are not published",
    arguments: [["Storage"], ["--filter", "scan"], ["--rounds", "1"], ["--no-build"]])
  func publishing(options: [String]) throws {
    let script = Self.root.appending(path: "Benchmarks/run")
    let result = try runProgram(script.path, options + ["--publish"])
    #expect(result.status == 64 && result.errors.contains("leave out \(options[0])"))
  }
}
