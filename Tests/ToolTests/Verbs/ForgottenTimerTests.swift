import Foundation
import Testing
import ToolTestSupport

/// A running entry while the machine sleeps, which a time namespace of the kernel pretends.
@Suite(.enabled(if: Sleeper.isAllowed, "The kernel lets no program have a clock of its own."))
struct ForgottenTimerTests {
  /// The machine sleeps for 83 minutes after 9:00.
  private let sleeper = Sleeper(seconds: 5_000)
  private let slept = #"The machine slept for 1:23 while #0 "design" ran"#

  private func withTimer(_ body: (Desk) throws -> Void) throws {
    try withDesk { desk in
      try desk.fine("start design", "9:00")
      try body(desk)
    }
  }

  /// Asks for the status on a terminal at 12:00, and returns what is printed.
  private func ask(_ desk: Desk, _ answer: String, _ words: String = "status") throws -> String {
    let session = try sleeper.session(
      Array(desk.command(words).dropFirst()), [.expect("ended: "), .send(answer + "\n")])
    #expect(session.missing == nil && session.status == 0, "\(session.output)")
    return session.output.split { $0.isWhitespace }.joined(separator: " ")
  }

  @Test func `without a terminal it is a line on standard error, and nothing waits`() throws {
    try withTimer { desk in
      for words in ["status", "status --json"] {
        let plain = try desk.fine(words)
        let result = try sleeper.run(desk.command(words))
        #expect(result.status == 0 && result.errors.contains(slept), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.output.lines == plain)
      }
      // A prompt has no line, and a machine that did not sleep asks nothing.
      #expect(try sleeper.run(desk.command("status --format {elapsed}")).errors.isEmpty)
      #expect(try desk.run("status").errors.isEmpty)
      let stopped = try sleeper.run(desk.command("stop"))
      #expect(stopped.status == 0 && stopped.errors.contains(slept))
      #expect(try desk.entries() == ["08:00-11:00 design"])
    }
  }

  @Test func `a sleep longer than the entry, or before it, is no question`() throws {
    try withTimer { desk in
      #expect(try Sleeper(seconds: 10_801).run(desk.command("status")).errors.isEmpty)
      #expect(try Sleeper(seconds: 59).run(desk.command("status")).errors.isEmpty)
      // The entry began after the machine woke up.
      _ = try sleeper.run(desk.command("start call", "12:00"))
      #expect(try sleeper.run(desk.command("status", "15:00")).errors.isEmpty)
    }
  }

  @Test func `the time is kept, which one undo takes back`() throws {
    try withTimer { desk in
      let kept = try ask(desk, "k")
      #expect(kept.contains(slept) && kept.contains(#"kept #0 "design""#), "\(kept)")
      #expect(try sleeper.run(desk.command("status")).errors.isEmpty)
      #expect(try desk.entries() == ["08:00-now design"])
      #expect(
        try desk.fine("undo")
          == ["undone   user \(NSUserName()): time confirmed until 2026-03-02T11:00:00Z -> none"])
      #expect(try sleeper.run(desk.command("status")).errors.contains(slept))
    }
  }

  @Test(
    arguments: [
      ("t", "08:00-09:36 design"), ("11:30", "08:00-10:30 design"),
      ("1h ago", "08:00-10:00 design"),
    ])
  func `the entry ends where the user says, which one undo takes back`(
    answer: String, entry: String
  ) throws {
    try withTimer { desk in
      let told = try ask(desk, answer)
      #expect(told.contains("stopped #0") && told.contains("Nothing is running"), "\(told)")
      #expect(try desk.entries() == [entry])
      try desk.fine("undo")
      #expect(try desk.entries() == ["08:00-now design"])
    }
  }

  @Test func `return leaves the question for later, and a wrong time changes nothing`() throws {
    try withTimer { desk in
      #expect(try !ask(desk, "").contains("stopped"))
      let wrong = try sleeper.session(
        Array(desk.command("status").dropFirst()), [.expect("ended: "), .send("8:30\n")])
      #expect(wrong.output.contains("The entry did not run at that time."), "\(wrong.output)")
      #expect(wrong.status != 0)
      #expect(try desk.entries() == ["08:00-now design"])
      #expect(try sleeper.run(desk.command("status")).errors.contains(slept))
    }
  }

  @Test func `a command that ends the entry asks, and is one change with the answer`() throws {
    try withTimer { desk in
      _ = try ask(desk, "t", "stop")
      #expect(try desk.entries() == ["08:00-09:36 design"])
      try desk.fine("undo")
      _ = try ask(desk, "k", "stop")
      #expect(try desk.entries() == ["08:00-11:00 design"])
      try desk.fine("undo")
      let told = try ask(desk, "t", "start call")
      #expect(told.contains("stopped #0") && told.contains("started #1"), "\(told)")
      #expect(try desk.entries() == ["08:00-09:36 design", "11:00-now call"])
      try desk.fine("undo")
      #expect(try desk.entries() == ["08:00-now design"])
      // A time is an answer, and so is --yes.
      #expect(try sleeper.run(desk.command("stop 11:00")).errors.isEmpty)
    }
  }

  @Test func `an entry that runs for longer than the preference is asked about`() throws {
    try withTimer { desk in
      try desk.fine("preferences --ask-after 2h30")
      #expect(try desk.run("status", at: "11:30").errors.isEmpty)
      let long = "runs since 2026-03-02 09:00:00, for 3:00, which is longer than 2:30."
      #expect(try desk.run("status").errors.contains(long))
      let session = try TerminalScript(
        arguments: Array(desk.command("status").dropFirst()),
        steps: [.expect("Still working?"), .send("k\n")]
      ).run()
      #expect(session.missing == nil && session.output.contains("kept"), "\(session.output)")
      // It asks again when that much time has gone by once more.
      #expect(try desk.run("status", at: "14:30").errors.isEmpty)
      #expect(try desk.run("status", at: "14:31").errors.contains("5:31"))
      try desk.fine("undo")
      #expect(try desk.run("status").errors.contains(long))
    }
  }

  @Test func `a hostile description asks in one line of its own`() throws {
    try withDesk { desk in
      try desk.fine("start '\u{1B}[2J\u{202E}evil\u{7}' ", "9:00")
      let errors = try sleeper.run(desk.command("status")).errors
      #expect(errors.contains("The machine slept for 1:23"), "\(errors)")
      #expect(!errors.unicodeScalars.contains("\u{1B}") && !errors.unicodeScalars.contains("\u{7}"))
    }
  }
}

/// A machine that slept for some time after it was started, as the kernel tells a program.
struct Sleeper {
  /// How long it slept.
  var seconds: Int

  /// Whether the kernel lets this process have another clock.
  static let isAllowed =
    (try? runProgram("/usr/bin/env", Sleeper(seconds: 1).words + ["true"]))?.status == 0

  private var words: [String] { ["unshare", "--time", "--boottime", "\(seconds)"] }

  /// Runs a command of the tool.
  func run(_ command: [String]) throws -> ToolResult {
    try runProgram(
      "/usr/bin/env",
      ["TZ=Europe/Berlin"] + words + [TerminalScript.tool.path]
        + command.dropFirst())
  }

  /// Runs the tool on a terminal.
  func session(
    _ arguments: [String], _ steps: [TerminalScript.Step]
  ) throws -> TerminalScript.Session {
    var script = TerminalScript(
      arguments: words + [TerminalScript.tool.path] + arguments, steps: steps, columns: 120)
    script.program = "/usr/bin/env"
    script.environment["TZ"] = "Europe/Berlin"
    return try script.run()
  }
}
