public import RetraceArchitecture
public import RetraceAvro
import RetraceLog
import RetraceState
import RetraceSystem

/// When states are saved, in records; `.max` stands for never.
public struct SnapshotPolicy: Hashable, Sendable {
  /// How many records lie at least between two saves of a running session.
  public var interval: UInt64
  /// How many records have to lie behind the newest snapshot for a session that closes to save.
  public var closingInterval: UInt64
  /// The most records between two kept snapshots; two fifths of it where they take little room.
  public var gapMax: UInt64

  /// Makes a policy; the defaults are those of the documentation.
  public init(
    interval: UInt64 = 10_000, closingInterval: UInt64 = 1_000, gapMax: UInt64 = 250_000
  ) {
    self.interval = interval
    self.closingInterval = closingInterval
    self.gapMax = gapMax
  }
}

/// Saves the states of one fold as it goes on.
///
/// Saves happen outside of the log's write transaction and hold none of its locks. One that fails
/// costs nothing but the time; the next is tried an interval later.
public struct SnapshotKeeper<App: ReplayableApp>: Sendable {
  /// When states are saved.
  public let policy: SnapshotPolicy
  /// What makes the states.
  public let identity: SnapshotIdentity
  /// The snapshot that the state came from or that was saved last.
  public internal(set) var origin: StateSnapshot?
  /// Where the state's pages are read from, if it came from a snapshot.
  public internal(set) var pages: StoredPages?
  /// Where the last save was tried.
  private var lastTry: UInt64 = 0
  /// Whether the last save took so much that snapshots will not be kept close to one another.
  private var isDear = false
  /// Where it was last looked for what others saved.
  private var lastLook: UInt64 = 0
  let snapshots: SnapshotStorage

  /// Makes a keeper for a state that was not saved yet.
  public init(_ snapshots: SnapshotStorage, policy: SnapshotPolicy, identity: SnapshotIdentity) {
    self.snapshots = snapshots
    self.policy = policy
    self.identity = identity
  }

  /// How many records lie between two saves while a long log is folded.
  public var wayInterval: UInt64 {
    max(1, (isDear ? policy.gapMax : Thinning.closeGap(policy.gapMax)) / 2)
  }

  /// Goes on from a fold that was restored.
  public mutating func start(from restored: RestoredFold<App>) {
    origin = restored.origin
    pages = restored.pages
    lastTry = restored.origin?.sequence ?? 0
  }

  /// Whether a save is due after a record, so that the record should carry the state's hash.
  ///
  /// - Complexity: O(1).
  public func isDue(at sequence: UInt64, closing: Bool = false) -> Bool {
    guard identity.isKnown else { return false }
    let interval = closing ? policy.closingInterval : policy.interval
    return Self.isPast(sequence, lastTry, by: interval)
  }

  /// Whether it is time to look for what others saved, for a fold that saves nothing itself.
  ///
  /// - Complexity: O(1).
  public func isLookDue(at sequence: UInt64) -> Bool {
    pages != nil && isDue(at: sequence) && Self.isPast(sequence, lastLook, by: policy.interval)
  }

  /// Whether a sequence lies an interval behind another; an interval may be any number.
  private static func isPast(_ sequence: UInt64, _ last: UInt64, by interval: UInt64) -> Bool {
    sequence >= last && sequence - last >= interval
  }

  /// Notes that it is looked for what others saved.
  mutating func noteLook(at sequence: UInt64) { lastLook = sequence }

  /// Saves a state; see ``LogSnapshot/save(_:by:closing:)`` for one that others save, too.
  ///
  /// When this returns, the snapshot is on disk, or nothing of it.
  ///
  /// - Parameters:
  ///   - fold: The state, at a record that carries its hash; it then counts as saved.
  ///   - chain: The chain digest of that record.
  ///   - isUsable: Whether a snapshot that another process saved is one of this log.
  /// - Returns: What became of it; nothing is lost in any case.
  /// - Complexity: O(leaves changed since the last save), and once O(pages of the file).
  @discardableResult
  public mutating func save(
    _ fold: inout Fold<App>, chain: Digest, isUsable: (StateSnapshot) -> Bool
  ) -> SnapshotStorage.Saved {
    lastTry = fold.sequence
    guard pages?.fault == nil else { return .skipped }
    // The save marks pages as written; they are, once it is through.
    var copy = fold.state
    var saved: StateSnapshot?
    let (sequence, identity, inFlight) = (fold.sequence, identity, fold.inFlight.encoded())
    let result = snapshots.save(from: origin, gapMax: policy.gapMax, isUsable: isUsable) { writer in
      let stored = StatePages.save(&copy, at: sequence, with: SHA256Hasher.self, into: &writer)
      let snapshot = StateSnapshot(
        chain: chain, identity: identity, inFlight: inFlight, state: stored)
      saved = snapshot
      return snapshot
    }
    guard case .saved(let count, _) = result, pages?.fault == nil, let saved else { return result }
    isDear = Thinning.isDear(pages: count, gap: Thinning.closeGap(policy.gapMax))
    fold.state = copy
    origin = saved
    return result
  }

  /// Takes note of what a copy of this keeper did with a copy of the fold, which has gone on since.
  ///
  /// - Parameters:
  ///   - other: The copy, after a save.
  ///   - copy: The fold that it saved.
  ///   - fold: The fold that has gone on.
  /// - Complexity: O(nodes that the save put or that changed since).
  package mutating func takeOver(
    _ other: SnapshotKeeper, of copy: Fold<App>, into fold: inout Fold<App>
  ) {
    (lastTry, isDear) = (other.lastTry, other.isDear)
    guard other.origin != origin, pages?.fault == nil else { return }
    StatePages.adopt(&fold.state, from: copy.state)
    origin = other.origin
    renewPages(of: &fold)
  }

  /// Makes a state resident and lets it begin anew: what it was saved as is gone.
  ///
  /// - Returns: Whether all of it could be read.
  /// - Complexity: O(entities).
  mutating func forgetSaves(of fold: inout Fold<App>) -> Bool {
    var state = fold.state
    StatePages.forgetSaves(&state)
    guard pages?.fault == nil else { return false }
    fold.state = state
    origin = nil
    pages = nil
    return true
  }

  /// Reads a state that was just saved from that snapshot, not from the one that it came from,
  /// whose pages need not be kept any more.
  ///
  /// - Complexity: O(snapshots).
  mutating func renewPages(of fold: inout Fold<App>) {
    guard pages?.fault == nil, pages != nil, let origin, let fresh = try? snapshots.pages(),
      (try? fresh.view.snapshot(at: origin.sequence)) == origin
    else { return }
    StatePages.changeSource(of: &fold.state, to: fresh)
    pages = fresh
  }
}
