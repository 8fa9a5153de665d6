public import RetraceArchitecture
public import RetraceLog
import RetraceState
import RetraceSystem

/// Saving the state of a fold beside other processes that save, too.
extension LogSnapshot {
  /// Saves the state of a fold.
  ///
  /// If another process saved meanwhile, the fold goes on from what it saved, and saves only if
  /// that is long ago. If what the state came from was deleted, all of it is saved. The state is
  /// then the same, and reads its absent pages from the newest snapshot: no older one is kept.
  ///
  /// - Parameters:
  ///   - records: The fold, at a record that carries its hash.
  ///   - keeper: What saves it.
  ///   - closing: Whether the session ends.
  /// - Complexity: O(leaves changed since the last save); O(records behind the newest snapshot)
  ///   after another process saved; O(entities) after a deletion.
  /// - Throws: As folding does, with nothing changed.
  public func save<App: ReplayableApp>(
    _ records: inout RecordFold<App>, by keeper: inout SnapshotKeeper<App>, closing: Bool
  ) throws(StoreError) {
    switch try saveOnce(&records, by: &keeper) {
    case .overtaken:
      guard try resume(&records, by: &keeper),
        keeper.isDue(at: records.fold.sequence, closing: closing)
      else { return }
      _ = try saveOnce(&records, by: &keeper)
    case .lost:
      guard keeper.forgetSaves(of: &records.fold) else { return }
      _ = try saveOnce(&records, by: &keeper)
    case .saved, .skipped, .failed: break
    }
    // Who goes away keeps nothing for long.
    if !closing { keeper.renewPages(of: &records.fold) }
  }

  /// Saves, unless another process did, or what the state came from was deleted.
  ///
  /// - Complexity: O(leaves changed since the last save).
  /// - Throws: As reading does, with nothing changed.
  package func saveOnce<App: ReplayableApp>(
    _ records: inout RecordFold<App>, by keeper: inout SnapshotKeeper<App>
  ) throws(StoreError) -> SnapshotStorage.Saved {
    let chain = try self.chain(at: records.fold.sequence)
    let identity = keeper.identity
    return keeper.save(&records.fold, chain: chain) { self.isUsable($0, identity) }
  }

  /// Goes on from the newest snapshot that another process saved, with the same state.
  ///
  /// The records behind it are folded anew, so that its pages and the state's memory of them are of
  /// one history. Nothing changes if that leads to another state, or none is there.
  ///
  /// - Parameters:
  ///   - records: The fold.
  ///   - keeper: What saves it.
  /// - Returns: Whether the fold goes on from there.
  /// - Complexity: O(records behind the snapshot), at most ``SnapshotPolicy/gapMax``.
  /// - Throws: As folding does, with nothing changed.
  @discardableResult
  public func resume<App: ReplayableApp>(
    _ records: inout RecordFold<App>, by keeper: inout SnapshotKeeper<App>
  ) throws(StoreError) -> Bool {
    let last = records.fold.sequence
    keeper.noteLook(at: last)
    var restored = RestoredFold(RecordFold<App>(plan: try plan(for: App.self)))
    do throws(TreeFault) {
      guard let pages = try keeper.snapshots.pages(),
        let newest = pages.view.sequences.last(where: { $0 <= last }),
        newest > keeper.origin?.sequence ?? 0, last - newest <= keeper.policy.gapMax
      else { return false }
      try open(&restored, atOrBefore: last, from: pages, identity: keeper.identity)
      guard restored.origin?.sequence == newest else { return false }
    } catch {
      return false
    }
    try fold(into: &restored.records, through: last)
    let hash = StateHasher.hash(&restored.records.fold.state, with: SHA256Hasher.self)
    guard restored.isSound, restored.records.fold.inFlight == records.fold.inFlight,
      hash == StateHasher.hash(&records.fold.state, with: SHA256Hasher.self)
    else { return false }
    records.plan = restored.records.plan
    records.resume(from: restored.records.fold)
    keeper.start(from: restored)
    return true
  }
}
