public import RetraceArchitecture
import RetraceAvro
public import RetraceLog
import RetraceState
import RetraceSystem

/// A fold that was begun from a snapshot, or from the start where none could be used.
public struct RestoredFold<App: ReplayableApp>: Sendable {
  /// The state, the sequence it stands after, and how records become actions.
  public var records: RecordFold<App>
  /// The snapshot that the state came from, or that was saved of it last.
  public internal(set) var origin: StateSnapshot?
  /// Where the tables' pages are read from; `nil` for a state that is all in memory.
  public internal(set) var pages: StoredPages?
  /// What was used, and why.
  package var use = SnapshotUse()

  /// Takes a fold that came from no snapshot.
  package init(_ records: RecordFold<App>) { self.records = records }

  /// Whether everything that was read of the state so far can be relied on.
  ///
  /// Look at it after reading, before anybody acts on what was read: a page that is missing or
  /// damaged reads as if nothing were there.
  public var isSound: Bool { pages?.fault == nil }
}

extension SnapshotIdentity {
  /// The identity of an app of this build.
  ///
  /// - Complexity: O(bytes of the schemas) the first time.
  public init<App: ReplayableApp>(of app: App.Type) {
    let schemas = AppSchemas.of(app)
    self.init(
      stateSchema: schemas.stateFingerprint, reducer: App.reducerFingerprint,
      decoding: schemas.actionFingerprint)
  }
}

extension LogSnapshot {
  /// The state after a record: from the newest snapshot that can be used, and the records behind
  /// it; from the start where there is none.
  ///
  /// What is stored and cannot be used is said by ``SnapshotUse`` and is no error. Snapshots
  /// that are damaged are removed.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - last: The sequence wanted.
  ///   - snapshots: Where snapshots are.
  ///   - identity: What made the states that can be used.
  ///   - keeper: What saves states on a long way; see ``SnapshotKeeper``.
  /// - Complexity: That of ``plan(for:)``, and O(records behind the snapshot), at most 100,000
  ///   where snapshots take little room, else 250,000, in a store that was written by builds with
  ///   the same reducer.
  /// - Throws: As folding does.
  public func restore<App: ReplayableApp>(
    _ app: App.Type, through last: UInt64, from snapshots: SnapshotStorage,
    identity: SnapshotIdentity, keeper: SnapshotKeeper<App>? = nil
  ) throws(StoreError) -> RestoredFold<App> {
    let start = RecordFold(plan: try plan(for: app))
    var restored = try open(start, atOrBefore: last, from: snapshots, identity: identity)
    let first = restored.records.fold.sequence
    try advance(&restored, through: last, keeper: keeper)
    if let fault = restored.pages?.fault {
      var use = restored.use
      use.condemn(fault.description)
      snapshots.removeAll()
      restored = RestoredFold(start)
      restored.use = use
      try advance(&restored, through: last, keeper: keeper)
    }
    restored.use.folded = last - (restored.pages == nil ? start.fold.sequence : first)
    return restored
  }

  /// The state of the newest snapshot that can be used, at most at a sequence.
  private func open<App: ReplayableApp>(
    _ start: RecordFold<App>, atOrBefore last: UInt64, from snapshots: SnapshotStorage,
    identity: SnapshotIdentity
  ) throws(StoreError) -> RestoredFold<App> {
    var restored = RestoredFold(start)
    guard identity.isKnown else { return restored }
    do throws(TreeFault) {
      guard let pages = try snapshots.pages() else { return restored }
      try open(&restored, atOrBefore: last, from: pages, identity: identity)
    } catch {
      restored.use.failure = error.detail
      if error.isDamage { snapshots.removeAll() }
    }
    return restored
  }

  /// Goes on to the newest snapshot that can be used, at most at a sequence, if it is further on.
  package func open<App: ReplayableApp>(
    _ restored: inout RestoredFold<App>, atOrBefore last: UInt64, from pages: StoredPages,
    identity: SnapshotIdentity
  ) throws(TreeFault) {
    let here = restored.records.fold.sequence
    restored.use.stored = pages.view.sequences
    for sequence in pages.view.sequences.reversed() where sequence <= last {
      guard sequence > here else { return }
      guard let snapshot = try pages.view.snapshot(at: sequence) else { continue }
      var verdict = verdict(on: snapshot, identity)
      if verdict == .used {
        do throws(StoredStateError) {
          let state: App.State = try StatePages.open(from: snapshot.state, source: pages)
          guard let inFlight = try? EffectsInFlight(encoded: snapshot.inFlight.span) else {
            throw .tables
          }
          restored.records.resume(
            from: Fold(state: state, inFlight: inFlight, sequence: sequence))
          restored.origin = snapshot
          restored.pages = pages
        } catch {
          verdict = .damaged("\(error)")
        }
      }
      restored.use.note(verdict, at: sequence)
      if verdict == .used || verdict.isForAll { return }
    }
  }

  /// Whether a snapshot is one of this log and of an identity.
  ///
  /// - Complexity: O(bytes of one block).
  public func isUsable(_ snapshot: StateSnapshot, _ identity: SnapshotIdentity) -> Bool {
    verdict(on: snapshot, identity) == .used
  }

  /// Why a snapshot can or cannot be used.
  func verdict(
    on snapshot: StateSnapshot, _ identity: SnapshotIdentity
  ) -> SnapshotUse.Verdict {
    if snapshot.identity.reducer != identity.reducer { return .otherReducer }
    if snapshot.identity.stateSchema != identity.stateSchema { return .otherStateSchema }
    if snapshot.identity.decoding != identity.decoding { return .otherDecoding }
    guard snapshot.sequence <= head.sequence else { return .otherLog }
    // Damage of the log is said by whoever reads the log.
    let chain = try? self.chain(at: snapshot.sequence)
    return chain == snapshot.chain ? .used : .otherLog
  }

  /// Folds records, and saves states on the way if that is long.
  func advance<App: ReplayableApp>(
    _ restored: inout RestoredFold<App>, through last: UInt64, keeper: SnapshotKeeper<App>?
  ) throws(StoreError) {
    guard var keeper, last > restored.records.fold.sequence + keeper.wayInterval else {
      return try fold(into: &restored.records, through: last)
    }
    keeper.origin = restored.origin
    keeper.pages = restored.pages
    while restored.records.fold.sequence < last {
      let here = restored.records.fold.sequence
      let goal = min(last, here + keeper.wayInterval)
      // A state is saved only where the log holds its hash.
      let place = goal < last ? try lastRecord(in: here + 1...goal) { $0.stateHash != nil } : nil
      try fold(into: &restored.records, through: place ?? goal)
      guard place != nil else { continue }
      _ = try saveOnce(&restored.records, by: &keeper)
      restored.origin = keeper.origin
    }
  }
}
