import Retrace
import RetraceLMDB
import RetraceSystem

/// Deferred commits: records stay in one write transaction until it is committed.
///
/// The log on disk always ends with the last commit and has no gaps. A deferred commit is synced
/// like any other. A log with deferred commits has one writer, because the open transaction blocks
/// all others.
extension LogWriter.Access {
  private static var deferredMax: UInt64 { 65_536 }

  /// Defers commits to ``commitDeferred()`` from now on, and keeps other writers out.
  ///
  /// - Throws: ``StoreError/Code/inUse(pids:)`` if another process has the store open for writing;
  ///   ``StoreError/Code/storageFailed`` if the system cannot create a thread for the transaction.
  package func deferCommits() throws(StoreError) {
    let path = log.path
    do throws(SystemError) {
      // An open write transaction belongs to one thread.
      try writer.startThread()
    } catch {
      throw StoreError(error, in: path, doing: "be opened")
    }
    if let others = try log.excludeOtherWriters() {
      throw StoreError(
        .inUse(pids: others), what: "The store \(path) could not be opened.",
        why: "Another process has it open for writing, and a store with deferred commits has only "
          + "one writer.",
        advice: "End that process, or open the store with the durability `durable`.")
    }
    writer.startDeferring()
  }

  /// Commits the deferred records, if there are any.
  ///
  /// - Complexity: Two synchronous writes.
  /// - Throws: As ``append(_:)``. The deferred records are then lost, or their outcome is unknown;
  ///   either way the store is closed for writing.
  package func commitDeferred() throws(StoreError) {
    guard let appender = writer.takeDeferred() else { return }
    let last = appender.nextSequence - 1
    do throws(StoreError) {
      try finish(appender)
    } catch {
      throw lostRecordsError(upTo: last, error)
    }
  }

  /// Appends in the open transaction, or in a new one; it stays open.
  func appendDeferring<R>(
    _ body: (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    guard var appender = writer.takeDeferred() else {
      var appender = try beginAppending()
      let result = try body(&appender)
      if appender.hasAppended { writer.storeDeferred(appender) }
      return result
    }
    appender.resume()
    let first = appender.nextSequence
    let result: Result<R, StoreError>
    do throws(StoreError) {
      result = .success(try body(&appender))
    } catch {
      result = .failure(error)
    }
    if case .failure(let error) = result, appender.nextSequence > first {
      // LMDB can abort only the whole transaction, including the records of earlier calls.
      throw lostRecordsError(upTo: first - 1, error)
    }
    let isTooMuch = appender.deferredCount > Self.deferredMax
    writer.storeDeferred(appender)
    if isTooMuch { try commitDeferred() }
    return try result.get()
  }

  /// Closes the store for writing, because acknowledged records are lost.
  private func lostRecordsError(upTo last: UInt64, _ error: StoreError) -> StoreError {
    guard error.code != .commitOutcomeUnknown else { return error }
    var error = error
    error.why += " The uncommitted records up to \(last) are lost."
    return log.failWriting(error)
  }
}
