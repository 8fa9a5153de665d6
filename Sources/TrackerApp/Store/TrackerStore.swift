public import Retrace
public import RetraceRecording
public import RetraceStorage
import RetraceSystem
public import TimeTracking
public import TrackerFeatures

/// The tracker's store, the rules of the process's zone, and its clock.
public struct TrackerStore: Sendable {
  /// The store.
  public let store: Store<TimeTracker>
  /// The rules of the process's zone.
  public let zone: ZoneRules
  /// The rules of other zones, each read on first use.
  public let zones = ZoneRulesCache()
  private let clock: @Sendable () -> Moment

  /// The entities in the latest state.
  ///
  /// Pages are read on first use, and a damaged page looks empty. Use ``read(_:)`` for values on
  /// which a change depends.
  public var domain: DomainState { store.state.domain }

  /// Calls `body` with the entities in the latest state, and verifies the pages that it read.
  ///
  /// - Parameter body: Must not have side effects, because it may be called twice.
  /// - Complexity: As the body; after damage, plus folding the log.
  /// - Throws: As `Store.read`.
  public func read<Result>(_ body: (DomainState) -> Result) throws(StoreError) -> Result {
    try store.read { body($0.domain) }
  }

  /// Returns the current moment, or the one that was fixed.
  public func now() -> Moment { clock() }

  /// Closes the store.
  ///
  /// - Throws: As `Store.closeBlocking`.
  public func close() throws(StoreError) { try store.closeBlocking() }

  /// Opens the store for writing.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - creating: Whether to create a store if it does not exist.
  ///   - zone: The rules of the process's zone.
  ///   - login: The user whose changes are undone; by default the login name of the process.
  ///   - now: A fixed moment instead of the clock.
  ///   - isBulk: Whether to keep entities in memory only until they are saved, for a session that
  ///     writes much and reads little.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  /// - Complexity: O(records after the newest snapshot).
  /// - Throws: As `Store.openBlocking`.
  public static func open(
    at path: String, creating: Bool = true, zone: ZoneRules, login: String? = nil,
    now: Moment? = nil, isBulk: Bool = false, foldTrial: FoldTrial? = nil
  ) throws(StoreError) -> TrackerStore {
    let clock: @Sendable () -> Moment =
      if let now { { now } } else { StoreConfiguration.wallClock }
    var configuration = StoreConfiguration(
      zoneID: zone.id, zoneDatabaseVersion: LocalZone.databaseVersion(), clock: clock)
    configuration.foldTrial = foldTrial
    configuration.origin.login = login ?? ThisProcess.loginName
    configuration.origin.isClockFixed = now != nil
    configuration.snapshots.keepsSavedParts = !isBulk
    let store = try Store<TimeTracker>.openBlocking(
      at: path, creating: creating, configuration: configuration)
    return TrackerStore(store: store, zone: zone, clock: clock)
  }

  /// Calls `body` with the latest state, read-only, and returns its result.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  ///   - checkingEnd: Whether the head, the last block and the anchor are compared first.
  ///   - body: Receives the state and the snapshot that it was opened from. It may be called three
  ///     times.
  /// - Complexity: O(records after the newest snapshot), plus the body.
  /// - Throws: The errors of opening; `storeMissing` if there is no store.
  public static func read<Result>(
    at path: String, foldTrial: FoldTrial? = nil, checkingEnd: Bool = true,
    _ body: (borrowing TrackerState, SnapshotUse) -> Result
  ) throws(StoreError) -> Result {
    let storage = try LogStorage.open(at: path, access: .read, checkingEnd: checkingEnd)
    defer { storage.close() }
    try storage.requireFoldable(foldTrial, by: TimeTracker.reducerFingerprint)
    return try storage.withState(of: TimeTracker.self) { state, use throws(StoreError) in
      body(state, use)
    }
  }

  /// A point in the history of a log.
  public enum PastPoint: Hashable, Sendable {
    /// Everything up to the end of the batch with this record.
    case record(UInt64)
    /// Everything that existed at this moment of the real clock.
    case moment(Moment)
  }

  /// The part of a log that an earlier state is folded from.
  public struct PastLog: Hashable, Sendable {
    /// The sequence of the last record; 0 for none.
    public var last: UInt64
    /// A later record whose real time is not after the moment: the clock was set back.
    public var exception: UInt64?
    /// The moment of the last record; `nil` for none.
    public var moment: Moment?
  }

  /// Calls `body` with an earlier state, read-only, and returns its result.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - point: The point whose state is read.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  ///   - body: Receives the state and the part of the log that it was folded from. It may be called
  ///     three times.
  /// - Complexity: O(records of the log) for a moment; O(records after the newest snapshot before
  ///   the point), plus the body.
  /// - Throws: The errors of opening; `storeMissing` if there is no store.
  public static func readPast<Result>(
    at path: String, _ point: PastPoint, foldTrial: FoldTrial? = nil,
    _ body: (borrowing TrackerState, PastLog) -> Result
  ) throws(StoreError) -> Result {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    try storage.requireFoldable(foldTrial, by: TimeTracker.reducerFingerprint)
    let past = try storage.withReadView { view throws(StoreError) in try view.past(at: point) }
    return try storage.withState(of: TimeTracker.self, through: past.last) {
      state, _ throws(StoreError) in
      body(state, past)
    }
  }
}

extension ReadView {
  /// Returns the records up to a point.
  ///
  /// - Complexity: O(records) for a moment, O(records of the batch) for a record.
  fileprivate func past(
    at point: TrackerStore.PastPoint
  ) throws(StoreError) -> TrackerStore.PastLog {
    let found: RecordClocks.Past
    switch point {
    case .moment(let moment): found = try RecordClocks.past(at: moment, in: self)
    case .record(let sequence):
      let next =
        sequence < head.sequence
        ? try firstRecord(in: sequence + 1...head.sequence) { $0.startsBatch } : nil
      found = RecordClocks.Past(last: next.map { $0 - 1 } ?? head.sequence)
    }
    let moment = found.last > 0 ? try withRecord(at: found.last) { $0.moment } : nil
    return TrackerStore.PastLog(last: found.last, exception: found.exception, moment: moment)
  }
}
