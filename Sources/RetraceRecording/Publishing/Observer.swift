import Retrace
import RetraceStorage
import RetraceSystem

/// One observer of a store: its body, and the states not yet delivered to it.
///
/// One thread at a time calls the body. States that arrive during a call are queued, and the same
/// thread delivers them too. So states are delivered in the order of the log, and no thread waits
/// for another's call.
final class Observer<App: ReplayableApp>: Sendable {
  struct ObservedState: Sendable {
    let state: App.State
    /// The storage from which pages of the state are read on first use.
    let pages: StoredPages?

    /// Whether all pages of the state that were read so far are intact.
    var isSound: Bool { pages?.firstError == nil }
  }

  typealias Body = @Sendable (ObservedState) -> Void
  typealias End = @Sendable () -> Void

  private struct State {
    /// `nil` after the observation has ended.
    var body: Body?
    /// Called after the last state of a store that closed.
    var onEnd: End?
    var waiting: [ObservedState] = []
    var isCalling = false
    var isFinished = false
  }

  private let state: Lock<State>

  init(_ body: @escaping Body, onEnd: End?) {
    state = Lock(State(body: body, onEnd: onEnd))
  }

  /// Queues states after those already queued.
  func add(_ states: [ObservedState]) {
    state.withLock { if $0.body != nil { $0.waiting += states } }
  }

  /// Calls the body with the queued states, unless a call in progress on another thread will do so.
  func deliver() {
    let isTaken = state.withLock { state in
      guard !state.isCalling else { return false }
      state.isCalling = true
      return true
    }
    guard isTaken else { return }
    while let states = takeWaiting() {
      for observed in states {
        guard let body = state.withLock({ $0.body }) else { break }
        body(observed)
      }
    }
  }

  /// Takes the queued states; if the queue is empty, ends the delivery and returns `nil`.
  private func takeWaiting() -> [ObservedState]? {
    var ended: State?
    let states = state.withLock { state -> [ObservedState]? in
      if state.body != nil, !state.waiting.isEmpty {
        defer { state.waiting = [] }
        return state.waiting
      }
      state.isCalling = false
      if state.isFinished { ended = Self.drop(&state) }
      return nil
    }
    ended?.onEnd?()
    return states
  }

  /// Ends the observation; a call that has begun on another thread may still be running after this.
  func cancel() {
    // Released outside the lock, because releasing the body can run any deinitializer.
    let dropped = state.withLock { Self.drop(&$0) }
    withExtendedLifetime(dropped) {}
  }

  /// Ends the observation at once, because the store is gone.
  func finishNow() {
    let dropped = state.withLock { Self.drop(&$0) }
    dropped.onEnd?()
  }

  /// Ends the observation after the queued states, because the store closes.
  func finish() {
    state.withLock { $0.isFinished = true }
    deliver()
  }

  /// Removes the body, the end and the queued states, and returns them.
  private static func drop(_ state: inout State) -> State {
    let dropped = state
    state.body = nil
    state.onEnd = nil
    state.waiting = []
    return dropped
  }
}
