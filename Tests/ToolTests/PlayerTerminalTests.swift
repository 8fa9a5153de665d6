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
          .send("\u{C}"), .expect("record 1 of"), .send("/report\r"), .expect("record 6 of"),
          .send("\u{1A}"), .stopped,
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

  @Test func `a key copies the record to the clipboard of a terminal that says what it is`() throws
  {
    try withStore { store in
      let session = try play(
        store,
        steps: [
          .expect("session closed"), .send("y"), .expect("has no clipboard"), .send("q"),
        ])
      #expect(session.missing == nil && !session.output.contains("]52;"))
      let asked = try play(
        store,
        steps: [
          .expect("\u{1B}[c"), .send("\u{1B}[?1;2c"), .expect("session closed"), .send("y"),
          .expect("\u{1B}]52;c;"), .expect("Sent to"), .send("q"),
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
      #expect(session.output.contains("\u{1B}") == (how["TERM"] == nil))
    }
  }

  @Test func `lines are edited, and earlier ones come back`() throws {
    try withStore { store in
      let session = try play(
        store, ["--lines"],
        steps: [
          .expect("step (help"), .send("xgoto 4 recor\u{1B}[H\u{1B}[3~\u{1B}[Fd\r"),
          .expect("after record 4"), .expect("step (help"),
          .send("goto 3 record extra\u{17}\u{7F}\n"), .expect("after record 3"),
          .expect("step (help"), .send("\u{1B}[A\u{1B}[A"), .expect("goto 4 record"),
          .send("\r"), .expect("after record 4"), .expect("step (help"), .send("dif"),
          .expect("dif"), .send("\u{1A}"), .stopped, .settings, .resize(60, 12), .continue,
          .expect("step: dif"), .send("f\r"), .expect("nothing changed"), .send("\u{4}"),
        ])
      #expect(session.missing == nil)
      #expect(session.status == 0 && session.restored)
      #expect(session.stops.map(\.restored) == [true])
    }
  }

  /// A line whose answer is longer than the buffer of a terminal.
  private var longLine: String { "goto 6 " + String(repeating: "state ", count: 200) + "\n" }

  @Test func `lines that are typed during a long answer are read after it`() throws {
    try withStore { store in
      let session = try play(
        store, ["--lines"],
        steps: [
          .expect("step (help"), .send(longLine), .expect("after record 6"),
          .send("goto 3 record\ngoto 2 recordx\u{7F}\rgoto "), .expect("after record 3"),
          .expect("after record 2"), .expect("goto"), .send("4 record\rquit\r"),
          .expect("after record 4"),
        ])
      #expect(session.missing == nil)
      #expect(session.status == 0 && session.restored)
      // Each answer begins at the left.
      #expect(!session.output.replacing("\r\n", with: "").unicodeScalars.contains("\n"))
    }
  }

  @Test(arguments: [nil, SIGTERM, SIGHUP])
  func `ctrl-c and signals end the lines, during an answer, too`(number: Int32?) throws {
    try withStore { store in
      for (line, shown) in [("goto 3", "goto 3"), (longLine, "after record 6")] {
        let session = try play(
          store, ["--lines"],
          steps: [
            .expect("step (help"), .send(line), .expect(shown),
            number.map { .signal($0) } ?? .send("\u{3}"),
          ])
        #expect(session.missing == nil && session.restored)
        #expect(session.status == Int(number ?? SIGINT))
      }
    }
  }
}
