import Retrace
import RetraceLMDB
import RetraceSystem

extension LogWriter.Access {
  /// Appends records in one transaction.
  ///
  /// When this returns, all records that `body` appended are on disk; if commits are deferred, only
  /// ``commitDeferred()`` puts them on disk. If `body` throws or appends nothing, nothing is
  /// written.
  ///
  /// If there is no room, nothing is written, and a later call can succeed. After any other failed
  /// commit the outcome is unknown: the store closes for writing, and opening it again shows which
  /// records were kept.
  ///
  /// - Parameter body: Appends the records.
  /// - Returns: What `body` returns.
  /// - Complexity: O(bytes appended), and two synchronous writes.
  /// - Throws: What `body` throws; ``StoreError/Code/diskFull`` or ``StoreError/Code/mapFull`` if
  ///   there was no room, with nothing written; ``StoreError/Code/commitOutcomeUnknown`` if the
  ///   commit failed otherwise;
  ///   ``StoreError/Code/filesReplaced``, ``StoreError/Code/closed``, ``StoreError/Code/readOnly``.
  package func append<R>(
    _ body: (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try log.requireWritable()
    try writer.writeLockQueue.acquire(of: log)
    defer { writer.writeLockQueue.release(of: log) }
    writer.writeLockQueue.clearStaleReaders(of: log)
    if log.isDeferring { return try appendDeferring(body) }
    var appender = try beginAppending()
    let result = try body(&appender)
    if appender.hasAppended { try finish(appender) }
    return result
  }

  package var keyLimit: Int { writer.keyLimit }

  /// Commits the transaction, if the files are still the ones that were opened.
  func finish(_ appender: consuming LogAppender) throws(StoreError) {
    do throws(StoreError) {
      try checkFiles()
    } catch {
      // Other errors say nothing about the files, and nothing was written.
      throw error.code == .filesReplaced || error.code == .notPlainFile
        ? log.failWriting(error) : error
    }
    try commit(appender)
    if !log.isInMemory, log.environment.isUnlinked {
      // The records went into an unlinked file.
      throw log.failWriting(
        StoreError(
          LMDBError(.filesReplaced, during: .inspectFiles), in: log.path, doing: "commit"))
    }
  }

  /// Checks that the files are still the ones that were opened.
  ///
  /// The files of a store in memory have no names, so they cannot be replaced.
  private func checkFiles() throws(StoreError) {
    if log.isInMemory { return }
    try StoreError.lmdb(try log.environment.verifyFiles(), in: log.path, doing: "commit")
    guard try log.withLocks({ locks throws(SystemError) in try locks.isReplaced() }) else { return }
    throw StoreError(
      .filesReplaced, what: "The store \(log.path) could not commit.",
      why: "Its file owner.lock was replaced or removed while it was open.",
      advice: "Close every program that uses the store and open it again; no record is lost.")
  }

  /// Begins the write transaction, positioned after the last record.
  func beginAppending() throws(StoreError) -> LogAppender {
    let transaction: WriteTransaction
    do {
      transaction = try log.environment.beginWrite()
    } catch {
      throw StoreError(error, in: log.path, doing: "be written")
    }
    try log.requireNotTruncated()
    let head = try log.databases.head(in: transaction, path: log.path)
    // The kept block is current only if no other process appended since.
    if let builder = writer.takeLastBlock(), builder.sequence == head.sequence + 1 {
      return LogAppender(
        transaction, builder: builder, head: head, databases: log.databases, store: log.storeID,
        path: log.path)
    }
    let builder = try LogAppender.builder(
      after: head, in: transaction, log.databases, store: log.storeID, path: log.path)
    return LogAppender(
      transaction, builder: builder, head: head, databases: log.databases, store: log.storeID,
      path: log.path)
  }

  /// Commits; closes the store for writing if the outcome is unknown.
  private func commit(_ appender: consuming LogAppender) throws(StoreError) {
    let head = appender.head
    do {
      writer.storeLastBlock(try appender.commit())
    } catch {
      switch error {
      case .notCommitted(let error): throw error
      case .unknown(let error): throw failedCommit(error, after: head)
      }
    }
  }

  /// Returns the error for a failed commit.
  ///
  /// LMDB writes the meta page last, and that write makes a commit valid. If it fails, LMDB
  /// refuses every later transaction. So if there was no room, but the log is still readable and
  /// its end is unchanged, nothing was written. Any other failure may have come after the write of
  /// the meta page, or before all pages were synced.
  private func failedCommit(_ error: LMDBError, after head: Head) -> StoreError {
    var failure = StoreError(cause(of: error), in: log.path, doing: "commit")
    failure.underlying = "\(error)"
    let lacksRoom = failure.code == .diskFull || failure.code == .mapFull
    if lacksRoom, (try? log.head()) == head { return failure }
    failure.code = .commitOutcomeUnknown
    failure.why += " It is unknown whether the last records were stored."
    failure.advice = "Open the store again to see which records were kept. " + failure.advice
    return log.failWriting(failure)
  }

  /// Returns the likely cause of an error: LMDB reports a partial write as EIO, but a full disk or
  /// a limit on file sizes is the usual cause.
  private func cause(of error: LMDBError) -> LMDBError {
    guard error.code == .inputOutput else { return error }
    var cause = error
    if let free = try? FileSystem.freeBytes(log.path), free < Self.fullDiskBytes {
      cause.code = .noSpace
    } else if let limit = ThisProcess.fileSizeLimitBytes,
      let size = try? FileSystem.info(log.store.file("data.mdb")).sizeBytes,
      limit - size < Self.fullDiskBytes
    {
      cause.code = .fileTooLarge
    }
    return cause
  }

  /// The room in bytes below which a partial write is due to a full disk or a limit on file sizes.
  private static var fullDiskBytes: Int { 1 << 18 }
}
