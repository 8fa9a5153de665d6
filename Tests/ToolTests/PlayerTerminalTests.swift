import Foundation
import Testing
import ToolTestSupport

/// `replay step` on a terminal of its own.
@Suite struct PlayerTerminalTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      try expectFine(["track", "users", "create", "ada", "--store", store])
      try expectFine(start("write the report", store))
      try body(store)
    }
  }

  private func start(_ text: String, _ store: String, at hour: String = "09") -> [String] {
    [
      "track", "start", text, "--user", "ada", "--store", store, "--now",
      "2026-03-02T\(hour):00:00Z",
    ]
  }

  private func play(
    _ store: String, _ options: [String] = [], environment: [String: String] = [:],
    steps: [TerminalScript.Step]
  ) throws -> TerminalScript.Session {
    try TerminalScript(
      program: Tools.url("replay").path, arguments: ["step", "--store", store] + options,
      environment: environment, steps: steps, columns: 90
    ).run()
  }

  @Test func `the player shows records, suspends, follows the size, and restores the terminal`()
    throws
  {
    try withStore { store in
      let before = try filesInTree(store)["data.mdb"]
      let session = try play(
        store,
        steps: [
          .expect("session closed"), .send("\u{1B}[H"), .expect("record 1 of"),
          .send("/report\r"), .expect("record 6 of"), .send("\u{1A}"), .stopped,
          .resize(50, 12), .continue, .expect("Timeline"), .send("\u{1B}[H\t\t"),
          .expect("record 1  "),
          .send("?"), .expect("Keys"), .send("\u{1B}"), .expect("record 1  "), .send("q"),
        ])
      #expect(session.missing == nil)
      #expect(session.status == 0)
      #expect(session.restored && session.leftCleanly)
      #expect(try filesInTree(store)["data.mdb"] == before)
    }
  }

  @Test func `new records appear with --follow`() throws {
    try withStore { store in
      let session = try play(
        store, ["--follow"],
        steps: [
          .expect("session closed"),
          .run(Array(start("second thing", store, at: "10").dropFirst())),
          .expect("+60 min"), .send("\u{3}"),
        ])
      #expect(session.missing == nil)
      #expect(session.status == 0 && session.leftCleanly)
    }
  }

  @Test func `without colors the player selects by reversed text`() throws {
    try withStore { store in
      let session = try play(
        store, [], environment: ["NO_COLOR": "1"],
        steps: [.expect("session closed"), .send("q")])
      #expect(session.missing == nil)
      #expect(session.status == 0 && session.leftCleanly)
      #expect(!session.output.contains(";38;") && !session.output.contains("[38;"))
    }
  }

  @Test func `the player has the colors of the settings`() throws {
    try withStore { store in
      let file = "\(store).toml"
      try Data("color = \"never\"\ntheme = \"light\"\n".utf8).write(to: URL(fileURLWithPath: file))
      let session = try play(
        store, [], environment: ["RETRACE_CONFIG": file],
        steps: [.expect("session closed"), .send("\u{4}")])
      #expect(session.missing == nil)
      #expect(session.status == 0 && session.leftCleanly)
      #expect(!session.output.contains(";38;") && !session.output.contains("[38;"))
    }
  }

  @Test func `a key copies the record to the clipboard of a terminal that has one`() throws {
    try withStore { store in
      let session = try play(
        store,
        steps: [
          .expect("session closed"), .send("y"), .expect("does not let programs write"),
          .send("q"),
        ])
      #expect(session.missing == nil && !session.output.contains("]52;"))
      let asked = try play(
        store,
        steps: [
          .expect("\u{1B}[c"), .send("\u{1B}[?62;52c"), .expect("session closed"), .send("y"),
          .expect("\u{1B}]52;c;"), .expect("Copied."), .send("q"),
        ])
      #expect(asked.missing == nil && asked.status == 0 && asked.leftCleanly)
    }
  }

  @Test(arguments: [
    ["--lines": ""], ["TERM": "dumb"],
  ])
  func `lines are read in place of the player`(how: [String: String]) throws {
    try withStore { store in
      let options = how.keys.filter { $0.hasPrefix("--") }
      let session = try play(
        store, Array(options), environment: how.filter { !$0.key.hasPrefix("--") },
        steps: [
          .expect("step (help"), .send("goto 3 record\n"), .expect("after record 3"),
          .send("quit\n"),
        ])
      #expect(session.missing == nil)
      #expect(session.status == 0 && session.restored)
      #expect(!session.output.contains("\u{1B}"))
    }
  }
}
