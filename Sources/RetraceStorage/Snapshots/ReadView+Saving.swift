import LMDBFile
package import Retrace
import RetraceSystem

/// Saving the state of a fold while other processes save too.
extension ReadView {
  /// Saves the state of a fold.
  ///
  /// If another process has saved meanwhile, the fold continues from that snapshot, and saves only
  /// if a save is still due. If the snapshot that the state came from was deleted, the whole state
  /// is saved. The state keeps its value, and reads pages that are not in memory from the newest
  /// snapshot, so that no older one has to be kept.
  ///
  /// - Parameters:
  ///   - records: The fold, at a record that carries the state's hash.
  ///   - keeper: The keeper that saves it.
  ///   - closing: Whether the session ends.
  /// - Complexity: O(leaves changed since the last save); O(records after the newest snapshot) if
  ///   another process saved; O(entities) after a deletion.
  /// - Throws: As folding does, with nothing changed.
  package func save<App: ReplayableApp>(
    _ records: inout RecordFold<App>, by keeper: inout SnapshotKeeper<App>, closing: Bool
  ) throws(StoreError) {
    switch try saveOnce(&records, by: &keeper) {
    case .overtaken:
      guard try resume(&records, by: &keeper),
        keeper.isDue(at: records.fold.sequence, closing: closing)
      else { return }
      _ = try saveOnce(&records, by: &keeper)
    case .lost:
      guard keeper.markUnsaved(&records.fold) else { return }
      _ = try saveOnce(&records, by: &keeper)
    case .saved, .skipped, .failed: break
    }
    // A closing session soon releases its pages anyway.
    if !closing { keeper.switchPages(of: &records.fold) }
  }

  /// Saves, unless another process did, or the snapshot that the state came from was deleted.
  ///
  /// - Complexity: O(leaves changed since the last save).
  /// - Throws: As reading does, with nothing changed.
  package func saveOnce<App: ReplayableApp>(
    _ records: inout RecordFold<App>, by keeper: inout SnapshotKeeper<App>
  ) throws(StoreError) -> SnapshotStorage.SaveResult {
    let chain = try self.chain(at: records.fold.sequence)
    let fingerprint = keeper.fingerprint
    return keeper.save(&records.fold, chain: chain) { self.isUsable($0, fingerprint) }
  }

  /// Continues the fold from the newest snapshot of another process, with the same state.
  ///
  /// The records after the snapshot are folded again. Then the state reads its pages from that
  /// snapshot, and the next save writes only what differs from it. Nothing changes if there is no
  /// such snapshot, or if the new state differs.
  ///
  /// - Parameters:
  ///   - records: The fold.
  ///   - keeper: The keeper that saves it.
  /// - Returns: Whether the fold now continues from that snapshot.
  /// - Complexity: O(records after the snapshot), at most ``SnapshotPolicy/gapMax``.
  /// - Throws: As folding does, with nothing changed.
  @discardableResult
  package func resume<App: ReplayableApp>(
    _ records: inout RecordFold<App>, by keeper: inout SnapshotKeeper<App>
  ) throws(StoreError) -> Bool {
    let last = records.fold.sequence
    keeper.noteSnapshotSearch(at: last)
    var restored = RestoredFold(RecordFold<App>(plan: try plan(for: App.self)))
    do throws(TreeFileError) {
      guard let pages = try keeper.snapshots.pages(),
        let newest = try pages.view.newestSequence(atOrBefore: last),
        newest > keeper.origin?.sequence ?? 0, last - newest <= keeper.policy.gapMax
      else { return false }
      try open(&restored, atOrBefore: last, from: pages, fingerprint: keeper.fingerprint)
      guard restored.origin?.sequence == newest else { return false }
    } catch {
      return false
    }
    try fold(into: &restored.recordFold, through: last)
    let hash = StateHasher.hash(&restored.recordFold.fold.state, with: SHA256Hasher.self)
    guard restored.isSound, restored.recordFold.fold.inFlight == records.fold.inFlight,
      hash == StateHasher.hash(&records.fold.state, with: SHA256Hasher.self)
    else { return false }
    records.plan = restored.recordFold.plan
    records.resume(from: restored.recordFold.fold)
    keeper.start(from: restored)
    return true
  }
}
