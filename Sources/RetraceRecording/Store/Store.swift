// Public signatures name types of these modules, so whoever imports this one sees them.
@_exported public import Retrace
@_exported public import RetraceStorage
import RetraceSystem

/// The log and the state of an app: each action sent is appended to the log, reduced and published.
///
/// Any number of threads and tasks share one writer. It notes a group of batches in the
/// attempt, reduces it on a copy of the state, appends, commits and publishes. Batches queued while
/// a commit runs go into the next one. States and errors are value types.
///
/// Calls that may wait have two forms: `send`, `perform`, `carryOut`, `undo`, `redo`, `transact`,
/// `flush`, `catchUp`, `open` and `close` suspend a task; the same names with `Blocking` block a
/// thread, and run the work on it if the writer is idle.
///
/// Dropping the last reference to a store closes it as ``close()`` does; its path can be opened
/// again at once. Errors of that close are not reported, so a program that needs them calls
/// ``close()``.
///
/// ```swift
/// let store = try await Store<CounterApp>.open(at: path, configuration: StoreConfiguration())
/// try await store.send(.added(name: "tea"))
/// try await store.close()
/// ```
public final class Store<App: ReplayableApp>: Sendable {
  /// The writer, which does all the work.
  ///
  /// Timers, tasks and callbacks refer to the writer weakly, and not to the store at all.
  let writer: Writer<App>
  /// The root of the tree of views and selectors, once there is one.
  ///
  /// Erased, so that opening a store does not instantiate generic types that few programs need.
  private let tree = Lock<(any AnyObject & Sendable)?>(nil)

  init(_ writer: Writer<App>) { self.writer = writer }

  deinit { writer.closeDropped() }

  /// The opened log, for reading: a test replays or verifies it, also that of a store in memory.
  ///
  /// The store owns the log and closes it.
  public var storage: LogStorage { writer.log }

  /// The root of the tree of views and selectors.
  var root: StateNode<App.State> {
    tree.withLock { tree in
      if let root = tree as? StateNode<App.State> { return root }
      let root = StateNode(following: writer)
      tree = root
      return root
    }
  }

  // MARK: Opening

  /// Opens a store for writing, from the newest usable snapshot and the records after it.
  ///
  /// Opening first appends a `crashed` record for each batch that an earlier process was reducing
  /// when it ended, and a `sessionClosed` record for each session whose process ended without one.
  /// Effects that earlier sessions left in flight are recovered if they are due: dropped, or
  /// replaced by the action that the leaf declares. These records are durable when the call
  /// returns, and leaves that run again have started. If one of the records belongs to this
  /// session, its `sessionOpened` record precedes it. Nothing else is written before the first
  /// batch. If this process is still closing a store at the same path, the call waits for that.
  ///
  /// A process opens a store once: a second store at the same path, by whatever name of it, is
  /// refused with `alreadyOpen` until the first is closed or dropped. All threads and tasks of a
  /// process share one store. Other processes open their own.
  ///
  /// Cancelling the task does not stop the opening.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - creating: Whether a missing store is created.
  ///   - configuration: How the store works.
  ///   - environment: The environment of effects. Without one, only leaves that need none run; all
  ///     others stay in flight in the log until it is opened with an environment.
  /// - Complexity: O(records after the snapshot), each decoded and reduced; all records without a
  ///   snapshot.
  /// - Throws: `StoreError`: `invalidConfiguration`, `storeMissing`, `alreadyOpen`, `inUse`,
  ///   `damaged`, `incompatible`, `storageFailed`…
  public static func open(
    at path: String, creating: Bool = true, configuration: StoreConfiguration,
    environment: App.Environment? = nil
  ) async throws(StoreError) -> Store<App> {
    let thread = WorkerThread(name: "retrace-opener")
    let opened: Result<Store<App>, StoreError> = await withCheckedContinuation { continuation in
      thread.submit {
        do throws(StoreError) {
          let store = try openBlocking(
            at: path, creating: creating, configuration: configuration, environment: environment)
          continuation.resume(returning: .success(store))
        } catch {
          continuation.resume(returning: .failure(error))
        }
        // Keeps the last reference to the thread here: releasing it on another thread would block
        // that thread until this job ends.
        withExtendedLifetime(thread) {}
      }
    }
    return try opened.get()
  }

  /// Opens a store for writing, blocking the thread; see
  /// ``open(at:creating:configuration:environment:)``.
  public static func openBlocking(
    at path: String, creating: Bool = true, configuration: StoreConfiguration,
    environment: App.Environment? = nil
  ) throws(StoreError) -> Store<App> {
    try configuration.check(path)
    configuration.openingObserver?(.openingFiles)
    let storage = try LogStorage.open(at: path, access: creating ? .create : .write)
    return try open(over: storage, configuration: configuration, environment: environment)
  }

  /// Opens an empty store that does not outlive the process: for tests, previews and trials.
  ///
  /// It records, reduces, publishes and fails as a store on disk does. Its files are in memory and
  /// have no names, so there is nothing to remove.
  ///
  /// ```swift
  /// let store = try Store<CounterApp>.inMemory()
  /// try store.sendBlocking([.added(name: "tea")])
  /// print(store.state.counters.count)
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: How the store works; its durability is ignored. `nil` for the default
  ///     configuration, whose clock is the system's.
  ///   - environment: The environment of effects; without one, only leaves that need none run.
  /// - Complexity: O(1), without waiting for a disk where the system has `/dev/shm`.
  /// - Throws: `storageFailed`, `diskFull` or `permissionDenied` if the files cannot be created;
  ///   `invalidConfiguration`.
  public static func inMemory(
    configuration: StoreConfiguration? = nil, environment: App.Environment? = nil
  ) throws(StoreError) -> Store<App> {
    var configuration = configuration ?? StoreConfiguration()
    configuration.durability = .durable
    try configuration.check("in memory")
    return try open(
      over: try LogStorage.inMemory(), configuration: configuration, environment: environment)
  }

