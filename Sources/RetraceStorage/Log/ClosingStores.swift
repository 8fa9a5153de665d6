import RetraceSystem

/// The stores of this process that are being closed by their writers.
///
/// A store whose last reference is dropped closes in a job of its writer. Opening the same path
/// again waits for that, because until then the store is still open and holds its locks.
enum ClosingStores {
  private static let underWay = Lock<[FileIdentity: [ClosingStore]]>([:])

  /// Waits until no store in a directory is being closed.
  ///
  /// Does not wait for a store if the caller is in a job of that store's writer.
  static func wait(for store: StorePath) {
    // Most programs never drop a store without closing it.
    guard underWay.withLock({ !$0.isEmpty }),
      let identity = try? FileSystem.info(store.directory).identity
    else { return }
    for closing in underWay.withLock({ $0[identity] ?? [] }) { closing.wait() }
  }

  fileprivate static func add(_ closing: ClosingStore, _ identity: FileIdentity) {
    underWay.withLock { $0[identity, default: []].append(closing) }
  }

  fileprivate static func remove(_ closing: ClosingStore, _ identity: FileIdentity) {
    underWay.withLock { all in
      all[identity]?.removeAll { $0 === closing }
      if all[identity]?.isEmpty == true { all[identity] = nil }
    }
  }
}

/// A store that is being closed by its writer.
package final class ClosingStore: Sendable {
  private struct State {
    var isOver = false
    var waiting: [Semaphore] = []
  }

  private let state = Lock(State())
  private let identity: FileIdentity?
  private let isInWriterJob: @Sendable () -> Bool

  fileprivate init(_ log: LogStorage) {
    identity = log.isInMemory ? nil : try? FileSystem.info(log.path).identity
    isInWriterJob = { [weak log] in log?.isInWriterJob ?? false }
    if let identity { ClosingStores.add(self, identity) }
  }

  /// Marks the store as closed and wakes the waiters.
  package func end() {
    if let identity { ClosingStores.remove(self, identity) }
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.signal() }
  }

  fileprivate func wait() {
    if isInWriterJob() { return }
    let waiter = Semaphore()
    let isOver = state.withLock { state in
      if !state.isOver { state.waiting.append(waiter) }
      return state.isOver
    }
    if !isOver { waiter.wait() }
  }
}

extension LogStorage {
  /// Announces that the writer is about to close the store, so that opening it again waits.
  package func beginClosing() -> ClosingStore { ClosingStore(self) }
}
