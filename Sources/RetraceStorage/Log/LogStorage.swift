import RetraceLMDB
public import RetraceLog
public import RetracePlatform
import Synchronization

/// A store on disk: one log, which any number of processes write in turn and read.
///
/// See <doc:RetraceStorage> for what is promised about files, locks and power cuts.
public final class LogStorage: Sendable {
  /// What a store is opened for.
  public enum Access: Hashable, Sendable {
    /// Reading, beside readers and the writer.
    case read
    /// Reading and writing; there has to be a store.
    case write
    /// Reading and writing; a store is made if there is none.
    case create
  }

  /// The directory; of a store in memory, where it was made and is no more.
  public var path: String { store.directory }
  /// The identity that the chain covers.
  public let storeID: StoreID
  /// What it was opened for.
  public let access: Access
  /// What all that writes runs as a job of, one at a time.
  public let writer: WorkerThread
  /// States at some sequences, which can be deleted at no loss.
  public let snapshots: SnapshotStorage
  let store: StorePath
  let environment: LMDBEnvironment
  let databases: LogDatabases
  let state = Mutex(State())
  /// The last block as it was committed last, so that the next commit need not read it.
  let kept: Mutex<BlockBuilder<SHA256Hasher>?> = Mutex(nil)
  private let lock: Mutex<OwnerLock?>
  /// The transaction that waits for its commit, if commits are deferred.
  let waiting: Mutex<LogAppender?> = Mutex(nil)
  let hasWaitingFlag = Atomic<Bool>(false)
  let isDeferringFlag = Atomic<Bool>(false)
  /// How many idempotency keys are kept.
  let keyLimit = Atomic<Int>(KeptBatch.keysMax)
  /// How long a writer waits for its turn while the log does not grow, in milliseconds.
  let turnLimitMilliseconds = Atomic<Int64>(10_000)
  let turnsTaken = Atomic(0)
  let pace = Mutex(TurnPace())
  /// Where the log ended when it was opened.
  let anchored = Mutex<UInt64>(0)
  /// What was found when the store was opened.
  public let opening: OpeningReport
  let mark: OpenMark?
  /// The size of the data file as a transaction saw it last.
  let knownBytes = Atomic<Int>(0)
  let folding: FoldNotes

  /// What changes while a store is open.
  struct State {
    /// Why nothing can be written any more.
    var writingEnded: StoreError?
    /// Whether that is a failure, after which what can be read need not be on disk.
    var hasFailed = false
    /// Whether the files have no names.
    var isInMemory = false
    var isClosed = false
  }

  init(
    _ store: StorePath, access: Access, format: FormatFile, lock: consuming OwnerLock?,
    environment: LMDBEnvironment, databases: LogDatabases, mark: OpenMark? = nil,
    opening: OpeningReport = OpeningReport()
  ) {
    self.store = store
    self.access = access
    self.environment = environment
    self.databases = databases
    self.lock = Mutex(lock)
    self.mark = mark
    self.opening = opening
    folding = FoldNotes(mark, opening.uncleanEnds, in: store)
    storeID = format.store
    writer = WorkerThread(name: "retrace-writer")
    snapshots = SnapshotStorage(
      store, storeID: format.store, mayWrite: access != .read, gate: environment.gate,
      faults: environment.faults)
  }

  /// Whether the store takes no more records; what was committed can still be read.
  public var isClosedForWriting: Bool {
    access == .read || state.withLock { $0.writingEnded != nil }
  }

  /// Why the store takes no more records, once that is so.
  public var writingEnded: StoreError? { state.withLock { $0.writingEnded } }

  /// Closes the store and frees its locks; calls after the first do nothing.
  ///
  /// A transaction that is running ends first.
  public func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      if state.writingEnded == nil { state.writingEnded = StoreError.closed(path) }
      return !state.isClosed
    }
    guard isFirst else { return }
    // Waits for what the writer has in hand; what comes later is refused by then.
    if !writer.isCurrent { writer.finish() }
    dropWaiting()
    noteEnd()
    snapshots.close()
    environment.close()
    // After a failed write the next open is to look at everything.
    if state.withLock({ $0.hasFailed }) { mark?.abandon() } else { mark?.end() }
    lock.withLock { $0 = nil }
  }

  /// Notes outside the data file where the log ends, if this writer changed that.
  private func noteEnd() {
    guard access != .read, !isInMemory, !state.withLock({ $0.hasFailed }), let head = try? head()
    else { return }
    if head.sequence != anchored.withLock({ $0 }) { Anchor.write(head, store, by: mark?.name) }
  }

  /// Looks at the log at its last commit, in one read transaction.
  ///
  /// Keep it short: what it sees is not reused, so the data file grows while it lasts.
  ///
  /// - Parameter body: Takes the view, which ends when it returns.
  /// - Returns: What `body` returns.
  /// - Complexity: O(1) beside `body`.
  /// - Throws: What `body` throws, and ``StoreError``.
  public func withSnapshot<R>(
    _ body: (borrowing LogSnapshot) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let transaction: ReadTransaction
    do {
      transaction = try environment.beginRead()
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    try requireWhole()
    do throws(StoreError) {
      let snapshot = try LogSnapshot(
        transaction, databases: databases, store: storeID, path: path, folding: folding)
      return try body(snapshot)
    } catch {
      throw naming(error)
    }
  }

  /// Where the log ends, by its last commit.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``StoreError``.
  public func head() throws(StoreError) -> Head {
    try withSnapshot { snapshot throws(StoreError) in snapshot.head }
  }

  /// Runs a job of ``writer``, on the caller's thread if that is possible and no other is at work.
  ///
  /// A transaction that waits for its commit belongs to the writer's thread.
  ///
  /// - Parameter body: The job; it has the stack of the caller.
  /// - Returns: What the job returns.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of ``writer``.
  package func performWriting<R: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> R
  ) throws(Failure) -> R {
    if isDeferring { return try writer.perform(body) }
    return try writer.performInPlace(body)
  }

  /// Runs a job of ``writer`` on the caller's thread if that is possible and no other is at work.
  ///
  /// - Parameter body: The job; it has the stack of the caller.
  /// - Returns: Whether it has run.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of ``writer``.
  package func tryWriting<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    if isDeferring { return false }
    return try writer.tryInPlace(body)
  }

  func withLock<R: Sendable>(
    _ body: (inout OwnerLock) throws(PlatformError) -> R
  ) throws(StoreError) -> R {
    let path = self.path
    let result: Result<R, StoreError> = lock.withLock { slot in
      guard var lock = slot.take() else { return .failure(StoreError.closed(path)) }
      let result: Result<R, StoreError>
      do throws(PlatformError) {
        result = .success(try body(&lock))
      } catch {
        result = .failure(StoreError(error, in: path, doing: "be locked"))
      }
      slot = consume lock
      return result
    }
    return try result.get()
  }
}
