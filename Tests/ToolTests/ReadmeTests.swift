import Foundation
import Testing
import ToolTestSupport

/// The commands of the README, run one after another as a reader would.
@Suite struct ReadmeTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("Every command of the first day works")
  func firstDay() throws {
    let commands = try self.commands()
    #expect(commands.count > 10)
    #expect(commands.contains { $0.hasPrefix("track import") })
    #expect(commands.contains { $0.contains(" --as-of ") })
    let folder = FileManager.default.temporaryDirectory.appending(path: "retrace-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("Begin,Minutes,What\n1.2.2026 09:30,45,planning\n".utf8)
      .write(to: folder.appending(path: "times.csv"))
    for command in commands {
      let (status, output) = try run(command, in: folder)
      #expect(status == 0, "\(command)\n\(output)")
    }
    let (_, totals) = try run("track log --totals --json", in: folder)
    #expect(totals.contains("\"entries\":2"))
  }

  /// The lines that begin with a prompt, joined where a backslash ends them, without comments.
  private func commands() throws -> [String] {
    let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let joined = text.replacing("\\\n", with: " ")
    return joined.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("    $ ") else { return nil }
      return line.dropFirst(6).split(separator: "#")[0].trimmingCharacters(in: .whitespaces)
    }
  }

  private func run(_ command: String, in folder: URL) throws -> (status: Int32, output: String) {
    let environment = [
      "PATH": TerminalScript.tool.deletingLastPathComponent().path + ":/usr/bin:/bin",
      "HOME": folder.path, "XDG_DATA_HOME": folder.path, "TZ": "UTC",
    ]
    let result = try runProgram(
      "/bin/bash", ["-c", command], environment: environment, in: folder.path)
    return (result.status, result.output + result.errors)
  }
}
