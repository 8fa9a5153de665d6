import RetraceArchitecture
import RetraceLog
import RetraceSystem
import RetraceStorage

/// Saves the state, and folds the log again when what was saved turns out to be damaged.
struct StateSaver<App: ReplayableApp>: ~Copyable, Sendable {
  /// What saves states of this fold.
  private(set) var keeper: SnapshotKeeper<App>
  /// Where states are saved while more is queued; the thread begins with the first such save.
  private let thread = WorkerThread(name: "retrace-saver")
  /// The save that runs there.
  private var aside: SaveAside<App>?
  /// Whether the next save has to look at what others did with the stored states.
  private var savesHere = false
  /// Where copies of states are released.
  private let releaser: WorkerThread

  init(_ keeper: SnapshotKeeper<App>, releaser: WorkerThread) {
    self.keeper = keeper
    self.releaser = releaser
  }

  /// Whether a page that the state was read from is not what it should be.
  var hasFault: Bool { keeper.pages?.fault != nil }

  /// Refuses to go on with a state that was read from damaged pages.
  borrowing func checkPages() throws(StoreError) {
    guard let fault = keeper.pages?.fault else { return }
    throw StoreError(
      .storageFailed, what: "Nothing was written.", why: "A stored page is damaged: \(fault).",
      advice: "Try again; the state is folded from the log.")
  }

  /// Whether ``saveIfDue(_:by:isBusy:)`` may have anything to do.
  @inline(__always)
  borrowing func mayHaveToSave(_ committed: Progress<App>) -> Bool {
    let sequence = committed.fold.sequence
    return aside != nil || committed.hashedAt == sequence || keeper.isLookDue(at: sequence)
  }

  /// Saves the state if it is time, after a commit whose last record carries the state's hash; a
  /// fold that saves nothing itself goes on from what others saved.
  ///
  /// Nothing of the log is locked meanwhile. While more is queued, a copy is saved aside, and the
  /// state takes note of that after the next group.
  ///
  /// - Parameter isBusy: Whether another group follows at once.
  mutating func saveIfDue(
    _ committed: inout Progress<App>, of log: LogStorage, isBusy: Bool
  ) {
    finishSave(&committed)
    let sequence = committed.fold.sequence
    guard !hasFault, !log.hasWaiting, !log.isClosedForWriting else { return }
    let closing = committed.session == nil
    let saves = committed.hashedAt == sequence && keeper.isDue(at: sequence, closing: closing)
    guard saves || keeper.isLookDue(at: sequence) else { return }
    if saves, isBusy, !savesHere, !log.isDeferring {
      let save = SaveAside(committed.records, by: keeper)
      aside = save
      thread.submit { save.run(in: log) }
      return
    }
    savesHere = false
    // An error here is one of the log, which its next reader meets.
    try? log.withSnapshot { snapshot throws(StoreError) in
      if saves {
        try snapshot.save(&committed.records, by: &keeper, closing: closing)
      } else {
        try snapshot.goOn(&committed.records, by: &keeper)
      }
    }
  }

  /// Waits for the save that runs aside, and takes note of it.
  private mutating func finishSave(_ committed: inout Progress<App>) {
    guard let outcome = aside.take()?.finish() else { return }
    savesHere = outcome.isLeft
    keeper.takeOver(outcome.keeper, of: outcome.records.fold, into: &committed.fold)
    // The copy is let go of where there is time for it.
    releaser.submit { withExtendedLifetime(outcome) {} }
  }

  /// Folds the log from its start, without the snapshots, which are removed.
  ///
  /// - Returns: What is to be said about it.
  mutating func refold(
    _ committed: inout Progress<App>, by access: borrowing LogWriter.Access
  ) throws(StoreError) -> SnapshotUse {
    finishSave(&committed)
    let log = access.log
    // What waits for its commit is not in the log that is folded.
    if log.hasWaiting { try access.commitDeferred() }
    let fault = keeper.pages?.fault
    let origin = keeper.origin?.sequence ?? 0
    log.snapshots.removeAll()
    let last = committed.fold.sequence
    let (empty, identity) = (
      SnapshotKeeper<App>(log.snapshots, policy: keeper.policy, identity: keeper.identity),
      keeper.identity
    )
    let restored = try log.withSnapshot { snapshot throws(StoreError) in
      // With a plan of its own: this session may have brought its schema to the log after the last.
      try snapshot.restore(
        App.self, through: last, from: log.snapshots, identity: identity, keeper: empty)
    }
    committed.records = restored.records
    keeper = empty
    keeper.start(from: restored)
    var use = restored.use
    use.note(.damaged(fault.map { "\($0)" } ?? "a page"), at: origin)
    return use
  }
}
