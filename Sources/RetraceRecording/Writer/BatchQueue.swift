import Retrace
import RetraceStorage
import RetraceSystem

/// The queue of batches that wait for their commit, in the order in which they were sent.
final class BatchQueue<App: ReplayableApp>: Sendable {
  private struct State {
    var actionCount = 0
    var bytes = 0
    var isScheduled = false
    var failure: StoreError?
    var isClosed = false
    var groupLimit = GroupLimit()
    /// The batches sent last, in order.
    var arrived: [PendingBatch<App>] = []
    /// The batches sent before those, in reverse order, so that taking one moves no other.
    var waiting: [PendingBatch<App>] = []

    var isEmpty: Bool { arrived.count == 0 && waiting.count == 0 }

    /// Throws if the queue is closed, or if a failure has not been reported yet.
    func requireOpen() throws(StoreError) {
      if isClosed { throw StoreError.closed }
      if let failure { throw failure }
    }

    /// Takes the first batch without updating the counts.
    mutating func takeFirst() -> PendingBatch<App>? {
      if waiting.count == 0 {
        // Swapping keeps the capacity of both arrays.
        swap(&waiting, &arrived)
        waiting.reverse()
      }
      // `popLast` would look up conformances at run time, because the type is generic here.
      return waiting.count == 0 ? nil : waiting.remove(at: waiting.count - 1)
    }

    mutating func takeAll() -> [PendingBatch<App>] {
      defer {
        (waiting, arrived) = ([], [])
        actionCount = 0
        bytes = 0
        isScheduled = false
      }
      return waiting.reversed() + arrived
    }
  }

  private let state = Lock(State())
  private let configuration: StoreConfiguration

  init(_ configuration: StoreConfiguration) { self.configuration = configuration }

  // MARK: Size and state

  var size: (actions: Int, bytes: Int) { state.withLock { ($0.actionCount, $0.bytes) } }

  var isScheduled: Bool { state.withLock { $0.isScheduled } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The most actions of the next group, derived from the time of the last one.
  var groupActionLimit: Int { state.withLock { $0.groupLimit.actions } }

  /// Records how long a group took; see ``GroupLimit/adjust(after:took:)``.
  func recordGroupTime(of actions: Int, took nanoseconds: Int64) {
    state.withLock { $0.groupLimit.adjust(after: actions, took: nanoseconds) }
  }

  // MARK: Adding and taking

  /// Appends a batch to the queue.
  ///
  /// - Parameter bounded: Whether the batch is refused if the queue is full.
  /// - Returns: Whether the caller has to schedule a job that drains the queue.
  func push(_ batch: PendingBatch<App>, bounded: Bool) throws(StoreError) -> Bool {
    try state.withLock { (state) throws(StoreError) -> Bool in
      try state.requireOpen()
      if bounded
        && (state.actionCount >= configuration.queueLimit
          || state.bytes >= configuration.queueBytesLimit)
      {
        throw StoreError.overloaded(actions: state.actionCount, bytes: state.bytes)
      }
      if batch.isEmpty { return false }
      state.actionCount += batch.count
      state.bytes += batch.bytes
      state.arrived.append(batch)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
  }

  /// Removes a batch whose commit has not begun; returns whether it was there.
  ///
  /// - Complexity: O(batches that wait).
  func remove(_ batch: PendingBatch<App>) -> Bool {
    state.withLock { state in
      if let index = state.arrived.lastIndex(where: { $0 === batch }) {
        state.arrived.remove(at: index)
      } else if let index = state.waiting.firstIndex(where: { $0 === batch }) {
        state.waiting.remove(at: index)
      } else {
        return false
      }
      state.actionCount -= batch.count
      state.bytes -= batch.bytes
      return true
    }
  }

  /// Returns whether no batch waits, so that a batch may be committed without being queued.
  func allowsUnqueuedCommit() throws(StoreError) -> Bool {
    try state.withLock { (state) throws(StoreError) in
      try state.requireOpen()
      return state.isEmpty
    }
  }

  /// Returns whether no batch waits; then no job is needed that drains the queue.
  func isDrained() -> Bool {
    state.withLock { state in
      if state.isEmpty { state.isScheduled = false }
      return state.isEmpty
    }
  }

  /// Takes the batches that are committed together next, within the limits of the configuration.
  ///
  /// - Returns: The batches, and whether more wait.
  func takeGroup() -> (batches: [PendingBatch<App>], hasMoreQueued: Bool) {
    takeGroup(
      bytes: configuration.groupBytesMax, actions: configuration.groupActionsMax,
      batches: configuration.groupBatchesMax)
  }

  /// Takes the batches that are committed together next: at least one, and more up to the limits.
  ///
  /// The bytes are limited because the attempt of a group is read as a whole after a crash.
  /// The actions are limited because states are saved only between groups, and because other
  /// processes cannot write during a group; see ``GroupLimit``. The batches are limited because
  /// their receipts keep the states after them. Two batches with the same idempotency key go
  /// into two groups, so that the second finds the first in the log.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of a group of several batches.
  ///   - actionLimit: The most actions of a group of several batches.
  ///   - batchLimit: The most batches.
  /// - Returns: The batches, and whether more wait.
  /// - Complexity: O(batches taken), amortized: each batch is moved twice, however many wait.
  func takeGroup(
    bytes limit: Int, actions actionLimit: Int, batches batchLimit: Int = .max
  ) -> (batches: [PendingBatch<App>], hasMoreQueued: Bool) {
    state.withLock { state in
      var group: [PendingBatch<App>] = []
      var bytes = 0
      var actions = 0
      var keys: Set<[UInt8]> = []
      let actionLimit = min(actionLimit, state.groupLimit.actions)
      while let batch = state.takeFirst() {
        let isFull =
          bytes + batch.bytes > limit || actions + batch.count > actionLimit
          || group.count == batchLimit
        let repeatsKey = batch.key.map { !keys.insert($0.bytes).inserted } ?? false
        if repeatsKey || (!group.isEmpty && isFull) {
          state.waiting.append(batch)
          break
        }
        bytes += batch.bytes
        actions += batch.count
        group.append(batch)
      }
      state.actionCount -= actions
      state.bytes -= bytes
      state.isScheduled = !state.isEmpty
      return (group, state.isScheduled)
    }
  }

  // MARK: Failures and the end

  var failure: StoreError? { state.withLock { $0.failure } }

  /// Empties the queue after a failed commit, because no later batch may be committed without the
  /// failed ones.
  ///
  /// If one of the batches was enqueued by a caller that does not wait, everything is refused until
  /// the failure has been reported. If the store closed for writing, everything is refused from now
  /// on.
  ///
  /// - Returns: The refused batches.
  func refuse(
    _ batches: [PendingBatch<App>], for error: StoreError, isClosedForWriting: Bool
  ) -> [PendingBatch<App>] {
    state.withLock { state in
      let refused = batches + state.takeAll()
      let hasUnreportedBatch = refused.contains { !$0.isAwaited && $0.answer == nil }
      if state.failure == nil && (hasUnreportedBatch || isClosedForWriting) {
        state.failure = error
      }
      return refused
    }
  }

  /// Returns the failure of enqueued batches, and forgets it unless it is final.
  func takeFailure(isFinal: Bool) -> StoreError? {
    state.withLock { state in
      defer { if !isFinal { state.failure = nil } }
      return state.failure
    }
  }

  /// Closes the queue; returns whether it was open.
  func close() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }
}
