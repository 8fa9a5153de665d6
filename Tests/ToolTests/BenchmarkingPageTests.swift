import Foundation
import Testing
import ToolTestSupport

/// The commands of the page on benchmarking, run one after another as a reader would.
@Suite struct BenchmarkingPageTests {
  private let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/RetraceReplayTool/RetraceReplayTool.docc/Benchmarking.md")

  /// The lines that begin with a prompt, joined where a backslash ends them.
  private func commands() throws -> [String] {
    let text = try String(contentsOf: page, encoding: .utf8).replacing("\\\n", with: " ")
    return text.split(separator: "\n").filter { $0.hasPrefix("    $ ") }
      .map { String($0.dropFirst(6)) }
  }

  @Test func `every command of the page works, and says what the page says`() throws {
    let commands = try self.commands()
    for part in ["track import", "replay bench --with", "--baseline", "--json > before.json"] {
      #expect(commands.contains { $0.contains(part) }, "\(part)")
    }
    try withTemporaryDirectory { folder in
      let table = "Begin,Minutes,What\n1.2.2026 09:30,45,planning\n1.2.2026 11:00,30,mail\n"
      try Data(table.utf8).write(to: URL(fileURLWithPath: "\(folder)/times.csv"))
      try FileManager.default.createDirectory(
        atPath: "\(folder)/old-build", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/old-build/replay", withDestinationPath: Tools.url("replay").path)
      var outputs: [String] = []
      for command in commands {
        // Unless the page says how many, as few rounds as there can be.
        let words =
          command.contains("--rounds")
          ? command : command.replacing(/^replay bench/, with: "replay bench --rounds 3")
        let result = try shell(
          "cd \"$1\" && \(words)", [folder],
          environment: ["XDG_DATA_HOME": folder, "HOME": folder])
        #expect(result.status == 0, "\(command)\n\(result.errors)")
        outputs.append(result.output)
      }
      let text = try String(contentsOf: page, encoding: .utf8)
      // The parts of the first table equal the page's, in the same order.
      let parts = text.matches(of: /\n\| `(\w+)` \|/).map { String($0.output.1) }
      #expect(parts.count == 7)
      let first = try #require(
        zip(commands, outputs).first { $0.0 == "replay bench" }?.1.split(separator: "\n"))
      let shown = first.compactMap { line in parts.first { line.hasPrefix($0 + " ") } }
      #expect(shown == parts)
      let compared = try #require(zip(commands, outputs).first { $0.0.contains("--with") }?.1)
      #expect(compared.contains("visible from") && compared.contains("verdict"))
      let last = try object(try #require(outputs.last))
      for name in ["log", "parts", "types", "comparison"] {
        #expect(last[name] != nil && text.contains("`\(name)`"), "\(name)")
      }
    }
  }
}
