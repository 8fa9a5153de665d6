public import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceLog
public import RetraceRecording
public import RetraceState
public import RetraceStorage
import RetraceSystem
public import TimeTracking

/// The tracker on its real store: what every command and the app open.
public struct Tracker: Sendable {
  /// The store of the tracker's app.
  public typealias TrackerStore = Store<TimeTrackerApp>

  /// The recorded state.
  public let store: TrackerStore
  /// The rules of the process's zone.
  public let zone: ZoneRules
  private let clock: @Sendable () -> Moment

  /// The latest state.
  public var state: AppState { store.state }

  /// The current instant, or the one that was fixed.
  public func now() -> Moment { clock() }

  /// Opens the store for writing.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - creating: Whether a store is made where there is none.
  ///   - zone: The rules of the process's zone.
  ///   - now: A fixed instant instead of the wall clock.
  ///   - foldTrial: How this program folds the log in a process of its own.
  /// - Complexity: O(records in the log).
  /// - Throws: `StoreError`.
  public static func open(
    at path: String, creating: Bool = true, zone: ZoneRules, now: Moment? = nil,
    foldTrial: FoldTrial? = nil
  ) throws(StoreError) -> Tracker {
    let clock: @Sendable () -> Moment =
      if let now { { now } } else { StoreConfiguration.wallClock }
    var configuration = StoreConfiguration(
      zoneID: zone.id, zoneDatabaseVersion: LocalZone.databaseVersion(), clock: clock)
    configuration.foldTrial = foldTrial
    configuration.origin.login = ThisProcess.loginName
    configuration.origin.isClockFixed = now != nil
    let store = try TrackerStore.openBlocking(
      at: path, creating: creating, configuration: configuration)
    return Tracker(store: store, zone: zone, clock: clock)
  }
}

extension Tracker {
  /// Lends the latest state, read without writing anything, and answers what the body answers.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - foldTrial: How this program folds the log in a process of its own.
  ///   - body: Looks at the state, and does nothing that must not be done twice; the report says
  ///     which snapshot the state came from.
  /// - Complexity: O(records behind the newest snapshot), and that of the body.
  /// - Throws: `StoreError`; `storeMissing` where there is no store.
  public static func read<Result>(
    at path: String, foldTrial: FoldTrial? = nil,
    _ body: (borrowing AppState, SnapshotUse) -> Result
  ) throws(StoreError) -> Result {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    try storage.requireFoldable(foldTrial, by: TimeTrackerApp.reducerFingerprint)
    return try storage.withState(of: TimeTrackerApp.self) { state, use throws(StoreError) in
      body(state, use)
    }
  }
}
