package import RetraceSystem

extension LogStorage {
  /// Starts watching for commits of any process, including this one.
  ///
  /// - Parameter body: Called on a thread of its own, some milliseconds after a commit; sometimes
  ///   also without one.
  /// - Returns: The watch; releasing it ends the calls.
  /// - Throws: ``StoreError`` if the system cannot create a thread.
  package func watchCommits(
    _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) -> FileWatch {
    try StoreError.system(
      try FileWatch(store.file("data.mdb"), body), in: path, doing: "be watched")
  }
}