  /// Folds the log of a storage opened for writing; closes the storage on failure.
  package static func open(
    over storage: LogStorage, configuration: StoreConfiguration,
    environment: App.Environment? = nil
  ) throws(StoreError) -> Store<App> {
    do throws(StoreError) {
      return Store(
        try Writer.open(over: storage, configuration: configuration, environment: environment))
    } catch {
      storage.close()
      throw error
    }
  }

  // MARK: Reading

  /// The latest durable state; with relaxed durability, the latest acknowledged one.
  ///
  /// Parts of the state are read from disk on first use; ``read(_:)`` verifies them.
  public var state: App.State { writer.publisher.latest.state }

  /// The effects in flight after the latest durable record, in any process.
  public var effectsInFlight: EffectsInFlight { writer.publisher.latest.inFlight }

  /// The sequence of the last record folded into ``state``.
  public var sequence: UInt64 { writer.publisher.latest.sequence }

  /// The sequences of the `crashed` records appended when this store was opened.
  public var recovered: [UInt64] { writer.recovered }

  /// The snapshot that the state was loaded from, and the reasons why newer ones were not used.
  ///
  /// It is updated when the log is folded again. Its notice is for the user of the program, to be
  /// shown once.
  public var snapshotUse: SnapshotUse { writer.snapshotUse }

  /// The reason why this store accepts no more actions; `nil` while it does.
  ///
  /// The state stays readable.
  public var writingError: StoreError? { storage.writingError }

  /// Calls `body` with the latest state, read-only, and returns its result after verifying
  /// everything that the body read.
  ///
  /// Parts of a state loaded from a snapshot are read on first use. If one is damaged, the log is
  /// folded, which blocks the caller, and the body is called again.
  ///
  /// - Parameter body: Reads the state. It may be called twice, so it must not have side effects.
  /// - Complexity: As `body`; after damage, the log is folded too.
  /// - Throws: The errors of folding; `reentrant` from an observer, after damage.
  public func read<Result>(
    _ body: (borrowing App.State) -> Result
  ) throws(StoreError) -> Result {
    let latest = writer.publisher.latest
    let result = body(latest.state)
    if latest.isSound { return result }
    try writer.refuseReentrancy("read")
    try storage.performWriting { (access) throws(StoreError) in try self.writer.refold(access) }
    return body(state)
  }

  /// The time of the clock of the configuration.
  package var now: Moment { writer.configuration.clock() }

  // MARK: Scenes

  /// Attaches to a scene unless another process shows it; without this call a store has no scene.
  ///
  /// The store keeps the scene until it is closed or its process ends. The session records the
  /// scene when it begins.
  ///
  /// - Returns: Whether the store now has the scene.
  /// - Complexity: One system call.
  /// - Throws: `closed`, `storageFailed`; `reentrant` from an observer, or from a
  ///   transaction, because the session may be about to begin there.
  /// - Precondition: The session has sent nothing yet; otherwise it would not record the scene.
  public func attach(to scene: SceneID) throws(StoreError) -> Bool {
    try writer.refuseReentrancy("attach")
    return try writer.attach(to: scene)
  }

  /// Releases a scene that the session has not recorded.
  ///
  /// - Throws: As ``attach(to:)``.
  public func detach(from scene: SceneID) throws(StoreError) {
    try writer.refuseReentrancy("detach")
    try writer.detach(from: scene)
  }

  // MARK: Closing

  /// Closes the session with a `sessionClosed` record that carries the state hash, then closes the
  /// log.
  ///
  /// A session that sent nothing writes nothing. Later calls do nothing. Effects are cancelled
  /// without a record: they stay in flight in the log, and the next open of the store recovers
  /// them. To avoid that, wait for ``Receipt/settled()`` first. Observations end after the last
  /// state. Cancelling the task does not stop the closing.
  ///
  /// - Throws: `commitOutcomeUnknown` or `storageFailed`, or the failure of an enqueued batch that
  ///   ``flush()`` has not thrown; the store is closed in any case.
  public func close() async throws(StoreError) {
    let failure: StoreError? = await withCheckedContinuation { continuation in
      let isNew = writer.close { job in
        storage.submitWriting { access in continuation.resume(returning: job(access)) }
      }
      if !isNew { continuation.resume(returning: nil) }
    }
    if let failure { throw failure }
  }

  /// Closes the store, blocking the thread; see ``close()``.
  ///
  /// - Parameter signal: The number of the signal that ends the process, which the session's last
  ///   record then contains; `nil` if there is another reason.
  /// - Throws: As ``close()``; `reentrant` from an observer.
  public func closeBlocking(after signal: Int32? = nil) throws(StoreError) {
    try writer.refuseReentrancy("closeBlocking")
    var failure: StoreError?
    _ = writer.close(signal.map { .signalled($0) } ?? .closed) { job in
      failure = storage.performWriting { access in job(access) }
    }
    if let failure { throw failure }
  }

  /// Ends the store as a process crash would; for tests.
  package func abandon() { writer.abandon() }
}
