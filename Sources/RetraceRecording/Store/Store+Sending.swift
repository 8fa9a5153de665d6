public import RetraceArchitecture
import RetracePlatform
public import RetraceStorage
import Synchronization

extension Store {
  /// Sends actions as one batch and returns when they are durable.
  ///
  /// The moment is sampled when this is called. An empty batch writes nothing.
  ///
  /// - Complexity: O(bytes encoded) plus the reducer's; two disk flushes, shared with whatever else
  ///   is queued.
  /// - Throws: `recordTooLarge` before anything is queued; `commitOutcomeUnknown` when the disk
  ///   failed and reopening must tell; `closed`; `reentrant` from an observer.
  @discardableResult
  public func send(_ actions: [App.Action]) async throws(StoreError) -> Receipt<App> {
    try refuseReentrancy("send")
    let batch = try encode(actions)
    let result: Result<Receipt<App>, StoreError> = await withCheckedContinuation { continuation in
      let pending = batch.completing { continuation.resume(returning: $0) }
      do throws(StoreError) {
        try self.push(pending, bounded: false)
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Sends one action and returns when it is durable; see ``send(_:)-([App.Action])``.
  @discardableResult
  public func send(_ action: App.Action) async throws(StoreError) -> Receipt<App> {
    try await send([action])
  }

  /// Sends actions as one batch and blocks until they are durable.
  ///
  /// - Throws: As the asynchronous form does.
  @discardableResult
  public func sendBlocking(_ actions: [App.Action]) throws(StoreError) -> Receipt<App> {
    try refuseReentrancy("sendBlocking")
    let outcome = Outcome<App>()
    try push(try encode(actions).completing { outcome.set($0) }, bounded: false)
    storage.writer.perform { self.drain() }
    return try outcome.get()
  }

  /// Fixes the order of a batch and returns; ``flush()`` tells when it is durable.
  ///
  /// - Throws: `overloaded` when more actions wait than the configuration allows; `closed`;
  ///   `recordTooLarge`.
  public func enqueue(_ actions: [App.Action]) throws(StoreError) {
    try push(try encode(actions), bounded: true)
  }

  /// Blocks until everything that was enqueued before is durable, answers of effects included
  /// that were there by then; effects that still run are not waited for.
  ///
  /// - Throws: The first error of a batch that was enqueued, if one failed.
  public func flush() throws(StoreError) {
    try refuseReentrancy("flush")
    storage.writer.perform { self.drain() }
    if let failure = queue.withLock({ $0.failure }) { throw failure }
  }

  /// Decides on the latest state what to append, inside the write transaction.
  ///
  /// No other process can append between the body's look at the state and the commit.
  ///
  /// - Parameters:
  ///   - closing: Whether the session is closed in the same commit, as a one-shot command does.
  ///   - body: Answers the actions of the batch; what it throws appends nothing.
  /// - Throws: ``TransactionError``.
  @discardableResult
  public func transact<Refusal: Error>(
    closing: Bool = false,
    _ body: @Sendable (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    do throws(StoreError) { try refuseReentrancy("transact") } catch { throw .store(error) }
    let moment = configuration.clock()
    return try storage.writer.perform {
      () throws(TransactionError<Refusal>) -> Receipt<App> in
      self.drain()
      return try self.transactHere(at: moment, closing: closing, body)
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
    try storage.writer.perform { () throws(StoreError) in try self.catchUpHere() }
    return sequence
  }

  /// Closes the session with a `sessionClosed` record that carries the state hash, and the log.
  ///
  /// A session that sent nothing writes nothing. Later calls do nothing. Effects are cancelled
  /// without a record: what is in flight stays so in the log, and whoever opens the store next
  /// settles it. Wait for ``Receipt/settled()`` first where that is not wanted.
  ///
  /// - Throws: `commitOutcomeUnknown` or `storageFailed`; the store is closed all the same.
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
    try storage.writer.perform { () throws(StoreError) in
      self.drain()
      _ = try self.commit([], closing: true)
      try self.engine.withLock { (engine) throws(StoreError) in
        try engine.leaveSession(in: self.storage)
      }
    }
  }
}
