import RetraceSystem
import Synchronization

/// The stores of this process that their writers are closing; opening one of them waits for that.
///
/// A store that is dropped by its last user closes on its writer's thread, and the user who opens
/// the path again meanwhile must neither be refused nor find the old log's locks.
enum ClosingStores {
  private static let underWay = Mutex<[FileIdentity: [ClosingStore]]>([:])

  /// Waits until no store of a directory is being closed, unless the caller would wait for itself.
  static func wait(for store: StorePath) {
    // Most programs never drop a store.
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

/// A store that its writer is closing.
package final class ClosingStore: Sendable {
  private struct State {
    var isOver = false
    var waiting: [Semaphore] = []
  }

  private let state = Mutex(State())
  private let identity: FileIdentity?
  private let isInWriterJob: @Sendable () -> Bool

  fileprivate init(_ log: LogStorage) {
    identity = log.isInMemory ? nil : try? FileSystem.info(log.path).identity
    isInWriterJob = { [weak log] in log?.isInWriterJob ?? false }
    if let identity { ClosingStores.add(self, identity) }
  }

  /// Notes that the store is closed; whoever waits goes on.
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
  /// Notes that the store is about to be closed by its writer, so that opening it again waits.
  package func beginClosing() -> ClosingStore { ClosingStore(self) }
}
