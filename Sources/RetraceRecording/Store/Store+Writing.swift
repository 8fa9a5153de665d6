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
      if let (_, outcome) = advance.outcomes.first { return try outcome.get() }
    } catch {
      throw .store(error)
    }
    if let refusal { throw .refused(refusal) }
    return published.withLock { $0.emptyReceipt }
  }

  func catchUpHere() throws(StoreError) {
    _ = try advance { (engine) throws(StoreError) in
      try engine.catchUp(in: storage)
      return Advance()
    }
  }

  /// Commits everything that is queued, in groups; what arrives meanwhile goes into the next one.
  func drain() {
    while true {
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
        for (position, outcome) in try commit(batches, closing: false, isBusy: isBusy) {
          batches[position].completion?(outcome)
        }
      } catch {
        refuse(batches, for: error)
      }
    }
  }

  /// Commits batches; answers what became of each that somebody waits for.
  func commit(
    _ batches: [PendingBatch<App>], closing: Bool, isBusy: Bool = false
  ) throws(StoreError) -> [(position: Int, outcome: Result<Receipt<App>, StoreError>)] {
    let isObserved = observers.withLock { !$0.bodies.isEmpty }
    let advance = try advance { (engine) throws(StoreError) in
      try engine.commit(
        batches, closing: closing, in: .init(isObserved: isObserved, isBusy: isBusy), to: storage)
    }
    // A batch alone is a group however long it is.
    if batches.count > 1 {
      queue.withLock { $0.pace.note(advance.actions, took: advance.nanoseconds) }
    }
    return advance.outcomes
  }

  /// Lets the engine work, and publishes what that led to: what others appended is published also
  /// when the work itself failed.
  func advance(
    _ work: (inout Engine<App>) throws(StoreError) -> Advance<App>
  ) throws(StoreError) -> Advance<App> {
    let (result, caughtUp, latest, isOpen) = engine.withLock { engine in
      var result = engine.result(of: work)
      if engine.hasFault {
        switch engine.result(of: { (engine) throws(StoreError) in try engine.refold(in: storage) })
        {
        case .failure(let error): result = .failure(error)
        case .success(let use):
          self.use.withLock { $0 = use }
          // What was committed was sound; what was not is tried on the state that is.
          if (try? result.get())?.batches ?? 0 == 0 { result = engine.result(of: work) }
        }
      }
      engine.trackDurability(in: storage)
      let latest = Published(engine.fold, pages: engine.keeper.pages)
      return (result, engine.takeCaughtUp(), latest, engine.committed.session != nil)
    }
    var states: [App.State] = []
    if let caughtUp { states.append(caughtUp.state) }
    if case .success(let advance) = result {
      states += advance.receipts.map(\.receipt.state)
      // For an observer that came meanwhile.
      if advance.receipts.count < advance.batches { states.append(latest.state) }
    }
    publish(states, upTo: latest, isLarge: (try? result.get())?.isLarge ?? false)
    saveIfDue()
    followDurability()
    // The effects of a session that has just ended are for whoever finds it ended.
    let receipts = isOpen ? (try? result.get())?.receipts.map(\.receipt) ?? [] : []
    if receipts.contains(where: { !$0.effects.isEmpty }) {
      // Whatever may wait for its commit, the cause of what happens outside may not.
      try commitWaiting()
    }
    effects.published(receipts, inFlight: latest.inFlight, answer: answerTaker)
    if caughtUp != nil && !latest.inFlight.isEmpty { watchForeignEffects() }
    return try result.get()
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

  private func publish(_ states: [App.State], upTo latest: Published, isLarge: Bool) {
    let before = published.withLock { published in
      defer { published = latest }
      return published.state
    }
    // What nobody holds any more is let go of where there is time for it.
    if isLarge { reducer.submit { withExtendedLifetime(before) {} } }
    guard !states.isEmpty else { return }
    let bodies = observers.withLock { $0.bodies }
    guard !bodies.isEmpty else { return }
    var previous = before
    for state in states where state != previous {
      for body in bodies { body(state) }
      previous = state
    }
    guard !isSound, (try? refoldHere()) != nil else { return }
    let state = self.state
    for body in bodies { body(state) }
  }

  func encode(
    _ actions: [App.Action], key: String? = nil, at moment: Moment? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    var encoded: [UInt8] = []
    let longest = App.encode(actions, into: &encoded)
    guard longest <= LogFormat.actionBytes else {
      throw StoreError.recordTooLarge(bytes: longest)
    }
    // With the lengths, by which it is noted and would be recorded as crashed.
    let bytes = encoded.count
    guard bytes <= LogFormat.batchBytes else { throw StoreError.batchTooLarge(bytes: bytes) }
    let payloads = EncodedActions(bytes: encoded)
    var batchKey: BatchKey?
    if let key { batchKey = try BatchKey(key, of: payloads) }
    return PendingBatch<App>(
      actions: actions, encoded: payloads, bytes: bytes, moment: moment ?? configuration.clock(),
      key: batchKey)
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
      if queue.isClosed { throw StoreError.closed }
      if let failure = queue.failure { throw failure }
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
      batch.completion?(.success(published.withLock { $0.emptyReceipt }))
    } else if schedules && submits {
      storage.writer.submit { self.drain() }
    }
  }

  func refuseReentrancy(_ call: String) throws(StoreError) {
    if storage.writer.isCurrent { throw StoreError.reentrant(call) }
  }
}
