import Retrace
import RetraceStorage
import RetraceSystem

/// A check of a log's checksums and chain on another thread, ahead of the thread that folds it.
///
/// Each block confirms the chain up to the record before the block. The folding thread waits until
/// the chain is confirmed up to a record before it folds the record, so it decodes and reduces no
/// record that differs from what was written.
@usableFromInline
final class BlockCheck: Sendable {
  private struct State {
    /// The last record up to which the chain is confirmed.
    var checked: UInt64 = 0
    /// The record up to which the folding thread waits for the check.
    var awaited: UInt64?
    var hasEnded = false
    /// The result for the whole log, once a thread has checked all of it.
    var result: Result<LogReport, StoreError>?
  }

  private let head: Head
  private let state = Lock(State())
  private let wakeUp = Semaphore()
  private let thread = WorkerThread(name: "retrace-check")

  /// The number of records by which the check has to be ahead before it wakes the folding thread.
  ///
  /// The folding thread is therefore not woken for each block.
  private static let leadRecords: UInt64 = 4_096

  init(through head: Head) {
    self.head = head
  }

  /// Starts the check of a store's log.
  ///
  /// - Parameters:
  ///   - storage: The store.
  ///   - isBlocking: Whether the whole log is checked before this returns, as it is if the system
  ///     cannot create the thread.
  func start(on storage: LogStorage, isBlocking: Bool = false) {
    if isBlocking { return run(on: storage) }
    let check = self
    thread.submit { check.run(on: storage) }
  }

  /// Waits until the chain is confirmed up to a record.
  ///
  /// - Parameters:
  ///   - sequence: The record.
  ///   - view: The folding thread's view, as in ``finish(in:)``.
  /// - Returns: The last record that has been checked by now.
  /// - Throws: ``StoreError`` as ``finish(in:)``, also for damage after the record.
  func wait(for sequence: UInt64, in view: borrowing ReadView) throws(StoreError) -> UInt64 {
    while true {
      let (checked, hasEnded) = state.withLock { state in
        if state.checked < sequence, !state.hasEnded {
          state.awaited = min(sequence + Self.leadRecords, head.sequence)
        }
        return (state.checked, state.hasEnded)
      }
      if hasEnded { break }
      if checked >= sequence { return checked }
      wakeUp.wait()
    }
    try finish(in: view)
    return head.sequence
  }

  /// Waits until the whole log has been checked.
  ///
  /// - Parameter view: A view at the head. If the thread could not read the log at the same head,
  ///   the caller checks the log here.
  /// - Throws: `damaged` with the first sequence at which the log differs from what was written.
  func finish(in view: borrowing ReadView) throws(StoreError) {
    thread.waitForSubmittedJobs()
    let result = state.withLock { $0.result } ?? Self.check(view)
    update { $0.result = result }
    _ = try result.get()
  }

  private func run(on storage: LogStorage) {
    let result = try? storage.withReadView { view throws(StoreError) in
      view.head == head
        ? Self.check(view) { sequence in update { $0.checked = sequence } } : nil
    }
    update {
      $0.hasEnded = true
      $0.result = result
    }
  }

  private static func check(
    _ view: borrowing ReadView, progress: (UInt64) -> Void = { _ in }
  ) -> Result<LogReport, StoreError> {
    do throws(StoreError) {
      return .success(try view.verify(progress))
    } catch {
      return .failure(error)
    }
  }

  /// Changes the state, and wakes the folding thread if it need not wait any longer.
  private func update(_ change: (inout State) -> Void) {
    let wakes = state.withLock { state in
      change(&state)
      guard let awaited = state.awaited, state.checked >= awaited || state.hasEnded else {
        return false
      }
      state.awaited = nil
      return true
    }
    if wakes { wakeUp.signal() }
  }
}
