import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

/// A store of which nothing survives the process.
@Suite struct MemoryTests {
  @Test func `a store in memory records, replays and verifies as one on disk does`() throws {
    let actions: [CounterAction] = [.added(name: "one"), .counted(CounterID(value: 0), by: 3)]
    try ScratchDirectory.with { folder in
      let configuration = StoreConfiguration(clock: { Moment(microseconds: 7) })
      let memory = try Store<CounterApp>.inMemory(configuration: configuration)
      let disk = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      for store in [memory, disk] {
        for action in actions { try store.sendBlocking([action]) }
        try store.transactBlocking { (state, _) throws(Never) in
          [.counted(CounterID(value: 0), by: 1)]
        }
      }
      #expect(memory.state == disk.state)
      #expect(memory.sequence == disk.sequence)
      #expect(memory.storage.isInMemory && !disk.storage.isInMemory)
      var replayer = try Replayer<CounterApp>(memory.storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.state == disk.state)
      let report = try memory.storage.withReadView { (view) throws(StoreError) in
        try view.verify()
      }
      #expect(report.records == 4 && report.damage == nil)
      try memory.closeBlocking()
      try disk.closeBlocking()
    }
  }

  @Test func `a store in memory leaves no name behind, open or closed`() throws {
    try ScratchDirectory.with { folder in
      let storage = try LogStorage.inMemory(in: folder, faults: nil)
      let store = try Store<CounterApp>.open(
        over: storage, configuration: StoreConfiguration(clock: { Moment(microseconds: 7) }))
      #expect(try FileSystem.list(folder).isEmpty)
      try store.sendBlocking([.added(name: "one")])
      #expect(try FileSystem.list(folder).isEmpty)
      #expect(try !FileSystem.exists(storage.path))
      try store.closeBlocking()
      #expect(try FileSystem.list(folder).isEmpty)
    }
  }

  @Test func `stores in memory have nothing to do with each other`() throws {
    let first = try Store<CounterApp>.inMemory()
    let second = try Store<CounterApp>.inMemory()
    try first.sendBlocking([.added(name: "one")])
    #expect(second.sequence == 0)
    #expect(first.storage.storeID != second.storage.storeID)
    try first.closeBlocking()
    try second.sendBlocking([.added(name: "two")])
    #expect(second.state.counters.count == 1)
    try second.closeBlocking()
  }

  @Test func `values that no store can work with are refused`() throws {
    let changes: [@Sendable (inout StoreConfiguration) -> Void] = [
      { $0.hashInterval = 0 }, { $0.queueLimit = 0 }, { $0.queueBytesLimit = -1 },
      { $0.durability = .relaxed(window: .seconds(-1)) },
    ]
    try ScratchDirectory.with { folder in
      for change in changes {
        var configuration = StoreConfiguration()
        change(&configuration)
        let error = #expect(throws: StoreError.self) {
          _ = try Store<CounterApp>.openBlocking(
            at: folder + "/store", configuration: configuration)
        }
        #expect(error?.code == .invalidConfiguration)
      }
      let names = try FileSystem.list(folder)
      #expect(names.isEmpty)
    }
  }
}
