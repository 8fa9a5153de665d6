public import Retrace
import RetraceRecording
public import RetraceStorage
import RetraceSystem
public import TerminalUI
public import TimeTracking
import TrackerFeatures

/// The app on a terminal.
public enum TerminalDriver {
  /// The interval at which the screen is painted again, for the time of the running entry.
  static var tickMilliseconds: Int { 1_000 }

  /// The key that stops the app, as it stops other programs on a terminal.
  private static var suspendKey: Key { .ctrl("z") }

  /// Runs the app until a key leaves it, or the input ends.
  ///
  /// - Parameters:
  ///   - tracker: The tracker.
  ///   - user: The user of a new scene. If the store has only other users, the scene asks for one.
  ///   - isGiven: Whether an option gives the user.
  ///   - size: A fixed size instead of the terminal's.
  ///   - givenZone: The rules of the zone that an option gives.
  ///   - palette: The colors of the terminal; `nil` for none.
  /// - Throws: The errors of the store or of the terminal, which is restored first.
  public static func run(
    _ tracker: TrackerStore, as user: Name, isGiven: Bool = false, size: Screen.Size?,
    givenZone: ZoneRules? = nil, palette: TerminalPalette?
  ) throws(StoreError) {
    let term = ThisProcess.environment("TERM")
    var session: TerminalSession
    do throws(SystemError) {
      session = try TerminalSession(
        palette: palette, extensions: .assumed(term: term),
        queries: TerminalQueries(term: term, program: ThisProcess.environment("TERM_PROGRAM")),
        pasteLimitBytes: PipeDriver.lineSizeMax)
    } catch {
      throw failure(error)
    }
    var driver = try SceneDriver.attach(
      to: tracker, as: user, isGiven: isGiven, size: size ?? session.size, givenZone: givenZone)
    // The first user of a store needs no question, as on the command line.
    if driver.asksForUser,
      try tracker.read({ $0.user(named: user) != nil || $0.users.count == 0 })
    {
      try driver.press([.text(user.text), .enter])
    }
    // Commits of other processes are shown at once.
    let observation = driver.observeOthers { Terminal.wake() }
    defer { observation.cancel() }
    while true {
      let frame = driver.frame()
      let event: TerminalSession.Event
      do throws(SystemError) {
        try session.show(
          frame?.screen ?? Screen(lines: [Screen.Line("The store cannot be read.", .warning)]))
        event = try session.next(tickMilliseconds: tickMilliseconds)
      } catch {
        throw failure(error)
      }
      switch event {
      case .inputs(let inputs):
        // The suspend key comes after the inputs before it; the shell gets what is typed after it.
        let taken = inputs.prefix { $0 != .key(suspendKey) }
        let keys = taken.compactMap { input in
          if case .key(let key) = input { key } else { nil }
        }
        // Without a frame, no key has a meaning, but these keys must still leave the app.
        if frame == nil, keys.contains(where: { $0 == .ctrl("c") || $0 == .ctrl("d") }) { return }
        if try driver.press(keys, on: frame).leaves { return }
        for case .pasteRefused(let limitBytes) in taken {
          try driver.refusePaste(limitBytes: limitBytes)
        }
        if taken.count < inputs.count { session.suspend() }
      case .resized, .resumed: driver.size = size ?? session.size
      case .features: break
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
