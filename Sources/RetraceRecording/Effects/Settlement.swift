import RetraceSystem
import RetraceStorage

/// A counter of the leaves in flight that a batch caused, directly or through answers.
final class Settlement: Sendable {
  private typealias Waiter = @Sendable (StoreError?) -> Void

  private struct State {
    var leaves = 0
    /// Whether the caller runs in a job of the writer.
    ///
    /// Such a caller must not wait, because the writer's jobs commit the ends of leaves.
    var isInWriterJob: (@Sendable () -> Bool)?
    var failure: StoreError?
    var waiting: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0
    /// The waiters cancelled before they began to wait.
    var cancelled: Set<UInt64> = []

    mutating func takeWaiting() -> [Waiter] {
      defer { waiting = [:] }
      return Array(waiting.values)
    }
  }

  private let state = Lock(State())

  /// Adds a leaf that was started; a job of the writer will commit its end.
  func enter(_ isInWriterJob: @escaping @Sendable () -> Bool) {
    state.withLock { state in
      state.leaves += 1
      state.isInWriterJob = isInWriterJob
    }
  }

  func leave() {
    let waiting = state.withLock { state in
      state.leaves -= 1
      return state.leaves == 0 ? state.takeWaiting() : []
    }
    for body in waiting { body(nil) }
  }

  /// Fails all waiters, because no leaf can end any more.
  func fail(_ error: StoreError) {
    let waiting = state.withLock { state in
      if state.leaves > 0 && state.failure == nil { state.failure = error }
      return state.takeWaiting()
    }
    for body in waiting { body(error) }
  }

  /// Fails all waiters of a batch whose effects do not start.
  func failUnstarted(_ error: StoreError) { state.withLock { $0.failure = error } }

  /// Calls `body` with `nil` once no leaf is in flight, or with an error if a leaf cannot end.
  private func whenSettled(as waiter: UInt64, _ body: @escaping Waiter) {
    let result: StoreError?? = state.withLock { state in
      if let failure = state.failure { return .some(failure) }
      if state.leaves == 0 { return .some(nil) }
      if state.cancelled.remove(waiter) != nil { return .some(.cancelledWait) }
      state.waiting[waiter] = body
      return nil
    }
    if let result { body(result) }
  }

  private func cancel(_ waiter: UInt64) {
    let body = state.withLock { state in
      let body = state.waiting.removeValue(forKey: waiter)
      if body == nil { state.cancelled.insert(waiter) }
      return body
    }
    body?(.cancelledWait)
  }

  private func newWaiter() -> UInt64 {
    state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
  }

  /// Waits until no leaf is in flight, or until the task is cancelled.
  func wait() async throws(StoreError) {
    let waiter = newWaiter()
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        whenSettled(as: waiter) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      cancel(waiter)
    }
    _ = state.withLock { $0.cancelled.remove(waiter) }
    if let failure { throw failure }
  }

  /// Blocks until no leaf is in flight.
  func waitBlocking() throws(StoreError) {
    let isInWriterJob = state.withLock { $0.isInWriterJob }
    if isInWriterJob?() == true { throw StoreError.reentrant("settledBlocking") }
    let done = Semaphore()
    let failure = Lock<StoreError?>(nil)
    whenSettled(as: newWaiter()) { error in
      failure.withLock { $0 = error }
      done.signal()
    }
    done.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
