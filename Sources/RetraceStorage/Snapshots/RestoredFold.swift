import LMDBFile
package import Retrace
import RetraceSystem

/// A fold that started from a snapshot, or from record 1 if no snapshot was usable.
package struct RestoredFold<App: ReplayableApp>: Sendable {
  /// The state, its sequence, and the plan for decoding records.
  package var recordFold: RecordFold<App>
  /// The snapshot that the state came from or was last saved as.
  package internal(set) var origin: StateSnapshot?
  /// The source of the tables' pages; `nil` for a state that is entirely in memory.
  package internal(set) var pages: StoredPages?
  package var use = SnapshotUse()

  package init(_ recordFold: RecordFold<App>) { self.recordFold = recordFold }

  /// Whether everything that was read from the state so far is correct.
  ///
  /// Check it after reading and before acting on the result, because a missing or damaged page
  /// reads as empty.
  package var isSound: Bool { pages?.firstError == nil }

  /// Returns the result of reading the state; `nil` if a page was missing or damaged.
  func soundResult<Result>(
    of body: (borrowing App.State, SnapshotUse) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    do throws(StoreError) {
      let result = try body(recordFold.fold.state, use)
      return isSound ? result : nil
    } catch {
      if isSound { throw error }
      return nil
    }
  }
}

extension FoldFingerprint {
  /// Creates the fingerprint of an app in this build.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - snapshots: The directory that may keep digests of the schemas.
  /// - Complexity: As ``SnapshotStorage/schemas(of:)``.
  package init<App: ReplayableApp>(of app: App.Type, in snapshots: SnapshotStorage) {
    let schemas = snapshots.schemas(of: app)
    self.init(
      stateSchema: schemas.stateFingerprint, reducer: App.reducerFingerprint,
      decoding: schemas.action.digests.fingerprint)
  }
}

extension ReadView {
  /// Returns the state after a record, from the newest usable snapshot and the records after it.
  ///
  /// Without a usable snapshot, it folds from record 1. An unusable snapshot is not an error;
  /// ``SnapshotUse`` reports it. Damaged snapshots are removed.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - last: The sequence of the record.
  ///   - snapshots: The stored snapshots.
  ///   - fingerprint: The fingerprint that usable snapshots have.
  ///   - keeper: Saves states during a long fold; see ``SnapshotKeeper``.
  /// - Complexity: As ``plan(for:)``, without the schemas that the app is known to read, and
  ///   O(records after the snapshot). In a store written with the same reducer, these records are
  ///   at most 100,000 if snapshots are small, else 250,000.
  /// - Throws: As folding does.
  package func restore<App: ReplayableApp>(
    _ app: App.Type, through last: UInt64, from snapshots: SnapshotStorage,
    fingerprint: FoldFingerprint, keeper: SnapshotKeeper<App>? = nil
  ) throws(StoreError) -> RestoredFold<App> {
    let start = RecordFold(plan: try plan(for: app, loadingAll: false))
    var restored = try open(start, atOrBefore: last, from: snapshots, fingerprint: fingerprint)
    let first = restored.recordFold.fold.sequence
    try advance(&restored, through: last, keeper: keeper)
    if let error = restored.pages?.firstError {
      var use = restored.use
      use.markDamaged(error.description)
      snapshots.removeAll()
      restored = RestoredFold(start)
      restored.use = use
      try advance(&restored, through: last, keeper: keeper)
    }
    restored.use.folded = last - (restored.pages == nil ? start.fold.sequence : first)
    return restored
  }

  /// Returns the state after a record from the newest snapshot, which is read without a
  /// transaction; `nil` if that snapshot is not usable or not intact.
  ///
  /// A short command spends a twentieth of its time on the transaction, which opens an environment
  /// of LMDB. If another process overwrites pages meanwhile, the state is not sound.
  ///
  /// - Complexity: O(records after the snapshot).
  /// - Throws: As folding does.
  func restoreWithoutTransaction<App: ReplayableApp>(
    _ app: App.Type, through last: UInt64, from snapshots: SnapshotStorage,
    fingerprint: FoldFingerprint
  ) throws(StoreError) -> RestoredFold<App>? {
    guard fingerprint.isKnown, let pages = try? snapshots.pagesWithoutTransaction() else {
      return nil
    }
    var restored = RestoredFold<App>(RecordFold(plan: try plan(for: app, loadingAll: false)))
    do throws(TreeFileError) {
      try open(&restored, atOrBefore: last, from: pages, fingerprint: fingerprint)
    } catch {
      return nil
    }
    guard restored.use.used != nil, restored.use.candidates.count == 1 else { return nil }
    let first = restored.recordFold.fold.sequence
    try advance(&restored, through: last, keeper: nil)
    restored.use.folded = last - first
    return restored.isSound ? restored : nil
  }

