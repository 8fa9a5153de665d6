public import Retrace
import RetraceSystem

/// Saves the states of one fold as it advances.
///
/// Saves happen outside the log's write transaction and take none of its locks. A failed save costs
/// only its time; the next one is tried an interval later.
public struct SnapshotKeeper<App: ReplayableApp>: Sendable {
  package let policy: SnapshotPolicy
  package let fingerprint: FoldFingerprint
  /// The snapshot that the state came from or was last saved as.
  package internal(set) var origin: StateSnapshot?
  /// The source of the state's pages, if it came from a snapshot.
  package internal(set) var pages: StoredPages?
  private var lastTry: UInt64 = 0
  /// Whether the fold loaded an older schema, which takes longer than folding many records.
  ///
  /// After a save the next process need not do it.
  private var loadedOlderSchema = false
  /// Whether the last saved snapshot was large; large ones are thinned up to the wide bound.
  private var lastWasLarge = false
  /// The sequence at which the last search for other processes' snapshots happened.
  private var lastSnapshotSearch: UInt64 = 0
  let snapshots: SnapshotStorage

  /// Creates a keeper for a state that has not been saved.
  public init(_ snapshots: SnapshotStorage, policy: SnapshotPolicy, fingerprint: FoldFingerprint) {
    self.snapshots = snapshots
    self.policy = policy
    self.fingerprint = fingerprint
  }

  /// The number of records between two saves while a long log is folded.
  var intervalDuringFold: UInt64 {
    max(1, (lastWasLarge ? policy.gapMax : Thinning.smallSnapshotGap(policy.gapMax)) / 2)
  }

  package mutating func start(from restored: RestoredFold<App>) {
    origin = restored.origin
    pages = restored.pages
    lastTry = restored.origin?.sequence ?? 0
    loadedOlderSchema = restored.recordFold.plan.hasLoadedSchemas
  }

  /// Returns whether a save is due after a record, so that the record should carry the state's
  /// hash.
  ///
  /// - Complexity: O(1).
  package func isDue(at sequence: UInt64, closing: Bool = false) -> Bool {
    guard fingerprint.isKnown else { return false }
    if closing && loadedOlderSchema && policy.closingInterval != .max { return true }
    let interval = closing ? policy.closingInterval : policy.interval
    return Self.isPast(sequence, lastTry, by: interval)
  }

  /// Returns whether a fold that never saves should look for other processes' snapshots.
  ///
  /// - Complexity: O(1).
  package func isSnapshotSearchDue(at sequence: UInt64) -> Bool {
    pages != nil && isDue(at: sequence)
      && Self.isPast(sequence, lastSnapshotSearch, by: policy.interval)
  }

  /// Returns whether a sequence is at least an interval after another; the interval may be `.max`.
  private static func isPast(_ sequence: UInt64, _ last: UInt64, by interval: UInt64) -> Bool {
    sequence >= last && sequence - last >= interval
  }

  /// Notes that the search for other processes' snapshots happens at a sequence.
  mutating func noteSnapshotSearch(at sequence: UInt64) { lastSnapshotSearch = sequence }

  /// Saves a state; ``ReadView/save(_:by:closing:)`` also handles saves by other processes.
  ///
  /// When this returns, the snapshot is completely on disk, or not stored at all.
  ///
  /// - Parameters:
  ///   - fold: The fold, at a record that carries the state's hash; after a save it counts as
  ///     saved.
  ///   - chain: The chain digest of that record.
  ///   - isUsable: Returns whether another process's snapshot can be used with this log.
  /// - Returns: The outcome; nothing is lost in any case.
  /// - Complexity: O(leaves changed since the last save), and once O(pages of the file).
  @discardableResult
  public mutating func save(
    _ fold: inout Fold<App>, chain: Digest, isUsable: (StateSnapshot) -> Bool
  ) -> SnapshotStorage.SaveResult {
    lastTry = fold.sequence
    loadedOlderSchema = false
    guard pages?.firstError == nil else { return .skipped }
    // Saving marks the pages of this copy as written; the fold takes it over after a success.
    var copy = fold.state
    var saved: StateSnapshot?
    let (sequence, fingerprint, inFlight) = (fold.sequence, fingerprint, fold.inFlight.encoded())
    let result = snapshots.save(from: origin, gapMax: policy.gapMax, isUsable: isUsable) { writer in
      let stored = StatePages.save(&copy, at: sequence, with: SHA256Hasher.self, into: &writer)
      let snapshot = StateSnapshot(
        chain: chain, fingerprint: fingerprint, inFlight: inFlight, state: stored)
      saved = snapshot
      return snapshot
    }
    guard case .saved(let count, _) = result, pages?.firstError == nil, let saved else {
      return result
    }
    lastWasLarge = Thinning.isLarge(pages: count, gap: Thinning.smallSnapshotGap(policy.gapMax))
    fold.state = copy
    origin = saved
    return result
  }

  /// Takes over the result of a save that a copy of this keeper made of a copy of the fold.
  ///
  /// - Parameters:
  ///   - other: The copy of the keeper, after the save.
  ///   - copy: The saved copy of the fold.
  ///   - fold: The fold, which has advanced meanwhile.
  /// - Complexity: O(nodes that the save wrote or that changed since).
  package mutating func takeOver(
    _ other: SnapshotKeeper, of copy: Fold<App>, into fold: inout Fold<App>
  ) {
    (lastTry, lastWasLarge) = (other.lastTry, other.lastWasLarge)
    loadedOlderSchema = other.loadedOlderSchema
    guard other.origin != origin, pages?.firstError == nil else { return }
    StatePages.adopt(&fold.state, from: copy.state)
    origin = other.origin
    switchPages(of: &fold)
  }

  /// Loads a state into memory and marks it as unsaved, because its snapshot was deleted.
  ///
  /// - Returns: Whether all of it was readable.
  /// - Complexity: O(entities).
  mutating func markUnsaved(_ fold: inout Fold<App>) -> Bool {
    var state = fold.state
    StatePages.markUnsaved(&state)
    guard pages?.firstError == nil else { return false }
    fold.state = state
    origin = nil
    pages = nil
    return true
  }

  /// Switches a state to the pages of the snapshot that it was just saved as.
  ///
  /// The pages of its former snapshot then need not be kept. Releases the saved parts of the state
  /// from memory if the policy says so.
  ///
  /// - Complexity: O(snapshots), and O(resident nodes) if the policy releases what is saved.
  mutating func switchPages(of fold: inout Fold<App>) {
    guard pages?.firstError == nil, pages != nil || !policy.keepsSavedParts, let origin,
      let fresh = try? snapshots.pages(),
      (try? fresh.view.snapshot(at: origin.sequence)) == origin
    else { return }
    if policy.keepsSavedParts {
      StatePages.changeSource(of: &fold.state, to: fresh)
    } else {
      StatePages.releaseSaved(of: &fold.state, to: fresh)
    }
    pages = fresh
  }
}
