public import Retrace
package import RetraceBundle
import RetraceLMDB
import RetraceSystem

/// A store on disk: one log, which any number of processes can read and append to.
///
/// <doc:RetraceStorage> says what it guarantees about files, locks and power cuts. The log can also
/// be that of a bundle, which is only read; see ``open(bundle:)``.
///
/// ```swift
/// let storage = try LogStorage.open(at: path, access: .read)
/// let last = try storage.withReadView { (view: borrowing ReadView) in view.head.sequence }
/// print("\(last) records")
/// ```
public final class LogStorage: Sendable {
  /// The access that a store is opened for.
  public enum Access: Hashable, Sendable {
    /// Reading, concurrently with other readers and the writer.
    case read
    /// Reading and writing an existing store.
    case write
    /// Reading and writing; a missing store is created.
    case create
  }

  /// The store's directory; for a store in memory, the removed directory that it was created in.
  public var path: String { store.directory }
  /// The identity of the store, which the chain covers.
  public let storeID: StoreID
  /// The version of the format.
  public let version: UInt8
  /// The access that the store was opened for.
  public let access: Access
  /// The snapshots of states, which can be deleted without loss.
  public let snapshots: SnapshotStorage
  let store: StorePath
  private let source: Source
  /// The writer; only its jobs get access to it.
  let writer = LogWriter()
  private let state = Lock(State())
  private let locks: Lock<StoreLocks?>
  package let openingReport: OpeningReport
  let mark: OpenMark?
  /// The largest size of the data file that a transaction saw.
  let knownSize = KnownSize()
  let folding: FoldNotes

  /// Where the log is.
  private enum Source: Sendable {
    case store(LMDBEnvironment, LogDatabases)
    case bundle(Bundle)
  }

  private struct State {
    /// The reason why nothing can be written any more.
    var writingError: StoreError?
    /// Whether a write failed; then some readable records may not be on disk.
    var hasFailed = false
    /// Whether the files are unlinked.
    var isInMemory = false
    var isClosed = false
    var sequenceAtOpening: UInt64 = 0
  }

  init(
    _ store: StorePath, access: Access, format: FormatFile, locks: consuming StoreLocks?,
    environment: LMDBEnvironment, databases: LogDatabases, mark: OpenMark? = nil,
    openingReport: OpeningReport = OpeningReport()
  ) {
    self.store = store
    self.access = access
    source = .store(environment, databases)
    self.locks = Lock(locks)
    self.mark = mark
    self.openingReport = openingReport
    folding = FoldNotes(mark, openingReport.uncleanShutdowns, in: store)
    storeID = format.storeID
    version = format.version
    snapshots = SnapshotStorage(
      store, storeID: format.storeID, mayWrite: access != .read,
      openingLock: environment.openingLock, faults: environment.faults)
    // A crash may have been LMDB's, which trusts its pages.
    if access != .read && !openingReport.wasClean { snapshots.checkedFile.remove() }
  }

  /// Creates the storage of a bundle.
  ///
  /// - Parameters:
  ///   - bundle: The bundle.
  ///   - path: The path of its file.
  ///   - notes: The notes on folding it; `nil` for none.
  ///   - mark: The file of these notes, which is freed when the storage is closed.
  init(_ bundle: Bundle, at path: String, notes: FoldNotes? = nil, mark: OpenMark? = nil) {
    store = StorePath(path)
    access = .read
    source = .bundle(bundle)
    locks = Lock(nil)
    self.mark = mark
    openingReport = OpeningReport()
    folding = notes ?? FoldNotes(nil, [], in: store)
    storeID = bundle.storeID
    version = bundle.header.logVersion
    snapshots = SnapshotStorage(
      store, storeID: bundle.storeID, mayWrite: false, openingLock: nil, faults: nil)
    // A bundle has no directory of snapshots.
    snapshots.close()
  }

  /// The bundle with the log; `nil` for a store.
  package var bundle: Bundle? {
    if case .bundle(let bundle) = source { bundle } else { nil }
  }

  /// The environment of a store.
  ///
  /// - Precondition: The log is not that of a bundle.
  var environment: LMDBEnvironment {
    guard case .store(let environment, _) = source else {
      preconditionFailure("LogStorage: a bundle has no environment")
    }
    return environment
  }

  /// The databases of a store.
  ///
  /// - Precondition: The log is not that of a bundle.
  var databases: LogDatabases {
    guard case .store(_, let databases) = source else {
      preconditionFailure("LogStorage: a bundle has no databases")
    }
    return databases
  }

  /// Whether the store refuses records; committed records can still be read.
  package var isClosedForWriting: Bool {
    access == .read || state.withLock { $0.writingError != nil }
  }

