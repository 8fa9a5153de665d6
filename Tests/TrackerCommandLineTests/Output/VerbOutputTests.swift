import Foundation
import Testing
import ToolTestSupport

@testable import TrackerCommandLine

/// What every verb of `track` prints for people at three widths.
///
/// The files in `Golden` are written anew by a run with `RETRACE_WRITE_GOLDEN=1`; read their
/// differences before they are committed.
@Suite struct VerbOutputTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  @Test func `the scenario has every verb`() {
    let used = Set(
      (VerbScenario.lines + VerbScenario.linesForPeople).map {
        String($0.split(separator: " ")[1])
      })
    for verb in Track.verbs where !VerbScenario.elsewhere.contains(verb.name) {
      #expect(used.contains(verb.name), "no line with \(verb.name)")
    }
  }

  @Test(arguments: [60, 80, 120])
  func `the output for people is as it was`(columns: Int) throws {
    try withTemporaryDirectory { folder in
      let steps = try VerbScenario.run(in: "\(folder)/s", columns: columns)
      let text = steps.map { "$ \($0.line)\n\($0.output)" }.joined(separator: "\n")
      let file = Self.folder.appendingPathComponent("verbs-\(columns).txt")
      if ProcessInfo.processInfo.environment["RETRACE_WRITE_GOLDEN"] == "1" {
        try text.write(to: file, atomically: true, encoding: .utf8)
      }
      let golden = try String(contentsOf: file, encoding: .utf8)
      for (new, old) in zip(text.lines, golden.lines) where new != old {
        Issue.record("at \(columns) columns:\n  was \(old)\n  is  \(new)")
        break
      }
      #expect(text.lines.count == golden.lines.count)
      // Reports and lists fit; what a change echoes may be longer.
      for step in steps where !Self.echoing.contains(step.verb) && !step.isChange {
        for line in step.output.lines where line.count > columns {
          Issue.record(
            """
            \(step.verb) prints a line of \(line.count) cells on \(columns) columns: \(line)
            A verb that echoes changes, whose lines may be longer, belongs in `echoing`.
            """)
        }
      }
    }
  }

  /// The verbs that echo what they change, or print what other programs and files have.
  private static let echoing: Set<String> = [
    "start", "switch", "stop", "pause", "resume", "continue", "cancel", "add", "annotate", "tag",
    "untag", "edit", "move", "lengthen", "shorten", "split", "join", "fill", "delete", "undo",
    "redo", "restore", "close", "reopen", "batch", "import", "config", "extension", "demo",
    "bugreport", "app", "route",
  ]
}
