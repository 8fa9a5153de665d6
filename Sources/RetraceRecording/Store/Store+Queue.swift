import RetraceStorage

extension Store {
  /// The batches that wait for their commit, in the order in which they were sent.
  struct Queue {
    private(set) var actionCount = 0
    /// The bytes of the batches.
    private(set) var bytes = 0
    var isScheduled = false
    var failure: StoreError?
    var isClosed = false
    var pace = GroupPace()
    /// What was sent last, in order.
    private var arrived: [PendingBatch<App>] = []
    /// What was sent before that, last first: taking a batch moves no other one.
    private var waiting: [PendingBatch<App>] = []

    /// Whether nothing waits.
    var isEmpty: Bool { arrived.count == 0 && waiting.count == 0 }

    /// Refuses what cannot be committed any more, or not before a failure was told.
    func refuseIfEnded() throws(StoreError) {
      if isClosed { throw StoreError.closed }
      if let failure { throw failure }
    }

    /// Puts a batch behind all others.
    mutating func append(_ batch: PendingBatch<App>) {
      actionCount += batch.actions.count
      bytes += batch.bytes
      arrived.append(batch)
    }

    /// Takes what is committed together next: at least one batch, and more up to a number of bytes
    /// and of actions.
    ///
    /// A group is noted in one file, which has to be read as a whole when its process ends. States
    /// are saved between groups, so that long ones would leave long stretches without one. A group
    /// holds an idempotency key once, so that the second of two batches finds the first in the log.
    /// Receipts keep the states after their batches, so there are not too many of them either.
    /// And others who write wait for a group, so none would take long; see ``GroupPace``.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of several batches.
    ///   - actionLimit: The most actions of several batches.
    ///   - batchLimit: The most batches.
    /// - Complexity: O(batches taken), amortized: each batch is moved twice, however many wait.
    mutating func takeGroup(
      bytes limit: Int, actions actionLimit: Int, batches batchLimit: Int = .max
    ) -> [PendingBatch<App>] {
      var group: [PendingBatch<App>] = []
      var bytes = 0
      var actions = 0
      var keys: Set<[UInt8]> = []
      let actionLimit = min(actionLimit, pace.actions)
      while let batch = takeFirst() {
        let isFull =
          bytes + batch.bytes > limit || actions + batch.actions.count > actionLimit
          || group.count == batchLimit
        let repeatsKey = batch.key.map { !keys.insert($0.bytes).inserted } ?? false
        if repeatsKey || (actions > 0 && isFull) {
          waiting.append(batch)
          break
        }
        bytes += batch.bytes
        actions += batch.actions.count
        group.append(batch)
      }
      actionCount -= actions
      self.bytes -= bytes
      isScheduled = !isEmpty
      return group
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

    /// Takes the first batch, without its actions and bytes.
    private mutating func takeFirst() -> PendingBatch<App>? {
      if waiting.count == 0 {
        // Both keep their room for what comes.
        swap(&waiting, &arrived)
        waiting.reverse()
      }
      return waiting.popLast()
    }
  }
}
