import RetracePlatform
import RetraceStorage
import Synchronization

/// Counts the leaves that a batch has in flight, those of its leaves' answers included.
final class Settlement: Sendable {
  private struct State {
    var leaves = 0
    /// The thread that must not wait for a commit, because it is the one that commits.
    var writer: WorkerThread?
    var failure: StoreError?
    var waiting: [@Sendable (StoreError?) -> Void] = []
  }

  private let state = Mutex(State())

  /// A leaf was started, whose end a thread will commit.
  func enter(_ writer: WorkerThread) {
    state.withLock { state in
      state.leaves += 1
      state.writer = writer
    }
  }

  /// A leaf came to its end.
  func leave() {
    let waiting = state.withLock { state in
      state.leaves -= 1
      guard state.leaves == 0 else { return [@Sendable (StoreError?) -> Void]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body(nil) }
  }

  /// No leaf will come to its end any more.
  func fail(_ error: StoreError) {
    let waiting = state.withLock { state in
      if state.leaves > 0 && state.failure == nil { state.failure = error }
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body(error) }
  }

  /// Calls the body once no leaf is in flight, at once if none is; or with why one stays.
  private func whenSettled(_ body: @escaping @Sendable (StoreError?) -> Void) {
    let answer: StoreError?? = state.withLock { state in
      if let failure = state.failure { return .some(failure) }
      if state.leaves == 0 { return .some(nil) }
      state.waiting.append(body)
      return nil
    }
    if let answer { body(answer) }
  }

  func wait() async throws(StoreError) {
    let failure = await withCheckedContinuation { continuation in
      whenSettled { continuation.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  func waitBlocking() throws(StoreError) {
    if state.withLock({ $0.writer?.isCurrent ?? false }) {
      throw StoreError.reentrant("settledBlocking")
    }
    let done = Semaphore()
    let failure = Mutex<StoreError?>(nil)
    whenSettled { error in
      failure.withLock { $0 = error }
      done.signal()
    }
    done.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
