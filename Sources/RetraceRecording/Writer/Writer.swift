import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import Synchronization

/// Writes a store: owns the log with its thread, the queue, the engine with the session and its
/// attempt file, and what runs effects.
///
/// A `Store` is what users hold; everything that calls back later (timers, tasks, the watch of
/// commits) holds the writer, and that weakly. So the last user's reference decides when the store
/// closes, and jobs end it on the writer's thread.
///
/// What appends, folds or saves takes a `LogWriter.Access`, which only a job has.
final class Writer<App: ReplayableApp>: Sendable {
  let log: LogStorage
  let configuration: StoreConfiguration
  /// What refuses actions that could not be read back.
  let limits = AppSchemas.of(App.self).limits
  let queue: BatchQueue<App>
  let publisher: Publisher<App>
  let effects: EffectRunner<App>
  let window = CommitWindow()
  private let engine: Mutex<Engine<App>>
  /// Where large groups are reduced while they are appended; it begins with the first of them.
  private let reducer: WorkerThread
  private let recoveredSequences = Mutex<[UInt64]>([])
  private let scene = Mutex<SceneID?>(nil)
  /// Which snapshot the state came from when it was opened, or folded again after damage.
  private let use: Mutex<SnapshotUse>
  /// What tells that a process committed, once the store is followed.
  private let watch = Mutex<FileWatch?>(nil)
  private let isCatchUpScheduled = Atomic(false)

  /// Folds a log that was opened for writing, and does what recovery has to do.
  ///
  /// - Throws: As folding does; the log stays open.
  static func open(
    over log: LogStorage, configuration: StoreConfiguration, environment: App.Environment?
  ) throws(StoreError) -> Writer<App> {
    let identity = AppIdentity(of: App.self)
    try log.requireFoldable(configuration.foldTrial, by: identity.reducerFingerprint)
    var keeper = SnapshotKeeper<App>(
      log.snapshots, policy: configuration.snapshots, identity: identity.ofSnapshots)
    let restored = try log.withSnapshot { (snapshot) throws(StoreError) in
      try snapshot.restore(
        App.self, through: snapshot.head.sequence, from: log.snapshots,
        identity: identity.ofSnapshots, keeper: keeper)
    }
    keeper.start(from: restored)
    let reducer = WorkerThread(name: "retrace-reducer")
    let engine = Engine(
      records: restored.records, keeper: keeper, configuration: configuration,
      identity: identity, reducer: reducer)
    let writer = Writer(
      log: log, configuration: configuration, environment: environment, engine: engine,
      reducer: reducer, use: restored.use)
    try log.performWriting { (access) throws(StoreError) in
      try writer.recover(access)
      try writer.relax(access)
    }
    return writer
  }

  private init(
    log: LogStorage, configuration: StoreConfiguration, environment: App.Environment?,
    engine: consuming Engine<App>, reducer: WorkerThread, use: SnapshotUse
  ) {
    effects = EffectRunner(environment: environment, configuration: configuration, log: log)
    self.log = log
    self.use = Mutex(use)
    self.configuration = configuration
    self.reducer = reducer
    queue = BatchQueue(configuration)
    publisher = Publisher(engine.published)
    self.engine = Mutex(engine)
  }

  // MARK: What is known

  /// The sequences of the `crashed` records that were appended when the store was opened.
  var recovered: [UInt64] { recoveredSequences.withLock { $0 } }

  /// Which snapshot the state came from.
  var snapshotUse: SnapshotUse { use.withLock { $0 } }

  /// The sequence of the last record known to be on stable storage; 0 of a store in memory.
  var durableSequence: UInt64 {
    if log.isInMemory { return 0 }
    return log.isDeferring ? window.durableSequence : publisher.latest.sequence
  }

  /// Refuses a call that would wait for the job that it is made from.
  func refuseReentrancy(_ call: String) throws(StoreError) {
    if log.isInWriterJob { throw StoreError.reentrant(call) }
  }

  // MARK: The engine

  /// Lends the engine to a job.
  func withEngine<R, Failure: Error>(
    _ access: borrowing LogWriter.Access,
    _ body: (inout Engine<App>) throws(Failure) -> sending R
  ) throws(Failure) -> sending R {
    try engine.withLock(body)
  }

  /// Releases a state that nothing shows any more, where there is time for it.
  func release(_ published: Published<App>) {
    reducer.submit { withExtendedLifetime(published) {} }
  }

  /// Notes the sequences of the records of crashes.
  func note(recovered sequences: [UInt64]) { recoveredSequences.withLock { $0 = sequences } }

  /// Notes which snapshot the state came from.
  func note(_ use: SnapshotUse) { self.use.withLock { $0 = use } }

  // MARK: Scenes

  /// The scene that the session names when it begins.
  var attachedScene: SceneID? { scene.withLock { $0 } }

  /// Takes a scene unless another process shows it.
  func attach(to scene: SceneID) throws(StoreError) -> Bool {
    guard try log.holdSceneLock(scene.value) else { return false }
    self.scene.withLock { $0 = scene }
    return true
  }

  /// Gives a scene back.
  func detach(from scene: SceneID) throws(StoreError) {
    self.scene.withLock { if $0 == scene { $0 = nil } }
    try log.releaseSceneLock(scene.value)
  }

  // MARK: Following other processes

  /// Folds what others commit as it comes; calls after the first do nothing.
  func follow() {
    // No other process can commit to a store in memory, or to one whose commits wait.
    if log.isInMemory || log.isDeferring { return }
    watch.withLock { watch in
      guard watch == nil, !queue.isClosed else { return }
      // Without a thread for it the store catches up when it writes, and the next call tries again.
      watch = try? log.watchCommits { [weak self] in self?.scheduleCatchUp() }
    }
    // What was committed before the watch began.
    scheduleCatchUp()
  }

  /// Lets the writer's thread catch up, unless that is to happen already.
  private func scheduleCatchUp() {
    guard !isCatchUpScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    log.submitWriting { [weak self] access in
      guard let self else { return }
      isCatchUpScheduled.store(false, ordering: .releasing)
      // The next call that writes is told what failed here.
      try? catchUp(access)
    }
  }

  // MARK: The end

  /// Takes no more actions, and closes the store in a job.
  ///
  /// - Parameters:
  ///   - reason: Why the session ends.
  ///   - run: Runs the job, or has it run.
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
  /// If the writer has nothing else in hand, this waits until the store is closed. Else the caller
  /// may be what the writer waits for, or one of its own callbacks: the writer's thread then
  /// closes the store after what it has in hand, and a caller that opens the path meanwhile waits
  /// for that.
  func closeDropped() {
    _ = close { job in
      // No code of a user runs from here on, so no lock that a user holds is waited for.
      publisher.cancelAll()
      effects.stop(.closed)
      // No user is left to be told what failed; what was acknowledged as durable is.
      if log.isWriterIdle {
        _ = log.performWriting { access in job(access) }
      } else {
        log.submitWriting { access in _ = job(access) }
      }
    }
  }

  /// Ends the store without closing the session, as the end of the process would; for tests.
  func abandon() {
    _ = queue.close()
    stopFollowing()
    effects.stop(.closed)
    publisher.finish()
    log.close()
  }

  /// Commits what waits, closes the session and the log.
  ///
  /// - Returns: What could not be committed; the log is closed all the same.
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
