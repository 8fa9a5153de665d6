import Retrace
import RetraceStorage
import RetraceSystem

/// Runs the leaves of the effects that this store started, and keeps track of them.
///
/// The log decides which leaves run: if a leaf is no longer in flight in the fold, its task is
/// cancelled, whichever process ended the leaf. The answer of a leaf becomes a batch like any
/// other, so the log orders it among the other batches. Each leaf runs as a task. The number of
/// tasks has no limit, because leaves that hang could use up a limit and keep others from running.
/// A task that waits occupies no thread.
final class EffectRunner<App: ReplayableApp>: Sendable {
  /// The functions that receive the answers of leaves.
  struct Handlers: Sendable {
    /// Sends the end of a leaf and its last answer to the store.
    let end: @Sendable (LeafAnswer, [App.Action]) -> Void
    /// Sends an earlier answer, and waits for its commit.
    let answer: @Sendable (LeafAnswer, [App.Action]) async throws -> Void
  }

  let environment: App.Environment?
  let clock: any Clock<Duration>
  /// Samples the wall clock.
  let now: @Sendable () -> Moment
  /// Whether the caller runs in a job of the writer.
  ///
  /// Such a caller must not wait, because the writer's jobs commit the ends of leaves.
  private let isInWriterJob: @Sendable () -> Bool
  private let state = Lock(RunningEffects())
  /// Counts the leaves that wait or run here.
  let settlement = Settlement()

  init(
    environment: App.Environment?, configuration: StoreConfiguration, log: LogStorage
  ) {
    self.environment = environment
    clock = configuration.effectClock
    now = configuration.clock
    // A wait for an effect must not retain the log and its threads.
    isInWriterJob = { [weak log] in log?.isInWriterJob ?? false }
  }

  var isIdle: Bool { state.withLock { $0.leaves.isEmpty } }

  /// Starts the effects of a commit and cancels the leaves it ended; called after publishing.
  ///
  /// - Parameters:
  ///   - receipts: The receipts of the commit; empty if another process committed.
  ///   - inFlight: The effects in flight after the commit.
  ///   - handlers: Called with the answers of each leaf.
  func startEffects(
    of receipts: [Receipt<App>], inFlight: EffectsInFlight, handlers: Handlers
  ) {
    for receipt in receipts {
      for caused in receipt.effects {
        start(
          EffectRun(caused, inFlight: inFlight, handlers: handlers), settlement: receipt.settlement)
      }
    }
    let ended = state.withLock { state in
      state.leaves.isEmpty ? [] : state.leaves.keys.filter { !inFlight.contains($0) }
    }
    if !ended.isEmpty { end(ended) }
  }

  /// Starts the leaves of an effect that can run here.
  ///
  /// - Parameter completion: Called when none of them waits or runs here any more.
  func start(
    _ run: EffectRun<App>, settlement: Settlement?, completion: (@Sendable () -> Void)? = nil
  ) {
    let ids = run.reachable(in: self)
    guard !ids.isEmpty else { return }
    let cause = run.caused.cause
    state.withLock { state in
      guard !state.isStopped else { return }
      state.runs += 1
      let number = state.runs
      for id in ids {
        let due = run.inFlight.leaf(id)?.due ?? run.caused.moment
        state.leaves[id] = RunningLeaf(run: number, due: due, settlement: settlement)
        settlement?.enter(isInWriterJob)
        self.settlement.enter(isInWriterJob)
      }
      let task = Task {
        _ = await run.run(in: self)
        self.endRest(of: number)
      }
      state.causes[cause] = RunningEffect(task: task, leaves: ids.count, completion: completion)
    }
  }

  /// Removes the leaves that a run never reached, after the task of the run has ended.
  private func endRest(of run: UInt64) {
    let ids = state.withLock { state in state.leaves.filter { $0.value.run == run }.map(\.key) }
    if !ids.isEmpty { end(ids) }
  }

  /// Returns whether any leaf of a record waits, runs or answers here.
  func isRunning(cause: UInt64) -> Bool { state.withLock { $0.causes[cause] != nil } }

  /// Calls `body` after a second, unless the store is closed by then.
  func afterOneSecond(_ body: @escaping @Sendable () -> Void) {
    Task {
      try? await clock.sleep(for: .seconds(1))
      if !state.withLock({ $0.isStopped }) { body() }
    }
  }

  /// Schedules a call of `body` after a time, which replaces a call scheduled for later.
  ///
  /// Does nothing if the store is closed, or if a call is scheduled for the same time or earlier.
  func watch(after time: ElapsedTime, _ body: @escaping @Sendable () -> Void) {
    let due = now().adding(time)
    state.withLock { state in
      if state.isStopped { return }
      if let watch = state.watch {
        guard due < watch.due else { return }
        watch.task.cancel()
      }
      let task = Task {
        try? await clock.sleep(for: .microseconds(time.microseconds))
        let isDue = self.state.withLock { state in
          guard !Task.isCancelled else { return false }
          state.watch = nil
          return true
        }
        if isDue { body() }
      }
      state.watch = TimerWatch(due: due, task: task)
    }
  }

