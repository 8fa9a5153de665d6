import RetraceArchitecture
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Synchronization

@testable import RetraceRecording

typealias ScheduleReceipt = Receipt<ScheduleApp>

/// A request of a schedule and its outcome.
struct ScheduleEvent {
  /// What was asked for.
  enum Request {
    case actions([ScheduleAction])
    case command(ScheduleCommand, RecordedCommand.Origin)
  }

  /// How the request ended.
  enum Outcome {
    case receipt(ScheduleReceipt, facts: [ScheduleAction]?, wasRepeated: Bool)
    /// Accepted without a receipt.
    case queued
    /// Refused by the decider on the state after a record.
    case refused(ScheduleRefusal, after: UInt64)
    /// The body of the transaction declined.
    case declined
    case failed(StoreError.Code)
  }

  var request: Request
  var key: String?
  var mayBeCancelled: Bool
  /// When the request began and ended, in ticks of the run.
  var ticks: ClosedRange<Int>
  var outcome: Outcome
}

/// What an observer was called with, and when.
final class ScheduleWatcher: Sendable {
  struct Record {
    /// The number of actions in each state, and the tick at the begin of its call.
    var calls: [(steps: Int64, tick: Int)] = []
    /// The steps of the published state before the observer was added.
    var stepsBefore: Int64 = 0
    /// When the observer had been added.
    var addedAt = 0
    /// The number of calls when the observer had cancelled itself.
    var callsAtOwnCancel: Int?
    /// When a cancellation from outside had returned.
    var cancelledAt: Int?
    var isInside = false
    var overlaps = false
    var events: [ScheduleEvent] = []
    var observation: Observation?
    var added: [ScheduleWatcher] = []
  }

  let record = Lock(Record())
}

/// What an actor did.
struct ScheduleActorResult {
  var events: [ScheduleEvent] = []
  var watchers: [ScheduleWatcher] = []
  var consumers: [Task<[Int64], Never>] = []
  /// What the actor read that cannot be.
  var problems: [String] = []
  /// The last receipt of started jobs.
  var started: ScheduleReceipt?
  /// The highest sequence that the actor knows to be published.
  var published: UInt64 = 0
}

/// One store of a running schedule.
final class ScheduleStoreRun: Sendable {
  let path: String
  let desk = ScheduleDesk()
  let clock = VirtualClock()
  /// Relaxed, so that no order between the actors comes from it.
  private let ticks = Atomic(0)
  private let isDropped = Atomic(false)
  private let isClosed = Atomic(false)

  init(at path: String) { self.path = path }

  func open(_ options: ScheduleStore) throws(StoreError) -> Store<ScheduleApp> {
    let clock = clock
    var configuration = StoreConfiguration(
      durability: options.isRelaxed ? .relaxed(window: .milliseconds(options.window)) : .durable,
      hashInterval: options.hashInterval, queueLimit: options.queueLimit,
      clock: { clock.moment })
    configuration.effectClock = clock
    configuration.largeGroupActionsMin = options.largeGroupActionsMin
    configuration.snapshots.interval = options.saveInterval
    let store = try Store<ScheduleApp>.openBlocking(
      at: path, configuration: configuration, environment: desk)
    desk.watch { [weak writer = store.writer] in
      guard let writer else { return nil }
      return (writer.publisher.latest.sequence, writer.durableSequence)
    }
    return store
  }

  func tick() -> Int { ticks.wrappingAdd(1, ordering: .relaxed).newValue }

  /// Whether an actor has closed the store, or is doing so.
  var wasClosed: Bool { isClosed.load(ordering: .relaxed) }

  func close() { isClosed.store(true, ordering: .relaxed) }

  /// Whether an actor has dropped the store; the others drop it before their next step.
  var wasDropped: Bool { isDropped.load(ordering: .relaxed) }

  func drop() { isDropped.store(true, ordering: .relaxed) }
}

/// One actor while it runs; it holds the store until that is dropped.
struct ScheduleActorRun {
  typealias App = ScheduleApp
  typealias Outcome = ScheduleEvent.Outcome

  let run: ScheduleStoreRun
  var result = ScheduleActorResult()

  init(_ run: ScheduleStoreRun) { self.run = run }

  // MARK: Steps that do not wait

  /// Carries a step out, unless it is one that waits.
  mutating func take(_ step: ScheduleStep, _ store: Store<App>) -> Bool {
    switch step {
    case .enqueue(let numbers):
      let actions = numbers.map { ScheduleAction.scene(.noted($0)) }
      let begin = run.tick()
      let outcome = Self.outcome { () throws(StoreError) in try store.enqueue(actions) }
      add(.actions(actions), from: begin, outcome)
    case .release(let number): run.desk.release(number)
    case .advance: run.clock.advance(by: .seconds(2))
    case .observe(let plan):
      result.watchers.append(Self.watch(store, plan, run))
    case .cancelObservation:
      let watcher = result.watchers.first { $0.record.withLock { $0.cancelledAt == nil } }
      guard let watcher else { break }
      watcher.record.withLock { $0.observation }?.cancel()
      let tick = run.tick()
      watcher.record.withLock { $0.cancelledAt = tick }
    case .consumeStates:
      let states = store.states
      result.consumers.append(
        Task {
          var steps: [Int64] = []
          for await state in states { steps.append(state.steps) }
          return steps
        })
    case .read: read(store)
    case .drop: run.drop()
    case .send, .flush, .perform, .transact, .start, .stop, .settle, .catchUp, .close: return false
    }
    return true
  }

