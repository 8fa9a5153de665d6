import RetraceArchitecture
import RetraceLog
import RetracePlatform
import RetraceStorage
import Synchronization

/// What sessions that have ended left in flight.
extension Store {
  /// Settles what sessions that have ended left in flight; called by the writer.
  ///
  /// Whoever holds the lock of a record's effects settles them. It is taken first and what others
  /// appended is folded then, so that one who held it before has left its ends in the log. An end
  /// is committed only if its leaf is in flight in the write transaction. So of several processes
  /// that find the same effects one settles them, and if that one ends as well, the next one does.
  ///
  /// - Returns: Whether effects are in flight that others look after.
  func settleEndedEffects() throws(StoreError) -> Bool {
    let inFlight = engine.withLock { $0.fold.inFlight }
    guard !inFlight.isEmpty else { return false }
    let (held, othersLive) = try holdEndedEffects(inFlight)
    guard !held.isEmpty else { return othersLive }
    try catchUpHere()
    let current = engine.withLock { $0.fold.inFlight }
    let causes = held.filter { current.contains(cause: $0) }
    let now = configuration.clock()
    let identity = engine.withLock { $0.keeper.identity }
    let ended = try storage.withSnapshot { snapshot throws(StoreError) in
      try snapshot.effects(
        of: Set(causes), in: App.self, from: storage.snapshots, identity: identity)
    }.map { EndedEffect($0.caused, at: $0.moment, now: now, inFlight: current) }
    try commitEnds(ended.flatMap(\.ends))
    let rest = engine.withLock { $0.fold.inFlight }
    for effect in ended where !effect.later.isEmpty {
      var run = EffectRun(effect.caused, answer: answerTaker)
      run.resumed = effect.moment
      run.replacements = effect.later
      effects.start(run, inFlight: rest, settlement: nil)
    }
    for cause in held where !effects.isRunning(cause: cause) {
      try storage.releaseEffectLock(cause)
    }
    return othersLive
  }

  /// Takes the locks of the effects whose sessions have ended and that nobody looks after.
  private func holdEndedEffects(
    _ inFlight: EffectsInFlight
  ) throws(StoreError) -> (held: [UInt64], othersLive: Bool) {
    let own = engine.withLock { $0.committed.session }
    var held: [UInt64] = []
    var othersLive = false
    for cause in Set(inFlight.leaves.map(\.id.cause)).sorted() {
      if effects.isRunning(cause: cause) { continue }
      let session = try storage.withSnapshot { snapshot throws(StoreError) in
        try snapshot.withRecord(at: cause) { $0.session }
      }
      if session == own { continue }
      if try !storage.isSessionAlive(session), try storage.holdEffectLock(cause) {
        held.append(cause)
      } else {
        othersLive = true
      }
    }
    return (held, othersLive)
  }

  private func commitEnds(_ ends: [(LeafEnd, [App.Action])]) throws(StoreError) {
    guard !ends.isEmpty else { return }
    var batches: [PendingBatch<App>] = []
    for (end, actions) in ends { batches.append(try batch(end, actions)) }
    let advance = try commit(batches, closing: false)
    for (_, outcome) in advance.outcomes { _ = try outcome.get() }
  }

  /// Looks again, after a while, whether the sessions whose effects are in flight have ended.
  ///
  /// A process that ends tells nobody. So while effects of others are in flight, and only then,
  /// this is looked at once a second, or when the first of them is due if that is later.
  func watchForeignEffects() {
    let inFlight = engine.withLock { $0.fold.inFlight }
    let due = inFlight.leaves.filter { !effects.isRunning(cause: $0.id.cause) }.map(\.due).min()
    guard let due else { return }
    let wait = max(.seconds(1), due.elapsed(since: configuration.clock()))
    effects.watch(after: wait) { [weak self] in
      guard let self else { return }
      self.storage.writer.submit { self.settleWatchedEffects() }
    }
  }

  private func settleWatchedEffects() {
    guard !storage.isClosedForWriting else { return }
    do throws(StoreError) {
      try catchUpHere()
      guard try settleEndedEffects() else { return }
      watchForeignEffects()
    } catch {
      // What cannot be settled here is in flight still, and the next to open the store settles it.
    }
  }
}
