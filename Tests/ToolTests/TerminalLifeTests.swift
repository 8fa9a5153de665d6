import Foundation
import Testing
import ToolTestSupport

/// The terminal is the shell's again on every way out of a program, and when it is stopped.
@Suite struct TerminalLifeTests {
  /// A way in which a program ends, and the status that `waitpid` reports.
  struct Way: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String] = []
    var step: TerminalScript.Step
    var status: Int

    var testDescription: String { name }

    static func key(_ key: String, _ name: String, _ status: Int) -> Way {
      Way(name: name, step: .send(key), status: status)
    }

    static func signal(_ number: Int32) -> Way {
      // Unsafe: the name of a signal is a constant.
      let name = unsafe String(cString: strsignal(number))
      return Way(name: name, step: .signal(number), status: Int(number))
    }

    #if arch(arm64)
      static let traps = Int(SIGTRAP)
    #else
      static let traps = Int(SIGILL)
    #endif

    static let all: [Way] =
      [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS,
        SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
      ].map(signal) + [
        key("q", "the end of the main function", 0), key("x", "exit", 3 << 8),
        key("t", "a trap", traps), key("w", "a trap of another thread", traps),
        key("o", "a stack overflow", Int(SIGSEGV)),
        key("p", "a stack overflow of another thread", Int(SIGSEGV)),
        Way(
          name: "a handler of the program", arguments: ["handler"], step: .signal(SIGTERM),
          status: 7 << 8),
      ]
  }

  /// The program of this package's tests, with a limit that leaves no core files.
  private func program(
    _ arguments: [String] = [], ignored: [Int32] = [], steps: [TerminalScript.Step]
  ) throws -> TerminalScript.Session {
    try TerminalScript(
      program: "/bin/sh",
      arguments: [
        "-c", "ulimit -c 0; exec \"$@\"", "sh", Tools.url("testapp").path, "terminal",
      ] + arguments,
      // The Swift runtime would catch crashes for a trace, and ask what to do next.
      environment: ["SWIFT_BACKTRACE": "enable=no"], ignored: ignored, steps: steps
    ).run()
  }

  @Test(arguments: Way.all)
  func `Every way out leaves the terminal as the shell had it`(way: Way) throws {
    let session = try program(way.arguments, steps: [.expect("typed ."), way.step])
    #expect(session.missing == nil)
    #expect(session.status & ~0x80 == way.status)
    #expect(session.restored)
    let during = ModeTracker(session.output.prefix { $0 != "y" })
    #expect(during.isAlternate && during.privateModes.isSuperset(of: [1002, 1004, 1006, 2004]))
    #expect(during.keyboard == [[0], [0, 1]] && !during.privateModes.contains(7))
    #expect(ModeTracker(session.output) == ModeTracker())
  }

  @Test(arguments: ["t", "w"])
  func `What a trap says is shown when the screen is gone`(key: String) throws {
    let session = try program(steps: [.expect("typed ."), .send(key)])
    let end = try #require(session.output.range(of: "\u{1B}[?1049l", options: .backwards))
    #expect(session.output[end.upperBound...].contains("a trap"))
    #expect(!session.output[..<end.lowerBound].contains("a trap"))
  }

  @Test(arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM])
  func `A signal that is ignored, as by nohup, stays ignored`(number: Int32) throws {
    let session = try program(
      ignored: [number],
      steps: [
        .expect("typed ."), .signal(number), .send("n"), .expect("typed n."), .send("q"),
      ])
    #expect(session.missing == nil && session.status == 0 && session.restored)
    #expect(ModeTracker(session.output) == ModeTracker())
  }

  /// The last screen in the output: what follows after the last time it was erased.
  private func lastScreen(_ session: TerminalScript.Session) -> Substring {
    session.output.suffix(
      from: session.output.range(of: "\u{1B}[2J", options: .backwards)?.lowerBound
        ?? session.output.endIndex)
  }

  /// What stops a program.
  enum Stop: Int32, CaseIterable {
    case key = 0
    case stop = 20
    case uncatchable = 19

    var step: TerminalScript.Step { self == .key ? .send("\u{1A}") : .signal(rawValue) }
  }

  @Test(arguments: Stop.allCases)
  func `A program that was stopped shows its screen in the new size`(stop: Stop) throws {
    let session = try program(steps: [
      .expect("typed ."), .send("n"), .expect("typed n."), stop.step, .stopped, .resize(41, 9),
      .continue, .expect("41 by 9"), .expect("resumed 1, typed n."), .send("a2"),
      // The second stop is like the first.
      .expect("typed na"), stop.step, .stopped, .continue, .expect("resumed 2, typed na2."),
      .send("q"),
    ])
    #expect(session.missing == nil && session.status == 0 && session.restored)
    #expect(session.stops.count == 2)
    for stopped in session.stops where stop != .uncatchable {
      #expect(stopped.restored)
      #expect(ModeTracker(stopped.output) == ModeTracker())
    }
    #expect(ModeTracker(session.output) == ModeTracker())
    let last = lastScreen(session)
    #expect(last.contains("41 by 9") && last.contains("typed na2."))
    // The modes are on when the last screen is drawn.
    let shown = ModeTracker(session.output.prefix(upTo: last.startIndex))
    #expect(shown.isAlternate && shown.keyboard == [[0], [0, 1]])
    #expect(shown.privateModes.isSuperset(of: [1002, 1004, 1006, 2004]))
  }

  @Test func `Another thread wakes a session that waits`() throws {
    let session = try program(steps: [
      .expect("typed ."), .send("k"), .expect("typed k!."), .send("q"),
    ])
    #expect(session.missing == nil && session.status == 0 && session.restored)
  }

  @Test func `The bell rings while the session waits, and a message comes after it`() throws {
    let session = try program(steps: [
      .expect("typed ."), .send("b"), .expect("\u{7}"), .send("e"),
      .expect("typed b!e."), .send("q"),
    ])
    #expect(session.missing == nil && session.status == 0 && session.restored)
    let end = try #require(session.output.range(of: "a message\u{7}"))
    let shown = session.output[..<end.lowerBound]
    #expect(shown.count { $0 == "\u{7}" } == 1)
    #expect(ModeTracker(shown) == ModeTracker(), "the message follows the epilogue")
  }

  @Test func `Without a session, only a terminal is rung`() throws {
    let rung = try TerminalScript(
      program: Tools.url("testapp").path, arguments: ["terminal", "ring"],
      steps: [.expect("\u{7}")]
    ).run()
    #expect(rung.missing == nil && rung.status == 0)
    let piped = try run("testapp", ["terminal", "ring"])
    #expect(piped.status == 0 && piped.output.isEmpty && piped.errors.isEmpty)
  }

  @Test func `Settings that the shell made meanwhile are those that it has at the end`() throws {
    let session = try program(steps: [
      .expect("typed ."), .signal(SIGTSTP), .stopped, .settings, .continue,
      .expect("resumed 1, typed ."), .send("q"),
    ])
    #expect(session.missing == nil && session.status == 0)
    #expect(session.restored)
  }

  @Test func `A program that is continued in the background waits for the foreground`() throws {
    let session = try program(steps: [
      .expect("typed ."), .signal(SIGTSTP), .stopped, .background, .stopped, .background, .stopped,
      .continue, .expect("resumed 1, typed ."), .send("q"),
    ])
    #expect(session.missing == nil && session.status == 0 && session.restored)
    // It wrote nothing in the background.
    #expect(Set(session.stops.map(\.output)).count == 1)
    #expect(ModeTracker(session.output) == ModeTracker())
  }

  @Test func `A stopped program that is ended leaves the shell its terminal`() throws {
    for (stop, number) in [(SIGTSTP, SIGTERM), (SIGSTOP, SIGTERM), (SIGSTOP, SIGSEGV)] {
      let session = try program(steps: [
        .expect("typed ."), .signal(stop), .stopped, .settings, .signal(number), .background,
      ])
      #expect(session.missing == nil && session.status & ~0x80 == number)
      #expect(session.restored)
      #expect(ModeTracker(session.output) == ModeTracker())
    }
  }

  @Test func `Where the suspend key is ignored, it stops nothing`() throws {
    let session = try program(
      ignored: [SIGTSTP],
      steps: [
        .expect("typed ."), .send("\u{1A}n"), .expect("resumed 0, typed n."), .send("q"),
      ])
    #expect(session.missing == nil && session.status == 0 && session.restored)
  }

  @Test func `Modes that change are switched off at the end, and on after a stop`() throws {
    let session = try program(steps: [
      .expect("typed ."), .send("mn"), .expect("typed mn."), .signal(SIGTSTP), .stopped, .continue,
      .expect("resumed 1, typed mn."), .signal(SIGTERM),
    ])
    #expect(session.missing == nil && session.status == Int(SIGTERM) && session.restored)
    let shown = ModeTracker(session.output.prefix(upTo: lastScreen(session).startIndex))
    #expect(shown.isAlternate && shown.keyboard == [[0], [0]])
    #expect(shown.privateModes.isDisjoint(with: [1002, 1004, 1006]))
    #expect(ModeTracker(session.output) == ModeTracker())
  }
}
