import Retrace
import RetracePlayer
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TerminalUI

/// The player on a terminal.
enum PlayerDriver {
  /// The most bytes of a pasted text.
  private static var pasteMax: Int { 4_096 }

  /// The records of a log whose first frame may take a while.
  private static var largeLog: UInt64 { 50_000 }

  /// Returns whether a terminal shows screens: it has control sequences.
  static func isPossible(in environment: Environment) -> Bool {
    AnsiRenderer.wantsColor(noColor: nil, term: environment["TERM"])
  }

  /// Runs the player until a key leaves it, or the terminal goes away.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - storage: The log.
  ///   - store: The location of the store of the app, which has the settings of colors.
  ///   - environment: The environment of the process.
  /// - Throws: A failure if the terminal cannot be used; it is restored first.
  static func run<App: ReplayableApp>(
    _ player: inout Player<App>, _ storage: LogStorage, of store: StoreLocation,
    in environment: Environment = .process
  ) throws(ToolFailure) {
    // Before the terminal is taken over, whose first screen shows what was recorded until then.
    let watch =
      try player.state.follows ? orFail(try storage.watchCommits { Terminal.wake() }) : nil
    defer { watch?.stop() }
    // The log is shown even if the settings cannot be read. NO_COLOR has precedence over them.
    let hasColor = environment.text("NO_COLOR") == nil
    let palette = TerminalPalette(
      color: hasColor ? try? store.setting("color", in: environment) : nil,
      theme: try? store.setting("theme", in: environment), isTerminal: true
    ) { environment[$0] }
    do throws(SystemError) {
      var session = try TerminalSession(palette: palette, pasteLimitBytes: pasteMax) {
        environment[$0]
      }
      if player.last > largeLog {
        let reading = Screen.Line("Reading the log …", .faint)
        try session.show(Screen(reading, size: session.size))
      }
      while try step(&player, &session) {}
    } catch {
      throw ToolFailure(
        what: "The player left the terminal.", why: "\(error).",
        advice: "Use the words of `\(ToolProcess.replay) step --lines`.", exitCode: ToolExit.usage)
    }
  }

  /// Shows a frame, and takes what happens next; returns whether to go on.
  private static func step<App: ReplayableApp>(
    _ player: inout Player<App>, _ session: inout TerminalSession
  ) throws(SystemError) -> Bool {
    var frame = player.frame(size: session.size)
    try session.show(frame.picture)
    switch try session.next(tickMilliseconds: player.isWorking ? 0 : nil) {
    case .inputs(let inputs):
      for input in inputs {
        // What was read after it was meant for the shell, and is dropped.
        if input == .key(.suspend) {
          session.suspend()
          break
        }
        if input == .key(.redraw) {
          session.redraw()
          continue
        }
        if player.take(input, on: frame) { return false }
        if let text = player.state.copied.take() {
          let isSent = try session.copy(text)
          player.state.tell(
            isSent ? "Sent to the clipboard of the terminal." : "This terminal has no clipboard.",
            isProblem: !isSent)
        }
        frame = player.frame(size: session.size)
      }
    case .woken: if player.state.follows { player.follow() }
    case .tick: player.work()
    case .resized, .resumed, .features: break
    case .ended: return false
    }
    return true
  }
}