  /// Reads the state and the statistics, which must agree with what the actor knows.
  private mutating func read(_ store: Store<App>) {
    let statistics = store.statistics
    let sequence = store.sequence
    if statistics.durableSequence > statistics.sequence {
      result.problems.append("durable before it is published: \(statistics)")
    }
    if statistics.sequence < result.published || sequence < statistics.sequence {
      result.problems.append(
        "\(result.published) was published, then \(statistics.sequence), \(sequence)")
    }
    result.published = sequence
    if statistics.queuedActions < 0 || statistics.queuedBytes < 0 {
      result.problems.append("\(statistics)")
    }
  }

  /// Adds an observer that notes its calls.
  private static func watch(
    _ store: Store<App>, _ plan: ScheduleObserver, _ run: ScheduleStoreRun
  ) -> ScheduleWatcher {
    let watcher = ScheduleWatcher()
    let before = store.state.steps
    watcher.record.withLock { $0.stepsBefore = before }
    let observation = store.observe { [weak store] state in
      let tick = run.tick()
      let call = watcher.record.withLock { record in
        if record.isInside { record.overlaps = true }
        record.isInside = true
        record.calls.append((state.steps, tick))
        return record.calls.count
      }
      if call <= plan.enqueues.count, let store {
        let actions: [ScheduleAction] = [.scene(.noted(plan.enqueues[call - 1]))]
        let outcome = Self.outcome { () throws(StoreError) in try store.enqueue(actions) }
        let event = ScheduleEvent(
          request: .actions(actions), mayBeCancelled: false, ticks: tick...run.tick(),
          outcome: outcome)
        watcher.record.withLock { $0.events.append(event) }
      }
      if call == plan.addsAt, let store {
        let added = watch(store, ScheduleObserver(enqueues: []), run)
        watcher.record.withLock { $0.added.append(added) }
      }
      if call == plan.cancelsAt, let own = watcher.record.withLock({ $0.observation }) {
        own.cancel()
        watcher.record.withLock { $0.callsAtOwnCancel = $0.calls.count }
      }
      watcher.record.withLock { $0.isInside = false }
    }
    let added = run.tick()
    watcher.record.withLock { record in
      record.observation = observation
      record.addedAt = added
    }
    return watcher
  }

  // MARK: Outcomes

  private static func outcome(_ body: () throws(StoreError) -> Void) -> Outcome {
    do throws(StoreError) {
      try body()
      return .queued
    } catch {
      return .failed(error.code)
    }
  }

  mutating func add(
    _ request: ScheduleEvent.Request, key: String? = nil, mayBeCancelled: Bool = false,
    from begin: Int, _ outcome: Outcome
  ) {
    if case .receipt(let receipt, _, _) = outcome {
      result.published = max(result.published, receipt.sequence)
    }
    result.events.append(
      ScheduleEvent(
        request: request, key: key, mayBeCancelled: mayBeCancelled, ticks: begin...run.tick(),
        outcome: outcome))
  }

  /// Returns the outcome of a request that threw.
  static func outcome(of error: any Error) -> Outcome {
    switch error {
    case let error as StoreError: .failed(error.code)
    case CommandError<App>.refused(let refusal, let after): .refused(refusal, after: after)
    case CommandError<App>.store(let error): .failed(error.code)
    case TransactionError<Declined>.refused: .declined
    case TransactionError<Declined>.store(let error): .failed(error.code)
    default: .failed(.storageFailed)
    }
  }

  /// The error of a transaction that declines.
  struct Declined: Error {}

  /// The actions of a step that sends some.
  static func actions(of step: ScheduleStep) -> [ScheduleAction] {
    switch step {
    case .send(let numbers, _): numbers.map { .scene(.noted($0)) }
    case .start(let number, let shape, let manner, let key, let replaces):
      [.scene(.started(number, shape, manner, key: key, replaces: replaces))]
    case .stop(let number, let key): [.scene(.stopped(number, key: key))]
    default: []
    }
  }

  /// The body of a transaction, which notes how many numbers it saw.
  static func body(
    _ number: Int64, declines: Bool
  ) -> @Sendable (borrowing ScheduleState, Moment) throws(Declined) -> [ScheduleAction] {
    { (state, _) throws(Declined) in
      if declines { throw Declined() }
      return [.scene(.counted(number, seen: Int64(state.numbers.count)))]
    }
  }

  /// The actions that a transaction appended, by its receipt.
  static func request(_ number: Int64, _ outcome: Outcome) -> ScheduleEvent.Request {
    guard case .receipt(let receipt, _, _) = outcome else {
      return .actions([.scene(.counted(number, seen: -1))])
    }
    return .actions([
      .scene(.counted(number, seen: Int64(receipt.state.numbers.count) - 1))
    ])
  }

  mutating func failed(_ step: ScheduleStep, _ error: any Error) {
    if case .failed(.closed) = Self.outcome(of: error), mayBeClosed { return }
    result.problems.append("\(step) failed: \(error)")
  }

  /// Whether an actor has closed or dropped the store.
  private var mayBeClosed: Bool { run.wasDropped || run.wasClosed }
}
