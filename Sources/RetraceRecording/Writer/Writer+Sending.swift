import Retrace
import RetraceStorage
import RetraceSystem

/// Passing a batch from its sender to a group.
extension Writer {
  /// Encodes the actions that a caller sends as a batch, on the caller's thread.
  func encode(
    sent actions: [App.SceneAction], key: String? = nil, at moment: Moment? = nil,
    isAwaited: Bool = false
  ) throws(StoreError) -> PendingBatch<App> {
    guard let actions = App._sent(actions) else { throw StoreError.notFromScene }
    return try encode(actions, key: key, at: moment, isAwaited: isAwaited)
  }

  /// Encodes actions as a batch, on the sender's thread.
  func encode(
    _ actions: [App.Action], key: String? = nil, at moment: Moment? = nil, isAwaited: Bool = false
  ) throws(StoreError) -> PendingBatch<App> {
    let payloads = try encoder.encode(actions)
    var batchKey: BatchKey?
    if let key { batchKey = try BatchKey(key, of: payloads) }
    return PendingBatch<App>(
      actions: actions, encoded: payloads, bytes: payloads.bytes.count,
      moment: moment ?? configuration.clock(), key: batchKey, isAwaited: isAwaited)
  }

  /// Appends a batch to the queue.
  ///
  /// - Parameters:
  ///   - bounded: Whether the batch is refused if the queue is full.
  ///   - submits: Whether a job of the writer is submitted; `false` if the caller drains the queue
  ///     itself, which saves a wake-up.
  func push(
    _ batch: PendingBatch<App>, bounded: Bool, submits: Bool = true
  ) throws(StoreError) {
    let schedules = try queue.push(batch, bounded: bounded)
    if batch.isEmpty {
      batch.completion?(.success(publisher.latest.emptyReceipt))
    } else if schedules && submits {
      log.submitWriting { access in self.drain(access) }
    }
  }

  /// Removes a batch whose commit has not begun, and refuses it as cancelled.
  func cancel(_ batch: PendingBatch<App>) {
    if queue.remove(batch) { batch.completion?(.failure(.cancelled)) }
  }

  /// Commits everything that is queued, in groups; batches that arrive meanwhile go into the next
  /// one.
  ///
  /// - Parameter outcome: The only outcome that the caller waits for, if any. Once it is known, the
  ///   rest is left to the writer's thread.
  func drain(_ access: borrowing LogWriter.Access, until outcome: OutcomeBox<App>? = nil) {
    // `commitQueued` instantiates generic types at run time, so it is called only for batches.
    if !queue.isDrained() { commitQueued(access, until: outcome) }
  }

  private func commitQueued(_ access: borrowing LogWriter.Access, until outcome: OutcomeBox<App>?) {
    while !queue.isDrained() {
      if outcome?.isKnown == true {
        if queue.isScheduled { log.submitWriting { access in self.drain(access) } }
        return
      }
      let (batches, hasMoreQueued) = queue.takeGroup()
      // The batches that waited may have been cancelled meanwhile.
      guard batches.count > 0 else { continue }
      do throws(StoreError) {
        // A batch must not be committed if a batch enqueued before it failed.
        if let failure = queue.failure { throw failure }
        let result = try commit(batches, closing: false, hasMoreQueued: hasMoreQueued, access)
        for (position, outcome) in result.outcomes { batches[position].completion?(outcome) }
      } catch {
        refuse(batches, for: error)
      }
    }
  }

  /// Commits a batch, blocking the thread until the outcome is known.
  func commitBlocking(_ batch: PendingBatch<App>) throws(StoreError) -> Receipt<App> {
    if let receipt = try commitUnqueued(batch) { return receipt }
    let outcome = OutcomeBox<App>()
    try push(batch.completing { outcome.set($0) }, bounded: false, submits: false)
    log.performWriting { access in self.drain(access, until: outcome) }
    return try outcome.get()
  }

  /// Commits a batch on the caller's thread.
  ///
  /// - Returns: The receipt; `nil`, with nothing done, if the batch is empty, or if another one is
  ///   queued or being written. The caller then queues the batch.
  func commitUnqueued(_ batch: PendingBatch<App>) throws(StoreError) -> Receipt<App>? {
    guard !batch.isEmpty else { return nil }
    var receipt: Receipt<App>?
    _ = try log.tryWriting { (access) throws(StoreError) in
      guard try queue.allowsUnqueuedCommit() else { return }
      let result: CommitResult<App>
      do throws(StoreError) {
        result = try commit([batch], closing: false, access)
      } catch {
        refuse([batch], for: error)
        throw error
      }
      // A reused key refuses this batch, and none that were queued during the commit.
      receipt = try result.singleReceipt()
    }
    return receipt
  }

  /// Commits all queued batches, and with relaxed durability all records that wait for a commit.
  ///
  /// - Throws: The failure of an enqueued batch.
  func flush(_ access: borrowing LogWriter.Access) throws(StoreError) {
    drain(access)
    try commitWaiting(access)
    if let failure = takeFailure() { throw failure }
  }

  /// Refuses the batches of a failed commit and all batches queued after them.
  func refuse(_ batches: [PendingBatch<App>], for error: StoreError) {
    let refused = queue.refuse(
      batches, for: error, isClosedForWriting: log.isClosedForWriting)
    for batch in refused { batch.completion?(.failure(error)) }
  }

  /// Takes the failure of enqueued batches, which is then forgotten unless the store is closed for
  /// writing.
  func takeFailure() -> StoreError? { queue.takeFailure(isFinal: log.isClosedForWriting) }
}

/// A batch in the queue, whose outcome a task waits for.
final class SentBatch<App: ReplayableApp>: Sendable {
  private let writer: Writer<App>
  private let batch: PendingBatch<App>
  private let arrival = Arrival<Result<Receipt<App>, StoreError>>()

  /// Queues a batch: its position among all batches is fixed from here on.
  ///
  /// - Parameter bounded: Whether the batch is refused if the queue is full.
  init(_ batch: PendingBatch<App>, to writer: Writer<App>, bounded: Bool = true) {
    self.writer = writer
    let arrival = arrival
    self.batch = batch.completing { arrival.put($0) }
    do throws(StoreError) {
      try writer.push(self.batch, bounded: bounded)
    } catch {
      arrival.put(.failure(error))
    }
  }

  /// Waits for the receipt.
  ///
  /// If the task is cancelled before the commit begins, the batch is removed from the queue and
  /// refused as cancelled.
  func receipt() async throws(StoreError) -> Receipt<App> {
    try await arrival.value(onCancel: { self.writer.cancel(self.batch) }).get()
  }
}
