import Retrace
import RetraceStorage
import RetraceSystem

/// A state, or a value selected from one, on its way to observers.
struct Observed<Value: Sendable>: Sendable {
  let value: Value
  /// The storage from which pages of the state are read on first use.
  let pages: StoredPages?

  /// Whether all pages of the state that were read so far are intact.
  var isSound: Bool { pages?.firstError == nil }
}

/// One observer of a store or of a view: its body, and the values not yet delivered to it.
///
/// One thread at a time calls the body. Values that arrive during a call are queued, and the same
/// thread delivers them too. So values are delivered in the order of the log, and no thread waits
/// for another's call.
final class Observer<Value: Sendable>: Sendable {
  typealias Body = @Sendable (Observed<Value>) -> Void
  typealias End = @Sendable () -> Void

  private struct State {
    /// `nil` after the observation has ended.
    var body: Body?
    /// Called after the last value of a store that closed.
    var onEnd: End?
    var waiting: [Observed<Value>] = []
    var isCalling = false
    var isFinished = false
  }

  private let state: Lock<State>

  init(_ body: @escaping Body, onEnd: End?) {
    state = Lock(State(body: body, onEnd: onEnd))
  }

  /// Queues values after those already queued.
  func add(_ values: [Observed<Value>]) {
    state.withLock { if $0.body != nil { $0.waiting += values } }
  }

  /// Calls the body with the queued values, unless a call in progress on another thread will do so.
  func deliver() {
    let isTaken = state.withLock { state in
      guard !state.isCalling else { return false }
      state.isCalling = true
      return true
    }
    guard isTaken else { return }
    while let values = takeWaiting() {
      for observed in values {
        guard let body = state.withLock({ $0.body }) else { break }
        body(observed)
      }
    }
  }

  /// Takes the queued values; if the queue is empty, ends the delivery and returns `nil`.
  private func takeWaiting() -> [Observed<Value>]? {
    var ended: State?
    let values = state.withLock { state -> [Observed<Value>]? in
      if state.body != nil, !state.waiting.isEmpty {
        defer { state.waiting = [] }
        return state.waiting
      }
      state.isCalling = false
      if state.isFinished { ended = Self.drop(&state) }
      return nil
    }
    ended?.onEnd?()
    return values
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

  /// Ends the observation after the queued values, because the store closes.
  func finish() {
    state.withLock { $0.isFinished = true }
    deliver()
  }

  /// Removes the body, the end and the queued values, and returns them.
  private static func drop(_ state: inout State) -> State {
    let dropped = state
    state.body = nil
    state.onEnd = nil
    state.waiting = []
    return dropped
  }
}
