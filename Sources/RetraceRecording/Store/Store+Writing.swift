import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage
import Synchronization

extension Store {
  func recover() throws(StoreError) {
    let (sequences, sequence) = try engine.withLock { (engine) throws(StoreError) in
      (try engine.recover(in: storage), engine.fold.sequence)
    }
    recoveredSequences.withLock { $0 = sequences }
    published.withLock { $0.sequence = sequence }
  }

  func transactHere<Refusal: Error>(
    at moment: Moment, closing: Bool,
    _ body: (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    let current = published.withLock { $0 }
    let actions: [App.Action]
    do throws(Refusal) {
      actions = try body(current.state, moment)
    } catch {
      throw .refused(error)
    }
    do throws(StoreError) {
      if let failure = queue.withLock({ $0.failure }) { throw failure }
      let batch = try encode(actions, at: moment)
      guard !batch.actions.isEmpty else { return current.emptyReceipt }
      return try commit([batch], closing: closing)[0]
    } catch {
      throw .store(error)
    }
  }

  /// Commits everything that is queued, in groups; what arrives meanwhile goes into the next one.
  func drain() {
    while true {
      let batches = queue.withLock { $0.takeGroup(bytes: configuration.groupBytes) }
      guard !batches.isEmpty else { return }
      do throws(StoreError) {
        // What was enqueued after a batch that failed must not be there without it.
        if let failure = queue.withLock({ $0.failure }) { throw failure }
        let receipts = try commit(batches, closing: false)
        for (batch, receipt) in zip(batches, receipts) { batch.completion(.success(receipt)) }
      } catch {
        queue.withLock { if $0.failure == nil { $0.failure = error } }
        for batch in batches { batch.completion(.failure(error)) }
      }
    }
  }

  func commit(
    _ batches: [PendingBatch<App>], closing: Bool
  ) throws(StoreError) -> [Receipt<App>] {
    let (receipts, sequence) = try engine.withLock { (engine) throws(StoreError) in
      (try engine.commit(batches, closing: closing, to: storage), engine.fold.sequence)
    }
    publish(receipts, upTo: sequence)
    return receipts
  }

  func publish(_ receipts: [Receipt<App>], upTo sequence: UInt64) {
    guard let last = receipts.last else { return }
    let before = published.withLock { published in
      defer { published = Published(state: last.state, sequence: sequence) }
      return published.state
    }
    let bodies = observers.withLock { $0.bodies }
    guard !bodies.isEmpty else { return }
    var previous = before
    for receipt in receipts where receipt.state != previous {
      for body in bodies { body(receipt.state) }
      previous = receipt.state
    }
  }

  func encode(
    _ actions: [App.Action], at moment: Moment? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    var writer = AvroWriter(capacity: 256)
    var payloads: [[UInt8]] = []
    payloads.reserveCapacity(actions.count)
    var bytes = 0
    for action in actions {
      writer.removeAll()
      action.encode(into: &writer)
      guard writer.count <= LogFormat.actionBytes else {
        throw StoreError.recordTooLarge(bytes: writer.count)
      }
      payloads.append(writer.bytes)
      // With its length, by which it is noted and would be recorded as crashed.
      bytes += writer.count + 4
    }
    guard bytes <= LogFormat.batchBytes else { throw StoreError.batchTooLarge(bytes: bytes) }
    return PendingBatch(
      actions: actions, payloads: payloads, bytes: bytes,
      moment: moment ?? configuration.clock())
  }

  func push(_ batch: PendingBatch<App>, bounded: Bool) throws(StoreError) {
    let empty = batch.actions.isEmpty
    let schedules = try queue.withLock { (queue) throws(StoreError) -> Bool in
      if queue.isClosed { throw StoreError.closed }
      if let failure = queue.failure { throw failure }
      if bounded && queue.actionCount >= configuration.queueLimit {
        throw StoreError.overloaded(limit: configuration.queueLimit)
      }
      if empty { return false }
      queue.batches.append(batch)
      queue.actionCount += batch.actions.count
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    if empty {
      batch.completion(.success(published.withLock { $0.emptyReceipt }))
    } else if schedules {
      storage.writer.submit { self.drain() }
    }
  }

  func refuseReentrancy(_ call: String) throws(StoreError) {
    if storage.writer.isCurrent { throw StoreError.reentrant(call) }
  }
}
