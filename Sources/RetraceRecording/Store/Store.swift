public import RetraceArchitecture
import RetraceLog
public import RetraceState
public import RetraceStorage
import RetraceSystem
import Synchronization

/// The recorded app: every action sent is appended to the log, reduced and published.
///
/// One writer does that, for any number of threads and tasks that share the store: it notes a
/// group of batches in the attempt file, reduces a copy of the state, appends, commits, publishes.
/// What is queued while a commit runs goes into the next one. State and errors are values.
///
/// Calls that may wait come in two forms: `send`, `transact`, `flush`, `catchUp`, `open` and
/// `close` suspend a task; the same names with `Blocking` block a thread, and carry the work out
/// on it where the writer has nothing else in hand.
///
/// A store that is dropped closes as ``close()`` does, and its path can be opened again at once.
/// What cannot be committed then is told to nobody, so a program that wants to know calls
/// ``close()``.
///
/// ```swift
/// let store = try await Store<Counter>.open(at: path, configuration: StoreConfiguration())
/// try await store.send(.increment)
/// try await store.close()
/// ```
public final class Store<App: ReplayableApp>: Sendable {
  /// What everything is done by; timers, tasks and callbacks hold it weakly, and not the store.
  let writer: Writer<App>

  init(_ writer: Writer<App>) { self.writer = writer }

  deinit { writer.closeDropped() }

  /// The opened log, for reading beside the store.
  package var storage: LogStorage { writer.log }

  // MARK: Opening

