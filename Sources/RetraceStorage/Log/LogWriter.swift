import RetraceLog
import RetraceSystem
import Synchronization

/// The writing side of a log: the writer's thread, the transaction that waits for its commit, the
/// last block and the pace of turns.
///
/// Jobs run one at a time. A job is lent an ``Access``, which is the only way to append: it can be
/// neither copied nor kept, so a function that takes one can only be called from a job.
package final class LogWriter: Sendable {
  fileprivate let thread = WorkerThread(name: "retrace-writer")
  /// Takes the write lock before each transaction.
  let turns = WriteTurns()
  /// The last block as it was committed last, so that the next commit need not read it.
  private let kept: Mutex<BlockBuilder<SHA256Hasher>?> = Mutex(nil)
  /// The transaction that waits for its commit, if commits are deferred.
  private let waiting: Mutex<LogAppender?> = Mutex(nil)
  private let hasWaitingFlag = Atomic<Bool>(false)
  private let isDeferringFlag = Atomic<Bool>(false)
  /// How many idempotency keys are kept.
  private let keyLimit = Atomic<Int>(KeptBatch.keysMax)

  init() {}

  /// What a job may do to the log.
  ///
  /// It lives as long as the job.
  package struct Access: ~Copyable, ~Escapable {
    /// The log.
    package let log: LogStorage

    // Out of line: inlined into a closure that escapes, the optimizer of Swift 6.3 fails on it.
    @inline(never)
    @_lifetime(immortal)
    fileprivate init(_ log: LogStorage) { self.log = log }

    var writer: LogWriter { log.writer }
  }

  /// Calls a body with access to a log, in a job.
  @inline(never)
  fileprivate static func lend<R, Failure: Error>(
    _ log: LogStorage, _ body: (borrowing Access) throws(Failure) -> R
  ) throws(Failure) -> R {
    let access = Access(log)
    return try body(access)
  }

  /// Makes the thread now, so that a system without room for one says so.
  func startThread() throws(SystemError) { try thread.start() }

  // MARK: What one job leaves for the next

  /// Whether appended records wait for a commit, from some moment on.
  var isDeferring: Bool { isDeferringFlag.load(ordering: .acquiring) }

  /// Lets appended records wait from now on.
  func startDeferring() { isDeferringFlag.store(true, ordering: .releasing) }

  /// Whether appended records wait for their commit.
  var hasWaiting: Bool { hasWaitingFlag.load(ordering: .acquiring) }

  /// Keeps a transaction that waits for its commit.
  func keepWaiting(_ appender: consuming LogAppender) {
    var appender: LogAppender? = appender
    waiting.withLock { $0 = appender.take() }
    hasWaitingFlag.store(true, ordering: .releasing)
  }

  /// Takes the transaction that waits; LMDB wants that on the thread that began it.
  func takeWaiting() -> LogAppender? {
    hasWaitingFlag.store(false, ordering: .releasing)
    return waiting.withLock { $0.take() }
  }

  /// Keeps the last block after a commit.
  func keep(_ committed: consuming LogAppender.Committed) {
    var builder: BlockBuilder<SHA256Hasher>? = committed.builder
    kept.withLock { $0 = builder.take() }
  }

  /// Takes the last block.
  func takeKept() -> BlockBuilder<SHA256Hasher>? { kept.withLock { $0.take() } }

  /// How many idempotency keys are kept.
  var keysKept: Int { keyLimit.load(ordering: .relaxed) }

  /// Sets how many idempotency keys are kept.
  func setKeyLimit(_ count: Int) { keyLimit.store(count, ordering: .relaxed) }

  // MARK: The end

  /// Waits for the jobs that were taken, and aborts what waits for its commit.
  func finish() {
    if !thread.isCurrent { thread.finish() }
    guard hasWaiting else { return }
    if thread.isCurrent { _ = takeWaiting() } else { thread.perform { _ = self.takeWaiting() } }
  }
}

extension LogStorage {
  /// Runs a job of the writer, on the caller's thread if that is possible and no other job runs or
  /// waits, and returns its result.
  ///
  /// A transaction that waits for its commit belongs to the writer's thread, where all jobs then
  /// run.
  ///
  /// - Parameter body: The job; it has the stack of the caller, or 8 MiB.
  /// - Returns: What the job returns.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of the writer.
  package func performWriting<R: Sendable, Failure: Error>(
    _ body: @Sendable (borrowing LogWriter.Access) throws(Failure) -> R
  ) throws(Failure) -> R {
    if isDeferring {
      return try writer.thread.perform { () throws(Failure) in try LogWriter.lend(self, body) }
    }
    return try writer.thread.performInPlace { () throws(Failure) in
      try LogWriter.lend(self, body)
    }
  }

  /// Runs a job of the writer on the caller's thread, if that is possible and no other job runs or
  /// waits.
  ///
  /// - Parameter body: The job; it has the stack of the caller.
  /// - Returns: Whether it has run.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of the writer.
  package func tryWriting<Failure: Error>(
    _ body: (borrowing LogWriter.Access) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    if isDeferring { return false }
    return try writer.thread.tryInPlace { () throws(Failure) in try LogWriter.lend(self, body) }
  }

  /// Has the writer's thread run a job after those before it, and does not wait.
  package func submitWriting(_ body: @escaping @Sendable (borrowing LogWriter.Access) -> Void) {
    writer.thread.submit { LogWriter.lend(self, body) }
  }

  /// Whether the caller runs in a job of the writer.
  package var isInWriterJob: Bool { writer.thread.isCurrent }

  /// Whether no job of the writer runs or waits at this moment.
  package var isWriterIdle: Bool { !isInWriterJob && writer.thread.tryInPlace {} }

  /// Whether what is appended waits for a commit; see ``LogWriter/Access/deferCommits()``.
  package var isDeferring: Bool { writer.isDeferring }

  /// Whether appended records wait for their commit.
  package var hasWaiting: Bool { writer.hasWaiting }

  /// Appends records in one transaction, in a job of its own; see
  /// ``LogWriter/Access/append(_:)``.
  package func append<R: Sendable>(
    _ body: @Sendable (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try performWriting { access throws(StoreError) in try access.append(body) }
  }

  /// Sets how long a writer waits for its turn while the log does not grow; a seam for tests.
  package func setTurnLimit(milliseconds: Int64) {
    writer.turns.setLimit(milliseconds: milliseconds)
  }

  /// Sets how many idempotency keys are kept; a seam for tests.
  package func setKeyLimit(_ count: Int) { writer.setKeyLimit(count) }
}

@_spi(Benchmarks)
extension LogStorage {
  /// Appends raw records in several transactions of one job, for benchmarks of the log.
  ///
  /// - Parameter body: Calls its argument once for each transaction.
  /// - Throws: What the body throws, and as each commit does.
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
