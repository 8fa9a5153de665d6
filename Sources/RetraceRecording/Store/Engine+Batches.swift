import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage

/// Reducing batches and appending their records: one batch after the other, or, of a large group,
/// one on the writer's thread while the next ones are reduced on another.
extension Engine {
  /// Reduces a batch and appends its records.
  mutating func append(
    _ batch: PendingBatch<App>, at position: Int, mayHash: Bool, in storage: LogStorage,
    _ next: inout Progress, _ appender: inout LogAppender, _ advance: inout Advance<App>
  ) throws(StoreError) {
    if let end = batch.end {
      let isInFlight = try end.append(
        to: &next.fold, &appender, session: next.session ?? 0, at: batch.moment,
        schema: next.schema ?? 0)
      guard isInFlight else {
        let none = appender.nextSequence..<appender.nextSequence
        return advance.add(receipt(of: none, [], next.fold, of: batch), at: position)
      }
    }
    let effects = App.reduce(batch.actions, into: &next.fold, at: batch.moment)
    next.recordsSinceHash += batch.actions.count
    let hashes =
      mayHash && batch.actions.count > 0
      && isHashDue(after: next.recordsSinceHash, at: next.fold.sequence)
    let hash = hashes ? stateHash(&next) : nil
    if hash != nil { next.hashedAt = next.fold.sequence }
    let sequences = try append(
      batch, effects, hash, as: (next.session ?? 0, next.schema ?? 0), in: storage, &appender)
    if batch.needsReceipt || circumstances.isObserved || effects.count > 0 {
      advance.add(receipt(of: sequences, effects, next.fold, of: batch), at: position)
    }
  }

  /// Whether reducing and appending a group is enough work for two threads.
  borrowing func isLarge(_ batches: [PendingBatch<App>]) -> Bool {
    guard actionCount(of: batches) >= configuration.largeGroupActions else { return false }
    // Whether the end of a leaf counts is seen only in its turn.
    return !batches.contains { $0.end != nil }
  }

  /// Appends the records of batches while those behind them are reduced on a thread of its own.
  mutating func appendLarge(
    _ batches: [PendingBatch<App>], mayHash: Bool, in storage: LogStorage,
    _ next: inout Progress, _ appender: inout LogAppender, _ advance: inout Advance<App>
  ) throws(StoreError) {
    let count = actionCount(of: batches)
    let last = next.fold.sequence + UInt64(count)
    let hashes = mayHash && isHashDue(after: next.recordsSinceHash + count, at: last)
    let reduction = GroupReduction(
      batches, into: next.fold, attempt: attempt.take(), isObserved: circumstances.isObserved,
      hashes: hashes, phaseObserver: configuration.phaseObserver)
    reducer.submit { reduction.run() }
    let origin = (session: next.session ?? 0, schema: next.schema ?? 0)
    let result = self.result { (engine) throws(StoreError) in
      for stretch in reduction.stretches {
        let reduced = try reduction.next()
        // Most batches lead to nothing beside a state.
        let isPlain = reduced.reduced.isEmpty
        for position in stretch {
          let batch = batches[position]
          let hash = position == batches.count - 1 ? reduced.hash : nil
          guard !isPlain, let found = reduced.reduced[position] else {
            try engine.append(batch, [], hash, as: origin, in: storage, &appender)
            continue
          }
          let sequences = try engine.append(
            batch, found.effects, hash, as: origin, in: storage, &appender)
          let receipt = engine.receipt(of: sequences, found.effects, found.fold, of: batch)
          advance.add(receipt, at: position)
        }
      }
    }
    if case .failure = result { reduction.giveUp() }
    next.fold = reduction.fold()
    attempt = reduction.attempt()
    advance.nanoseconds = reduction.nanoseconds
    next.recordsSinceHash = hashes ? 0 : next.recordsSinceHash + count
    if hashes { next.hashedAt = last }
    try result.get()
  }

  /// Appends the records of a batch that was reduced; answers their sequences.
  @discardableResult
  private borrowing func append(
    _ batch: PendingBatch<App>, _ effects: [ReducedEffect<App>], _ hash: Digest?,
    as origin: (session: UInt64, schema: UInt32), in storage: LogStorage,
    _ appender: inout LogAppender
  ) throws(StoreError) -> Range<UInt64> {
    let envelope = Envelope(
      session: origin.session, moment: batch.moment, schema: origin.schema,
      cause: batch.end?.id.cause, key: batch.key?.bytes)
    // A key path of a generic type is made anew for each call.
    let caused = effects.count == 0 ? [] : effects.map { $0.sequence }
    let sequences = try appender.append(
      batch.encoded, envelope, effectsAt: caused, hashOfLast: hash)
    try note(batch.key, of: sequences, in: storage, &appender)
    return sequences
  }

  @inline(__always)
  private borrowing func receipt(
    of sequences: Range<UInt64>, _ effects: [ReducedEffect<App>], _ fold: Fold<App>,
    of batch: PendingBatch<App>
  ) -> Receipt<App> {
    var receipt = Receipt<App>(
      sequences: sequences, state: fold.state, sequence: fold.sequence)
    receipt.effectsInFlight = fold.inFlight
    guard effects.count > 0 else { return receipt }
    receipt.effects = effects.map { CausedEffect(cause: $0.sequence, effect: $0.effect) }
    receipt.settlement = batch.end?.settlement ?? Settlement()
    return receipt
  }

  /// Whether the state should be hashed after records that end a commit.
  ///
  /// The hash may have to be taken over everything that many actions changed: while more is queued,
  /// it waits as long as a save may wait.
  @inline(__always)
  private borrowing func isHashDue(after records: Int, at sequence: UInt64) -> Bool {
    if circumstances.isBusy { return records >= max(1, configuration.busyHashInterval / 2) }
    return records >= configuration.hashIntervalMax || keeper.isDue(at: sequence)
  }
}
