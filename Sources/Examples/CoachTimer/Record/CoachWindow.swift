import CoachTimer
import Foundation
import Retrace
import RetraceRecording
import TerminalUI

/// The window of the app over a store: keys in, screens out.
struct CoachWindow {
  let store: Store<CoachApp>

  /// Loads the users if none are known.
  func load() throws {
    let users = store.state.users
    if users.list.isEmpty, !users.isBusy { try store.sendBlocking([.users(.load)]) }
  }

  /// Shows screens on the terminal until the user leaves.
  func showOnTerminal() throws {
    let variables = ProcessInfo.processInfo.environment
    let term = variables["TERM"]
    let hasColor = AnsiRenderer.wantsColor(noColor: variables["NO_COLOR"], term: term)
    let palette = TerminalPalette(
      term: term, colorTerm: variables["COLORTERM"], background: nil,
      colors: variables["COLORFGBG"])
    var terminal = try TerminalSession(
      palette: hasColor ? palette : nil, extensions: .assumed(term: term),
      queries: TerminalQueries(term: term), pasteLimitBytes: 1_000)
    let observation = store.observe { (_: CoachState) in TerminalSession.wake() }
    defer { observation.cancel() }
    while true {
      let shown = frame(terminal.size)
      try terminal.show(shown.screen)
      switch try terminal.next(tickMilliseconds: shown.isMoving ? 100 : nil) {
      case .inputs(let inputs):
        for case .key(let key) in inputs {
          if key == .ctrl("z") { terminal.suspend() }
          guard try press(key, on: frame(terminal.size)) else { return }
        }
      case .ended: return
      default: break
      }
    }
  }

  /// Presses the key of each line of the standard input, and prints the screen after it.
  ///
  /// - Returns: The first line that names no key; `nil` at the end of the input.
  func pressLines() throws -> String? {
    let size = Screen.Size(columns: 80, rows: 24)
    try settle()
    while let line = readLine() {
      guard let key = Key(line: line) else { return line }
      guard try press(key, on: frame(size)) else { return nil }
      try settle()
      // Unlike `print`, it keeps nothing back.
      let text = PlainRenderer(size: size).text(of: frame(size).screen)
      FileHandle.standardOutput.write(Data(text.utf8))
    }
    return nil
  }

  private func frame(_ size: Screen.Size) -> CoachFrame {
    CoachFrame(store.state, at: StoreConfiguration.wallClock(), size: size)
  }

  /// Carries out what a key means; returns whether the app goes on.
  private func press(_ key: Key, on frame: CoachFrame) throws -> Bool {
    if key == .ctrl("c") { return false }
    let intents: [CoachApp.Intent]
    do throws(KeyProblem) {
      guard let meant = try frame.keys.value(for: key, in: frame) else { return key != .text("q") }
      intents = meant
    } catch {
      intents = [.scene(.window(.told(.unavailable("\(error)"))))]
    }
    if let refusal = try store.carryOutBlocking(intents) {
      try store.sendBlocking([.window(.told(.refused(refusal)))])
    }
    return true
  }

  private func settle() throws {
    while !store.effectsInFlight.isEmpty { usleep(2_000) }
  }
}
