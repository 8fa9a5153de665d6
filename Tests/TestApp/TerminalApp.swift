import RetraceScreen
import RetraceSystem
import TerminalUI

/// A program on the whole screen, which each of its keys ends in another way.
///
/// It switches on what a terminal has to be freed of: colors, the alternate screen, the mouse, and
/// the keyboard protocol.
enum TerminalApp {
  private static let modes = TerminalModes([
    .alternateScreen, .noAutowrap, .bracketedPaste, .dec(1002), .dec(1006), .dec(1004),
    .keyboard(flags: 1), .frame,
  ])

  /// Runs the program.
  ///
  /// - Parameter arguments: `handler` for a handler of termination signals, which exits with 7;
  ///   `ring` for the bell without a session.
  static func run(_ arguments: [String]) -> Never {
    if arguments.contains("ring") {
      TerminalSession.ring()
      ThisProcess.exit(0)
    }
    do throws(SystemError) {
      if arguments.contains("handler") {
        // The time limit is longer than the test's.
        try TerminationSignals.onTermination(timeoutMilliseconds: 600_000) { _ in
          ThisProcess.exit(7)
        }
      }
      try show()
      TerminationSignals.waitIfEnding()
      ThisProcess.exit(0)
    } catch {
      try? Console.write("\(error)\n", to: .standardError)
      ThisProcess.exit(1)
    }
  }

  private static func show() throws(SystemError) {
    var session = try TerminalSession(palette: TerminalPalette(.basic, on: .unknown), modes: modes)
    var (resumes, typed) = (0, "")
    while true {
      let size = session.size
      try session.show(
        Screen(
          [
            Screen.Line("\(size.columns) by \(size.rows)", .title),
            Screen.Line("resumed \(resumes), typed \(typed).", .warning),
          ], size: size))
      switch try session.next() {
      case .inputs(let inputs):
        for case .key(let key) in inputs {
          guard try press(key, &session) else { return }
          if case .text(let text) = key.code { typed += text }
        }
      case .resumed: resumes += 1
      case .woken: typed += "!"
      case .resized, .features, .tick: break
      case .ended: return
      }
    }
  }

  /// Does what a key stands for; returns whether the program goes on.
  private static func press(
    _ key: Key, _ session: inout TerminalSession
  ) throws(SystemError) -> Bool {
    let worker = WorkerThread(name: "worker")
    switch key {
    case .ctrl("z"): session.suspend()
    case .text("q"): return false
    case .text("x"): ThisProcess.exit(3)
    case .text("t"): fatalError("a trap")
    case .text("w"): worker.perform { fatalError("a trap of another thread") }
    case .text("o"): ThisProcess.exit(Int32(truncatingIfNeeded: descend(1)))
    case .text("p"): ThisProcess.exit(Int32(truncatingIfNeeded: worker.perform { descend(1) }))
    case .text("b"): worker.perform { TerminalSession.ring() }
    case .text("e"): try? Console.write("a message\u{7}\n", to: .standardError)
    case .text("k"): worker.perform { TerminalSession.wake() }
    case .text("m"): try session.switchModes(to: .fullScreen())
    case .text("M"): try session.switchModes(to: modes)
    default: break
    }
    return true
  }

  /// Overflows the stack.
  private static func descend(_ level: Int) -> Int {
    level < 0 ? level : descend(level &+ 1) ^ descend(level &+ 2)
  }
}
