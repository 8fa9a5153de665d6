public import RetraceArchitecture
import RetracePlatform
public import RetraceStorage

/// When an action counts as kept, and what can be lost.
public enum Durability: Hashable, Sendable {
  /// When a send returns, its batch is on stable storage: it survives the end of the process, of
  /// the system and of the power, if disk and file system keep what `fdatasync` promises.
  ///
  /// What is queued while a commit runs goes into the next one, so that senders share its flushes.
  case durable
  /// Nothing survives the process; see ``Store/inMemory(configuration:)``.
  case memory
}

extension Store {
  /// Opens an empty store of which nothing survives the process: for tests, previews and trials.
  ///
  /// It records, reduces, publishes and fails as a store on disk does, and ``storage`` can be given
  /// to a replayer. Its files lie in memory and have no names, so nothing is left to remove.
  ///
  /// ```swift
  /// let store = try Store<Counter>.inMemory()
  /// try store.sendBlocking([.increment])
  /// #expect(store.state.count == 1)
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: How the store works; its durability counts as ``Durability/memory``.
  ///     Without one the clock is the system's.
  ///   - environment: What effects run in; without one, only leaves that need none are run.
  /// - Complexity: O(1), without waiting for a disk where the system has `/dev/shm`.
  /// - Throws: `storageFailed`, `diskFull` or `permissionDenied` if there is no room for it.
  public static func inMemory(
    configuration: StoreConfiguration? = nil, environment: App.Environment? = nil
  ) throws(StoreError) -> Store<App> {
    var configuration =
      configuration ?? StoreConfiguration(clock: { Moment(microseconds: WallClock.now()) })
    configuration.durability = .memory
    return try open(
      over: try LogStorage.inMemory(), configuration: configuration, environment: environment)
  }
}
