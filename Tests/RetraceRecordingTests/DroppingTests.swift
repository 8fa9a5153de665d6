import RetraceState
import RetraceArchitecture
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// A store that is dropped without being closed.
@Suite struct DroppingTests {
  private typealias CounterStore = Store<CounterApp>

  private static func configuration(_ durability: Durability) -> StoreConfiguration {
    StoreConfiguration(durability: durability, clock: { Moment(microseconds: 1_000_000) })
  }

  private static let levels: [Durability] = [.durable, .relaxed(window: .seconds(3600))]

  /// Holds a store until it is told to drop it.
  private final class Holder: Sendable {
    private let store = Lock<Store<CounterApp>?>(nil)

    func hold(_ store: Store<CounterApp>) { self.store.withLock { $0 = store } }

    func drop() {
      let last = store.withLock { $0.take() }
      withExtendedLifetime(last) {}
    }
  }

  private static func check(at path: String, counters: Int) throws {
    let again = try CounterStore.openBlocking(at: path, configuration: configuration(.durable))
    #expect(again.state.counters.count == counters)
    #expect(again.storage.openingReport.wasClean)
    try again.closeBlocking()
    let log = try LogStorage.open(at: path, access: .read)
    defer { log.close() }
    let kinds = Lock<[RecordKind]>([])
    try log.withReadView { (view) throws(StoreError) in
      try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
        kinds.withLock { $0.append(record.kind) }
      }
    }
    #expect(kinds.withLock { $0.last } == .sessionClosed)
  }

  @Test(arguments: 0..<levels.count)
  func `a store that is dropped loses nothing and can be opened again at once`(level: Int) throws {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      for number in 1...3 {
        let store = try CounterStore.openBlocking(
          at: path, configuration: Self.configuration(Self.levels[level]))
        #expect(store.state.counters.count == number - 1)
        try store.sendBlocking([.added(name: "\(number)")])
      }
      try Self.check(at: path, counters: 3)
    }
  }

  @Test(arguments: 0..<levels.count)
  func `batches queued when the last reference goes are committed`(level: Int) throws {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      do {
        let store = try CounterStore.openBlocking(
          at: path, configuration: Self.configuration(Self.levels[level]))
        for number in 0..<100 { try store.enqueue([.added(name: "\(number)")]) }
      }
      try Self.check(at: path, counters: 100)
    }
  }

  @Test(arguments: 0..<levels.count)
  func `an observer may drop the last reference`(level: Int) async throws {
    try await ScratchDirectory.with { path in
      try await onOwnThread {
        let holder = Holder()
        let dropped = WorkerThread(name: "dropped")
        var observation: Observation?
        do {
          let store = try CounterStore.openBlocking(
            at: path, configuration: Self.configuration(Self.levels[level]))
          observation = store.observe { state in
            if state.counters.count == 1 { holder.drop() }
          }
          try store.enqueue([.added(name: "one")])
          holder.hold(store)
        }
        // The writer may have called the observer before the store was held.
        holder.drop()
        dropped.submit {}
        dropped.waitForSubmittedJobs()
        try Self.check(at: path, counters: 1)
        withExtendedLifetime(observation) {}
      }
    }
  }

  @Test func `tasks and threads of all kinds may drop the last reference`() async throws {
    for level in Self.levels {
      try await ScratchDirectory.with { path in
        var sent = 0
        for number in 0..<10 {
          let store = try CounterStore.openBlocking(
            at: path, configuration: Self.configuration(level))
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await store.send([.added(name: "x")]) } }
            try await group.waitForAll()
          }
          sent += 4
          let holder = Holder()
          holder.hold(consume store)
          if number.isMultiple(of: 2) {
            await Task.detached { holder.drop() }.value
          } else {
            let thread = WorkerThread(name: "dropper")
            thread.submit { holder.drop() }
            thread.waitForSubmittedJobs()
          }
        }
        try Self.check(at: path, counters: sent)
      }
    }
  }

  @Test func `nothing of a store that was dropped is left`() async throws {
    try await ScratchDirectory.with { path in
      weak var writer: Writer<CounterApp>?
      weak var log: LogStorage?
      var observation: Observation?
      var receipt: Receipt<CounterApp>?
      do {
        let store = try await CounterStore.open(
          at: path, configuration: Self.configuration(.relaxed(window: .milliseconds(1))))
        (writer, log) = (store.writer, store.storage)
        observation = store.observe { _ in }
        receipt = try await store.send([.added(name: "one")])
        try store.enqueue([.added(name: "two")])
      }
      for _ in 0..<5_000 where writer != nil || log != nil {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(writer == nil && log == nil)
      withExtendedLifetime((observation, receipt)) {}
    }
  }

  @Test func `effects of a store that was dropped end, and stay in flight in the log [S12]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let desk = HouseDesk(["a": .waits])
      do {
        let store = try await Store<HouseApp>.open(
          at: path, configuration: StoreConfiguration(), environment: desk)
        try await store.send(.together([Errand("a", ended: .run)]))
        await desk.whenStarted(1)
      }
      for _ in 0..<5_000 where desk.cancelled.isEmpty {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(desk.cancelled == ["a"])
      let again = try await Store<HouseApp>.open(at: path, configuration: StoreConfiguration())
      #expect(again.effectsInFlight.leaves.count == 1)
      try await again.close()
    }
  }
}
