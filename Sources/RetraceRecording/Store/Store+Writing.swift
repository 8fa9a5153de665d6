import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage
import Synchronization

extension Store {
  func recover() throws(StoreError) {
    var sequences: [UInt64] = []
    _ = try advance { (engine) throws(StoreError) in
      sequences = try engine.settle(in: storage)
      return Advance()
    }
    recoveredSequences.withLock { $0 = sequences }
    do throws(StoreError) {
      if try settleEndedEffects() { watchForeignEffects() }
    } catch {
      // They are in flight still; a full disk keeps nobody from opening the store.
      guard error.code == .diskFull, !storage.isClosedForWriting else { throw error }
      watchForeignEffects()
    }
  }

  func transactHere<Refusal: Error>(
    at moment: Moment, closing: Bool, key: String?,
    _ body: (borrowing App.State, Moment) throws(Refusal) -> [App.Action]
  ) throws(TransactionError<Refusal>) -> Receipt<App> {
    var refusal: Refusal?
    do throws(StoreError) {
      if let failure = queue.withLock({ $0.failure }) { throw failure }
      let advance = try advance { (engine) throws(StoreError) in
        refusal = nil
        return try engine.transact(
          closing: closing, key: key, to: storage
        ) { state throws(StoreError) in
          let actions: [App.Action]
          do throws(Refusal) {
            actions = try body(state, moment)
          } catch {
            refusal = error
            return .empty(at: moment)
          }
          return try self.encode(actions, key: key, at: moment)
        }
      }
      if advance.hasAnswered { return try advance.receiptOfOnly() }
    } catch {
      throw .store(error)
    }
    if let refusal { throw .refused(refusal) }
    return latest.emptyReceipt
  }

  func catchUpHere() throws(StoreError) {
    _ = try advance { (engine) throws(StoreError) in
      try engine.catchUp(in: storage)
      return Advance()
    }
  }

  /// Commits everything that is queued, in groups; what arrives meanwhile goes into the next one.
  ///
  /// - Parameter outcome: What the caller waits for, if that is all: the rest is then left to the
  ///   writer's thread.
  func drain(until outcome: Outcome<App>? = nil) {
    while true {
      if outcome?.isKnown == true {
        if queue.withLock({ $0.isScheduled }) { storage.writer.submit { self.drain() } }
        return
      }
      let (batches, isBusy) = queue.withLock { queue in
        let group = queue.takeGroup(
          bytes: configuration.groupBytes, actions: configuration.groupActions,
          batches: configuration.groupBatches)
        return (group, queue.isScheduled)
      }
      guard !batches.isEmpty else { return }
      do throws(StoreError) {
        // What was enqueued after a batch that failed must not be there without it.
        if let failure = queue.withLock({ $0.failure }) { throw failure }
        let advance = try commit(batches, closing: false, isBusy: isBusy)
        for (position, outcome) in advance.outcomes { batches[position].completion?(outcome) }
      } catch {
        refuse(batches, for: error)
      }
    }
  }

  /// Commits a batch on the caller's thread; answers `nil`, with nothing done, if anything else is
  /// queued or being written: then it goes into a group.
  func commitAtOnce(_ batch: PendingBatch<App>) throws(StoreError) -> Receipt<App>? {
    guard !batch.isEmpty else { return nil }
    var receipt: Receipt<App>?
    _ = try storage.tryWriting { () throws(StoreError) in
      let isAlone = try queue.withLock { (queue) throws(StoreError) in
        try queue.refuseIfEnded()
        return queue.isEmpty
      }
      guard isAlone else { return }
      do throws(StoreError) {
        receipt = try commit([batch], closing: false).receiptOfOnly()
      } catch {
        refuse([batch], for: error)
        throw error
      }
    }
    return receipt
  }

  /// Commits batches.
  @discardableResult
  func commit(
    _ batches: [PendingBatch<App>], closing: Bool, isBusy: Bool = false
  ) throws(StoreError) -> Advance<App> {
    let isObserved =
      wasObserved.load(ordering: .relaxed) && observers.withLock { !$0.bodies.isEmpty }
    let advance = try advance { (engine) throws(StoreError) in
      try engine.commit(
        batches, closing: closing, in: .init(isObserved: isObserved, isBusy: isBusy), to: storage)
    }
    // A batch alone is a group however long it is.
    if batches.count > 1 {
      queue.withLock { $0.pace.note(advance.actions, took: advance.nanoseconds) }
    }
    return advance
  }

