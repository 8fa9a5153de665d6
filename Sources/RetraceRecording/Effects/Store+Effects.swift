import RetraceArchitecture
import RetraceLog
import RetraceStorage
import Synchronization

extension Store {
  /// What takes the answer of a leaf; it does not keep the store alive.
  var answerTaker: EffectRunner<App>.Answer {
    { [weak self] end, actions in
      guard let self else { return end.settlement?.fail(.closed) ?? () }
      self.take(end, actions)
    }
  }

  /// Queues the answer of a leaf together with the record of its end, to be one commit.
  private func take(_ end: LeafEnd, _ actions: [App.Action]) {
    do throws(StoreError) {
      let batch = try batch(end, actions) { [weak self] result in
        if case .failure(let error) = result { self?.retry(end, actions, after: error) }
      }
      try push(batch, bounded: false)
    } catch {
      retry(end, actions, after: error)
    }
  }

  /// Tries again after a second, as long as the store takes records: what a leaf did need not be
  /// lost because the disk was full for a while.
  private func retry(_ end: LeafEnd, _ actions: [App.Action], after error: StoreError) {
    guard !storage.isClosedForWriting, !queue.withLock({ $0.isClosed }) else {
      end.settlement?.fail(error)
      return
    }
    effects.afterOneSecond { [weak self] in self?.take(end, actions) }
  }

  /// The batch of a leaf's end and answer; an answer that cannot be recorded is a failure.
  func batch(
    _ end: LeafEnd, _ actions: [App.Action], _ completion: PendingBatch<App>.Completion? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    do throws(StoreError) {
      return try encode(actions).answering(end, completion)
    } catch {
      guard error.code == .recordTooLarge else { throw error }
      var failed = end
      failed.outcome = .failed
      failed.error = "The answer could not be recorded. \(error.why)"
      return try encode([]).answering(failed, completion)
    }
  }
}
