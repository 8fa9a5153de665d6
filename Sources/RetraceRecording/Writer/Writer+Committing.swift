import Retrace
import RetraceStorage
import RetraceSystem

/// Committing, folding and publishing in jobs of the writer.
extension Writer {
  /// Commits batches, and if `closing` is true, closes the session in the same commit.
  @discardableResult
  func commit(
    _ batches: [PendingBatch<App>], closing: Bool, for reason: SessionClosed.Reason = .closed,
    hasMoreQueued: Bool = false, _ access: borrowing LogWriter.Access
  ) throws(StoreError) -> CommitResult<App> {
    let context = GroupWriter<App>.CommitContext(
      isObserved: publisher.isObserved, hasMoreQueued: hasMoreQueued, scene: attachedScene,
      runsEffects: !effects.isIdle, reason: reason)
    let result = try runEngine(access) { (engine) throws(StoreError) in
      guard batches.count > 0 || (closing && engine.committed.session != nil) else {
        return CommitResult()
      }
      return try engine.commit(closing: closing, in: context, by: access) {
        _ throws(StoreError) in batches
      }
    }
    // A single batch is committed whatever its length, so its time does not set the limit.
    if batches.count > 1 {
      queue.recordGroupTime(of: result.actions, took: result.reductionNanoseconds)
    }
    return result
  }

  /// Commits the actions that `body` decides on the latest state; see
  /// ``Store/transact(closing:key:_:)``.
  func transact<Value, Refusal: Error>(
    closing: Bool, key: String?, at moment: Moment, _ access: borrowing LogWriter.Access,
    _ body: (borrowing App.State, Moment) throws(Refusal) -> ([App.SceneAction], Value)
  ) throws(TransactionError<Refusal>) -> (receipt: Receipt<App>, value: Value?) {
    drain(access)
    var refusal: Refusal?
    var value: Value?
    do throws(StoreError) {
      if let failure = queue.failure { throw failure }
      let context = GroupWriter<App>.CommitContext(
        scene: attachedScene, runsEffects: !effects.isIdle)
      let result = try runEngine(access) { (engine) throws(StoreError) in
        // The result of a call on a damaged state is discarded.
        (refusal, value) = (nil, nil)
        return try engine.commit(
          closing: closing, key: key, in: context, by: access
        ) { state throws(StoreError) in
          let actions: [App.SceneAction]
          do throws(Refusal) {
            let (decided, found) = try body(state, moment)
            (actions, value) = (decided, found)
          } catch {
            refusal = error
            return []
          }
          let batch = try self.encode(sent: actions, key: key, at: moment)
          return batch.actions.isEmpty ? [] : [batch]
        }
      }
      if result.hasOutcome { return (try result.singleReceipt(), value) }
    } catch {
      throw .store(error)
    }
    if let refusal { throw .refused(refusal) }
    return (publisher.latest.emptyReceipt, value)
  }

  /// Folds records of other processes.
  ///
  /// The watch of the log also reports the commits of this process, so most calls have nothing to
  /// do.
  func catchUp(_ access: borrowing LogWriter.Access) throws(StoreError) {
    let isCurrent = try withEngine(access) { (engine) throws(StoreError) in
      try engine.isCurrent(access)
    }
    if isCurrent { return }
    _ = try runEngine(access) { (engine) throws(StoreError) in
      try engine.catchUp(access)
      return CommitResult()
    }
  }

  /// Calls `work` with the engine, and publishes the result.
  ///
  /// Records of other processes are published even if `work` fails.
  func runEngine(
    _ access: borrowing LogWriter.Access,
    _ work: (inout Engine<App>) throws(StoreError) -> CommitResult<App>
  ) throws(StoreError) -> CommitResult<App> {
    var call = EngineCall()
    withEngine(access) { engine in
      var hasRefolded = false
      while true {
        do throws(StoreError) {
          if hasRefolded { setSnapshotUse(try engine.refold(by: access)) }
          // If batches were committed, they were reduced before the damage was found, on sound
          // pages. Otherwise the work is repeated on the new state.
          if call.result?.batches ?? 0 == 0 { call.result = try work(&engine) }
        } catch {
          (call.result, call.failure) = (nil, error)
        }
        if hasRefolded || !engine.hasPageError { break }
        (hasRefolded, call.failure) = (true, nil)
      }
      if log.isDeferring { engine.trackDurability(log) }
      call.latest = engine.published
      call.stateAfterCatchUp = engine.takeStateAfterCatchUp()
      call.isOpen = engine.committed.session != nil
      call.mayHaveToSave = engine.mayHaveToSave
    }
    publish(call, access)
    if call.mayHaveToSave { saveIfDue(access) }
    updateCommitWindow(access)
    let latest = call.latest ?? publisher.latest
    let causes = call.isOpen && call.result?.hasEffects == true
    // The cause of an effect must be durable before the effect starts.
    if causes { try commitWaiting(access) }
    if causes || !effects.isIdle {
      // The effects of a session that has just ended are left to the next process that opens the
      // store.
      let receipts = call.isOpen ? call.result?.receipts.map { $0.receipt } ?? [] : []
      effects.startEffects(of: receipts, inFlight: latest.inFlight, handlers: effectHandlers)
    }
    if !call.isOpen { call.result?.failUnstartedEffects() }
    if call.stateAfterCatchUp != nil && !latest.inFlight.isEmpty { watchForeignEffects(access) }
    guard let result = call.result else { throw call.failure ?? .closed }
    return result
  }

