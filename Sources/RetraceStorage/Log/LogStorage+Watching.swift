public import RetraceSystem

extension LogStorage {
  /// Begins to watch for commits of any process, this one's included.
  ///
  /// - Parameter body: Called on a thread of its own, some milliseconds after a commit. A call may
  ///   come without a commit.
  /// - Returns: The watch, whose end of life ends the calls.
  /// - Throws: ``StoreError`` if the system makes no thread.
  public func watchCommits(
    _ body: @escaping @Sendable () -> Void
  ) throws(StoreError) -> FileWatch {
    do throws(SystemError) {
      return try FileWatch(store.file("data.mdb"), body)
    } catch {
      throw StoreError(error, in: path, doing: "be watched")
    }
  }
}
