import RetraceLMDB
import RetraceLog
import RetracePlatform
import Synchronization

extension LogStorage {
  /// Appends records in one transaction, as a job of ``writer``.
  ///
  /// When this returns, everything that `body` appended is on disk, all of it or nothing. If `body`
  /// throws, or appends nothing, nothing is written.
  ///
  /// Without room nothing is written, and the next call works once there is some. Any other failure
  /// of a commit has an unknown outcome: the store closes for writing, and opening it again tells
  /// what was kept.
  ///
  /// - Parameter body: Appends; it runs in a job of ``writer``.
  /// - Returns: What `body` returns.
  /// - Complexity: O(bytes appended), and two synchronous writes.
  /// - Throws: What `body` throws; ``StoreError/Code/diskFull`` or ``StoreError/Code/mapFull`` if
  ///   there was no room, with nothing written; ``StoreError/Code/commitOutcomeUnknown`` if the
  ///   commit failed otherwise;
  ///   ``StoreError/Code/filesReplaced``, ``StoreError/Code/closed``, ``StoreError/Code/readOnly``.
  public func append<R: Sendable>(
    _ body: @Sendable (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    if writer.isCurrent { return try appendDirectly(body) }
    return try performWriting { () throws(StoreError) in try self.appendDirectly(body) }
  }

  /// Appends records in one transaction, for a caller that is in a job of ``writer``.
  ///
  /// - Parameter body: Appends; it need not be sendable.
  /// - Returns: What `body` returns.
  /// - Complexity: O(bytes appended), and two synchronous writes.
  /// - Throws: As ``append(_:)``.
  /// - Precondition: The caller is in a job of ``writer``.
  public func appendDirectly<R>(
    _ body: (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    precondition(writer.isCurrent, "LogStorage: appending outside a job of the writer")
    try refuseIfNotWriting()
    try takeTurn()
    defer { endTurn() }
    clearStaleReaders()
    if isDeferring { return try appendDeferring(body) }
    var appender = try beginAppending()
    let result = try body(&appender)
    if appender.hasAppended { try finish(appender) }
    return result
  }

  /// Commits what was appended, if the files are still the ones that were opened.
  func finish(_ appender: consuming LogAppender) throws(StoreError) {
    do throws(StoreError) {
      try checkFiles()
    } catch {
      // A call that failed says nothing about the files, and nothing was written.
      throw error.code == .filesReplaced || error.code == .notPlainFile ? endWriting(error) : error
    }
    try commit(appender)
    if !isInMemory, environment.isUnlinked {
      // The file has taken the records with it.
      throw endWriting(
        StoreError(
          LMDBError(.filesReplaced, during: .inspectFiles), in: path, doing: "commit"))
    }
  }

  /// Closes the store for writing, for a reason that later calls are told; what can be read stays.
  ///
  /// - Parameter reason: The error that later calls throw, unless there was one before.
  public func closeForWriting(_ reason: StoreError) {
    state.withLock { if $0.writingEnded == nil { $0.writingEnded = reason } }
  }

  /// Checks that the files are still the ones that were opened; those of a store in memory have no
  /// names by which anybody could replace them.
  private func checkFiles() throws(StoreError) {
    if isInMemory { return }
    do throws(LMDBError) {
      try environment.verifyFiles()
    } catch {
      throw StoreError(error, in: path, doing: "commit")
    }
    guard try withLock({ lock throws(PlatformError) in try lock.isReplaced() }) else { return }
    throw StoreError(
      .filesReplaced, what: "The store \(path) could not commit.",
      why: "Its file owner.lock was replaced or removed while it was open.",
      advice: "Close every program that uses the store and open it again; nothing is missing.")
  }

  private func refuseIfNotWriting() throws(StoreError) {
    guard access != .read else {
      throw StoreError(
        .readOnly, what: "Nothing was written to \(path).",
        why: "The store was opened for reading.", advice: "Open it for writing.")
    }
    if let ended = state.withLock({ $0.writingEnded }) { throw ended }
  }

  /// Begins the write transaction and stands after the last record.
  func beginAppending() throws(StoreError) -> LogAppender {
    let transaction: WriteTransaction
    do {
      transaction = try environment.beginWrite()
    } catch {
      throw StoreError(error, in: path, doing: "be written")
    }
    try requireWhole()
    let head = try databases.head(in: transaction, path: path)
    // The block is of use only if nobody appended since.
    if let builder = kept.withLock({ $0.take() }), builder.sequence == head.sequence + 1 {
      return LogAppender(
        transaction, builder: builder, head: head, databases: databases, store: storeID,
        path: path)
    }
    let builder = try LogAppender.builder(
      after: head, in: transaction, databases, store: storeID, path: path)
    return LogAppender(
      transaction, builder: builder, head: head, databases: databases, store: storeID, path: path)
  }

  /// Commits; closes for writing if it is unknown what became of that.
  private func commit(_ appender: consuming LogAppender) throws(StoreError) {
    let head = appender.head
    do {
      keep(try appender.commit())
    } catch {
      switch error {
      case .notCommitted(let error): throw error
      case .unknown(let error): throw failedCommit(error, after: head)
      }
    }
  }

  private func keep(_ committed: consuming LogAppender.Committed) {
    var builder: BlockBuilder<SHA256Hasher>? = committed.builder
    kept.withLock { $0 = builder.take() }
  }

  /// What a commit that failed means.
  ///
  /// LMDB writes the page that makes a commit valid last, and refuses every transaction once that
  /// write has failed. So if there was no room, and the log can still be read and ends where it
  /// did, nothing was written. Any other failure may have come after that write, or before pages of
  /// it were on the disk.
  private func failedCommit(_ error: LMDBError, after head: Head) -> StoreError {
    var failure = StoreError(cause(of: error), in: path, doing: "commit")
    failure.underlying = "\(error)"
    let lacksRoom = failure.code == .diskFull || failure.code == .mapFull
    if lacksRoom, (try? self.head()) == head { return failure }
    failure.code = .commitOutcomeUnknown
    failure.why += " Whether the last records are kept is unknown."
    failure.advice = "Open the store again: it tells what was kept. " + failure.advice
    return endWriting(failure)
  }

  /// LMDB reports a write that stopped halfway as a failed device; a full disk, or a limit on the
  /// size of files, is the usual cause.
  private func cause(of error: LMDBError) -> LMDBError {
    guard error.code == .inputOutput else { return error }
    var cause = error
    if let free = try? FileSystem.freeBytes(path), free < LogStorage.fullDiskBytes {
      cause.code = .noSpace
    } else if let limit = ThisProcess.fileSizeLimitBytes,
      let size = try? FileSystem.info(store.file("data.mdb")).sizeBytes,
      limit - size < LogStorage.fullDiskBytes
    {
      cause.code = .fileTooLarge
    }
    return cause
  }

  /// With less room than this, a write that stopped halfway means that the disk is full.
  private static var fullDiskBytes: Int { 1 << 18 }

  /// Closes the store for writing, for the first reason there was.
  func endWriting(_ error: StoreError) -> StoreError {
    state.withLock { state in
      state.hasFailed = true
      if state.writingEnded == nil { state.writingEnded = error }
    }
    return error
  }
}
