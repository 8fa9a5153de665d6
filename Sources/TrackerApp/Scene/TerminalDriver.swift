import RetraceArchitecture
import RetraceRecording
public import RetraceScreen
public import RetraceStorage
import RetraceSystem
import RetraceTerminal
import TerminalUI

/// The app on a terminal: keys as they are pressed, the screen as it changes.
public enum TerminalDriver {
  /// How long the screen may stay before it is drawn again for the running entry's clock.
  static var tickMilliseconds: Int { 1_000 }

  /// Runs the app until ctrl-c, ctrl-d or the end of input.
  ///
  /// - Parameters:
  ///   - tracker: The tracker.
  ///   - size: A fixed size instead of the terminal's.
  /// - Throws: `StoreError` when a batch did not become durable, or when the terminal failed; it
  ///   is restored first.
  public static func run(_ tracker: Tracker, size: Screen.Size?) throws(StoreError) {
    let usesColor = AnsiRenderer.wantsColor(
      noColor: ThisProcess.environment("NO_COLOR"), term: ThisProcess.environment("TERM"))
    var session: TerminalSession
    do throws(SystemError) {
      session = try TerminalSession(usesColor: usesColor)
    } catch {
      throw failure(error)
    }
    var driver = try SceneDriver.attach(to: tracker, size: size ?? session.size)
    // What other processes commit is shown as it comes.
    let observation = tracker.store.observe { _ in Terminal.wake() }
    defer { observation.cancel() }
    while true {
      let event: TerminalSession.Event
      do throws(SystemError) {
        try session.show(driver.screen())
        event = try session.next(tickMilliseconds: tickMilliseconds)
      } catch {
        throw failure(error)
      }
      switch event {
      case .keys(let keys):
        for key in keys {
          if key == .ctrl("c") || key == .ctrl("d") { return }
          try driver.press([key])
        }
      case .resized: driver.size = size ?? session.size
      case .tick, .woken:
        if let ended = tracker.store.writingError { throw ended }
      case .ended: return
      }
    }
  }

  private static func failure(_ error: SystemError) -> StoreError {
    StoreError(
      .storageFailed, what: "The app left the terminal.", why: "\(error)",
      advice: "What was acknowledged is kept; open it again, or use a pipe.")
  }
}
