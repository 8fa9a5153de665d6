import Foundation
import Testing
import ToolTestSupport

/// Files of Watson are imported, each entry once.
@Suite struct ImportProgramTests {
  private struct Attempt {
    let folder: String
    let format: String

    func run(_ text: String, _ more: [String] = []) throws -> [String: Any] {
      try object(expectFine(command(text, more + ["--json"])))
    }

    func command(_ text: String, _ more: [String] = []) throws -> [String] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/f"))
      return ["track", "import", "\(folder)/f", "--format", format, "--store", "\(folder)/s"]
        + more
    }

    func entries() throws -> [[String: Any]] {
      let log = ["track", "log", ":all", "--json", "--store", "\(folder)/s"]
      return try json(expectFine(log)) as? [[String: Any]] ?? []
    }
  }

  private func with(_ format: String, _ body: (Attempt) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try body(Attempt(folder: folder, format: format))
    }
  }

  @Test func `frames of Watson are imported, each once`() throws {
    // Watson 2.1.0 wrote this.
    let text = """
      [
       [
        1794902400,
        1794907800,
        "web site",
        "bd2941289b494ce9affb07839e660ba5",
        [
         "deep",
         "a b, [\\"c"
        ],
        1795700283
       ],
       [
        1794988800,
        1794992400,
        "thesis",
        "d375074a087c44b6995d84b7a5c499c4",
        [],
        1795700283
       ]
      ]
      """
    try with("watson") { attempt in
      #expect(try attempt.run(text)["created"] as? Int == 2)
      let entries = try attempt.entries()
      #expect(entries.map { $0["project"] as? String } == ["web site", "thesis"])
      #expect(entries.map { $0["tags"] as? [String] } == [["deep", "a b, [\"c"], []])
      #expect(entries.map { $0["seconds"] as? Int } == [5_400, 3_600])
      #expect(entries.first?["start"] as? String == "2026-11-17T08:00:00Z")
      // A frame that was edited, and wrong ones, whose lines are told.
      let edited = text.replacing("1794992400", with: "1794996000")
      let answer = try attempt.run(edited)
      #expect(answer["skipped"] as? Int == 1 && answer["differingCount"] as? Int == 1)
      let wrong = edited.replacing("1794988800", with: "1794999999")
      #expect(
        try expectFine(attempt.command(wrong)).contains(
          "  line 13, column stop: the duration is negative: 1794996000\n"))
      try expectFailure(
        attempt.command(text.replacing("17949", with: "1.5")),
        exit: 1, mentions: ["of seconds since 1970"])
      try expectFailure(attempt.command("[[1,2]]"), exit: 1, mentions: ["element 1 is no frame"])
      try expectFailure(attempt.command("{}"), exit: 1, mentions: ["no list of frames"])
    }
  }
}
