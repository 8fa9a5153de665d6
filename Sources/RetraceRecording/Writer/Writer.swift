import Retrace
import RetraceStorage
import RetraceSystem
import Synchronization

/// The owner of the log and its thread, the queue, the engine with the session, and the effects.
///
/// Users hold a `Store`. Everything that calls back later (timers, tasks, the watch of commits)
/// holds the writer weakly. So the store closes when the user drops the last reference to it, and
/// the writer then closes the log in one of its own jobs.
///
/// Everything that appends, folds or saves takes a `LogWriter.Access`, which only a job has.
final class Writer<App: ReplayableApp>: Sendable {
  let log: LogStorage
  let configuration: StoreConfiguration
  let encoder = ActionEncoder<App>()
  let queue: BatchQueue<App>
  let publisher: Publisher<App>
  let effects: EffectRunner<App>
  let window = CommitWindow()
  /// The engine, which only jobs use.
  ///
  /// They run one at a time, so no thread waits for the lock; it makes the writer `Sendable`.
  private let engine: Lock<Engine<App>>
  /// The thread that reduces large groups; it starts with the first of them.
  private let reducer: WorkerThread
  private let recoveredSequences = Lock<[UInt64]>([])
  private let scene = Lock<SceneID?>(nil)
  /// The snapshot that the state was loaded from, at opening or after damage.
  private let use: Lock<SnapshotUse>
  /// The watch for commits of other processes, once the store follows them.
  private let watch = Lock<FileWatch?>(nil)
  private let isCatchUpScheduled = Atomic(false)

  /// Folds a log opened for writing, and runs recovery.
  ///
  /// - Throws: The errors of folding; the log stays open.
  static func open(
    over log: LogStorage, configuration: StoreConfiguration, environment: App.Environment?
  ) throws(StoreError) -> Writer<App> {
    let identity = AppIdentity(of: App.self, in: log)
    try log.requireFoldable(configuration.foldTrial, by: identity.reducerFingerprint)
    var keeper = SnapshotKeeper<App>(
      log.snapshots, policy: configuration.snapshots, fingerprint: identity.foldFingerprint)
    configuration.openingObserver?(.folding)
    let restored = try log.withReadView { (view) throws(StoreError) in
      try view.restore(
        App.self, through: view.head.sequence, from: log.snapshots,
        fingerprint: identity.foldFingerprint, keeper: keeper)
    }
    keeper.start(from: restored)
    let reducer = WorkerThread(name: "retrace-reducer")
    let engine = Engine(
      records: restored.recordFold, keeper: keeper, configuration: configuration,
      identity: identity, reducer: reducer)
    let writer = Writer(
      log: log, configuration: configuration, environment: environment, engine: engine,
      reducer: reducer, use: restored.use)
    configuration.openingObserver?(.recovering)
    try log.performWriting { (access) throws(StoreError) in
      try writer.recover(access)
      try writer.deferCommitsIfRelaxed(access)
    }
    log.snapshots.keepSchemas(of: App.self)
    return writer
  }

  private init(
    log: LogStorage, configuration: StoreConfiguration, environment: App.Environment?,
    engine: consuming Engine<App>, reducer: WorkerThread, use: SnapshotUse
  ) {
    effects = EffectRunner(environment: environment, configuration: configuration, log: log)
    self.log = log
    self.use = Lock(use)
    self.configuration = configuration
    self.reducer = reducer
    queue = BatchQueue(configuration)
    publisher = Publisher(engine.published)
    self.engine = Lock(engine)
  }

  // MARK: Properties

  /// The sequences of the `crashed` records appended when the store was opened.
  var recovered: [UInt64] { recoveredSequences.withLock { $0 } }

  var snapshotUse: SnapshotUse { use.withLock { $0 } }

  /// The sequence of the last record known to be on stable storage; 0 for a store in memory.
  var durableSequence: UInt64 {
    if log.isInMemory { return 0 }
    return log.isDeferring ? window.durableSequence : publisher.latest.sequence
  }

  /// Throws if a call would wait for the job that it is made in.
  func refuseReentrancy(_ call: String) throws(StoreError) {
    if log.isInWriterJob { throw StoreError.reentrant(call) }
  }

  // MARK: The engine

