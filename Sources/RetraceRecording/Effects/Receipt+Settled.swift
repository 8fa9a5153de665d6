public import RetraceStorage

extension Receipt {
  /// Waits until all effects that the batch caused, directly or through other effects, have ended.
  ///
  /// Each of these effects has then finished, failed or been cancelled, and its end is durable. A
  /// batch whose effects keep starting new ones, such as a reminder that sets the next, never
  /// settles, nor does one with a streaming leaf that does not end. This call does not wait for
  /// leaves that the store cannot run because it was opened without an environment, nor for leaves
  /// that follow such a leaf in a concatenation.
  ///
  /// - Throws: `cancelled` when the waiting task is cancelled; the effects continue. `closed` when
  ///   the store is closed first: the next open of the store recovers the effects in flight. The
  ///   error of the commit when an end could not be recorded.
  public func settled() async throws(StoreError) {
    try await settlement?.wait()
  }

  /// Blocks until no effect of the batch is in flight any more; see ``settled()``.
  ///
  /// - Throws: As ``settled()``; `reentrant` from an observer.
  /// - Precondition: The caller does not run in a task, because a blocked thread of the concurrency
  ///   runtime may be the one that the effect needs.
  public func settledBlocking() throws(StoreError) {
    try settlement?.waitBlocking()
  }
}
