import Testing
import ToolTestSupport

/// Errors and questions of commands on a terminal.
@Suite struct TerminalErrorTests {
  private func session(_ arguments: [String], _ steps: [TerminalScript.Step] = []) throws -> String
  {
    let session = try TerminalScript(arguments: arguments, steps: steps).run()
    #expect(session.missing == nil)
    return session.output.replacing("\r\n", with: "\n")
  }

  @Test func `an error has two lines on a terminal, and four parts with --explain`() throws {
    try withDesk { desk in
      let store = ["--store", desk.store]
      #expect(
        try session(["stop"] + store) == """
          track: Nothing was stopped. Nothing is running.
            Start an entry first: `track start DESCRIPTION`.

          """)
      #expect(
        try session(["stpo"] + store) == """
          track: There is no command stpo.
            Did you mean stop? `track help` lists the commands.

          """)
      let whole = try session(["stop", "--explain"] + store)
      for part in ["track: Nothing was stopped.\n", "  why: ", "  do:  ", "  exit code 1\n"] {
        #expect(whole.contains(part), "\(whole)")
      }
    }
  }

  @Test func `an overlap is asked about, and the answer decides`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      let add =
        ["add", "--store", desk.store, "--now", Desk.now("12:00")]
        + ["8:30", "-", "9:30", "b"]
      let no = try session(add, [.expect("Adjust the other entries?"), .send("n\n")])
      #expect(no.contains("overlaps"), "\(no)")
      #expect(try desk.entries().count == 1)
    }
  }
}
