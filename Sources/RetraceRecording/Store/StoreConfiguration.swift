public import Retrace
public import RetraceStorage
import RetraceSystem

/// The options of a store.
public struct StoreConfiguration: Sendable {
  /// The id of the process's time zone, as the session records it.
  public var zoneID: String
  /// The version of the time zone database, as the session records it; empty when unknown.
  public var zoneDatabaseVersion: String
  /// The user and the process, as the session records them.
  ///
  /// By default the user has the login name of the process; undo takes back what this user changed.
  public var origin: SessionOrigin
  /// The durability of an action when its send returns.
  public var durability: Durability
  /// The minimum number of actions after a state hash before a commit records the next one.
  ///
  /// Verification narrows a divergence down to the records between two hashes. A hash costs 32
  /// bytes, and some microseconds of processor time after a few actions. A group has at most one
  /// hash, on its last record, so more actions than this can be between two hashes. While more is
  /// queued, the state is hashed only as often as it is saved.
  public var hashInterval: Int
  /// The most actions that wait for a commit before `send` and `enqueue` throw `overloaded`.
  public var queueLimit: Int
  /// The most bytes of encoded actions that wait before `send` and `enqueue` throw `overloaded`;
  /// one batch may exceed it.
  public var queueBytesLimit: Int
  /// When the state is saved, so that opening need not fold the whole log.
  public var snapshots = SnapshotPolicy()
  /// Samples the clock that gives records their moments.
  public var clock: @Sendable () -> Moment
  /// Samples the clock of the machine, where ``clock`` is another one; otherwise `nil`.
  ///
  /// It is sampled once for each commit. The records then have this time beside their moment.
  public var realClock: (@Sendable () -> Moment)?
  /// The clock that measures delays of effects; monotonic unless a test passes its own.
  public var effectClock: any Clock<Duration> = ContinuousClock()
  /// The way to fold the log in a child process, after an earlier process crashed while folding it.
  ///
  /// The child finds the record that crashes the reducer. With `nil`, this program crashes at the
  /// record twice more before an error names the record.
  public var foldTrial: FoldTrial?
  /// Called with each step of opening the store, on the thread that opens it.
  public var openingObserver: (@Sendable (OpeningStep) -> Void)?
  /// The most bytes of batches committed together; a larger batch is committed alone.
  package var groupBytesMax = LogFormat.batchBytesMax
  /// The most actions of batches committed together; a larger batch is committed alone.
  ///
  /// A group copies the changed parts of the state once and waits for the disk once, so a large
  /// group costs less per action. States are saved between groups, so a group has at most as many
  /// actions as ``busyHashInterval``, but 1,000 are always allowed. ``GroupLimit`` also limits the
  /// time of reducing it.
  var groupActionsMax: Int { max(1_000, busyHashInterval) }
  /// The most batches committed together.
  ///
  /// A receipt keeps the state after its batch, so the next batch has to copy the parts of the
  /// state that it changes. Enqueuing callers also wait while batches are taken out of the queue.
  var groupBatchesMax: Int {
    max(1_000, Int(clamping: min(snapshots.interval, snapshots.gapMax / 2)))
  }
  /// The fewest actions of a group that is reduced on a second thread while it is appended.
  package var largeGroupActionsMin = 2_048
  /// The most actions between two state hashes, and so between two saves, while full groups are
  /// queued.
  ///
  /// The state is hashed after a group if at least half as many actions have been appended since
  /// the last hash.
  ///
  /// With ten thousand entries, a hash after ten thousand actions takes as long as reducing them.
  var busyHashInterval: Int {
    let tenfold = snapshots.interval.multipliedReportingOverflow(by: 10)
    let saves = min(tenfold.overflow ? .max : tenfold.partialValue, snapshots.gapMax / 2)
    return max(hashInterval, Int(clamping: max(snapshots.interval, saves)))
  }
  /// Called with each phase that a group enters, right after the phase is noted in the attempt.
  ///
  /// The call is made inside the write transaction, on the thread that enters the phase. It lets
  /// tests end the process in a phase, and must not call the store.
  package var phaseObserver: (@Sendable (Attempt.Phase) -> Void)?

  /// The system's wall clock.
  public static let wallClock: @Sendable () -> Moment = {
    Moment(microseconds: WallClock.now())
  }

  /// Creates a configuration.
  public init(
    zoneID: String = "UTC", zoneDatabaseVersion: String = "",
    durability: Durability = .durable, hashInterval: Int = 256, queueLimit: Int = 1 << 20,
    queueBytesLimit: Int = 64 << 20,
    clock: @escaping @Sendable () -> Moment = StoreConfiguration.wallClock
  ) {
    self.zoneID = zoneID
    self.zoneDatabaseVersion = zoneDatabaseVersion
    origin = SessionOrigin(
      login: ThisProcess.loginName, host: Machine.name, process: ThisProcess.identifier,
      isClockFixed: false)
    self.durability = durability
    self.hashInterval = hashInterval
    self.queueLimit = queueLimit
    self.queueBytesLimit = queueBytesLimit
    self.clock = clock
  }

  func check(_ path: String) throws(StoreError) {
    let problem: String? =
      if hashInterval < 1 {
        "`hashInterval` is \(hashInterval); it must be at least 1."
      } else if queueLimit < 1 {
        "`queueLimit` is \(queueLimit); it must be at least 1."
      } else if queueBytesLimit < 1 {
        "`queueBytesLimit` is \(queueBytesLimit); it must be at least 1."
      } else if case .relaxed(let window) = durability, window < .zero {
        "`durability` is relaxed with a negative window; the window must be at least 0."
      } else {
        nil
      }
    guard let problem else { return }
    throw StoreError(
      .invalidConfiguration, what: "The store \(path) was not opened.", why: problem,
      advice: "Correct this value of the configuration.")
  }
}
