import RetraceArchitecture
import RetraceStorage

/// Batches that were sent before, found by their idempotency keys inside the write transaction.
extension Engine {
  /// What batches of a group are answered with that the log has already, by their position; `nil`
  /// if it has none of them.
  ///
  /// A group holds a key only once.
  borrowing func answers(
    to batches: [PendingBatch<App>], in appender: borrowing LogAppender
  ) throws(StoreError) -> [Int: Result<Receipt<App>, StoreError>]? {
    var answers: [Int: Result<Receipt<App>, StoreError>]?
    for position in 0..<batches.count {
      guard let key = batches[position].key, let kept = try appender.batch(ofKey: key.bytes)
      else { continue }
      answers = answers ?? [:]
      answers?[position] =
        kept.digest == key.digest ? .success(repeated(kept)) : .failure(.keyReused(key.bytes, kept))
    }
    return answers
  }

  /// Notes the key of a batch that was appended.
  borrowing func note(
    _ key: BatchKey?, of sequences: Range<UInt64>, in storage: LogStorage,
    _ appender: inout LogAppender
  ) throws(StoreError) {
    guard let key else { return }
    try appender.note(
      key: key.bytes, of: KeptBatch(sequences: sequences, digest: key.digest),
      keeping: storage.keysKept)
  }

  /// The receipt of a batch that the log has already.
  borrowing func repeated(_ kept: KeptBatch) -> Receipt<App> {
    Receipt(
      sequences: kept.sequences, state: committed.fold.state, sequence: committed.fold.sequence)
  }
}
