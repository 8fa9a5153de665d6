public import Retrace
import RetraceRecording
public import RetraceStorage
import RetraceSystem
import TerminalUI
public import TimeTracking
import TrackerFeatures

/// The app on a terminal: keys as they are pressed, the screen as it changes.
public enum TerminalDriver {
  /// The time after which the screen is drawn again for the running entry's clock.
  static var tickMilliseconds: Int { 1_000 }

  /// Runs the app until a key leaves it, or the input ends.
  ///
  /// - Parameters:
  ///   - tracker: The tracker.
  ///   - user: The user as whom a new scene goes on; it asks if there are only others.
  ///   - isGiven: Whether an option gives the user.
  ///   - size: A fixed size instead of the terminal's.
  ///   - givenZone: The rules of the zone that an option gives.
  ///   - usesColor: Whether there are colors; `nil` for what the environment says.
  /// - Throws: The errors of the store or of the terminal, which is restored first.
  public static func run(
    _ tracker: TrackerStore, as user: Name, isGiven: Bool = false, size: Screen.Size?,
    givenZone: ZoneRules? = nil, usesColor: Bool? = nil
  ) throws(StoreError) {
    let usesColor =
      usesColor
      ?? AnsiRenderer.wantsColor(
        noColor: ThisProcess.environment("NO_COLOR"), term: ThisProcess.environment("TERM"))
    var session: TerminalSession
    do throws(SystemError) {
      session = try TerminalSession(usesColor: usesColor)
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
    // What other processes commit is shown as it comes.
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
      case .keys(let keys):
        // Without a frame no key means anything, and the app can be left all the same.
        if frame == nil, keys.contains(where: { $0 == .ctrl("c") || $0 == .ctrl("d") }) { return }
        if try driver.press(keys, on: frame).leaves { return }
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
