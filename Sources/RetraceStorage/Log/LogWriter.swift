import Retrace
import RetraceSystem
import Synchronization

/// The writing side of a log: its thread, the deferred transaction, the last block, and the pace at
/// which it yields the write lock.
///
/// Jobs run one at a time. Each job borrows an ``Access``, the only way to append. An access can be
/// neither copied nor stored, so only a job can call a function that takes one.
package final class LogWriter: Sendable {
  fileprivate let thread = WorkerThread(name: "retrace-writer")
  /// Takes the write lock before each transaction.
  let writeLockQueue = WriteLockQueue()
  /// The last committed block, so that the next commit need not read it.
  private let lastBlock: Lock<BlockBuilder<SHA256Hasher>?> = Lock(nil)
  /// The transaction with deferred records, if there is one.
  private let deferredAppender: Lock<LogAppender?> = Lock(nil)
  private let hasDeferredFlag = Atomic<Bool>(false)
  private let isDeferringFlag = Atomic<Bool>(false)
  /// The largest number of idempotency keys to keep.
  private let keyLimitValue = Atomic<Int>(KeyedBatch.keysMax)

  init() {}

  /// Access to the log for a job.
  ///
  /// It is valid until the job ends.
  package struct Access: ~Copyable, ~Escapable {
    package let log: LogStorage

    // Out of line: Swift 6.3's optimizer fails if this is inlined into an escaping closure.
    @inline(never)
    @_lifetime(immortal)
    fileprivate init(_ log: LogStorage) { self.log = log }

    var writer: LogWriter { log.writer }
  }

  /// Calls `body` with access to a log, in a job.
  @inline(never)
  fileprivate static func withAccess<R, Failure: Error>(
    _ log: LogStorage, _ body: (borrowing Access) throws(Failure) -> R
  ) throws(Failure) -> R {
    let access = Access(log)
    return try body(access)
  }

  /// Creates the thread now, so that a failure to create it is reported.
  func startThread() throws(SystemError) { try thread.start() }

  // MARK: State between jobs

  /// Whether commits are deferred; once true, it stays true.
  var isDeferring: Bool { isDeferringFlag.load(ordering: .acquiring) }

  func startDeferring() { isDeferringFlag.store(true, ordering: .releasing) }

  var hasUncommittedRecords: Bool { hasDeferredFlag.load(ordering: .acquiring) }

  /// Stores the transaction with deferred records.
  func storeDeferred(_ appender: consuming LogAppender) {
    var appender: LogAppender? = appender
    deferredAppender.withLock { $0 = appender.take() }
    hasDeferredFlag.store(true, ordering: .releasing)
  }

  /// Takes the transaction with deferred records.
  ///
  /// The caller must be on the thread that began it, because LMDB requires that.
  func takeDeferred() -> LogAppender? {
    hasDeferredFlag.store(false, ordering: .releasing)
    return deferredAppender.withLock { $0.take() }
  }

  /// Keeps the last block after a commit.
  func storeLastBlock(_ committed: consuming LogAppender.Committed) {
    var builder: BlockBuilder<SHA256Hasher>? = committed.builder
    lastBlock.withLock { $0 = builder.take() }
  }

  func takeLastBlock() -> BlockBuilder<SHA256Hasher>? { lastBlock.withLock { $0.take() } }

  var keyLimit: Int { keyLimitValue.load(ordering: .relaxed) }

  func setKeyLimit(_ count: Int) { keyLimitValue.store(count, ordering: .relaxed) }

  // MARK: Closing

  /// Waits for all submitted jobs and aborts the deferred transaction.
  func finish() {
    if !thread.isCurrent { thread.waitForSubmittedJobs() }
    guard hasUncommittedRecords else { return }
    if thread.isCurrent { _ = takeDeferred() } else { thread.perform { _ = self.takeDeferred() } }
  }
}

extension LogStorage {
  /// Runs a writer job and returns its result.
  ///
  /// The job runs on the caller's thread if no other job runs or is queued. If commits are
  /// deferred, it always runs on the writer's thread, which owns the transaction.
  ///
  /// - Parameter body: The job. It runs on the stack of the caller's thread or of the writer's
  ///   thread, whose stack has 8 MiB.
  /// - Returns: What the job returns.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a writer job.
  package func performWriting<R: Sendable, Failure: Error>(
    _ body: @Sendable (borrowing LogWriter.Access) throws(Failure) -> R
  ) throws(Failure) -> R {
    if isDeferring {
      return try writer.thread.perform { () throws(Failure) in try LogWriter.withAccess(self, body)
      }
    }
    return try writer.thread.performInPlace { () throws(Failure) in
      try LogWriter.withAccess(self, body)
    }
  }

  /// Runs a writer job on the caller's thread, if commits are not deferred and no other job runs or
  /// is queued.
  ///
  /// - Parameter body: The job; its stack is the caller's.
  /// - Returns: Whether the job has run.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a writer job.
  package func tryWriting<Failure: Error>(
    _ body: (borrowing LogWriter.Access) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    if isDeferring { return false }
    return try writer.thread.tryPerformInPlace { () throws(Failure) in
      try LogWriter.withAccess(self, body)
    }
  }

  /// Submits a job to the writer's thread, and returns without waiting.
  package func submitWriting(_ body: @escaping @Sendable (borrowing LogWriter.Access) -> Void) {
    writer.thread.submit { LogWriter.withAccess(self, body) }
  }

  package var isInWriterJob: Bool { writer.thread.isCurrent }

  /// Whether no writer job runs or is queued at this moment.
  package var isWriterIdle: Bool { !isInWriterJob && writer.thread.tryPerformInPlace {} }

  /// Whether commits are deferred; see ``LogWriter/Access/deferCommits()``.
  package var isDeferring: Bool { writer.isDeferring }

  package var hasUncommittedRecords: Bool { writer.hasUncommittedRecords }

  /// Appends records in one transaction, in its own writer job; see
  /// ``LogWriter/Access/append(_:)``.
  package func append<R: Sendable>(
    _ body: @Sendable (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try performWriting { access throws(StoreError) in try access.append(body) }
  }

  /// Sets how long a writer waits for the write lock while the log does not grow; for tests.
  package func setWriteLockTimeout(milliseconds: Int64) {
    writer.writeLockQueue.setTimeout(milliseconds: milliseconds)
  }

  /// The largest number of idempotency keys to keep.
  package var keyLimit: Int { writer.keyLimit }

  /// Sets the largest number of idempotency keys to keep; for tests.
  package func setKeyLimit(_ count: Int) { writer.setKeyLimit(count) }
}

extension LogStorage {
  /// Appends raw records in several transactions of one writer job, for benchmarks of the log.
  ///
  /// - Parameter body: Calls its argument once for each transaction.
  /// - Throws: What `body` throws, and the errors of each commit.
  public func appendRaw<R: Sendable>(
    _ body:
      @Sendable (
        _ transaction: ((inout LogAppender) throws(StoreError) -> Void) throws(StoreError) -> Void
      ) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try performWriting { access throws(StoreError) in
      try body { (records) throws(StoreError) in try access.append(records) }
    }
  }
}
