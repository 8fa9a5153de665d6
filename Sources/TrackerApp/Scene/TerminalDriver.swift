public import Retrace
import RetraceRecording
public import RetraceStorage
import RetraceSystem
public import TerminalUI
import TrackerFeatures

/// The app on a terminal.
public enum TerminalDriver {
  /// The interval at which the screen is painted again, for the time of the running entry.
  static var tickMilliseconds: Int { 1_000 }

  /// Runs the app until a key leaves it, or the input ends.
  ///
  /// - Parameters:
  ///   - driver: The driver of what is shown.
  ///   - size: A fixed size instead of the terminal's.
  ///   - palette: The colors of the terminal; `nil` for none.
  ///   - usesMouse: Whether the terminal reports the mouse. Without, the user can select text of
  ///     the screen as in a shell; with it, most terminals select while shift is held.
  /// - Throws: The errors of the store or of the terminal, which is restored first.
  public static func run(
    _ driver: any ScreenDriver, size: Screen.Size?, palette: TerminalPalette?,
    usesMouse: Bool = true
  ) throws(StoreError) {
    var session: TerminalSession
    do throws(SystemError) {
      session = try TerminalSession(palette: palette, pasteLimitBytes: PipeDriver.lineSizeMax) {
        ThisProcess.environment($0)
      }
    } catch {
      throw failure(error)
    }
    var view = AppView(driver)
    view.size = size ?? session.size
    // Commits of other processes are shown at once.
    let observation = driver.observeOthers { Terminal.wake() }
    defer { observation?.cancel() }
    while true {
      try view.askAboutSleep()
      try view.followCalendars()
      let shown = view.screen()
      let event: TerminalSession.Event
      let unreadable = Screen.Line("The store cannot be read.", .warning)
      var screen = shown ?? Screen(unreadable, size: view.size)
      if !usesMouse { screen.mouse = .off }
      do throws(SystemError) {
        try session.show(screen)
        event = try session.next(tickMilliseconds: view.isWorking ? 0 : tickMilliseconds)
      } catch {
        throw failure(error)
      }
      switch event {
      case .inputs(let inputs):
        // The suspend key comes after the inputs before it. What was read after it was meant for
        // the shell, and is dropped.
        let taken = Array(inputs.prefix { $0 != .key(.suspend) })
        // Without a screen, no key has a meaning, but these keys must still leave the app.
        let leaving: Set<Input> = [.key(.ctrl("c")), .key(.ctrl("d"))]
        if shown == nil, !leaving.isDisjoint(with: taken) { return }
        if taken.contains(.key(.redraw)) { session.redraw() }
        let pressed = try view.perform(taken.filter { $0 != .key(.redraw) })
        if let text = pressed.copied {
          try view.tell(try copy(text, to: session) ? .copied : .notCopied)
        }
        if pressed.leaves { return }
        if taken.count < inputs.count {
          view.suspended()
          session.suspend()
        }
      case .resumed:
        view.resumed()
        view.size = size ?? session.size
      case .resized: view.size = size ?? session.size
      case .features(let features): try view.record(features)
      case .tick, .woken:
        view.goOn(isWoken: event == .woken)
        if let ended = view.writingError { throw ended }
      case .ended: return
      }
    }
  }

  /// Puts a text on the clipboard of the terminal; returns whether it was sent.
  private static func copy(
    _ text: String, to session: borrowing TerminalSession
  ) throws(StoreError) -> Bool {
    do throws(SystemError) {
      return try session.copy(text)
    } catch {
      throw failure(error)
    }
  }

  private static func failure(_ error: SystemError) -> StoreError {
    StoreError(
      .storageFailed, what: "The app left the terminal.", why: "\(error)",
      advice: "What was acknowledged is kept; open it again, or use a pipe.")
  }
}
