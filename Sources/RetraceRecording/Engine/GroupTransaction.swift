import Retrace
import RetraceStorage

/// The write transaction of a group: the appender of its records and the state that they change.
///
/// It exists only while a job of the writer appends. If the group fails, its appender is aborted
/// and its state is dropped.
struct GroupTransaction<App: ReplayableApp>: ~Copyable {
  var appender: LogAppender
  /// The state after the last appended record.
  var next: LogState<App>
  var result = CommitResult<App>()
  let log: LogStorage
  /// The time of the machine, if the moments come from another clock.
  let realTime: Moment?
  private let keeper: SnapshotKeeper<App>
  private let keyLimit: Int

  /// Begins a group at the end of the log.
  ///
  /// - Parameters:
  ///   - appender: The appender, which the caller gets back.
  ///   - committed: The state at the end of the log.
  ///   - realTime: The time of the machine, if the moments come from another clock.
  ///   - keeper: The keeper of the state's snapshots.
  ///   - access: The access of the writer's job.
  init(
    _ appender: consuming LogAppender, after committed: LogState<App>, realTime: Moment?,
    keeper: SnapshotKeeper<App>, by access: borrowing LogWriter.Access
  ) {
    self.appender = appender
    next = committed
    log = access.log
    self.realTime = realTime
    self.keeper = keeper
    keyLimit = access.keyLimit
  }

  @inline(__always)
  borrowing func isSaveDue(at sequence: UInt64) -> Bool { keeper.isDue(at: sequence) }

  /// Throws if the state was read from damaged pages.
  borrowing func checkPages() throws(StoreError) {
    guard let pageError = keeper.pages?.firstError else { return }
    throw StoreError(
      .storageFailed, what: "Nothing was written.", why: "A stored page is damaged: \(pageError).",
      advice: "Try again: the store then folds the state from the log.")
  }

  borrowing func emptyReceipt(_ decision: Decision<App>? = nil) -> Receipt<App> {
    Receipt(
      of: appender.nextSequence..<appender.nextSequence, after: next.fold, decision)
  }

  // MARK: Records

  @inline(__always)
  borrowing func envelope(
    at moment: Moment, cause: UInt64? = nil, key: [UInt8]? = nil
  ) -> Envelope {
    Envelope(
      session: next.session ?? 0, moment: moment, realTime: realTime, schema: next.schema ?? 0,
      cause: cause, key: key)
  }

  /// Appends the records of a reduced batch, and returns their sequences.
  @discardableResult
  mutating func append(
    _ batch: PendingBatch<App>, _ effects: [ReducedEffect<App>], hash: RecordedStateHash?
  ) throws(StoreError) -> Range<UInt64> {
    let envelope = envelope(
      at: batch.moment, cause: batch.answer?.id.cause, key: batch.key?.bytes)
    let sequences = try appender.append(
      batch.encoded, envelope, effectsAt: Self.causes(of: effects), hashOfLast: hash)
    try noteKey(of: batch, sequences)
    return sequences
  }

  /// Appends the record of a leaf's end, and removes the leaf from those in flight; does neither if
  /// the leaf goes on.
  ///
  /// A leaf ends once, even if several processes run or recover it: after the first end or a
  /// cancellation, the leaf is no longer in flight, and nothing that it sends is appended.
  ///
  /// - Returns: Whether the leaf was in flight; otherwise nothing is appended.
  mutating func append(_ answer: LeafAnswer, at moment: Moment) throws(StoreError) -> Bool {
    guard next.fold.inFlight.contains(answer.id) else { return false }
    guard let outcome = answer.outcome else { return true }
    let sequence = try appender.append(
      EffectFinished(id: answer.id, outcome: outcome, error: answer.error),
      envelope(at: moment, cause: answer.id.cause))
    next.fold.inFlight.finish(answer.id)
    next.fold.skip(sequence)
    return true
  }

  /// Notes the idempotency key of a batch, if it has one.
  @inline(__always)
  mutating func noteKey(
    of batch: PendingBatch<App>, _ sequences: Range<UInt64>
  ) throws(StoreError) {
    guard let key = batch.key else { return }
    try appender.note(
      key: key.bytes, of: KeyedBatch(sequences: sequences, digest: key.digest), keeping: keyLimit)
  }

  static func causes(of effects: [ReducedEffect<App>]) -> [UInt64] {
    // A key path of a generic type would be created anew on each call.
    effects.count == 0 ? [] : effects.map { $0.sequence }
  }
}

extension Receipt {
  /// Creates the receipt of a batch with some sequences, without effects.
  ///
  /// - Parameters:
  ///   - sequences: The sequences of the batch's records.
  ///   - fold: The fold right after the batch.
  ///   - decision: The decision on the batch's command, if it has one.
  @inline(__always)
  init(
    of sequences: Range<UInt64>, after fold: borrowing Fold<App>, _ decision: Decision<App>? = nil
  ) {
    self.init(sequences: sequences, state: fold.state, sequence: fold.sequence)
    effectsInFlight = fold.inFlight
    self.decision = decision
  }

  @inline(__always)
  mutating func setEffects(
    _ effects: [ReducedEffect<App>], of batch: PendingBatch<App>, at moment: Moment
  ) {
    guard effects.count > 0 else { return }
    self.effects = effects.map {
      CausedEffect(cause: $0.sequence, moment: moment, effect: $0.effect)
    }
    settlement = batch.answer?.settlement ?? Settlement()
  }
}
