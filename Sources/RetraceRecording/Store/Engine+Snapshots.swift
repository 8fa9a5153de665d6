import RetraceArchitecture
import RetraceLog
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
  /// Nothing of the log is locked meanwhile.
  mutating func saveIfDue(in storage: LogStorage) {
    let sequence = committed.fold.sequence
    guard !hasFault, !storage.hasWaiting, !storage.isClosedForWriting else { return }
    let closing = committed.session == nil
    let saves = committed.hashedAt == sequence && keeper.isDue(at: sequence, closing: closing)
    guard saves || keeper.isLookDue(at: sequence) else { return }
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

  /// Folds the log from its start, without the snapshots, which are removed.
  ///
  /// - Returns: What is to be said about it.
  mutating func refold(in storage: LogStorage) throws(StoreError) -> SnapshotUse {
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
    caughtUp = committed.fold
    var use = restored.use
    use.note(.damaged(fault.map { "\($0)" } ?? "a page"), at: origin)
    return use
  }
}