  /// The results of one call of the engine.
  ///
  /// It refers to published states, so that passing it on copies no state.
  private struct EngineCall {
    var result: CommitResult<App>?
    var failure: StoreError?
    /// The state after records of other processes, if there were any.
    var stateAfterCatchUp: PublishedState<App>?
    var latest: PublishedState<App>?
    var isOpen = false
    var mayHaveToSave = false
  }

  private func saveIfDue(_ access: borrowing LogWriter.Access) {
    let renewed = withEngine(access) { engine in
      engine.saveIfDue(by: access, hasMoreQueued: queue.isScheduled)
    }
    if let renewed { publisher.replaceLatest(renewed) }
  }

  // MARK: Publishing

  /// Publishes a state, and notifies the observers of the states that led to it.
  private func publish(_ call: borrowing EngineCall, _ access: borrowing LogWriter.Access) {
    guard let latest = call.latest else { return }
    let (stateAfterCatchUp, result) = (call.stateAfterCatchUp, call.result)
    let (before, isNotified) = publisher.publish(
      latest
    ) {
      var states: [App.State] = []
      if let stateAfterCatchUp { states.append(stateAfterCatchUp.state) }
      if let result {
        states += result.receipts.map { $0.receipt.state }
        // Observers added in the meantime need the latest state, for which there is no receipt.
        if result.receipts.count < result.batches { states.append(latest.state) }
      }
      return states
    } commits: { before in
      Commit.all(
        of: result?.receipts ?? [], from: stateAfterCatchUp ?? before,
        afterOthers: stateAfterCatchUp == nil ? nil : before)
    }
    // Another thread releases the old state, so that the writer does not wait for it.
    if result?.isLarge == true { release(before) }
    // Observers that have read damaged pages are called again with a sound state.
    if isNotified { try? refold(access) }
  }

  /// Folds the log and publishes the state, if a stored page is damaged.
  func refold(_ access: borrowing LogWriter.Access) throws(StoreError) {
    guard !publisher.latest.isSound else { return }
    let (use, latest) = try withEngine(access) { (engine) throws(StoreError) in
      let use = try engine.refold(by: access)
      return (use, engine.takeStateAfterCatchUp() ?? engine.published)
    }
    setSnapshotUse(use)
    _ = publisher.publish(latest, through: { [latest.state] }, repeating: true)
  }

  /// Folds the log if an observer has read a damaged page, and calls it again with a sound state.
  func refoldIfDamaged() { if !publisher.latest.isSound { try? refoldSoon() } }

  /// Folds the log if a stored page is damaged.
  ///
  /// Within a job of the writer, the log is folded after that job, otherwise before this returns.
  func refoldSoon() throws(StoreError) {
    guard log.isInWriterJob else {
      return try log.performWriting { access throws(StoreError) in try self.refold(access) }
    }
    log.submitWriting { access in try? self.refold(access) }
  }

  // MARK: Relaxed durability

  func deferCommitsIfRelaxed(_ access: borrowing LogWriter.Access) throws(StoreError) {
    guard case .relaxed = configuration.durability else { return }
    try access.deferCommits()
    withEngine(access) { $0.trackDurability(log) }
    updateCommitWindow(access)
  }

  func commitWaiting(_ access: borrowing LogWriter.Access) throws(StoreError) {
    guard log.isDeferring else { return }
    _ = try runEngine(access) { (_) throws(StoreError) in
      try access.commitDeferred()
      return CommitResult()
    }
  }

  /// Updates the durable sequence after a call of the engine, and schedules the next commit.
  private func updateCommitWindow(_ access: borrowing LogWriter.Access) {
    guard log.isDeferring, case .relaxed(let length) = configuration.durability else { return }
    let durable = withEngine(access) { $0.durableSequence }
    let now = MonotonicClock.nanoseconds()
    let step = window.update(
      durable: durable, isWaiting: log.hasUncommittedRecords, at: now, length: length.nanoseconds)
    switch step {
    case .none: break
    // The timer may be late, so a send commits an overdue window itself.
    case .commit: try? commitWaiting(access)
    case .schedule: scheduleCommit(of: now, after: length)
    }
  }

  private func scheduleCommit(of time: Int64, after length: Duration) {
    Task { [weak self] in
      try? await Task.sleep(for: length)
      self?.submitCommit(of: time)
    }
  }

  /// Submits a job that commits a window, unless it was committed in the meantime.
  private func submitCommit(of opened: Int64) {
    log.submitWriting { [weak self] access in
      guard let self, window.isOpen(since: opened) else { return }
      // The next send or flush reports an error of this commit.
      try? commitWaiting(access)
    }
  }
}
