import RetraceLMDB
import RetraceLog
import RetraceSystem
import Synchronization

/// Commits that wait: what is appended stays in one write transaction until it is committed.
///
/// The log on disk is at every moment that of an earlier commit, whole and without a gap: nothing
/// is written without being synced, only later. As others could not write meanwhile, a log whose
/// commits wait has one writer.
extension LogWriter.Access {
  /// The most records that wait for a commit.
  private static var waitingMax: UInt64 { 65_536 }

  /// Lets appended records wait for ``commitDeferred()`` from now on, and keeps other writers out.
  ///
  /// - Throws: ``StoreError/Code/inUse(pids:)`` if another process has the store open for writing;
  ///   ``StoreError/Code/storageFailed`` if the system makes no thread to hold the transaction.
  package func deferCommits() throws(StoreError) {
    let path = log.path
    do throws(SystemError) {
      // A transaction that waits belongs to one thread.
      try writer.startThread()
    } catch {
      throw StoreError(error, in: path, doing: "be opened")
    }
    if let others = try log.keepWritersOut() {
      throw StoreError(
        .inUse(pids: others), what: "The store \(path) could not be opened.",
        why: "Another process has it open for writing, and commits that wait allow nobody else.",
        advice: "Wait until that is done, end it, or open the store as durable.")
    }
    writer.startDeferring()
  }

  /// Commits the records that wait; nothing happens if there are none.
  ///
  /// - Complexity: Two synchronous writes.
  /// - Throws: As ``append(_:)``. The records that waited are then not kept, or it is unknown
  ///   whether they are; the store is closed for writing in any case.
  package func commitDeferred() throws(StoreError) {
    guard let appender = writer.takeWaiting() else { return }
    let last = appender.nextSequence - 1
    do throws(StoreError) {
      try finish(appender)
    } catch {
      throw lost(upTo: last, error)
    }
  }

  /// Appends in the transaction that waits, or in a new one that then waits.
  func appendDeferring<R>(
    _ body: (inout LogAppender) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    guard var appender = writer.takeWaiting() else {
      var appender = try beginAppending()
      let result = try body(&appender)
      if appender.hasAppended { writer.keepWaiting(appender) }
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
      // Part of a group cannot be taken back without what waited before it.
      throw lost(upTo: first - 1, error)
    }
    let isTooMuch = appender.waitingCount > Self.waitingMax
    writer.keepWaiting(appender)
    if isTooMuch { try commitDeferred() }
    return try result.get()
  }

  /// Closes for writing, as records that were acknowledged are not kept.
  private func lost(upTo last: UInt64, _ error: StoreError) -> StoreError {
    guard error.code != .commitOutcomeUnknown else { return error }
    var error = error
    error.why += " Records up to \(last) that waited for their commit are not kept."
    return log.endWriting(error)
  }
}