  /// The reason why the store refuses records; `nil` while it accepts them.
  package var writingError: StoreError? { state.withLock { $0.writingError } }

  /// Whether the store does not outlive the process; see ``inMemory(mapBytes:)``.
  package var isInMemory: Bool { state.withLock { $0.isInMemory } }

  func markUnlinked() { state.withLock { $0.isInMemory = true } }

  func setHeadAtOpening(_ sequence: UInt64) { state.withLock { $0.sequenceAtOpening = sequence } }

  /// Closes the store for writing; reading still works.
  ///
  /// - Parameter reason: The error that later calls throw, unless the store was closed for writing
  ///   before.
  package func closeForWriting(_ reason: StoreError) {
    state.withLock { if $0.writingError == nil { $0.writingError = reason } }
  }

  /// Closes the store for writing after a failure; an earlier reason stays.
  func failWriting(_ error: StoreError) -> StoreError {
    state.withLock { state in
      state.hasFailed = true
      if state.writingError == nil { state.writingError = error }
    }
    return error
  }

  func requireWritable() throws(StoreError) {
    guard access != .read else {
      throw StoreError(
        .readOnly, what: "Nothing was written to \(path).",
        why: "The store was opened for reading.", advice: "Open it for writing.")
    }
    if let ended = state.withLock({ $0.writingError }) { throw ended }
  }

  /// Closes the store and releases its locks; later calls do nothing.
  ///
  /// A running transaction finishes first.
  public func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      if state.writingError == nil { state.writingError = StoreError.closed(path) }
      return !state.isClosed
    }
    guard isFirst else { return }
    // Waits for running and queued jobs; later ones are refused.
    writer.finish()
    noteEnd()
    snapshots.close()
    if bundle == nil { environment.close() }
    // After a failed write the mark stays, so that the next open checks all pages.
    if state.withLock({ $0.hasFailed }) { mark?.abandon() } else { mark?.end() }
    locks.withLock { $0 = nil }
  }

  /// Writes the end of the log to the anchor file, if the log has grown since opening.
  private func noteEnd() {
    let (hasFailed, sequenceAtOpening) = state.withLock { ($0.hasFailed, $0.sequenceAtOpening) }
    guard access != .read, !isInMemory, !hasFailed, let head = try? head() else { return }
    if head.sequence != sequenceAtOpening { Anchor.write(head, store) }
  }

  /// Calls `body` with a read view of the last commit, and returns its result.
  ///
  /// Keep `body` short: LMDB cannot reuse the pages that the view sees, so the data file grows.
  ///
  /// - Parameter body: Receives the view, which is valid until `body` returns.
  /// - Returns: What `body` returns.
  /// - Complexity: O(1), without `body`.
  /// - Throws: What `body` throws, and ``StoreError``.
  public func withReadView<R>(
    _ body: (borrowing ReadView) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    if let bundle {
      if state.withLock({ $0.isClosed }) { throw StoreError.closed(path) }
      return try body(ReadView(bundle, path: path, folding: folding))
    }
    let transaction: ReadTransaction
    do {
      transaction = try environment.beginRead()
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    try requireNotTruncated()
    do throws(StoreError) {
      let view = try ReadView(
        transaction, databases: databases, store: storeID, version: version, path: path,
        folding: folding)
      return try body(view)
    } catch {
      throw locatingDamage(error)
    }
  }

  /// Returns the end of the log at its last commit.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``StoreError``.
  public func head() throws(StoreError) -> Head {
    try withReadView { view throws(StoreError) in view.head }
  }

  /// Keeps other processes from opening the store for writing until this open of it is closed.
  ///
  /// - Returns: The processes that already have it open for writing; `nil` without any.
  /// - Throws: ``StoreError``.
  func excludeOtherWriters() throws(StoreError) -> [Int32]? {
    // A read-only file system has no locks and no writers.
    let isLocked = locks.withLock { slot in slot != nil }
    guard isLocked else { return nil }
    return try withLocks { locks throws(SystemError) in
      try locks.excludeOtherWriters() ? nil : locks.writers()
    }
  }

  func withLocks<R: Sendable>(
    _ body: (inout StoreLocks) throws(SystemError) -> R
  ) throws(StoreError) -> R {
    let path = self.path
    let result: Result<R, StoreError> = locks.withLock { slot in
      guard var locks = slot.take() else { return .failure(StoreError.closed(path)) }
      let result: Result<R, StoreError>
      do throws(SystemError) {
        result = .success(try body(&locks))
      } catch {
        result = .failure(StoreError(error, in: path, doing: "be locked"))
      }
      slot = consume locks
      return result
    }
    return try result.get()
  }
}
