public import RetraceStorage

extension Receipt {
  /// Returns when no effect of the batch is in flight any more, nor any effect of what those
  /// effects sent, and so on.
  ///
  /// Each of them finished, failed or was cancelled, and that is durable. A batch whose effects
  /// keep starting new ones, such as a reminder that sets the next, is never settled. Leaves that
  /// this store cannot run, because it was opened without an environment, are not waited for. Nor
  /// are leaves that a concatenation runs after one of these.
  ///
  /// - Throws: `cancelled` when the task that waits is cancelled; the effects go on. `closed` when
  ///   the store was closed first: what was in flight then is settled by whoever opens the store
  ///   next. The error of the commit when an end could not be recorded.
  public func settled() async throws(StoreError) {
    try await settlement?.wait()
  }

  /// Blocks until no effect of the batch is in flight any more; see ``settled()``.
  ///
  /// - Throws: As ``settled()``; `reentrant` from an observer.
  /// - Precondition: The caller does not run in a task: a thread of the concurrency runtime that
  ///   blocks may be the one on which the effect would have to run.
  public func settledBlocking() throws(StoreError) {
    try settlement?.waitBlocking()
  }
}
