public import RetraceStorage
import Synchronization

extension Store {
  /// Refuses batches of a commit that failed, and all that were queued behind them.
  ///
  /// What was sent after a batch must not be there without it. If somebody enqueued one of them and
  /// does not wait, everything is refused until ``flush()`` has told; if the store closed for
  /// writing, everything is refused from now on.
  func refuse(_ batches: [PendingBatch<App>], for error: StoreError) {
    let refused = queue.withLock { queue in
      let refused = batches + queue.takeAll()
      let isUnknown = refused.contains { !$0.isAwaited && $0.end == nil }
      if queue.failure == nil && (isUnknown || storage.isClosedForWriting) {
        queue.failure = error
      }
      return refused
    }
    for batch in refused { batch.completion?(.failure(error)) }
  }

  /// The failure of what was enqueued, which is then forgotten unless the store takes nothing more.
  func takeFailure() -> StoreError? {
    queue.withLock { queue in
      defer { if !storage.isClosedForWriting { queue.failure = nil } }
      return queue.failure
    }
  }

  /// What waits and what is kept, at this moment.
  public var statistics: StoreStatistics {
    let (actions, bytes) = queue.withLock { ($0.actionCount, $0.bytes) }
    return StoreStatistics(
      queuedActions: actions, queuedBytes: bytes, sequence: sequence,
      durableSequence: durableSequence)
  }

  /// The sequence of the last record known to be on stable storage; 0 of a store in memory.
  public var durableSequence: UInt64 {
    if storage.isInMemory { return 0 }
    return storage.isDeferring ? window.withLock { $0.durableSequence } : sequence
  }

  /// The sequences of the batch that was sent with a key; `nil` if the log has none.
  ///
  /// This is how one learns what became of a batch whose commit had an unknown outcome: open the
  /// store again and ask, or send the batch again with its key. The last million keys are kept.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: `storageFailed`, `damaged`.
  public func sequences(ofKey key: String) throws(StoreError) -> Range<UInt64>? {
    try storage.batch(ofKey: key)?.sequences
  }
}

/// Figures of a store that is open.
public struct StoreStatistics: Hashable, Sendable {
  /// How many actions wait for a commit to begin.
  public var queuedActions: Int
  /// How many bytes these have when encoded.
  public var queuedBytes: Int
  /// The sequence of the last record that the state stands after.
  public var sequence: UInt64
  /// The sequence of the last record known to be on stable storage.
  public var durableSequence: UInt64

  /// Makes figures.
  public init(queuedActions: Int, queuedBytes: Int, sequence: UInt64, durableSequence: UInt64) {
    self.queuedActions = queuedActions
    self.queuedBytes = queuedBytes
    self.sequence = sequence
    self.durableSequence = durableSequence
  }
}