  /// Opens a store for writing, from the newest snapshot that can be used and what came after it.
  ///
  /// Batches that were being reduced when a former process ended are appended as `crashed` records
  /// first, and what former sessions left in flight is settled as far as its time has come:
  /// dropped, or replaced by the action that the leaf declares. That is durable when the call
  /// returns; leaves that run again have been started. Nothing else is written before the first
  /// batch. The call waits for a store of the same path that this process is closing.
  ///
  /// The cancellation of the task does not end the opening.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - creating: Whether a store is made where there is none.
  ///   - configuration: How the store works.
  ///   - environment: What effects run in. Without one, only leaves that need none are run, and
  ///     all others stay in flight in the log, until it is opened with one.
  /// - Complexity: O(records after the snapshot), each decoded and reduced; all without one.
  /// - Throws: `StoreError`: `invalidConfiguration`, `storeMissing`, `inUse`, `damaged`,
  ///   `incompatible`, `storageFailed`…
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
        // The thread ends itself: whoever waits for its end would block.
        withExtendedLifetime(thread) {}
      }
    }
    return try opened.get()
  }

  /// Opens a store for writing, and blocks meanwhile; see
  /// ``open(at:creating:configuration:environment:)``.
  public static func openBlocking(
    at path: String, creating: Bool = true, configuration: StoreConfiguration,
    environment: App.Environment? = nil
  ) throws(StoreError) -> Store<App> {
    try configuration.check(path)
    let storage = try LogStorage.open(at: path, access: creating ? .create : .write)
    return try open(over: storage, configuration: configuration, environment: environment)
  }

  /// Opens an empty store of which nothing survives the process: for tests, previews and trials.
  ///
  /// It records, reduces, publishes and fails as a store on disk does. Its files lie in memory and
  /// have no names, so nothing is left to remove.
  ///
  /// ```swift
  /// let store = try Store<Counter>.inMemory()
  /// try store.sendBlocking([.increment])
  /// #expect(store.state.count == 1)
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: How the store works; its durability means nothing here. Without one the
  ///     clock is the system's.
  ///   - environment: What effects run in; without one, only leaves that need none are run.
  /// - Complexity: O(1), without waiting for a disk where the system has `/dev/shm`.
  /// - Throws: `storageFailed`, `diskFull` or `permissionDenied` if there is no room for it;
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

  /// Folds the log of a storage that was opened for writing; if that fails, the storage is closed.
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
  /// A part that was never needed is read when it is asked for; ``read(_:)`` makes sure that it is
  /// what was written.
  public var state: App.State { writer.publisher.latest.state }

  /// What is in flight after the latest durable record, in any process.
  public var effectsInFlight: EffectsInFlight { writer.publisher.latest.inFlight }

  /// The sequence of the last record that ``state`` stands after.
  public var sequence: UInt64 { writer.publisher.latest.sequence }

  /// The sequences of the `crashed` records that were appended when this store was opened.
  public var recovered: [UInt64] { writer.recovered }

  /// Which snapshot the state came from, and why; changed when the log had to be folded again.
  ///
  /// Its notice is for the person who uses the program, once.
  public var snapshotUse: SnapshotUse { writer.snapshotUse }

  /// Why this store takes no more actions, once that is so; what it shows stays.
  public var writingEnded: StoreError? { storage.writingEnded }

  /// Calls `body` with the latest state, read-only, and returns its result once all that it read is
  /// known to be right.
  ///
  /// Parts of a state that came from a snapshot are read when they are asked for. If one turns out
  /// to be damaged, the log is folded, which blocks the caller, and the body is called again.
  ///
  /// - Parameter body: Looks at the state, and does nothing that must not be done twice.
  /// - Complexity: That of the body; that of folding the log after damage.
  /// - Throws: As folding does; `reentrant` from an observer, after damage.
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

  // MARK: Scenes

  /// Attaches to a scene unless another process shows it; without a call a store has no scene.
  ///
  /// The scene stays taken until the store is closed or its process ends, and the session names it
  /// when it begins.
  ///
  /// - Returns: Whether the scene is this store's now.
  /// - Complexity: One system call.
  /// - Throws: `closed`, `storageFailed`; `reentrant` from an observer or a transaction, whose
  ///   session may be about to begin.
  /// - Precondition: The session has sent nothing yet; it would not name the scene.
  public func attach(to scene: SceneID) throws(StoreError) -> Bool {
    try writer.refuseReentrancy("attach")
    return try writer.attach(to: scene)
  }

  /// Gives a scene back that the session has not named.
  ///
  /// - Throws: As ``attach(to:)``.
  public func detach(from scene: SceneID) throws(StoreError) {
    try writer.refuseReentrancy("detach")
    try writer.detach(from: scene)
  }

  // MARK: Closing

  /// Closes the session with a `sessionClosed` record that carries the state hash, and the log.
  ///
  /// A session that sent nothing writes nothing. Later calls do nothing. Effects are cancelled
  /// without a record: what is in flight stays so in the log, and the next open of the store
  /// settles it. Wait for ``Receipt/settled()`` first where that is not wanted. Observations end
  /// after the last state. The cancellation of the task does not end the closing.
  ///
  /// - Throws: `commitOutcomeUnknown` or `storageFailed`, or the failure of what was enqueued if
  ///   ``flush()`` has not told it; the store is closed all the same.
  public func close() async throws(StoreError) {
    let failure: StoreError? = await withCheckedContinuation { continuation in
      let isNew = writer.close { job in
        storage.submitWriting { access in continuation.resume(returning: job(access)) }
      }
      if !isNew { continuation.resume(returning: nil) }
    }
    if let failure { throw failure }
  }

  /// Closes the store, and blocks meanwhile; see ``close()``.
  ///
  /// - Parameter signal: The number of the signal because of which the process ends, which the
  ///   session's last record then names; `nil` if it has another reason.
  /// - Throws: As ``close()``; `reentrant` from an observer.
  public func closeBlocking(after signal: Int32? = nil) throws(StoreError) {
    try writer.refuseReentrancy("closeBlocking")
    var failure: StoreError?
    _ = writer.close(signal.map { .signalled($0) } ?? .closed) { job in
      failure = storage.performWriting { access in job(access) }
    }
    if let failure { throw failure }
  }

  /// Ends the store as the end of the process would; for tests.
  package func abandon() { writer.abandon() }
}
