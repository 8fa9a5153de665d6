import RetraceState
import RetraceArchitecture
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// The cancellation of tasks that wait for a store.
@Suite struct CancellingTests {
  private typealias CounterStore = Store<CounterApp>

  private let configuration = StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })

  /// Keeps the writer's thread busy until it is opened.
  private final class Gate: Sendable {
    private let isOpen = Lock(false)
    private let isEntered = Lock(false)

    init(_ store: Store<CounterApp>) {
      store.storage.submitWriting { [self] _ in
        isEntered.withLock { $0 = true }
        while !isOpen.withLock({ $0 }) { MonotonicClock.sleep(nanoseconds: 100_000) }
      }
      while !isEntered.withLock({ $0 }) { MonotonicClock.sleep(nanoseconds: 100_000) }
    }

    func open() { isOpen.withLock { $0 = true } }
  }

  private static func code<R: Sendable>(
    of task: Task<R, any Error>
  ) async -> StoreError.Code? {
    switch await task.result {
    case .success: nil
    case .failure(let error as StoreError): error.code
    case .failure(let error as TransactionError<Never>):
      if case .store(let error) = error { error.code } else { nil }
    case .failure: .storageFailed
    }
  }

  @Test func `a send that is cancelled while it waits is taken out of the queue`() async throws {
    let store = try CounterStore.inMemory(configuration: configuration)
    let gate = Gate(store)
    let tasks = (0..<3).map { number in
      Task<Void, any Error> { try await store.send([.added(name: "\(number)")]) }
    }
    while store.statistics.queuedActions < 3 { await Task.yield() }
    tasks[1].cancel()
    // The cancelled send ends while the writer is still blocked.
    #expect(await Self.code(of: tasks[1]) == .cancelled)
    #expect(store.statistics.queuedActions == 2)
    gate.open()
    for index in [0, 2] { #expect(await Self.code(of: tasks[index]) == nil) }
    try await store.flush()
    #expect(store.state.counters.count == 2 && store.sequence == 3)
    try await store.close()
  }

  @Test func `a send that has begun returns its receipt in spite of a cancellation`() async throws {
    let isReducing = Lock(false)
    let mayReduce = Lock(false)
    var configuration = configuration
    configuration.phaseObserver = { phase in
      guard phase == .reducing(0) else { return }
      isReducing.withLock { $0 = true }
      while !mayReduce.withLock({ $0 }) { MonotonicClock.sleep(nanoseconds: 100_000) }
    }
    try await ScratchDirectory.with { path in
      let store = try await CounterStore.open(at: path, configuration: configuration)
      let task = Task<Receipt<CounterApp>, any Error> {
        try await store.send([.added(name: "one")])
      }
      while !isReducing.withLock({ $0 }) { await Task.yield() }
      task.cancel()
      mayReduce.withLock { $0 = true }
      #expect(try await task.value.sequences == 2..<3)
      try await store.close()
    }
  }

  @Test func `a task that is cancelled already sends nothing`() async throws {
    let store = try CounterStore.inMemory(configuration: configuration)
    let task = Task<Void, any Error> {
      while !Task.isCancelled { await Task.yield() }
      try await store.send([.added(name: "one")])
    }
    task.cancel()
    #expect(await Self.code(of: task) == .cancelled)
    #expect(store.sequence == 0)
    try await store.close()
  }

  private final class Names: Sendable {
    let all = Lock<Set<String>>([])
  }

  private static func send(_ name: String, to store: CounterStore, noting sent: Names) async {
    do throws(StoreError) {
      try await store.send([.added(name: name)])
      sent.all.withLock { _ = $0.insert(name) }
    } catch {
      #expect(error.code == .cancelled)
    }
  }

  @Test func `with random cancellations, exactly the sends that returned are there`() async throws {
    // The delays are drawn first: the generator is for code that does not suspend.
    let rounds = withSeed { random in
      (0..<repetitions(200)).map { _ in
        (0..<8).map { _ in Int.random(in: 0..<20, using: &random) }
      }
    }
    let store = try CounterStore.inMemory(configuration: configuration)
    let sent = Names()
    for (round, delays) in rounds.enumerated() {
      await withTaskGroup(of: Void.self) { group in
        for (number, delay) in delays.enumerated() {
          let name = "\(round)-\(number)"
          let task = Task { @Sendable in await Self.send(name, to: store, noting: sent) }
          group.addTask {
            for _ in 0..<delay { await Task.yield() }
            if number.isMultiple(of: 2) { task.cancel() }
            await task.value
          }
        }
      }
    }
    try await store.flush()
    let names = Lock<Set<String>>([])
    store.state.counters.forEach { _, counter in
      names.withLock { _ = $0.insert(counter.name) }
    }
    let areSame = names.withLock { $0 } == sent.all.withLock { $0 }
    #expect(areSame)
    #expect(store.statistics.queuedActions == 0 && store.statistics.queuedBytes == 0)
    try await store.close()
  }

  @Test func `a transaction that is cancelled before its body does nothing`() async throws {
    let store = try CounterStore.inMemory(configuration: configuration)
    let gate = Gate(store)
    let isCalled = Lock(false)
    let task = Task<Void, any Error> {
      try await store.transact { _, _ throws(Never) -> [CounterAction] in
        isCalled.withLock { $0 = true }
        return [.added(name: "one")]
      }
    }
    for _ in 0..<100 { await Task.yield() }
    task.cancel()
    #expect(await Self.code(of: task) == .cancelled)
    gate.open()
    try await store.flush()
    #expect(!isCalled.withLock { $0 } && store.sequence == 0)
    try await store.close()
  }

  @Test func `a wait for effects ends when its task is cancelled, and the effects go on`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .waits])
      let store = errands.store
      let receipt = try await store.send(.together([Errand("a")]))
      await errands.desk.whenStarted(1)
      let task = Task<Void, any Error> { try await receipt.settled() }
      for _ in 0..<10 { await Task.yield() }
      task.cancel()
      #expect(await Self.code(of: task) == .cancelled)
      errands.desk.release("a")
      try await receipt.settled()
      #expect(errands.done == ["done a"])
      try await store.close()
    }
  }
}