  /// Lets the engine work, and publishes what that led to: what others appended is published also
  /// when the work itself failed.
  func advance(
    _ work: (inout Engine<App>) throws(StoreError) -> Advance<App>
  ) throws(StoreError) -> Advance<App> {
    var turn = Turn()
    engine.withLock { engine in
      turn.work(work, of: &engine)
      if engine.hasFault {
        switch engine.result(of: { (engine) throws(StoreError) in try engine.refold(in: storage) })
        {
        case .failure(let error): turn.end(nil, error)
        case .success(let use):
          self.use.withLock { $0 = use }
          // What was committed was sound; what was not is tried on the state that is.
          if turn.advance?.batches ?? 0 == 0 { turn.work(work, of: &engine) }
        }
      }
      if storage.isDeferring { engine.trackDurability(in: storage) }
      turn.latest = Published(engine.fold, pages: engine.keeper.pages)
      turn.caughtUp = engine.takeCaughtUp()
      turn.isOpen = engine.committed.session != nil
      turn.mayHaveToSave = engine.mayHaveToSave
    }
    publish(turn)
    if turn.mayHaveToSave { saveIfDue() }
    followDurability()
    let latest = turn.latest ?? self.latest
    let causes = turn.isOpen && turn.advance?.hasEffects == true
    // Whatever may wait for its commit, the cause of what happens outside may not.
    if causes { try commitWaiting() }
    if causes || !effects.isIdle {
      // The effects of a session that has just ended are for whoever finds it ended.
      let receipts = turn.isOpen ? turn.advance?.answered.map { $0.receipt } ?? [] : []
      effects.published(receipts, inFlight: latest.inFlight, answer: answerTaker)
    }
    if turn.caughtUp != nil && !latest.inFlight.isEmpty { watchForeignEffects() }
    guard let advance = turn.advance else { throw turn.failure ?? .closed }
    return advance
  }

  /// What the engine did in its turn, and what is to be shown then; nothing in it is as large as a
  /// state.
  private struct Turn {
    var advance: Advance<App>?
    var failure: StoreError?
    /// What others appended led to, if they did.
    var caughtUp: Published?
    var latest: Published?
    /// Whether the session goes on.
    var isOpen = false
    var mayHaveToSave = false

    mutating func end(_ advance: Advance<App>?, _ failure: StoreError?) {
      (self.advance, self.failure) = (advance, failure)
    }

    mutating func work(
      _ work: (inout Engine<App>) throws(StoreError) -> Advance<App>, of engine: inout Engine<App>
    ) {
      do throws(StoreError) {
        end(try work(&engine), nil)
      } catch {
        end(nil, error)
      }
    }
  }

  /// Saves the state if it is time; one that then reads its pages from elsewhere is published so,
  /// that those it read them from before need not be kept.
  private func saveIfDue() {
    let renewed = engine.withLock { engine -> Published? in
      let pages = engine.keeper.pages
      engine.saveIfDue(in: storage, isBusy: queue.withLock { $0.isScheduled })
      guard engine.keeper.pages !== pages else { return nil }
      return Published(engine.fold, pages: engine.keeper.pages)
    }
    if let renewed { published.withLock { $0 = renewed } }
  }

  /// Publishes a state, and tells the observers all that led to it.
  private func publish(_ turn: borrowing Turn) {
    guard let latest = turn.latest else { return }
    let before = published.withLock { published in
      defer { published = latest }
      return published
    }
    // What nobody holds any more is let go of where there is time for it.
    if turn.advance?.isLarge == true { reducer.submit { withExtendedLifetime(before) {} } }
    guard wasObserved.load(ordering: .sequentiallyConsistent) else { return }
    let bodies = observers.withLock { $0.bodies }
    guard bodies.count > 0 else { return }
    tell(bodies, of: turn, from: before, to: latest)
  }

  private func tell(
    _ bodies: [@Sendable (App.State) -> Void], of turn: borrowing Turn, from before: Published,
    to latest: Published
  ) {
    var states: [App.State] = []
    if let caughtUp = turn.caughtUp { states.append(caughtUp.state) }
    if let advance = turn.advance {
      states += advance.answered.map { $0.receipt.state }
      // For an observer that came meanwhile.
      if advance.answered.count < advance.batches { states.append(latest.state) }
    }
    guard !states.isEmpty else { return }
    var previous = before.state
    for state in states where state != previous {
      for body in bodies { body(state) }
      previous = state
    }
    guard !isSound, (try? refoldHere()) != nil else { return }
    let state = self.state
    for body in bodies { body(state) }
  }

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
    let empty = batch.isEmpty
    let schedules = try queue.withLock { (queue) throws(StoreError) -> Bool in
      try queue.refuseIfEnded()
      if bounded
        && (queue.actionCount >= configuration.queueLimit
          || queue.bytes >= configuration.queueBytesLimit)
      {
        throw StoreError.overloaded(actions: queue.actionCount, bytes: queue.bytes)
      }
      if empty { return false }
      queue.append(batch)
      defer { queue.isScheduled = true }
      return !queue.isScheduled
    }
    if empty {
      batch.completion?(.success(latest.emptyReceipt))
    } else if schedules && submits {
      storage.writer.submit { self.drain() }
    }
  }

  func refuseReentrancy(_ call: String) throws(StoreError) {
    if storage.writer.isCurrent { throw StoreError.reentrant(call) }
  }
}
