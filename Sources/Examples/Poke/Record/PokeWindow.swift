import Foundation
import Poke
import PokeDomain
import Retrace
import RetraceRecording
import TerminalUI

/// A window of the app, whose keys come from a terminal or line by line.
struct PokeWindow {
  let store: Store<PokeApp>
  let scene: SceneID

  /// Takes the first window that no other process shows.
  init(of store: Store<PokeApp>) throws {
    var number: Int64 = 0
    while try !store.attach(to: SceneID(value: number)) { number += 1 }
    self.store = store
    scene = SceneID(value: number)
  }

  /// Shows screens on a terminal until a key leaves the app.
  func runOnTerminal() throws {
    let variables = ProcessInfo.processInfo.environment
    let term = variables["TERM"]
    let palette = TerminalPalette(
      term: term, colorTerm: variables["COLORTERM"], background: nil,
      colors: variables["COLORFGBG"])
    let hasColor = AnsiRenderer.wantsColor(noColor: variables["NO_COLOR"], term: term)
    var session = try TerminalSession(palette: hasColor ? palette : nil)
    try open()
    // What other windows and effects change is shown at once.
    let observation = store.observe { (_: PokeState) in TerminalSession.wake() }
    defer { observation.cancel() }
    while let frame = frame(session.size) {
      try session.show(frame.screen)
      var painted: PokeFrame? = frame
      switch try session.next() {
      case .inputs(let inputs):
        for case .key(let key) in inputs {
          if key == .text("q") || key == .ctrl("c") { return }
          if key == .ctrl("z") {
            session.suspend()
            break
          }
          try press(key, on: painted)
          painted = self.frame(session.size)
        }
      case .resized, .resumed, .features, .woken, .tick: break
      case .ended: return
      }
    }
  }

  /// Prints a screen for each line of input: the name of a key, whose effects it waits for, or an
  /// empty line.
  func runOnLines() throws {
    try open()?.settledBlocking()
    waitForRecovered()
    store.follow()
    var painted = show()
    while let line = readLine(), line != "text:q" {
      let key = Key(name: line)
      if key == nil, !line.isEmpty {
        FileHandle.standardError.write(Data("There is no key \(SafeText.line(line)).\n".utf8))
      }
      try key.flatMap { try press($0, on: painted) }?.settledBlocking()
      painted = show()
    }
  }

  /// Opens the window where it was left.
  @discardableResult
  private func open() throws -> Receipt<PokeApp>? {
    try store.sendBlocking([.windowOpened(scene), .list(.appeared)])
  }

  /// Waits up to 5 seconds for effects that an earlier process left in flight, which run again.
  private func waitForRecovered() {
    let end = ContinuousClock.now + .seconds(5)
    while !store.effectsInFlight.isEmpty, ContinuousClock.now < end { usleep(1_000) }
  }

  /// Sends what a key means to the user who sees a frame.
  @discardableResult
  private func press(_ key: Key, on frame: PokeFrame?) throws -> Receipt<PokeApp>? {
    let actions = frame?.interpret(key) ?? []
    return actions.isEmpty ? nil : try store.sendBlocking(actions)
  }

  private func frame(_ size: Screen.Size) -> PokeFrame? {
    PokeFrame(of: scene, in: store.state, size: size)
  }

  /// Prints the screen, and returns its frame.
  private func show() -> PokeFrame? {
    let size = Screen.Size(columns: 80, rows: 16)
    let frame = frame(size)
    let text = frame.map { PlainRenderer(size: size).text(of: $0.screen) } ?? ""
    FileHandle.standardOutput.write(Data(text.utf8))
    return frame
  }
}
