import RetraceArchitecture
import RetraceStorage
import Synchronization

/// One observer of a store: its body, and the states that it has not been called with.
///
/// One thread at a time calls the body. States that come meanwhile wait, and that thread calls the
/// body with them as well: so the order is that of the log, and no call has to wait for another.
final class Observer<App: ReplayableApp>: Sendable {
  /// A state to call an observer with.
  struct Shown: Sendable {
    let state: App.State
    /// Where absent pages of the state are read.
    let pages: StoredPages?

    /// Whether all that was read of the state so far was what was written.
    var isSound: Bool { pages?.fault == nil }
  }

  typealias Body = @Sendable (Shown) -> Void
  typealias End = @Sendable () -> Void

  private struct State {
    /// `nil` once the observer is not to be called any more.
    var body: Body?
    /// What is called after the last state of a store that closed.
    var end: End?
    var waiting: [Shown] = []
    var isCalling = false
    var isFinished = false
  }

  private let state: Mutex<State>

  init(_ body: @escaping Body, end: End?) {
    state = Mutex(State(body: body, end: end))
  }

  /// Adds states behind those that wait.
  func add(_ states: [Shown]) {
    state.withLock { if $0.body != nil { $0.waiting += states } }
  }

  /// Calls the body with what waits, unless another call is under way, which then goes on with it.
  func deliver() {
    let isTaken = state.withLock { state in
      guard !state.isCalling else { return false }
      state.isCalling = true
      return true
    }
    guard isTaken else { return }
    while let states = takeWaiting() {
      for shown in states {
        guard let body = state.withLock({ $0.body }) else { break }
        body(shown)
      }
    }
  }

  /// Takes what waits; `nil` when the call is over.
  private func takeWaiting() -> [Shown]? {
    var ended: State?
    let states = state.withLock { state -> [Shown]? in
      if state.body != nil, !state.waiting.isEmpty {
        defer { state.waiting = [] }
        return state.waiting
      }
      state.isCalling = false
      if state.isFinished { ended = Self.drop(&state) }
      return nil
    }
    ended?.end?()
    return states
  }

  /// Ends the observation: no call begins after this.
  func cancel() {
    // Released outside of the lock: it may hold the last reference to anything.
    let dropped = state.withLock { Self.drop(&$0) }
    withExtendedLifetime(dropped) {}
  }

  /// Ends the observation at once, since the store is gone.
  func finishNow() {
    let dropped = state.withLock { Self.drop(&$0) }
    dropped.end?()
  }

  /// Ends the observation after what waits, since the store closes.
  func finish() {
    state.withLock { $0.isFinished = true }
    deliver()
  }

  /// Takes the body out of a state.
  private static func drop(_ state: inout State) -> State {
    let dropped = state
    state.body = nil
    state.end = nil
    state.waiting = []
    return dropped
  }
}
