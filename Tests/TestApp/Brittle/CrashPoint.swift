import RetraceSystem

/// A place on the way of a command at which the brittle app can end.
enum CrashPoint: String, CaseIterable, Sendable {
  /// While a line of input becomes a command.
  case interpret
  case decide
  case reduce
  /// While the records are appended to the write transaction.
  case append
  /// Right before LMDB commits.
  case commit
  /// Right after LMDB has committed.
  case committed
  /// While an observer gets the new state.
  case publish
  /// While an effect runs.
  case start
  /// While the answer of an effect is reduced, or decided if it is a command.
  case answer

  /// How the process ends: by a trap, or by a kill from outside, for which it stops and prints
  /// `holding POINT`.
  enum Ending: String, Sendable {
    case trap, kill
  }

  /// A place and an ending, in that order.
  private typealias Armed = (point: CrashPoint, ending: Ending)

  /// With `TESTAPP_CRASH` in the environment the program begins armed.
  private static let armed = Lock<Armed?>(
    ThisProcess.environment("TESTAPP_CRASH").flatMap(CrashPoint.parse))

  private static func parse(_ text: String) -> Armed? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, let point = CrashPoint(rawValue: words[0]),
      let ending = Ending(rawValue: words[1])
    else { return nil }
    return (point, ending)
  }

  /// Makes the program end when it next comes to a place, given as `POINT ENDING`.
  static func arm(_ text: String) throws(LineError) -> CrashPoint {
    guard let found = parse(text) else { throw LineError(line: text) }
    armed.withLock { $0 = found }
    return found.point
  }

  // lint:allow the armed place comes from a test, and a fold that reaches it does not go on
  /// Ends the program if this is the armed place.
  func reach() {
    guard let ending = Self.armed.withLock({ $0?.point == self ? $0?.ending : nil }) else { return }
    if ending == .trap { fatalError("the app was made to trap in \(self)") }
    Answer.line("holding \(self)")
    while true { MonotonicClock.sleep(milliseconds: 1_000) }
  }
}
