import Retrace
import RetraceSystem
import RetraceStorage

/// Saves the state, and folds the log again when a saved state is damaged.
struct StateSaver<App: ReplayableApp>: ~Copyable, Sendable {
  private(set) var keeper: SnapshotKeeper<App>
  /// The thread that saves states while more is queued; it starts with the first such save.
  private let thread = WorkerThread(name: "retrace-saver")
  private var backgroundSave: BackgroundSave<App>?
  /// Whether the writer's thread saves next, because another process changed the snapshots.
  private var savesOnWriterThread = false
  private let releaser: WorkerThread

  init(_ keeper: SnapshotKeeper<App>, releaser: WorkerThread) {
    self.keeper = keeper
    self.releaser = releaser
  }

  var hasPageError: Bool { keeper.pages?.firstError != nil }

  /// Returns whether ``saveIfDue(_:of:hasMoreQueued:)`` may have work to do.
  @inline(__always)
  borrowing func mayHaveToSave(_ committed: LogState<App>) -> Bool {
    let sequence = committed.fold.sequence
    return backgroundSave != nil || committed.hashedAt == sequence
      || keeper.isSnapshotSearchDue(at: sequence)
  }

  /// Saves the state if it is time, after a commit whose last record carries the state's hash.
  ///
  /// If a save is due but the last record carries no hash, the state is loaded again from the
  /// newest snapshot of another process, if there is one. No lock on the log is held meanwhile.
  ///
  /// While more is queued, a copy is saved on another thread, and the state takes over the result
  /// after the next group.
  ///
  /// - Parameter hasMoreQueued: Whether another group follows at once.
  mutating func saveIfDue(
    _ committed: inout LogState<App>, of log: LogStorage, hasMoreQueued: Bool
  ) {
    finishSave(&committed)
    let sequence = committed.fold.sequence
    guard !hasPageError, !log.hasUncommittedRecords, !log.isClosedForWriting else { return }
    let closing = committed.session == nil
    let saves = committed.hashedAt == sequence && keeper.isDue(at: sequence, closing: closing)
    guard saves || keeper.isSnapshotSearchDue(at: sequence) else { return }
    if saves, hasMoreQueued, !savesOnWriterThread, !log.isDeferring {
      let save = BackgroundSave(committed.records, by: keeper)
      backgroundSave = save
      thread.submit { save.run(in: log) }
      return
    }
    savesOnWriterThread = false
    // Ignored: an error comes from reading the log, and the next read throws it again.
    try? log.withReadView { view throws(StoreError) in
      if saves {
        try view.save(&committed.records, by: &keeper, closing: closing)
      } else {
        try view.resume(&committed.records, by: &keeper)
      }
    }
  }

  /// Waits for the save on the other thread, and takes over its result.
  private mutating func finishSave(_ committed: inout LogState<App>) {
    guard let save = backgroundSave else { return }
    backgroundSave = nil
    let outcome = save.finish()
    savesOnWriterThread = outcome.wasSkipped
    keeper.takeOver(outcome.keeper, of: outcome.records.fold, into: &committed.fold)
    // Another thread releases the copy, so that the writer does not wait for it.
    releaser.submit { withExtendedLifetime(outcome) {} }
  }

  /// Removes the snapshots and folds the log from its start.
  ///
  /// - Returns: The new value of ``Store/snapshotUse``.
  mutating func refold(
    _ committed: inout LogState<App>, by access: borrowing LogWriter.Access
  ) throws(StoreError) -> SnapshotUse {
    finishSave(&committed)
    let log = access.log
    // Records that wait for their commit are not in the log that is folded.
    if log.hasUncommittedRecords { try access.commitDeferred() }
    let pageError = keeper.pages?.firstError
    let origin = keeper.origin?.sequence ?? 0
    log.snapshots.removeAll()
    let last = committed.fold.sequence
    let (empty, fingerprint) = (
      SnapshotKeeper<App>(log.snapshots, policy: keeper.policy, fingerprint: keeper.fingerprint),
      keeper.fingerprint
    )
    let restored = try log.withReadView { view throws(StoreError) in
      // This makes a new decoding plan, because this session may have added its schema to the log
      // since the last plan was made.
      try view.restore(
        App.self, through: last, from: log.snapshots, fingerprint: fingerprint, keeper: empty)
    }
    committed.records = restored.recordFold
    keeper = empty
    keeper.start(from: restored)
    var use = restored.use
    use.note(.damaged(pageError.map { "\($0)" } ?? "a page"), at: origin)
    return use
  }
}
