import Foundation
import Testing
import ToolTestSupport

/// Long output on a terminal goes through a pager.
@Suite struct PagerTests {
  private static let now = ["--now", "2026-03-02T12:00:00Z"]

  /// A store with more entries than the terminal has lines, and a folder.
  private func withStore(
    entries: Int = 20, padding: String = "",
    _ body: (_ store: [String], _ folder: String) throws -> Void
  ) throws {
    try withTemporaryDirectory { folder in
      let file = "\(folder)/t.csv"
      let rows = (0..<entries).map {
        "2026-03-01 \(10 + $0 / 60):\(10 + $0 % 60 / 2),1,entry \($0)\(padding)"
      }
      try (["start,duration,what"] + rows).joined(separator: "\n")
        .write(toFile: file, atomically: true, encoding: .utf8)
      let store = ["--store", "\(folder)/s", "--user", "anna"] + Self.now
      try expectFine(
        [
          "track", "import", file, "--column", "start=start", "--column", "duration=duration",
          "--column", "description=what", "--date-format", "yyyy-MM-dd HH:mm",
          "--duration-unit", "minutes",
        ] + store)
      try body(["log", ":yesterday"] + store, folder)
    }
  }

  private func terminal(
    _ words: [String], _ environment: [String: String], steps: [TerminalScript.Step] = []
  ) throws -> TerminalScript.Session {
    var session = try TerminalScript(
      arguments: words,
      environment: ["PATH": "/usr/bin:/bin", "NO_COLOR": "1"].merging(environment) { $1 },
      steps: steps
    ).run()
    #expect(session.missing == nil, "\(session)")
    #expect(session.status == 0, "\(session)")
    // A terminal ends lines by two characters.
    session.output = session.output.replacing("\r\n", with: "\n")
    return session
  }

  @Test func `output longer than the screen goes through the pager, and shorter does not`() throws {
    try withStore { (log, folder) throws in
      let pager = ["PAGER": "sed 's/^/paged: /'"]
      let long = try terminal(log, pager).output.lines
      #expect(long.count > 20 && long.allSatisfy { $0.hasPrefix("paged: ") }, "\(long)")
      let plain = try terminal(log + ["--no-pager"], pager).output
      #expect(plain == long.map { $0.dropFirst(7) + "\n" }.joined())
      let short = try terminal(log + ["--limit", "3"], pager).output
      #expect(short.contains("entry 19") && !short.contains("paged"))
      // Programs get all of it as it is.
      #expect(try !terminal(log + ["--json"], pager).output.contains("paged"))
      #expect(try !expectFine(["track"] + log, environment: pager).contains("paged"))
      #expect(try !terminal(log, pager.merging(["TERM": "dumb"]) { $1 }).output.contains("paged"))
    }
  }

  @Test func `the environment has precedence over the file, and both over PAGER`() throws {
    try withStore { (log, folder) throws in
      let config = "\(folder)/track.toml"
      try "pager = \"sed s/^/file:/\"".write(toFile: config, atomically: true, encoding: .utf8)
      var variables = ["PAGER": "sed s/^/pager:/", "RETRACE_CONFIG": config]
      #expect(try terminal(log, variables).output.contains("file:Total"))
      variables["RETRACE_PAGER"] = "sed s/^/variable:/"
      #expect(try terminal(log, variables).output.contains("variable:Total"))
      variables["RETRACE_PAGER"] = "none"
      #expect(try terminal(log, variables).output.contains("\nTotal"))
    }
  }

  @Test(arguments: [
    "no-such-pager --x", "/nonexistent/pager", "X=1 no-such-pager", "(exit 126)",
  ])
  func `without the pager the output is printed`(pager: String) throws {
    try withStore { (log, _) throws in
      let plain = try terminal(log + ["--no-pager"], [:]).output
      let output = try terminal(log, ["PAGER": pager]).output
      #expect(output.hasSuffix(plain), "\(output)")
      // The only error is the shell's, that there is no such program.
      #expect(output.utf8.count - plain.utf8.count < 100, "\(output)")
    }
  }

  @Test func `a missing pager loses nothing of an output that no pipe holds`() throws {
    try withStore(entries: 400, padding: String(repeating: " more", count: 60)) { (log, _) throws in
      let words = log + ["--wide"]
      let plain = try terminal(words + ["--no-pager"], [:]).output
      #expect(plain.utf8.count > 100_000)
      #expect(try terminal(words, ["PAGER": "X=1 no-such-pager"]).output.hasSuffix(plain))
    }
  }

  @Test func `leaving the pager early is a success`() throws {
    try withStore { (log, _) throws in
      let head = try terminal(log, ["PAGER": "head -n 2"]).output
      #expect(head.lines.count == 2)
      let none = try terminal(log, ["PAGER": "true"]).output
      #expect(none == "")
      let less = try terminal(
        log, ["PAGER": "less"], steps: [.expect("entry 0"), .send("q")])
      #expect(!less.output.contains("Total") && less.restored)
    }
  }

  @Test func `an interrupt is for the pager`() throws {
    try withStore { (log, folder) throws in
      // While dash starts a program, it loses a signal; so it waits for one that it has started.
      let script = """
        trap 'echo caught; kill $!; exit 0' INT
        cat >/dev/null
        sleep 60 &
        echo ready
        wait

        """
      try script.write(toFile: "\(folder)/pager", atomically: true, encoding: .utf8)
      let session = try terminal(
        log, ["PAGER": "sh \(folder)/pager"],
        steps: [.expect("ready"), .send("\u{3}"), .expect("caught")])
      #expect(session.restored)
    }
  }
}
