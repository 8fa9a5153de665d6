import Retrace
import RetraceStorage

/// Recording the ends of effects, of this session and of sessions that have ended.
extension Writer {
  // MARK: Answers

  /// The receivers of answers, which do not retain the writer.
  var effectHandlers: EffectRunner<App>.Handlers {
    EffectRunner<App>.Handlers(
      end: { [weak self] end, actions in
        guard let self else { return end.settlement?.fail(.closed) ?? () }
        self.take(end, actions)
      },
      answer: { [weak self, clock = configuration.effectClock] answer, actions in
        while true {
          guard let isRecorded = try await self?.record(answer, actions) else {
            throw CancellationError()
          }
          if isRecorded { return }
          try await clock.sleep(for: .seconds(1))
        }
      })
  }

  /// Commits an answer of a leaf that goes on.
  ///
  /// - Returns: Whether it is recorded; otherwise the disk is full, and it can be tried again.
  /// - Throws: `CancellationError` if the leaf is no longer in flight or the store accepts no
  ///   records; the store's error if the answer cannot be recorded.
  private func record(_ answer: LeafAnswer, _ actions: [App.Action]) async throws -> Bool {
    let batch = try encode(answerOf: answer, actions)
    let receipt: Receipt<App>
    do throws(StoreError) {
      receipt = try await SentBatch(batch, to: self, bounded: false).receipt()
    } catch {
      guard error.code != .cancelled, !log.isClosedForWriting, !queue.isClosed else {
        throw CancellationError()
      }
      return false
    }
    if case .failed(let error) = receipt.decision?.outcome { throw error }
    if receipt.sequences.isEmpty { throw CancellationError() }
    return true
  }

  /// Returns the batch of an answer: its actions, or the command that it asks for.
  ///
  /// - Throws: The error if the answer cannot be recorded.
  private func encode(
    answerOf leaf: LeafAnswer, _ actions: [App.Action],
    _ completion: PendingBatch<App>.Completion? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    let answer: EffectAnswer<App>
    do throws(InvalidEffectAnswer) {
      answer = try EffectAnswer(actions)
    } catch {
      throw StoreError.invalidAnswer(error)
    }
    return switch answer {
    case .actions(let actions): try encode(actions).answering(leaf, completion)
    case .command(let command):
      try encodeChecked(command, from: .effect).answering(leaf, completion)
    }
  }

  /// Queues the answer of a leaf together with the record of its end, as one commit.
  private func take(_ end: LeafAnswer, _ actions: [App.Action]) {
    do throws(StoreError) {
      let batch = try batch(end, actions) { [weak self] result in
        if case .failure(let error) = result { self?.retry(end, actions, after: error) }
      }
      try push(batch, bounded: false)
    } catch {
      retry(end, actions, after: error)
    }
  }

  /// Tries again after a second, while the store accepts records, so that a full disk does not lose
  /// the answer of a leaf.
  private func retry(_ end: LeafAnswer, _ actions: [App.Action], after error: StoreError) {
    guard !log.isClosedForWriting, !queue.isClosed else {
      end.settlement?.fail(error)
      effects.settlement.fail(error)
      return
    }
    effects.afterOneSecond { [weak self] in self?.take(end, actions) }
  }

  /// Returns the batch of a leaf's end and answer; an answer that cannot be recorded becomes a
  /// failure.
  private func batch(
    _ end: LeafAnswer, _ actions: [App.Action], _ completion: PendingBatch<App>.Completion? = nil
  ) throws(StoreError) -> PendingBatch<App> {
    do throws(StoreError) {
      return try encode(answerOf: end, actions, completion)
    } catch {
      guard error.code == .recordTooLarge || error.code == .invalidRecord else { throw error }
      return try encode([]).answering(end.failing(because: error), completion)
    }
  }

  // MARK: Recovery

  /// Records the crashes and ends of dead sessions, and recovers their effects.
  func recover(_ access: borrowing LogWriter.Access) throws(StoreError) {
    do throws(StoreError) {
      var sequences: [UInt64] = []
      _ = try runEngine(access) { (engine) throws(StoreError) in
        if log.openingReport.hasAttempts { sequences = try engine.recordCrashes(by: access) }
        return CommitResult()
      }
      setRecovered(sequences)
      if try recoverOrphanedEffects(access) { watchForeignEffects(access) }
    } catch {
      // The store opens even on a full disk; the next open tries this recovery again.
      guard error.code == .diskFull, !log.isClosedForWriting else { throw error }
      watchForeignEffects(access)
    }
  }

