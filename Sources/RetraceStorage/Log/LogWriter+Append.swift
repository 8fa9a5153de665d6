import RetraceLMDB
import RetraceLog
import RetraceSystem
import Synchronization

extension LogWriter.Access {
  /// Appends records in one transaction.
  ///
  /// When this returns, everything that `body` appended is on disk, all of it or nothing; if
  /// commits are deferred, it waits for ``commitDeferred()``. If `body` throws, or appends
  /// nothing, nothing is written.
  ///
  /// Without room nothing is written, and the next call works once there is some. Any other failure
  /// of a commit has an unknown outcome: the store closes for writing, and opening it again tells
  /// what was kept.
  ///
  /// - Parameter body: Appends.
  /// - Returns: What `body` returns.
  /// - Complexity: O(bytes appended), and two synchronous writes.
  /// - Throws: What `body` throws; ``StoreError/Code/diskFull`` or ``StoreError/Code/mapFull`` if
  ///   there was no room, with nothing written; ``StoreError/Code/commitOutcomeUnknown`` if the
  ///   commit failed otherwise;
  ///   ``StoreError/Code/filesReplaced``, ``StoreError/Code/closed``, ``StoreError/Code/readOnly``.
  package func append<R>(
    _ body: (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try log.refuseIfNotWriting()
    try writer.turns.take(of: log)
    defer { writer.turns.end(of: log) }
    writer.turns.clearStaleReaders(of: log)
    if log.isDeferring { return try appendDeferring(body) }
    var appender = try beginAppending()
    let result = try body(&appender)
    if appender.hasAppended { try finish(appender) }
    return result
  }

  /// How many idempotency keys are kept.
  package var keysKept: Int { writer.keysKept }

  /// Commits what was appended, if the files are still the ones that were opened.
  func finish(_ appender: consuming LogAppender) throws(StoreError) {
    do throws(StoreError) {
      try checkFiles()
    } catch {
      // A call that failed says nothing about the files, and nothing was written.
      throw error.code == .filesReplaced || error.code == .notPlainFile
        ? log.endWriting(error) : error
    }
    try commit(appender)
    if !log.isInMemory, log.environment.isUnlinked {
      // The file has taken the records with it.
      throw log.endWriting(
        StoreError(
          LMDBError(.filesReplaced, during: .inspectFiles), in: log.path, doing: "commit"))
    }
  }

  /// Checks that the files are still the ones that were opened; those of a store in memory have no
  /// names by which anybody could replace them.
  private func checkFiles() throws(StoreError) {
    if log.isInMemory { return }
    do throws(LMDBError) {
      try log.environment.verifyFiles()
    } catch {
      throw StoreError(error, in: log.path, doing: "commit")
    }
    guard try log.withLock({ lock throws(SystemError) in try lock.isReplaced() }) else { return }
    throw StoreError(
      .filesReplaced, what: "The store \(log.path) could not commit.",
      why: "Its file owner.lock was replaced or removed while it was open.",
      advice: "Close every program that uses the store and open it again; nothing is missing.")
  }

  /// Begins the write transaction and stands after the last record.
  func beginAppending() throws(StoreError) -> LogAppender {
    let transaction: WriteTransaction
    do {
      transaction = try log.environment.beginWrite()
    } catch {
      throw StoreError(error, in: log.path, doing: "be written")
    }
    try log.requireWhole()
    let head = try log.databases.head(in: transaction, path: log.path)
    // The block is of use only if nobody appended since.
    if let builder = writer.takeKept(), builder.sequence == head.sequence + 1 {
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

  /// Commits; closes for writing if it is unknown what became of that.
  private func commit(_ appender: consuming LogAppender) throws(StoreError) {
    let head = appender.head
    do {
      writer.keep(try appender.commit())
    } catch {
      switch error {
      case .notCommitted(let error): throw error
      case .unknown(let error): throw failedCommit(error, after: head)
      }
    }
  }

  /// What a commit that failed means.
  ///
  /// LMDB writes the page that makes a commit valid last, and refuses every transaction once that
  /// write has failed. So if there was no room, and the log can still be read and ends where it
  /// did, nothing was written. Any other failure may have come after that write, or before pages of
  /// it were on the disk.
  private func failedCommit(_ error: LMDBError, after head: Head) -> StoreError {
    var failure = StoreError(cause(of: error), in: log.path, doing: "commit")
    failure.underlying = "\(error)"
    let lacksRoom = failure.code == .diskFull || failure.code == .mapFull
    if lacksRoom, (try? log.head()) == head { return failure }
    failure.code = .commitOutcomeUnknown
    failure.why += " Whether the last records are kept is unknown."
    failure.advice = "Open the store again: it tells what was kept. " + failure.advice
    return log.endWriting(failure)
  }

  /// LMDB reports a write that stopped halfway as a failed device; a full disk, or a limit on the
  /// size of files, is the usual cause.
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

  /// With less room than this, a write that stopped halfway means that the disk is full.
  private static var fullDiskBytes: Int { 1 << 18 }
}
