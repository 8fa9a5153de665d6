public import RetraceArchitecture
import RetracePlatform
public import RetraceStorage
import Synchronization

extension Store {
  /// Sends actions as one batch and returns when they are durable.
  ///
  /// The moment is sampled when this is called. An empty batch writes nothing.
  ///
  /// With a key, a batch that is sent again is appended once: the second call answers the sequences
  /// of the first and the latest state, and runs no effects. So one can repeat what got no answer,
  /// or had an unknown outcome, also from another process or after reopening. The log keeps the
  /// last million keys.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch.
  ///   - key: What the batch is known by, 1 to 64 bytes of UTF-8.
  /// - Complexity: O(bytes encoded) plus the reducer's; two disk flushes, shared with whatever else
  ///   is queued.
  /// - Throws: `recordTooLarge` and `overloaded` before anything is queued; `keyReused` if the key
  ///   stands for a batch with other actions; `diskFull` with nothing written, so that it can be
  ///   sent again when there is room; `commitOutcomeUnknown` when the disk failed and reopening
  ///   must tell; `closed`; `reentrant` from an observer. What was queued behind a batch that
  ///   failed is refused with its error.
  @discardableResult
  public func send(
    _ actions: [App.Action], key: String? = nil
  ) async throws(StoreError) -> Receipt<App> {
    try refuseReentrancy("send")
    let batch = try encode(actions, key: key)
    let result: Result<Receipt<App>, StoreError> = await withCheckedContinuation { continuation in
      let pending = batch.completing { continuation.resume(returning: $0) }
      do throws(StoreError) {
        try self.push(pending, bounded: true)
      } catch {
        continuation.resume(returning: .failure(error))
      }
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
  /// - Throws: As the asynchronous form does.
  @discardableResult
  public func sendBlocking(
    _ actions: [App.Action], key: String? = nil
  ) throws(StoreError) -> Receipt<App> {
    try refuseReentrancy("sendBlocking")
    let batch = try encode(actions, key: key, isAwaited: true)
    if let receipt = try commitAtOnce(batch) { return receipt }
    let outcome = Outcome<App>()
    try push(batch.completing { outcome.set($0) }, bounded: false, submits: false)
    storage.performWriting { self.drain(until: outcome) }
    return try outcome.get()
  }

  /// Fixes the order of a batch and returns; ``flush()`` tells when it is durable.
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
    try push(try encode(actions, key: key), bounded: true)
  }

  /// Blocks until everything that was enqueued before is durable, answers of effects included
  /// that were there by then; effects that still run are not waited for.
  ///
  /// - Throws: The first error of a batch that was enqueued, if one failed since the last call. The
  ///   store then takes actions again, unless the failure closed it for writing.
  public func flush() throws(StoreError) {
    try refuseReentrancy("flush")
    try storage.performWriting { () throws(StoreError) in
      self.drain()
      try self.commitWaiting()
    }
    if let failure = takeFailure() { throw failure }
  }

  /// Decides on the latest state what to append, inside the write transaction.
  ///
  /// No other process can append between the body's look at the state and the commit: all others
  /// wait, so the body should not. It is called at most once.
  ///
  /// - Parameters:
  ///   - closing: Whether the session is closed in the same commit, as a one-shot command does.
  ///   - key: What the request is known by, 1 to 64 bytes of UTF-8. If the log has a batch of this
  ///     key, the body is not called, nothing is appended, and the answer has that batch's
  ///     sequences and the latest state: what was carried out might be refused now.
  ///   - body: Answers the actions of the batch; what it throws appends nothing.
  /// - Throws: ``TransactionError``.
  @discardableResult
  public func transact<Refusal: Error>(
    closing: Bool = false, key: String? = nil,
    _ body: @Sendable (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    do throws(StoreError) {
      try refuseReentrancy("transact")
      if let key { try BatchKey.check(key) }
    } catch {
      throw .store(error)
    }
    let moment = configuration.clock()
    return try storage.performWriting {
      () throws(TransactionError<Refusal>) -> Receipt<App> in
      self.drain()
      return try self.transactHere(at: moment, closing: closing, key: key, body)
    }
  }

  /// Folds what other processes appended, and tells the observers if that changed the state.
  ///
  /// Every commit does this first; this is for whoever only looks.
  ///
  /// - Returns: The sequence that ``state`` then stands after.
  /// - Complexity: O(records appended by others since); O(1) if there are none.
  /// - Throws: `incompatible` if another build that reduces otherwise has written, which closes
  ///   this store for writing; `damaged`; `reentrant` from an observer.
  @discardableResult
  public func catchUp() throws(StoreError) -> UInt64 {
    try refuseReentrancy("catchUp")
    try storage.performWriting { () throws(StoreError) in try self.catchUpHere() }
    return sequence
  }

  /// Closes the session with a `sessionClosed` record that carries the state hash, and the log.
  ///
  /// A session that sent nothing writes nothing. Later calls do nothing. Effects are cancelled
  /// without a record: what is in flight stays so in the log, and whoever opens the store next
  /// settles it. Wait for ``Receipt/settled()`` first where that is not wanted.
  ///
  /// - Throws: `commitOutcomeUnknown` or `storageFailed`, or the failure of what was enqueued if
  ///   ``flush()`` has not told it; the store is closed all the same.
  public func close() throws(StoreError) {
    try refuseReentrancy("close")
    let wasClosed = queue.withLock { queue in
      defer { queue.isClosed = true }
      return queue.isClosed
    }
    guard !wasClosed else { return }
    stopFollowing()
    defer {
      effects.stop(.closed)
      storage.close()
    }
    try storage.performWriting { () throws(StoreError) in
      self.drain()
      try self.commit([], closing: true)
      try self.commitWaiting()
      try self.engine.withLock { (engine) throws(StoreError) in
        try engine.leaveSession(in: self.storage)
      }
      if let failure = self.takeFailure() { throw failure }
    }
  }
}
