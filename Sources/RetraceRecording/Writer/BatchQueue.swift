import RetraceArchitecture
import RetraceStorage
import Synchronization

/// The batches that wait for their commit, in the order in which they were sent.
final class BatchQueue<App: ReplayableApp>: Sendable {
  private struct State {
    var actionCount = 0
    /// The bytes of the batches.
    var bytes = 0
    var isScheduled = false
    var failure: StoreError?
    var isClosed = false
    var pace = GroupPace()
    /// What was sent last, in order.
    var arrived: [PendingBatch<App>] = []
    /// What was sent before that, last first: taking a batch moves no other one.
    var waiting: [PendingBatch<App>] = []

    /// Whether nothing waits.
    var isEmpty: Bool { arrived.count == 0 && waiting.count == 0 }

    /// Refuses what cannot be committed any more, or not before a failure was told.
    func refuseIfEnded() throws(StoreError) {
      if isClosed { throw StoreError.closed }
      if let failure { throw failure }
    }

    /// Takes the first batch, without its actions and bytes.
    mutating func takeFirst() -> PendingBatch<App>? {
      if waiting.count == 0 {
        // Both keep their room for what comes.
        swap(&waiting, &arrived)
        waiting.reverse()
      }
      return waiting.popLast()
    }

    /// Takes all batches.
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

  private let state = Mutex(State())
  private let configuration: StoreConfiguration

  init(_ configuration: StoreConfiguration) { self.configuration = configuration }

  // MARK: What waits

  /// How many actions wait, and how many bytes they have.
  var size: (actions: Int, bytes: Int) { state.withLock { ($0.actionCount, $0.bytes) } }

  /// Whether a job is to drain the queue.
  var isScheduled: Bool { state.withLock { $0.isScheduled } }

  /// Whether the queue takes nothing any more.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The most actions of the next group, by what the group before took.
  var pace: Int { state.withLock { $0.pace.actions } }

  /// Notes how long a group took; see ``GroupPace/note(_:took:)``.
  func notePace(of actions: Int, took nanoseconds: Int64) {
    state.withLock { $0.pace.note(actions, took: nanoseconds) }
  }

  // MARK: Adding and taking

  /// Puts a batch behind all others.
  ///
  /// - Parameter bounded: Whether it is refused if much waits.
  /// - Returns: Whether a job has to be scheduled that drains the queue.
  func push(_ batch: PendingBatch<App>, bounded: Bool) throws(StoreError) -> Bool {
    try state.withLock { (state) throws(StoreError) -> Bool in
      try state.refuseIfEnded()
      if bounded
        && (state.actionCount >= configuration.queueLimit
          || state.bytes >= configuration.queueBytesLimit)
      {
        throw StoreError.overloaded(actions: state.actionCount, bytes: state.bytes)
      }
      if batch.isEmpty { return false }
      state.actionCount += batch.actions.count
      state.bytes += batch.bytes
      state.arrived.append(batch)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
  }

  /// Takes a batch out that has not begun; returns whether it was there.
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
      state.actionCount -= batch.actions.count
      state.bytes -= batch.bytes
      return true
    }
  }

  /// Whether nothing waits, so that a batch may be committed without being queued.
  func allowsSendingAtOnce() throws(StoreError) -> Bool {
    try state.withLock { (state) throws(StoreError) in
      try state.refuseIfEnded()
      return state.isEmpty
    }
  }

  /// Takes what is committed together next, by the configuration.
  ///
  /// - Returns: The batches, and whether more wait.
  func takeGroup() -> (batches: [PendingBatch<App>], isBusy: Bool) {
    takeGroup(
      bytes: configuration.groupBytes, actions: configuration.groupActions,
      batches: configuration.groupBatches)
  }

  /// Takes what is committed together next: at least one batch, and more up to a number of bytes
  /// and of actions.
  ///
  /// A group is noted in one file, which has to be read as a whole when its process ends. States
  /// are saved between groups, so that long ones would leave long stretches without one. A group
  /// holds an idempotency key once, so that the second of two batches finds the first in the log.
  /// Receipts keep the states after their batches, so there are not too many of them either.
  /// And other processes that write wait for a group, so none may take long; see ``GroupPace``.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of several batches.
  ///   - actionLimit: The most actions of several batches.
  ///   - batchLimit: The most batches.
  /// - Returns: The batches, and whether more wait.
  /// - Complexity: O(batches taken), amortized: each batch is moved twice, however many wait.
  func takeGroup(
    bytes limit: Int, actions actionLimit: Int, batches batchLimit: Int = .max
  ) -> (batches: [PendingBatch<App>], isBusy: Bool) {
    state.withLock { state in
      var group: [PendingBatch<App>] = []
      var bytes = 0
      var actions = 0
      var keys: Set<[UInt8]> = []
      let actionLimit = min(actionLimit, state.pace.actions)
      while let batch = state.takeFirst() {
        let isFull =
          bytes + batch.bytes > limit || actions + batch.actions.count > actionLimit
          || group.count == batchLimit
        let repeatsKey = batch.key.map { !keys.insert($0.bytes).inserted } ?? false
        if repeatsKey || (actions > 0 && isFull) {
          state.waiting.append(batch)
          break
        }
        bytes += batch.bytes
        actions += batch.actions.count
        group.append(batch)
      }
      state.actionCount -= actions
      state.bytes -= bytes
      state.isScheduled = !state.isEmpty
      return (group, state.isScheduled)
    }
  }

  // MARK: Failures and the end

  /// The failure that has not been told.
  var failure: StoreError? { state.withLock { $0.failure } }

  /// Takes everything that waits, since a commit failed: what was sent after a batch must not be
  /// there without it.
  ///
  /// If one of the batches was enqueued by a caller that does not wait, everything is refused until
  /// the failure has been told; if the store closed for writing, everything is refused from now on.
  ///
  /// - Returns: The batches that are refused.
  func refuse(
    _ batches: [PendingBatch<App>], for error: StoreError, isClosedForWriting: Bool
  ) -> [PendingBatch<App>] {
    state.withLock { state in
      let refused = batches + state.takeAll()
      let isUnknown = refused.contains { !$0.isAwaited && $0.end == nil }
      if state.failure == nil && (isUnknown || isClosedForWriting) { state.failure = error }
      return refused
    }
  }

  /// Returns the failure of what was enqueued, which is then forgotten unless it is final.
  func takeFailure(isFinal: Bool) -> StoreError? {
    state.withLock { state in
      defer { if !isFinal { state.failure = nil } }
      return state.failure
    }
  }

  /// Takes nothing any more; returns whether that is new.
  func close() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }
}
