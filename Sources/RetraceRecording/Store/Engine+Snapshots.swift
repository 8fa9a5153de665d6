import RetraceArchitecture
import RetraceLog
import RetracePlatform
import RetraceStorage

/// Saving the state, and folding the log again when what was saved turns out to be damaged.
extension Engine {
  /// Whether a page that the state was read from is not what it should be.
  var hasFault: Bool { keeper.pages?.fault != nil }

  /// Refuses to go on with a state that was read from damaged pages.
  borrowing func checkPages() throws(StoreError) {
    guard let fault = keeper.pages?.fault else { return }
    throw StoreError(
      .storageFailed, what: "Nothing was written.", why: "A stored page is damaged: \(fault).",
      advice: "Try again; the state is folded from the log.")
  }

  /// What some work came to, so that it can be looked at before it is thrown.
  mutating func result<Success>(
    of work: (inout Engine) throws(StoreError) -> Success
  ) -> Result<Success, StoreError> {
    do throws(StoreError) {
      return .success(try work(&self))
    } catch {
      return .failure(error)
    }
  }

  /// Saves the state if it is time, after a commit whose last record carries the state's hash; a
  /// fold that saves nothing itself goes on from what others saved.
  ///
  /// Nothing of the log is locked meanwhile. While more is queued, a copy is saved aside, and the
  /// state takes note of that after the next group.
  ///
  /// - Parameter isBusy: Whether another group follows at once.
  /// Whether ``saveIfDue(in:isBusy:)`` may have anything to do.
  @inline(__always)
  var mayHaveToSave: Bool {
    let sequence = committed.fold.sequence
    return aside != nil || committed.hashedAt == sequence || keeper.isLookDue(at: sequence)
  }

  mutating func saveIfDue(in storage: LogStorage, isBusy: Bool) {
    finishSave()
    let sequence = committed.fold.sequence
    guard !hasFault, !storage.hasWaiting, !storage.isClosedForWriting else { return }
    let closing = committed.session == nil
    let saves = committed.hashedAt == sequence && keeper.isDue(at: sequence, closing: closing)
    guard saves || keeper.isLookDue(at: sequence) else { return }
    if saves, isBusy, !savesHere, !storage.isDeferring {
      let save = SaveAside(committed.records, by: keeper)
      aside = save
      saver.submit { save.run(in: storage) }
      return
    }
    savesHere = false
    // An error here is one of the log, which its next reader meets.
    try? storage.withSnapshot { snapshot throws(StoreError) in
      if saves {
        try snapshot.save(&committed.records, by: &keeper, closing: closing)
      } else {
        try snapshot.goOn(&committed.records, by: &keeper)
      }
    }
    // What a failure falls back to reads the same pages.
    trackDurability(in: storage)
  }

  /// Waits for the save that runs aside, and takes note of it.
  private mutating func finishSave() {
    guard let outcome = aside.take()?.finish() else { return }
    savesHere = outcome.isLeft
    keeper.takeOver(outcome.keeper, of: outcome.records.fold, into: &committed.fold)
    // The copy is let go of where there is time for it.
    reducer.submit { withExtendedLifetime(outcome) {} }
  }

  /// Folds the log from its start, without the snapshots, which are removed.
  ///
  /// - Returns: What is to be said about it.
  mutating func refold(in storage: LogStorage) throws(StoreError) -> SnapshotUse {
    finishSave()
    // What waits for its commit is not in the log that is folded.
    if storage.hasWaiting { try storage.commitDeferred() }
    let fault = keeper.pages?.fault
    let origin = keeper.origin?.sequence ?? 0
    storage.snapshots.removeAll()
    let last = committed.fold.sequence
    let (empty, identity) = (
      SnapshotKeeper<App>(storage.snapshots, policy: keeper.policy, identity: keeper.identity),
      keeper.identity
    )
    let restored = try storage.withSnapshot { snapshot throws(StoreError) in
      // With a plan of its own: this session may have brought its schema to the log after the last.
      try snapshot.restore(
        App.self, through: last, from: storage.snapshots, identity: identity, keeper: empty)
    }
    committed.records = restored.records
    keeper = empty
    keeper.start(from: restored)
    caughtUp = Store.Published(committed.fold, pages: keeper.pages)
    var use = restored.use
    use.note(.damaged(fault.map { "\($0)" } ?? "a page"), at: origin)
    return use
  }
}
