public import Retrace
public import RetraceStorage

extension Store {
  // MARK: Batches

  /// Sends actions as one batch, and returns when they are durable.
  ///
  /// An app with commands sends only what happened in its scenes; ``perform(_:from:key:)`` is the
  /// way to facts.
  ///
  /// The moment of the batch is the time of the call. An empty batch writes nothing.
  ///
  /// A batch sent again with the same key is appended once: the second call returns the latest
  /// state and the sequences of the first call, and runs no effects. So a caller can repeat a
  /// send that failed or had an unknown outcome, also from another process or after reopening. The
  /// log keeps the last million keys.
  ///
  /// If the task is cancelled while the batch waits in the queue, the batch is removed and nothing
  /// is recorded. After its commit has begun, a cancellation has no effect, and the receipt is
  /// returned.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch.
  ///   - key: The idempotency key of the batch, 1 to 64 bytes of UTF-8.
  /// - Complexity: O(bytes encoded) plus the reducer's; two disk flushes, shared with all batches
  ///   of the group.
  /// - Throws: `invalidRecord` if the app has commands and an action is a fact or asks for a
  ///   command; `recordTooLarge` and `overloaded` before anything is queued; `cancelled` with
  ///   nothing recorded; `keyReused` if the key belongs to a batch with other actions; `diskFull`
  ///   with nothing written, so that the batch can be sent again when there is room;
  ///   `commitOutcomeUnknown` when the disk failed and only reopening shows the outcome; `closed`.
  ///   Batches queued after a failed batch are refused with its error.
  @discardableResult
  public func send(
    _ actions: [App.SceneAction], key: String? = nil
  ) async throws(StoreError) -> Receipt<App> {
    if Task.isCancelled { throw StoreError.cancelled }
    return try await queue(actions, key: key).receipt()
  }

  /// Sends one action, and returns when it is durable; see ``send(_:key:)-([App.SceneAction],_)``.
  @discardableResult
  public func send(
    _ action: App.SceneAction, key: String? = nil
  ) async throws(StoreError) -> Receipt<App> {
    try await send([action], key: key)
  }

  /// Sends actions as one batch and blocks until they are durable.
  ///
  /// It is never refused as `overloaded`, because a blocked thread sends nothing more. If the
  /// writer is idle, the calling thread reduces, commits and notifies the observers itself, on its
  /// own stack.
  ///
  /// - Throws: As ``send(_:key:)-([App.SceneAction],_)``; `reentrant` from an observer.
  @discardableResult
  public func sendBlocking(
    _ actions: [App.SceneAction], key: String? = nil
  ) throws(StoreError) -> Receipt<App> {
    try writer.refuseReentrancy("sendBlocking")
    return try writer.commitBlocking(try writer.encode(sent: actions, key: key, isAwaited: true))
  }

  /// Queues a batch and returns at once; ``flush()`` waits until it is durable.
  ///
  /// The position of the batch among all batches is fixed when the call returns. If an enqueued
  /// batch cannot be committed, every later call is refused with that error until ``flush()`` has
  /// thrown the error.
  ///
  /// - Parameters:
  ///   - actions: The actions of the batch.
  ///   - key: The idempotency key of the batch; see ``send(_:key:)-([App.SceneAction],_)``.
  /// - Throws: `overloaded` when the queue is at a limit of the configuration; `closed`;
  ///   `recordTooLarge`.
  public func enqueue(_ actions: [App.SceneAction], key: String? = nil) throws(StoreError) {
    try writer.push(try writer.encode(sent: actions, key: key), bounded: true)
  }

  /// Queues a batch, for a caller that waits for its receipt.
  func queue(_ actions: [App.SceneAction], key: String? = nil) throws(StoreError) -> SentBatch<App>
  {
    SentBatch(try writer.encode(sent: actions, key: key), to: writer)
  }

