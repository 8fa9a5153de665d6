import RetraceLog
import RetraceStorage
import RetraceSystem
import Synchronization

/// A check of a log's checksums and chain on another thread, ahead of the thread that folds it.
///
/// The folding thread asks for each record whether its block has been checked, and waits until it
/// has. So no record is decoded or reduced before its block is known to be as it was written.
@usableFromInline
final class BlockCheck: Sendable {
  private struct State {
    /// The last record whose block was checked.
    var checked: UInt64 = 0
    /// The record that the folding thread waits for.
    var awaited: UInt64?
    /// Whether the whole log is as it was written; `nil` while that is being checked.
    var passed: Bool?
  }

  private let head: Head
  private let state = Mutex(State())
  private let hasArrived = Semaphore()
  private let thread = WorkerThread(name: "retrace-check")

  /// The number of records behind the awaited one that are checked before its thread is woken.
  private static let leadRecords: UInt64 = 4_096

  /// Makes a check of the log up to a head.
  init(through head: Head) {
    self.head = head
  }

  /// Starts the check of a store's log.
  ///
  /// If the system cannot create the thread, the whole log is checked before this returns.
  func start(on storage: LogStorage) {
    let check = self
    thread.submit { check.run(on: storage) }
  }

  /// Waits until the block of a record has been checked.
  ///
  /// - Parameters:
  ///   - sequence: The record.
  ///   - view: The folding thread's view, as in ``finish(in:)``.
  /// - Returns: The last record that has been checked by now.
  /// - Throws: ``StoreError`` as ``finish(in:)``.
  func wait(for sequence: UInt64, in view: borrowing ReadView) throws(StoreError) -> UInt64 {
    while true {
      let (checked, hasEnded) = state.withLock { state in
        if state.checked < sequence, state.passed == nil {
          state.awaited = min(sequence + Self.leadRecords, head.sequence)
        }
        return (state.checked, state.passed != nil)
      }
      if checked >= sequence { return checked }
      if hasEnded { break }
      hasArrived.wait()
    }
    try finish(in: view)
    return head.sequence
  }

  /// Waits until the whole log has been checked.
  ///
  /// - Parameter view: A view at the head. If the thread did not find the log whole or could not
  ///   read it at the same head, the caller checks the log again here.
  /// - Throws: `damaged` with the first sequence at which the log differs from what was written.
  func finish(in view: borrowing ReadView) throws(StoreError) {
    thread.waitForSubmittedJobs()
    if state.withLock({ $0.passed }) == true { return }
    try view.verify()
    update { $0.passed = true }
  }

  private func run(on storage: LogStorage) {
    let passed = try? storage.withReadView { view throws(StoreError) in
      guard view.head == head else { return false }
      try view.verify { sequence in update { $0.checked = sequence } }
      return true
    }
    update { $0.passed = passed ?? false }
  }

  /// Changes the state, and wakes the folding thread if it need not wait any longer.
  private func update(_ change: (inout State) -> Void) {
    let wakes = state.withLock { state in
      change(&state)
      guard let awaited = state.awaited, state.checked >= awaited || state.passed != nil else {
        return false
      }
      state.awaited = nil
      return true
    }
    if wakes { hasArrived.signal() }
  }
}
