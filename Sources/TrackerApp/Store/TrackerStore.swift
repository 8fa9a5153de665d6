public import Retrace
public import RetraceRecording
public import RetraceStorage
import RetraceSystem
import RetraceToolSupport
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
  /// The login whose changes are undone.
  package let login: String
  /// The environment of effects; `nil` if the store was opened without one.
  public let environment: TrackerEnvironment?
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
  ///   - environment: The environment of effects; `nil` for commands, which start none.
  ///   - observer: Called with each step of the opening.
  /// - Complexity: O(records after the newest snapshot).
  /// - Throws: As `Store.openBlocking`.
  public static func open(
    at path: String, creating: Bool = true, zone: ZoneRules, login: String? = nil,
    now: Moment? = nil, isBulk: Bool = false, foldTrial: FoldTrial? = nil,
    environment: TrackerEnvironment? = nil,
    observingSteps observer: (@Sendable (OpeningStep) -> Void)? = nil
  ) throws(StoreError) -> TrackerStore {
    let clock: @Sendable () -> Moment =
      if let now { { now } } else { StoreConfiguration.wallClock }
    return try open(
      at: path, creating: creating, zone: zone, login: login, clock: clock,
      isClockFixed: now != nil, isBulk: isBulk, foldTrial: foldTrial, environment: environment,
      observingSteps: observer)
  }

  /// Opens the store for writing, with a clock.
  package static func open(
    at path: String, creating: Bool = true, zone: ZoneRules, login: String? = nil,
    clock: @escaping @Sendable () -> Moment, isClockFixed: Bool, isBulk: Bool = false,
    foldTrial: FoldTrial? = nil, environment: TrackerEnvironment? = nil,
    observingSteps observer: (@Sendable (OpeningStep) -> Void)? = nil
  ) throws(StoreError) -> TrackerStore {
    var configuration = StoreConfiguration(
      zoneID: zone.id, zoneDatabaseVersion: LocalZone.databaseVersion(), clock: clock)
    configuration.foldTrial = foldTrial
    configuration.openingObserver = observer
    configuration.origin.login = login ?? ThisProcess.loginName
    configuration.origin.isClockFixed = isClockFixed
    if isClockFixed { configuration.realClock = StoreConfiguration.wallClock }
    configuration.snapshots.keepsSavedParts = !isBulk
    let store = try Store<TimeTracker>.openBlocking(
      at: path, creating: creating, configuration: configuration, environment: environment)
    return TrackerStore(
      store: store, zone: zone, login: configuration.origin.login, environment: environment,
      clock: clock)
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

  /// Calls `body` with an earlier state, read-only, and returns its result.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - end: The last record, whose batch is read to its end.
  ///   - foldTrial: The way to fold the log in a child process; `nil` for none.
  ///   - body: Receives the state. It may be called three times.
  /// - Returns: The result of `body`, the records that the state was folded from, and the moment of
  ///   the last one with a remark on it; `nil` for no record.
  /// - Complexity: O(records of the log) for a moment; O(records after the newest snapshot before
  ///   the end), plus the body.
  /// - Throws: The errors of opening; `storeMissing` if there is no store.
  package static func readPast<Result>(
    at path: String, asOf end: HistoryEnd, foldTrial: FoldTrial? = nil,
    _ body: (borrowing TrackerState) -> Result
  ) throws(StoreError) -> (
    result: Result, past: RecordClocks.Past, last: (moment: Moment, clock: RecordClocks.Remark?)?
  ) {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    try storage.requireFoldable(foldTrial, by: TimeTracker.reducerFingerprint)
    let (past, last) = try storage.past(asOf: end)
    let result = try storage.withState(of: TimeTracker.self, through: past.last) {
      state, _ throws(StoreError) in
      body(state)
    }
    return (result, past, last)
  }
}

extension LogStorage {
  /// Returns the records up to an end, and the moment of the last one with a remark on it; `nil`
  /// for no record.
  func past(
    asOf end: HistoryEnd
  ) throws(StoreError) -> (RecordClocks.Past, (moment: Moment, clock: RecordClocks.Remark?)?) {
    var past = RecordClocks.Past(last: 0)
    var last: (moment: Moment, clock: RecordClocks.Remark?)?
    try withReadView { view throws(StoreError) in
      past = try end.past(in: view)
      if case .sequence = end { past.last = try view.batchEnd(of: past.last) }
      guard past.last > 0 else { return }
      let envelope = try view.withRecord(at: past.last) { $0.envelope }
      var clocks = RecordClocks()
      last = (envelope.moment, try clocks.remark(on: envelope, in: view))
    }
    return (past, last)
  }
}

extension ReadView {
  /// Returns the sequence of the last record of a batch.
  ///
  /// - Parameter sequence: A record of the batch, or 0.
  /// - Complexity: O(records of the batch).
  fileprivate func batchEnd(of sequence: UInt64) throws(StoreError) -> UInt64 {
    guard sequence < head.sequence else { return sequence }
    let next = try firstRecord(in: sequence + 1...head.sequence) { $0.startsBatch }
    return next.map { $0 - 1 } ?? head.sequence
  }
}
