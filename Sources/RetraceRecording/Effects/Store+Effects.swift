import RetraceArchitecture
import RetraceLog
import RetraceStorage

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
      var batch = try batch(end, actions)
      batch.completion = { result in
        if case .failure(let error) = result { end.settlement?.fail(error) }
      }
      try push(batch, bounded: false)
    } catch {
      end.settlement?.fail(error)
    }
  }

  /// The batch of a leaf's end and answer; an answer that cannot be recorded is a failure.
  func batch(_ end: LeafEnd, _ actions: [App.Action]) throws(StoreError) -> PendingBatch<App> {
    do throws(StoreError) {
      var batch = try encode(actions)
      batch.end = end
      return batch
    } catch {
      guard error.code == .recordTooLarge else { throw error }
      var failed = end
      failed.outcome = .failed
      failed.error = "The answer could not be recorded. \(error.why)"
      var batch = try encode([])
      batch.end = failed
      return batch
    }
  }
}
