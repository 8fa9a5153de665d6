import RetraceRecording
import RetraceStorage
import RetraceSystem
import RetraceToolSupport
import TrackerApp

/// The store that the commands of a batch share.
enum Batch {
  private struct State {
    var isActive = false
    var tracker: TrackerStore?
  }

  private static let state = Lock(State())

  /// The store, if a command of the batch has opened it for writing.
  static var tracker: TrackerStore? { state.withLock { $0.tracker } }

  /// Whether this process performs a batch, whose commands come from standard input.
  static var isActive: Bool { state.withLock { $0.isActive } }

  /// Starts a batch: the store stays open from the first command that opens it on.
  static func begin() { state.withLock { $0.isActive = true } }

  /// Returns a store that was just opened; in a batch, it stays open for the commands that follow.
  static func adopt(_ tracker: TrackerStore) -> TrackerStore {
    state.withLock { state in
      guard state.isActive else { return tracker }
      var tracker = tracker
      tracker.staysOpen = true
      state.tracker = tracker
      return tracker
    }
  }

  /// Closes the store; the next command of the batch opens it again.
  static func close() throws(ToolFailure) {
    let open = state.withLock { state in
      let open = state.tracker
      state.tracker = nil
      return open
    }
    guard let open else { return }
    do throws(StoreError) { try open.store.closeBlocking() } catch { throw ToolFailure(error) }
  }
}
