public import RetraceArchitecture
public import RetraceStorage

extension Store {
  // MARK: Batches

  /// Sends actions as one batch and returns when they are durable.
  ///
  /// The moment is sampled when this is called. An empty batch writes nothing.
  ///
  /// With a key, a batch that is sent again is appended once: the second call returns the sequences
  /// of the first and the latest state, and runs no effects. So one can repeat what got no answer,
  /// or had an unknown outcome, also from another process or after reopening. The log keeps the
  /// last million keys.
  ///
  /// If the task is cancelled while the batch waits in the queue, the batch is taken out and
  /// nothing of it is recorded. Once its commit has begun, the cancellation comes too late, and
  /// the receipt is returned.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch.
  ///   - key: What the batch is known by, 1 to 64 bytes of UTF-8.
  /// - Complexity: O(bytes encoded) plus the reducer's; two disk flushes, shared with whatever else
  ///   is queued.
  /// - Throws: `recordTooLarge` and `overloaded` before anything is queued; `cancelled` with
  ///   nothing recorded; `keyReused` if the key stands for a batch with other actions; `diskFull`
  ///   with nothing written, so that it can be sent again when there is room;
  ///   `commitOutcomeUnknown` when the disk failed and reopening must tell; `closed`. What was
  ///   queued behind a batch that failed is refused with its error.
  @discardableResult
  public func send(
    _ actions: [App.Action], key: String? = nil
  ) async throws(StoreError) -> Receipt<App> {
    if Task.isCancelled { throw StoreError.cancelled }
    let batch = try writer.encode(actions, key: key)
    let sent = SentBatch<App>(writer)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        sent.send(batch.completing { continuation.resume(returning: $0) })
      }
    } onCancel: {
      sent.cancel()
    }
    return try result.get()
  }

  /// Sends one action and returns when it is durable; see ``send(_:key:)-([App.Action],_)``.
  @discardableResult
  public func send(
    _ action: App.Action, key: String? = nil
  ) async throws(StoreError) -> Receipt<App> {
    try await send([action], key: key)
  }

  /// Sends actions as one batch and blocks until they are durable.
  ///
  /// It is never refused as `overloaded`: a thread that waits sends nothing more meanwhile. If the
  /// writer has nothing else in hand, the calling thread reduces and commits itself, on its own
  /// stack, and tells the observers.
  ///
  /// - Throws: As ``send(_:key:)-([App.Action],_)``; `reentrant` from an observer.
  @discardableResult
  public func sendBlocking(
    _ actions: [App.Action], key: String? = nil
  ) throws(StoreError) -> Receipt<App> {
    try writer.refuseReentrancy("sendBlocking")
    let batch = try writer.encode(actions, key: key, isAwaited: true)
    if let receipt = try writer.commitAtOnce(batch) { return receipt }
    let outcome = Outcome<App>()
    try writer.push(batch.completing { outcome.set($0) }, bounded: false, submits: false)
    storage.performWriting { access in self.writer.drain(access, until: outcome) }
    return try outcome.get()
  }

  /// Fixes the order of a batch and returns at once; ``flush()`` tells when it is durable.
  ///
  /// Once a batch that was enqueued could not be committed, every call is refused with its error
  /// until ``flush()`` has told it.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch.
  ///   - key: What the batch is known by; see ``send(_:key:)-([App.Action],_)``.
  /// - Throws: `overloaded` when more waits than the configuration allows; `closed`;
  ///   `recordTooLarge`.
  public func enqueue(_ actions: [App.Action], key: String? = nil) throws(StoreError) {
    try writer.push(try writer.encode(actions, key: key), bounded: true)
  }

  /// Returns when everything that was enqueued before is durable, answers of effects included
  /// that were there by then; effects that still run are not waited for.
  ///
  /// The cancellation of the task does not end the wait: what was enqueued is committed anyway.
  ///
  /// - Throws: The first error of a batch that was enqueued, if one failed since the last call. The
  ///   store then takes actions again, unless the failure closed it for writing.
  public func flush() async throws(StoreError) {
    let writer = writer
    try await run { access throws(StoreError) in try writer.flush(access) }
  }

  /// Blocks until everything that was enqueued before is durable; see ``flush()``.
  ///
  /// - Throws: As ``flush()``; `reentrant` from an observer.
  public func flushBlocking() throws(StoreError) {
    try writer.refuseReentrancy("flushBlocking")
    try storage.performWriting { access throws(StoreError) in try self.writer.flush(access) }
  }

  /// Folds what other processes appended, and tells the observers if that changed the state.
  ///
  /// Every commit does this first; this is for programs that only look.
  ///
  /// - Returns: The sequence that ``state`` then stands after.
  /// - Complexity: O(records appended by others since); O(1) if there are none.
  /// - Throws: `incompatible` if another build that reduces otherwise has written, which closes
  ///   this store for writing; `damaged`.
  @discardableResult
  public func catchUp() async throws(StoreError) -> UInt64 {
    let writer = writer
    try await run { access throws(StoreError) in try writer.catchUp(access) }
    return sequence
  }

  /// Folds what other processes appended, and blocks meanwhile; see ``catchUp()``.
  ///
  /// - Throws: As ``catchUp()``; `reentrant` from an observer.
  @discardableResult
  public func catchUpBlocking() throws(StoreError) -> UInt64 {
    try writer.refuseReentrancy("catchUpBlocking")
    try storage.performWriting { access throws(StoreError) in try self.writer.catchUp(access) }
    return sequence
  }

  /// Runs a job on the writer's thread.
  private func run(
    _ job: @escaping @Sendable (borrowing LogWriter.Access) throws(StoreError) -> Void
  ) async throws(StoreError) {
    let failure: StoreError? = await withCheckedContinuation { continuation in
      storage.submitWriting { access in
        do throws(StoreError) {
          try job(access)
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
    }
    if let failure { throw failure }
  }

  // MARK: What is kept

  /// What waits and what is kept, at this moment.
  public var statistics: StoreStatistics {
    let (actions, bytes) = writer.queue.size
    return StoreStatistics(
      queuedActions: actions, queuedBytes: bytes, sequence: sequence,
      durableSequence: durableSequence)
  }

  /// The sequence of the last record known to be on stable storage; 0 of a store in memory.
  public var durableSequence: UInt64 { writer.durableSequence }

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
