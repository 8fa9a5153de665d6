import RetraceLMDB
public import RetraceLog
import RetraceSystem
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
  /// The version of the format.
  public let version: UInt8
  /// What it was opened for.
  public let access: Access
  /// States at some sequences, which can be deleted at no loss.
  public let snapshots: SnapshotStorage
  let store: StorePath
  let environment: LMDBEnvironment
  let databases: LogDatabases
  /// What writes; it is lent to jobs only.
  let writer = LogWriter()
  private let state = Mutex(State())
  private let lock: Mutex<OwnerLock?>
  /// What was found when the store was opened.
  public let opening: OpeningReport
  let mark: OpenMark?
  /// The size of the data file as a transaction saw it last.
  let knownSize = KnownSize()
  let folding: FoldNotes

  /// What changes while a store is open.
  private struct State {
    /// Why nothing can be written any more.
    var writingEnded: StoreError?
    /// Whether that is a failure, after which what can be read need not be on disk.
    var hasFailed = false
    /// Whether the files have no names.
    var isInMemory = false
    var isClosed = false
    /// Where the log ended when it was opened.
    var openedAt: UInt64 = 0
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
    version = format.version
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

  /// Whether nothing of the store survives the process; see ``inMemory(mapBytes:)``.
  public var isInMemory: Bool { state.withLock { $0.isInMemory } }

  /// Notes that the files have lost their names.
  func becomeInMemory() { state.withLock { $0.isInMemory = true } }

  /// Notes where the log ended when it was opened.
  func noteOpened(at sequence: UInt64) { state.withLock { $0.openedAt = sequence } }

  /// Closes the store for writing, for a reason that later calls are told; what can be read stays.
  ///
  /// - Parameter reason: The error that later calls throw, unless there was one before.
  package func closeForWriting(_ reason: StoreError) {
    state.withLock { if $0.writingEnded == nil { $0.writingEnded = reason } }
  }

  /// Closes the store for writing after a failure; the first reason stays.
  func endWriting(_ error: StoreError) -> StoreError {
    state.withLock { state in
      state.hasFailed = true
      if state.writingEnded == nil { state.writingEnded = error }
    }
    return error
  }

  func refuseIfNotWriting() throws(StoreError) {
    guard access != .read else {
      throw StoreError(
        .readOnly, what: "Nothing was written to \(path).",
        why: "The store was opened for reading.", advice: "Open it for writing.")
    }
    if let ended = state.withLock({ $0.writingEnded }) { throw ended }
  }

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
    writer.finish()
    noteEnd()
    snapshots.close()
    environment.close()
    // After a failed write the next open is to look at everything.
    if state.withLock({ $0.hasFailed }) { mark?.abandon() } else { mark?.end() }
    lock.withLock { $0 = nil }
  }

  /// Notes outside the data file where the log ends, if this writer changed that.
  private func noteEnd() {
    let (hasFailed, openedAt) = state.withLock { ($0.hasFailed, $0.openedAt) }
    guard access != .read, !isInMemory, !hasFailed, let head = try? head() else { return }
    if head.sequence != openedAt { Anchor.write(head, store, by: mark?.name) }
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
        transaction, databases: databases, store: storeID, version: version, path: path,
        folding: folding)
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

  /// Keeps others from opening the store for writing, until this open of it is closed.
  ///
  /// - Returns: The processes that have it open for writing, if any have; `nil` otherwise.
  /// - Throws: ``StoreError``.
  func keepWritersOut() throws(StoreError) -> [Int32]? {
    // A file system that is mounted to be read only has no locks, and no writers.
    let isLocked = lock.withLock { slot in slot != nil }
    guard isLocked else { return nil }
    return try withLock { lock throws(SystemError) in
      try lock.writeAlone() ? nil : lock.writers()
    }
  }

  func withLock<R: Sendable>(
    _ body: (inout OwnerLock) throws(SystemError) -> R
  ) throws(StoreError) -> R {
    let path = self.path
    let result: Result<R, StoreError> = lock.withLock { slot in
      guard var lock = slot.take() else { return .failure(StoreError.closed(path)) }
      let result: Result<R, StoreError>
      do throws(SystemError) {
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