  /// Returns when everything enqueued before is durable, including actions that effects have
  /// already returned.
  ///
  /// It does not wait for effects that still run. Cancelling the task does not end the wait,
  /// because what was enqueued is committed anyway.
  ///
  /// - Throws: The first error of an enqueued batch, if one failed since the last call. The store
  ///   then accepts actions again, unless the failure closed it for writing.
  public func flush() async throws(StoreError) {
    let writer = writer
    try await run { access throws(StoreError) in try writer.flush(access) }
  }

  /// Blocks until everything enqueued before is durable; see ``flush()``.
  ///
  /// - Throws: As ``flush()``; `reentrant` from an observer.
  public func flushBlocking() throws(StoreError) {
    try writer.refuseReentrancy("flushBlocking")
    try storage.performWriting { access throws(StoreError) in try self.writer.flush(access) }
  }

  /// Folds records of other processes, and notifies the observers if the state changed.
  ///
  /// Every commit does this first; only programs that just read need to call it.
  ///
  /// - Returns: The sequence of ``state`` afterwards.
  /// - Complexity: O(records of other processes that are not folded yet), at least O(1).
  /// - Throws: `incompatible` if a build with another reducer has written, which closes this store
  ///   for writing; `damaged`.
  @discardableResult
  public func catchUp() async throws(StoreError) -> UInt64 {
    let writer = writer
    try await run { access throws(StoreError) in try writer.catchUp(access) }
    return sequence
  }

  /// Folds records of other processes, blocking the thread; see ``catchUp()``.
  ///
  /// - Throws: As ``catchUp()``; `reentrant` from an observer.
  @discardableResult
  public func catchUpBlocking() throws(StoreError) -> UInt64 {
    try writer.refuseReentrancy("catchUpBlocking")
    try storage.performWriting { access throws(StoreError) in try self.writer.catchUp(access) }
    return sequence
  }

  /// Runs a job on the writer's thread and returns its result.
  func run<Value: Sendable>(
    _ job: @escaping @Sendable (borrowing LogWriter.Access) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
      storage.submitWriting { access in
        do throws(StoreError) {
          continuation.resume(returning: .success(try job(access)))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  // MARK: Durability

  /// The sizes of the queue and the last sequences, at this moment.
  public var statistics: StoreStatistics {
    let (actions, bytes) = writer.queue.size
    // Read first: a record committed in between is then published too.
    let durable = durableSequence
    return StoreStatistics(
      queuedActions: actions, queuedBytes: bytes, sequence: sequence, durableSequence: durable)
  }

  /// The sequence of the last record known to be on stable storage; 0 for a store in memory.
  public var durableSequence: UInt64 { writer.durableSequence }

  /// Returns the sequences of the batch that was sent with a key; `nil` if the log has none.
  ///
  /// After a commit with an unknown outcome, open the store again and call this, or send the batch
  /// again with its key. The log keeps the last million keys.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: `storageFailed`, `damaged`.
  public func sequences(ofKey key: String) throws(StoreError) -> Range<UInt64>? {
    try storage.batch(ofKey: key)?.sequences
  }
}

/// The statistics of an open store.
///
/// ```swift
/// let statistics: StoreStatistics = store.statistics
/// print(statistics.queuedActions == 0 && statistics.durableSequence == statistics.sequence)
/// ```
public struct StoreStatistics: Hashable, Sendable {
  /// The number of actions that wait for their commit to begin.
  public var queuedActions: Int
  /// The number of bytes of these actions when encoded.
  public var queuedBytes: Int
  /// The sequence of the last record folded into the state.
  public var sequence: UInt64
  /// The sequence of the last record known to be on stable storage.
  public var durableSequence: UInt64

  /// Creates statistics.
  public init(queuedActions: Int, queuedBytes: Int, sequence: UInt64, durableSequence: UInt64) {
    self.queuedActions = queuedActions
    self.queuedBytes = queuedBytes
    self.sequence = sequence
    self.durableSequence = durableSequence
  }
}
