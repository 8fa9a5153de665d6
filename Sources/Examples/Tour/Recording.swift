import Counter
import Retrace
import RetraceRecording
import RetraceStorage

/// Opens a store whose sends return before their batch is on stable storage.
func openRelaxed(_ path: String) async throws(StoreError) -> Store<CounterApp> {
  let durability: Durability = .relaxed(window: .milliseconds(50))
  var configuration = StoreConfiguration(zoneID: "Europe/Berlin", durability: durability)
  configuration.snapshots = SnapshotPolicy(interval: 1_000)
  return try await Store.open(at: path, configuration: configuration)
}

/// Adds a counter once, even if the caller tries again after a failure, and returns its id.
func add(
  _ name: String, key: String, to store: Store<CounterApp>
) async throws(StoreError) -> CounterID? {
  let receipt: Receipt<CounterApp> = try await store.send(.added(name: name), key: key)
  try await receipt.settled()
  var newest: CounterID?
  receipt.state.counters.forEachReversed { id, _ in
    newest = id
    return false
  }
  return newest
}

/// The reason why a counter is not counted down.
enum CountRefusal: Error {
  case missing
  case belowZero
}

/// Counts down unless that goes below zero, whatever other processes append at the same time.
func countDown(
  _ id: CounterID, by step: Int64, in store: Store<CounterApp>
) throws(StoreError) -> CountRefusal? {
  do throws(TransactionError<CountRefusal>) {
    try store.transactBlocking { (state, _) throws(CountRefusal) -> [CounterAction] in
      guard let value = state.counters[id]?.value else { throw .missing }
      guard value >= step else { throw .belowZero }
      return [.counted(id, by: -step)]
    }
    return nil
  } catch {
    switch error {
    case .refused(let refusal): return refusal
    case .store(let error): throw error
    }
  }
}

/// Performs a command of any app, and returns its facts or the refusal.
func perform<App: ReplayableApp>(
  _ command: App.Command, in store: Store<App>
) async throws(StoreError) -> Result<[App.Action], App.Refusal> {
  do throws(CommandError<App>) {
    let performed: Performed<App> = try await store.perform(command, from: .program)
    return .success(performed.facts)
  } catch {
    switch error {
    case .refused(let refusal, _): return .failure(refusal)
    case .store(let error): throw error
    }
  }
}

/// Carries out what an input means in any app, and calls a function with the refusal, if any.
func carryOut<App: ReplayableApp>(
  _ intents: [App.Intent], in store: Store<App>, _ show: (App.Refusal) -> Void
) async throws(StoreError) {
  if let refusal = try await store.carryOut(intents) { show(refusal) }
}

/// Calls a function with the number of counters, now and after each change of that number.
func observeCount(
  of store: Store<CounterApp>, _ body: @escaping @Sendable (Int) -> Void
) -> Observation {
  store.select({ $0.counters.count }, map: { $0 }, body)
}

/// Returns whether all actions are on stable storage.
func isIdle(_ store: Store<CounterApp>) -> Bool {
  let statistics: StoreStatistics = store.statistics
  return statistics.queuedActions == 0 && statistics.durableSequence == statistics.sequence
}