  /// Recovers the effects in flight of sessions that have ended.
  ///
  /// The process that holds the lock of a record's effects recovers them. It takes the lock first
  /// and then folds the records of other processes, so it sees the ends that an earlier holder of
  /// the lock recorded. An end is committed only if its leaf is in flight in the write transaction.
  /// So one of several processes recovers an effect, and if that process ends, another one does.
  /// The lock is released when no leaf of the effect can run in this process any more.
  ///
  /// - Returns: Whether effects in flight are left to other processes.
  private func recoverOrphanedEffects(
    _ access: borrowing LogWriter.Access
  ) throws(StoreError) -> Bool {
    let inFlight = effectsInFlight(access)
    guard !inFlight.isEmpty else { return false }
    var held: [UInt64] = []
    let hasForeignEffects: Bool
    do throws(StoreError) {
      hasForeignEffects = try lockOrphanedEffects(inFlight, &held, access)
      if !held.isEmpty { try recoverEffects(of: held, access) }
    } catch {
      // Another process can recover what this one could not.
      for cause in held where !effects.isRunning(cause: cause) {
        try? log.releaseEffectLock(cause)
      }
      throw error
    }
    return hasForeignEffects
  }

  /// Recovers the effects of records whose locks this process holds, and releases the locks of
  /// those that do not run here.
  private func recoverEffects(
    of held: [UInt64], _ access: borrowing LogWriter.Access
  ) throws(StoreError) {
    try catchUp(access)
    let current = effectsInFlight(access)
    let causes = held.filter { current.contains(cause: $0) }
    let now = configuration.clock()
    let fingerprint = withEngine(access) { $0.foldFingerprint }
    let ended = try log.withReadView { view throws(StoreError) in
      try view.effects(
        of: Set(causes), in: App.self, from: log.snapshots, fingerprint: fingerprint)
    }.map { OrphanedEffect($0, now: now, inFlight: current) }
    try commitEnds(ended.flatMap(\.ends), access)
    let rest = effectsInFlight(access)
    for effect in ended where !effect.pending.isEmpty {
      var run = EffectRun(effect.caused, inFlight: rest, handlers: effectHandlers)
      run.isRecovery = true
      run.recoverySteps = effect.pending
      let cause = effect.caused.cause
      effects.start(run, settlement: nil) { [weak self] in
        try? self?.log.releaseEffectLock(cause)
      }
    }
    for cause in held where !effects.isRunning(cause: cause) {
      try log.releaseEffectLock(cause)
    }
  }

  private func effectsInFlight(_ access: borrowing LogWriter.Access) -> EffectsInFlight {
    withEngine(access) { $0.fold.inFlight }
  }

  /// Takes the locks of effects whose sessions have ended and that no other process has locked.
  ///
  /// - Parameter held: Gets the records whose locks were taken, also if this throws.
  /// - Returns: Whether effects in flight are left to other processes.
  private func lockOrphanedEffects(
    _ inFlight: EffectsInFlight, _ held: inout [UInt64], _ access: borrowing LogWriter.Access
  ) throws(StoreError) -> Bool {
    let own = withEngine(access) { $0.committed.session }
    var hasForeignEffects = false
    for cause in Set(inFlight.leaves.map(\.id.cause)).sorted() {
      if effects.isRunning(cause: cause) { continue }
      let session = try log.withReadView { view throws(StoreError) in
        try view.withRecord(at: cause) { $0.session }
      }
      if session == own { continue }
      if try !log.isSessionAlive(session), try log.acquireEffectLock(cause) {
        held.append(cause)
      } else {
        hasForeignEffects = true
      }
    }
    return hasForeignEffects
  }

  private func commitEnds(
    _ ends: [(LeafAnswer, [App.Action])], _ access: borrowing LogWriter.Access
  ) throws(StoreError) {
    guard !ends.isEmpty else { return }
    var batches: [PendingBatch<App>] = []
    for (end, actions) in ends { batches.append(try batch(end, actions)) }
    let result = try commit(batches, closing: false, access)
    for (_, outcome) in result.outcomes { _ = try outcome.get() }
  }

  /// Schedules a check whether the sessions whose effects are in flight have ended.
  ///
  /// A process that ends sends no notification. So while effects of other processes are in flight,
  /// their sessions are checked once a second, or when the first effect is due if that is later.
  func watchForeignEffects(_ access: borrowing LogWriter.Access) {
    let inFlight = effectsInFlight(access)
    let due = inFlight.leaves.filter { !effects.isRunning(cause: $0.id.cause) }.map(\.due).min()
    guard let due else { return }
    let wait = max(.seconds(1), due.elapsed(since: configuration.clock()))
    effects.watch(after: wait) { [weak self] in
      guard let self else { return }
      log.submitWriting { [weak self] access in self?.recoverWatchedEffects(access) }
    }
  }

  private func recoverWatchedEffects(_ access: borrowing LogWriter.Access) {
    guard !log.isClosedForWriting else { return }
    do throws(StoreError) {
      try catchUp(access)
      guard try recoverOrphanedEffects(access) else { return }
      watchForeignEffects(access)
    } catch {
      // The effects stay in flight, and this process or another one tries again.
      watchForeignEffects(access)
    }
  }
}
