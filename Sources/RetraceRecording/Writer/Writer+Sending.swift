import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSchema
import RetraceState
import RetraceStorage
import Synchronization

/// The way of a batch from its sender into a group.
extension Writer {
  /// Encodes actions as a batch, on the sender's thread.
  func encode(
    _ actions: [App.Action], key: String? = nil, at moment: Moment? = nil, isAwaited: Bool = false
  ) throws(StoreError) -> PendingBatch<App> {
    var encoded: [UInt8] = []
    let longest = App.encode(actions, into: &encoded)
    guard longest <= LogFormat.actionBytes else {
      throw StoreError.recordTooLarge(bytes: longest)
    }
    if longest >= limits.fewestBytes { try refuseBeyondLimits(encoded.span) }
    // With the lengths, by which it is noted and would be recorded as crashed.
    let bytes = encoded.count
    guard bytes <= LogFormat.batchBytes else { throw StoreError.batchTooLarge(bytes: bytes) }
    let payloads = EncodedActions(bytes: encoded)
    var batchKey: BatchKey?
    if let key { batchKey = try BatchKey(key, of: payloads) }
    return PendingBatch<App>(
      actions: actions, encoded: payloads, bytes: bytes, moment: moment ?? configuration.clock(),
      key: batchKey, isAwaited: isAwaited)
  }

  /// Refuses encoded actions that could not be read back, each preceded by its length.
  private func refuseBeyondLimits(_ actions: Span<UInt8>) throws(StoreError) {
    var reader = AvroReader(actions)
    do throws(AvroError) {
      while !reader.isAtEnd {
        let count = Int(try reader.littleEndian32())
        try limits.check(try reader.raw(count))
      }
    } catch {
      throw StoreError.beyondLimits(error)
    }
  }

  /// Puts a batch into the queue.
  ///
  /// - Parameters:
  ///   - bounded: Whether it is refused if much waits.
  ///   - submits: Whether the writer is told; a caller that then has it drain the queue and waits
  ///     for that need not wake it twice.
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

  /// Takes a batch back that has not begun, and refuses it as cancelled.
  func cancel(_ batch: PendingBatch<App>) {
    if queue.remove(batch) { batch.completion?(.failure(.cancelled)) }
  }

  /// Commits everything that is queued, in groups; what arrives meanwhile goes into the next one.
  ///
  /// - Parameter outcome: What the caller waits for, if that is all: the rest is then left to the
  ///   writer's thread.
  func drain(_ access: borrowing LogWriter.Access, until outcome: Outcome<App>? = nil) {
    while true {
      if outcome?.isKnown == true {
        if queue.isScheduled { log.submitWriting { access in self.drain(access) } }
        return
      }
      let (batches, isBusy) = queue.takeGroup()
      guard !batches.isEmpty else { return }
      do throws(StoreError) {
        // What was enqueued after a batch that failed must not be there without it.
        if let failure = queue.failure { throw failure }
        let advance = try commit(batches, closing: false, isBusy: isBusy, access)
        for (position, outcome) in advance.outcomes { batches[position].completion?(outcome) }
      } catch {
        refuse(batches, for: error)
      }
    }
  }

  /// Commits a batch on the caller's thread.
  ///
  /// - Returns: `nil`, with nothing done, if anything else is queued or being written: then the
  ///   batch goes into a group.
  func commitAtOnce(_ batch: PendingBatch<App>) throws(StoreError) -> Receipt<App>? {
    guard !batch.isEmpty else { return nil }
    var receipt: Receipt<App>?
    _ = try log.tryWriting { (access) throws(StoreError) in
      guard try queue.allowsSendingAtOnce() else { return }
      do throws(StoreError) {
        receipt = try commit([batch], closing: false, access).receiptOfOnly()
      } catch {
        refuse([batch], for: error)
        throw error
      }
    }
    return receipt
  }

  /// Commits everything that was enqueued, and what waits.
  ///
  /// - Throws: The failure of what was enqueued.
  func flush(_ access: borrowing LogWriter.Access) throws(StoreError) {
    drain(access)
    try commitWaiting(access)
    if let failure = takeFailure() { throw failure }
  }

  /// Refuses batches of a commit that failed, and all that were queued behind them.
  func refuse(_ batches: [PendingBatch<App>], for error: StoreError) {
    let refused = queue.refuse(
      batches, for: error, isClosedForWriting: log.isClosedForWriting)
    for batch in refused { batch.completion?(.failure(error)) }
  }

  /// The failure of what was enqueued, which is then forgotten unless the store takes nothing more.
  func takeFailure() -> StoreError? { queue.takeFailure(isFinal: log.isClosedForWriting) }
}

/// A batch that a task sends, and may take back.
final class SentBatch<App: ReplayableApp>: Sendable {
  private struct State {
    var batch: PendingBatch<App>?
    var isCancelled = false
  }

  private let writer: Writer<App>
  private let state = Mutex(State())

  init(_ writer: Writer<App>) { self.writer = writer }

  /// Puts the batch into the queue.
  func send(_ batch: PendingBatch<App>) {
    do throws(StoreError) {
      try writer.push(batch, bounded: true)
    } catch {
      batch.completion?(.failure(error))
      return
    }
    let isCancelled = state.withLock { state in
      state.batch = batch
      return state.isCancelled
    }
    if isCancelled { writer.cancel(batch) }
  }

  /// Takes the batch out of the queue, if its commit has not begun.
  func cancel() {
    let batch = state.withLock { state in
      state.isCancelled = true
      return state.batch
    }
    if let batch { writer.cancel(batch) }
  }
}
