import RetraceArchitecture
import RetraceState
import RetraceSystem

/// The app's reducer; the environment can make it trap on a note, or never end, as the reducer of a
/// later build may on an older record.
struct TrappingReducer: Reducer {
  /// The text of a note at which the reducer traps; none unless a test says so.
  private static let trappingText = ThisProcess.environment("TESTAPP_REFUSES")

  /// The text of a note at which the reducer never ends; none unless a test says so.
  private static let hangingText = ThisProcess.environment("TESTAPP_HANGS")

  func reduce(
    _ state: inout TestState, _ action: TestAction, at moment: Moment
  ) -> Effect<TestAction, TestDesk> {
    if case .noted(let text) = action, let trapping = Self.trappingText,
      text.utf8.elementsEqual(trapping.utf8)
    {
      fatalError("the reducer was made to trap by an old record")
    }
    if case .noted(let text) = action, let hanging = Self.hangingText,
      text.utf8.elementsEqual(hanging.utf8)
    {
      while true { MonotonicClock.sleep(milliseconds: 1_000) }
    }
    return TestReducer().reduce(&state, action, at: moment)
  }
}