  /// Runs a leaf, and waits until its end is in the log or it is cancelled.
  func perform(_ id: EffectLeafID, _ body: @escaping @Sendable (Settlement?) async -> Void) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard let leaf = state.leaves[id] else { return true }
        state.leaves[id]?.endContinuation = continuation
        state.leaves[id]?.task = Task { await body(leaf.settlement) }
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Ends all leaves without a record, so that they stay in flight in the log.
  func stop(_ error: StoreError) {
    let ids = state.withLock { state in
      state.isStopped = true
      state.watch?.task.cancel()
      return Array(state.leaves.keys)
    }
    if !ids.isEmpty { end(ids, failure: error) }
  }

  private func end(_ ids: [EffectLeafID], failure: StoreError? = nil) {
    let (leaves, causes, waiting) = state.withLock { state in
      let removed = state.remove(ids)
      return (removed.leaves, removed.causes, Array(state.waiting.values))
    }
    for cause in causes { cause.task.cancel() }
    for leaf in leaves {
      leaf.end()
      for settlement in [leaf.settlement, settlement] {
        if let failure { settlement?.fail(failure) } else { settlement?.leave() }
      }
    }
    for cause in causes { cause.completion?() }
    for semaphore in waiting { semaphore.signal() }
  }

  /// Blocks until no leaf waits or runs here that is due by a moment, or until a deadline.
  ///
  /// - Parameters:
  ///   - last: The latest moment at which a leaf is due that is waited for.
  ///   - ignored: Leaves that are not waited for.
  ///   - deadline: The time limit, in nanoseconds of the monotonic clock.
  /// - Returns: The leaves that had not ended at the deadline.
  func waitForLeaves(
    dueBy last: Moment, except ignored: Set<EffectLeafID>, until deadline: Int64
  ) -> Set<EffectLeafID> {
    let changed = Semaphore()
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      state.waiting[state.lastWaiter] = changed
      return state.lastWaiter
    }
    defer { _ = state.withLock { $0.waiting.removeValue(forKey: waiter) } }
    while true {
      let left = state.withLock { state in
        state.leaves.filter { $0.value.due <= last && !ignored.contains($0.key) }.map(\.key)
      }
      guard !left.isEmpty, changed.wait(until: deadline) else { return Set(left) }
    }
  }
}

/// The leaves and effects that an ``EffectRunner`` runs.
///
/// Not nested in the runner, because a type in a generic type is instantiated at run time.
private struct RunningEffects {
  var leaves = [EffectLeafID: RunningLeaf]()
  var causes = [UInt64: RunningEffect]()
  var runs: UInt64 = 0
  var isStopped = false
  /// What is signalled after leaves have ended.
  var waiting: [UInt64: Semaphore] = [:]
  var lastWaiter: UInt64 = 0
  /// The scheduled call of ``EffectRunner/watch(after:_:)``.
  var watch: TimerWatch?

  /// Removes leaves, and returns them and the causes without leaves.
  ///
  /// The caller ends both outside the lock.
  mutating func remove(
    _ ids: [EffectLeafID]
  ) -> (leaves: [RunningLeaf], causes: [RunningEffect]) {
    var removed: [RunningLeaf] = []
    var ended: [RunningEffect] = []
    for id in ids {
      guard let leaf = leaves.removeValue(forKey: id) else { continue }
      removed.append(leaf)
      causes[id.cause]?.leaves -= 1
      if causes[id.cause]?.leaves == 0, let cause = causes.removeValue(forKey: id.cause) {
        ended.append(cause)
      }
    }
    return (removed, ended)
  }
}

private struct TimerWatch {
  var due: Moment
  var task: Task<Void, Never>
}

/// A leaf that waits for its turn, runs, or has answered and waits for the commit.
private struct RunningLeaf {
  /// The number of the run that started the leaf.
  ///
  /// An effect can have several runs: a later run starts leaves that could not run before.
  var run: UInt64
  /// When it starts, unless it waits for another leaf.
  var due: Moment
  var settlement: Settlement?
  var task: Task<Void, Never>?
  var endContinuation: CheckedContinuation<Void, Never>?

  func end() {
    task?.cancel()
    endContinuation?.resume()
  }
}

/// The task that runs the leaves of one record.
private struct RunningEffect {
  var task: Task<Void, Never>
  var leaves: Int
  /// Called when no leaf of the record waits or runs here any more.
  var completion: (@Sendable () -> Void)?
}