  /// Returns the state of the newest usable snapshot at or before a sequence.
  private func open<App: ReplayableApp>(
    _ start: RecordFold<App>, atOrBefore last: UInt64, from snapshots: SnapshotStorage,
    fingerprint: FoldFingerprint
  ) throws(StoreError) -> RestoredFold<App> {
    var restored = RestoredFold(start)
    guard fingerprint.isKnown else { return restored }
    do throws(TreeFileError) {
      guard let pages = try snapshots.pages() else { return restored }
      try open(&restored, atOrBefore: last, from: pages, fingerprint: fingerprint)
    } catch {
      restored.use.failure = error.detail
      if error.isDamage { snapshots.removeAll() }
    }
    return restored
  }

  /// Moves the fold to the newest usable snapshot at or before a sequence.
  ///
  /// Does nothing if that snapshot is not after the fold's sequence. If the pages are unreadable,
  /// the fold stays where it is, and its ``RestoredFold/use`` says why.
  package func openIfReadable<App: ReplayableApp>(
    _ restored: inout RestoredFold<App>, atOrBefore last: UInt64, from pages: StoredPages,
    fingerprint: FoldFingerprint
  ) {
    do throws(TreeFileError) {
      try open(&restored, atOrBefore: last, from: pages, fingerprint: fingerprint)
    } catch {
      restored.use.failure = error.detail
    }
  }

  /// Moves the fold as ``openIfReadable(_:atOrBefore:from:fingerprint:)`` does.
  ///
  /// - Throws: ``TreeFileError`` if the pages are unreadable.
  func open<App: ReplayableApp>(
    _ restored: inout RestoredFold<App>, atOrBefore last: UInt64, from pages: StoredPages,
    fingerprint: FoldFingerprint
  ) throws(TreeFileError) {
    let here = restored.recordFold.fold.sequence
    var limit = last
    while let sequence = try pages.view.newestSequence(atOrBefore: limit), sequence > here {
      limit = sequence - 1
      guard let snapshot = try pages.view.snapshot(at: sequence) else { continue }
      var verdict = verdict(on: snapshot, fingerprint)
      if verdict == .used {
        do throws(StoredStateError) {
          let state: App.State = try StatePages.open(from: snapshot.state, source: pages)
          guard let inFlight = try? EffectsInFlight(encoded: snapshot.inFlight.span),
            inFlight.isCaused(upTo: sequence)
          else { throw .tables }
          restored.recordFold.resume(
            from: Fold(state: state, inFlight: inFlight, sequence: sequence))
          restored.origin = snapshot
          restored.pages = pages
        } catch {
          verdict = .damaged("\(error)")
        }
      }
      restored.use.note(verdict, at: sequence)
      if verdict == .used || verdict.appliesToAll { return }
    }
  }

  /// Returns whether a snapshot belongs to this log and has the given fingerprint.
  ///
  /// - Complexity: O(bytes of one block).
  func isUsable(_ snapshot: StateSnapshot, _ fingerprint: FoldFingerprint) -> Bool {
    verdict(on: snapshot, fingerprint) == .used
  }

  /// Returns whether a snapshot can be used, and if not, why.
  func verdict(
    on snapshot: StateSnapshot, _ fingerprint: FoldFingerprint
  ) -> SnapshotUse.Verdict {
    if snapshot.fingerprint.reducer != fingerprint.reducer { return .otherReducer }
    if snapshot.fingerprint.stateSchema != fingerprint.stateSchema { return .otherStateSchema }
    if snapshot.fingerprint.decoding != fingerprint.decoding { return .otherDecoding }
    guard snapshot.sequence <= head.sequence else { return .otherLog }
    // Damage to the log is reported when the log is read.
    let chain = try? self.chain(at: snapshot.sequence)
    return chain == snapshot.chain ? .used : .otherLog
  }

  /// Folds records; a long fold saves states on the way.
  func advance<App: ReplayableApp>(
    _ restored: inout RestoredFold<App>, through last: UInt64, keeper: SnapshotKeeper<App>?
  ) throws(StoreError) {
    guard var keeper, last > restored.recordFold.fold.sequence + keeper.intervalDuringFold else {
      return try fold(into: &restored.recordFold, through: last)
    }
    keeper.origin = restored.origin
    keeper.pages = restored.pages
    while restored.recordFold.fold.sequence < last {
      let here = restored.recordFold.fold.sequence
      let goal = min(last, here + keeper.intervalDuringFold)
      // A state is saved only at a record that carries its hash.
      let place = goal < last ? try lastRecord(in: here + 1...goal) { $0.stateHash != nil } : nil
      try fold(into: &restored.recordFold, through: place ?? goal)
      guard place != nil else { continue }
      _ = try saveOnce(&restored.recordFold, by: &keeper)
      restored.origin = keeper.origin
    }
  }
}