  /// Calls `body` with the engine, in a job.
  @inline(__always)
  func withEngine<R, Failure: Error>(
    _ access: borrowing LogWriter.Access,
    _ body: (inout Engine<App>) throws(Failure) -> sending R
  ) throws(Failure) -> sending R {
    try engine.withLock(body)
  }

  /// Releases a state that is no longer published, on another thread.
  func release(_ published: PublishedState<App>) {
    reducer.submit { withExtendedLifetime(published) {} }
  }

  func setRecovered(_ sequences: [UInt64]) { recoveredSequences.withLock { $0 = sequences } }

  func setSnapshotUse(_ use: SnapshotUse) { self.use.withLock { $0 = use } }

  // MARK: Scenes

  var attachedScene: SceneID? { scene.withLock { $0 } }

  /// Attaches to a scene unless another process shows it.
  func attach(to scene: SceneID) throws(StoreError) -> Bool {
    guard try log.acquireSceneLock(scene.value) else { return false }
    self.scene.withLock { $0 = scene }
    return true
  }

  func detach(from scene: SceneID) throws(StoreError) {
    self.scene.withLock { if $0 == scene { $0 = nil } }
    try log.releaseSceneLock(scene.value)
  }

  // MARK: Following other processes

  /// Folds commits of other processes as they arrive; calls after the first do nothing.
  func follow() {
    // No other process can commit to a store in memory, or to one with relaxed durability.
    if log.isInMemory || log.isDeferring { return }
    watch.withLock { watch in
      guard watch == nil, !queue.isClosed else { return }
      // If no thread can be started, the store still catches up when it writes, and the next call
      // retries.
      watch = try? log.watchCommits { [weak self] in self?.scheduleCatchUp() }
    }
    // The watch does not report commits that were made before it began.
    scheduleCatchUp()
  }

  /// Schedules a catch-up on the writer's thread, unless one is scheduled.
  private func scheduleCatchUp() {
    guard !isCatchUpScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    log.submitWriting { [weak self] access in
      guard let self else { return }
      isCatchUpScheduled.store(false, ordering: .releasing)
      // The next call that writes reports an error of this one.
      try? catchUp(access)
    }
  }

  // MARK: The end

  /// Closes the queue, and closes the store in a job.
  ///
  /// - Parameters:
  ///   - reason: The reason why the session ends.
  ///   - run: Runs the job now or submits it.
  /// - Returns: Whether the store was open.
  func close(
    _ reason: SessionClosed.Reason = .closed,
    _ run: (@escaping @Sendable (borrowing LogWriter.Access) -> StoreError?) -> Void
  ) -> Bool {
    guard queue.close() else { return false }
    let closing = log.beginClosing()
    stopFollowing()
    run { access in
      defer { closing.end() }
      return self.end(reason, access)
    }
    return true
  }

  /// Closes the store after its last user has dropped it.
  ///
  /// If the writer is idle, this waits until the store is closed. Otherwise the caller may be one
  /// of the writer's callbacks, or hold a lock that the writer waits for. Then the writer's thread
  /// closes the store after its current work, and an open of the same path waits for that.
  func closeDropped() {
    _ = close { job in
      // No user code runs from here on, so nothing below waits for a lock of user code.
      publisher.cancelAll()
      effects.stop(.closed)
      // Nothing can report a failure to a user any more; batches acknowledged as durable are
      // durable.
      if log.isWriterIdle {
        _ = log.performWriting { access in job(access) }
      } else {
        log.submitWriting { access in _ = job(access) }
      }
    }
  }

  /// Ends the store without closing the session, as a process crash would; for tests.
  func abandon() {
    _ = queue.close()
    stopFollowing()
    effects.stop(.closed)
    publisher.finish()
    log.close()
  }

  /// Commits waiting records, and closes the session and the log.
  ///
  /// - Returns: The error of a failed commit; the log is closed in any case.
  private func end(
    _ reason: SessionClosed.Reason, _ access: borrowing LogWriter.Access
  ) -> StoreError? {
    defer {
      effects.stop(.closed)
      publisher.finish()
      log.close()
    }
    do throws(StoreError) {
      drain(access)
      try commit([], closing: true, for: reason, access)
      try commitWaiting(access)
      try withEngine(access) { (engine) throws(StoreError) in try engine.leaveSession(log) }
      return takeFailure()
    } catch {
      return error
    }
  }

  private func stopFollowing() {
    let watch = watch.withLock { $0.take() }
    watch?.stop()
  }
}
