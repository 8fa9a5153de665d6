import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceReplay
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Synchronization
import Testing

@testable import RetraceRecording

/// The counter with another factor, as the reducer of another build.
enum OtherCounterApp: CounterVariant {
  static var build: String { "other" }
  static var reducerFingerprint: Digest { Digest(hex: String(repeating: "ab", count: 32)) ?? .zero }
  static var reducer: CounterReducer { CounterReducer(factor: 3) }
}

@Suite struct SnapshotTests {
  /// The configuration of a store that saves its state often.
  static func configuration(_ interval: UInt64 = 200, gapMax: UInt64 = 1_000) -> StoreConfiguration
  {
    let clock = Atomic<Int64>(1_000_000)
    let box = Box(clock)
    var configuration = StoreConfiguration(
      hashInterval: 64,
      clock: {
        Moment(microseconds: box.next())
      })
    configuration.snapshots = SnapshotPolicy(
      interval: interval, closingInterval: 20, gapMax: gapMax)
    return configuration
  }

  private final class Box: Sendable {
    private let value = Atomic<Int64>(1_000_000)
    init(_ value: consuming Atomic<Int64>) {}
    func next() -> Int64 { value.add(1_000_000, ordering: .relaxed).newValue }
  }

  @Test(arguments: [
    SnapshotPolicy(interval: .max, closingInterval: .max, gapMax: .max),
    SnapshotPolicy(interval: .max, closingInterval: 1, gapMax: 1_000),
    SnapshotPolicy(interval: 1, closingInterval: 1, gapMax: .max),
    SnapshotPolicy(interval: 0, closingInterval: 0, gapMax: 0),
  ])
  func `any policy records and opens again`(policy: SnapshotPolicy) throws {
    try withSeed("any policy") { random in
      try ScratchDirectory.with { directory in
        let path = directory + "/store"
        // Begins from a snapshot, so that the interval counts from its record.
        try Self.record(60, sessions: 2, at: path, &random)
        var configuration = Self.configuration()
        configuration.snapshots = policy
        try Self.record(60, sessions: 3, at: path, &random, configuration: configuration)
        let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
        #expect(try store.state == Self.folded(CounterApp.self, in: store.storage).state)
        try store.closeBlocking()
      }
    }
  }

  /// Records random batches in several sessions.
  static func record(
    _ batches: Int, sessions: Int, at path: String, _ random: inout SeededGenerator,
    configuration: StoreConfiguration = configuration()
  ) throws {
    for _ in 0..<sessions {
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      for _ in 0..<batches / sessions {
        let actions = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          CounterAction.random(on: store.state, using: &random)
        }
        try store.sendBlocking(actions)
      }
      try store.closeBlocking()
    }
  }

  /// The state after a record by a fold from zero.
  static func folded(
    _ app: (some ReplayableApp).Type = CounterApp.self, at path: String, through last: UInt64? = nil
  ) throws -> (state: CounterState, hash: Digest) {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    return try folded(app, in: storage, through: last)
  }

  static func folded<App: ReplayableApp>(
    _ app: App.Type, in storage: LogStorage, through last: UInt64? = nil
  ) throws -> (state: CounterState, hash: Digest) {
    let state = try storage.withReadView { (view) throws(StoreError) in
      var records = RecordFold<App>(plan: try view.plan(for: App.self))
      try view.fold(into: &records, through: last ?? view.head.sequence)
      return records.fold.state
    }
    var counters = try #require(state as? CounterState)
    let hash = StateHasher.hash(&counters, with: SHA256Hasher.self)
    return (counters, hash)
  }

  static func withStore<R>(_ body: (String) throws -> R) throws -> R {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-snapshots-")
    defer { try? FileSystem.removeTree(directory) }
    return try body(directory + "/store")
  }

  @Test func `a store opens from its newest snapshot at the state of a fold from zero`() throws {
    try withSeed("Snapshots open") { random in
      try Self.withStore { path in
        for round in 0..<8 {
          try Self.record(60, sessions: 1, at: path, &random)
          let expected = try Self.folded(at: path)
          let store = try Store<CounterApp>.openBlocking(
            at: path, configuration: Self.configuration())
          let use = store.snapshotUse
          // A session that closes saves if twenty records have come since the last save.
          #expect((use.used ?? 0) + 20 > store.sequence, "round \(round): \(use)")
          #expect(use.folded == store.sequence - (use.used ?? 0))
          #expect(use.notice == nil)
          #expect(store.state == expected.state)
          var state = store.state
          #expect(StateHasher.hash(&state, with: SHA256Hasher.self) == expected.hash)
          try store.closeBlocking()
        }
        let info = try FileSystem.linkInfo(path + "/derived")
        #expect(info.mode == 0o700)
        #expect(try FileSystem.linkInfo(path + "/derived/data.mdb").mode == 0o600)
      }
    }
  }

  @Test
  func `a seek from a snapshot gives the state of a fold from zero, and folds at most a gap`()
    throws
  {
    try withSeed("Snapshots seek") { random in
      try Self.withStore { path in
        try Self.record(repetitions(8_000), sessions: 4, at: path, &random)
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        let last = try storage.head().sequence
        for _ in 0..<repetitions(200) {
          let place = UInt64.random(in: 0...last, using: &random)
          var replayer = try Replayer<CounterApp>(storage)
          try replayer.seek(to: place)
          let expected = try Self.folded(CounterApp.self, in: storage, through: place)
          #expect(replayer.state == expected.state, "at \(place)")
          #expect(replayer.stateHash() == expected.hash, "at \(place)")
          #expect(replayer.recordsFolded <= 1_000, "at \(place)")
        }
      }
    }
  }

  @Test
  func `at every record a snapshot and its tail give the state of a whole fold [L4]`() throws {
    try withSeed("Snapshots everywhere") { random in
      try Self.withStore { path in
        try Self.record(
          240, sessions: 4, at: path, &random, configuration: Self.configuration(40, gapMax: 100))
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        var fromSnapshots = 0 as UInt64
        try storage.withReadView { (view) throws(StoreError) in
          var whole = RecordFold<CounterApp>(plan: try view.plan(for: CounterApp.self))
          for place in 1...view.head.sequence {
            try view.fold(into: &whole, through: place)
            var restored = try view.restore(
              CounterApp.self, through: place, from: storage.snapshots,
              fingerprint: FoldFingerprint(of: CounterApp.self, in: storage.snapshots))
            #expect(restored.recordFold.fold.state == whole.fold.state, "at \(place)")
            let hash = StateHasher.hash(&whole.fold.state, with: SHA256Hasher.self)
            let own = StateHasher.hash(
              &restored.recordFold.fold.state, with: SHA256Hasher.self)
            #expect(own == hash, "at \(place)")
            if restored.use.folded < place { fromSnapshots += 1 }
          }
          #expect(fromSnapshots > view.head.sequence / 2 && view.head.sequence > 500)
        }
      }
    }
  }

  @Test func `deleting derived changes no answer, and a later session saves again`() throws {
    try withSeed("Snapshots deleted") { random in
      try Self.withStore { path in
        try Self.record(100, sessions: 2, at: path, &random)
        let expected = try Self.folded(at: path)
        try FileSystem.removeTree(path + "/derived")
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: Self.configuration())
        #expect(store.snapshotUse.used == nil)
        #expect(store.snapshotUse.notice == nil)
        #expect(store.state == expected.state)
        try store.sendBlocking([.added(name: "later")])
        // It may also be deleted while it is used.
        try FileSystem.removeTree(path + "/derived")
        try store.sendBlocking([.added(name: "last")])
        try store.closeBlocking()
        try Self.record(40, sessions: 1, at: path, &random)
        let again = try Store<CounterApp>.openBlocking(
          at: path, configuration: Self.configuration())
        defer { try? again.closeBlocking() }
        #expect((again.snapshotUse.used ?? 0) + 20 > again.sequence)
      }
    }
  }

  @Test func `another reducer drops the snapshots and gives its own state`() throws {
    try withSeed("Snapshots of another reducer") { random in
      try Self.withStore { path in
        try Self.record(100, sessions: 2, at: path, &random)
        let expected = try Self.folded(OtherCounterApp.self, at: path)
        #expect(try Self.folded(at: path).state != expected.state)
        let configuration = Self.configuration()
        do {
          let store = try Store<OtherCounterApp>.openBlocking(
            at: path, configuration: configuration)
          #expect(store.state == expected.state)
          #expect(store.snapshotUse.candidates.map(\.verdict) == [.otherReducer])
          #expect(store.snapshotUse.notice?.contains("another build") == true)
          try store.sendBlocking([.added(name: "by the other")])
          try store.closeBlocking()
        }
        // Its own snapshots replaced the others: nothing more is said.
        let store = try Store<OtherCounterApp>.openBlocking(at: path, configuration: configuration)
        defer { try? store.closeBlocking() }
        #expect((store.snapshotUse.used ?? 0) + 20 > store.sequence)
        #expect(store.snapshotUse.notice == nil)
        #expect(store.state == (try Self.folded(OtherCounterApp.self, in: store.storage)).state)
      }
    }
  }

  @Test func `a damaged page of derived is reported once, and the log is folded instead`() throws {
    try withSeed("Snapshots damaged") { random in
      try Self.withStore { path in
        try Self.record(150, sessions: 3, at: path, &random)
        let expected = try Self.folded(at: path)
        let file = path + "/derived/data.mdb"
        let sound = try FileSystem.readWhole(file, limitBytes: 1 << 26)
        var said = 0
        for page in 0..<sound.count / 4096 {
          try? FileSystem.removeTree(path + "/derived")
          try FileSystem.makeDirectory(path + "/derived")
          var bytes = sound
          for index in page * 4096..<(page + 1) * 4096 {
            bytes[index] = UInt8.random(in: .min ... .max, using: &random)
          }
          let data = try OpenFile.open(file, [.write, .create])
          try data.write(bytes.span, at: 0)
          let isSaid = try Self.checkAnswer(at: path, expected, "page \(page)")
          if isSaid {
            said += 1
            #expect(!(try Self.checkAnswer(at: path, expected, "page \(page) again")))
          }
        }
        // Both meta pages, the trees above the entries, and pages with the state.
        #expect(said > 4)
      }
    }
  }

  /// Reads the whole state, and returns whether there was a notice.
  private static func checkAnswer(
    at path: String, _ expected: (state: CounterState, hash: Digest), _ label: String
  ) throws -> Bool {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var notice: String?
    let (isEqual, total) = try storage.withState(of: CounterApp.self) {
      (state, use) throws(StoreError) in
      notice = use.notice
      var sum: Int64 = 0
      state.counters.forEach { _, counter in sum &+= counter.count }
      return (state == expected.state, sum)
    }
    var sum: Int64 = 0
    expected.state.counters.forEach { _, counter in sum &+= counter.count }
    #expect(isEqual, "\(label)")
    #expect(total == sum, "\(label)")
    return notice != nil
  }

  @Test func `a reader whose pages are overwritten meanwhile reads again, and removes nothing`()
    throws
  {
    try withSeed("Snapshots overwritten") { random in
      try Self.withStore { path in
        try Self.record(400, sessions: 2, at: path, &random)
        let expected = try Self.folded(at: path)
        let file = path + "/derived/data.mdb"
        let sound = try FileSystem.readWhole(file, limitBytes: 1 << 26)
        // Everything but the two meta pages, as if later commits had reused the pages.
        var reused = sound
        for index in 8192..<reused.count { reused[index] ^= 0x55 }
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        var notices: [String?] = []
        let isEqual = try storage.withState(of: CounterApp.self) {
          (state, use) throws(StoreError) in
          notices.append(use.notice)
          let isFirst = notices.count == 1
          do {
            if isFirst { try OpenFile.open(file, [.write]).write(reused.span, at: 0) }
            // Comparing states reads no pages whose hashes are equal.
            var counters = 0
            state.counters.forEach { id, counter in
              if expected.state.counters[id] == counter { counters += 1 }
            }
            let isEqual = counters == expected.state.counters.count
            #expect(isEqual != isFirst)
            if isFirst { try OpenFile.open(file, [.write]).write(sound.span, at: 0) }
            return isEqual
          } catch {
            Issue.record(error)
            return false
          }
        }
        #expect(isEqual && notices == [nil, nil])
        #expect(try FileSystem.readWhole(file, limitBytes: 1 << 26) == sound)
      }
    }
  }

  @Test func `a store that meets a damaged page folds the log and goes on`() throws {
    try withSeed("Snapshots damaged while open") { random in
      try Self.withStore { path in
        try Self.record(400, sessions: 2, at: path, &random)
        let file = path + "/derived/data.mdb"
        let sound = try FileSystem.readWhole(file, limitBytes: 1 << 26)
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: Self.configuration())
        #expect(store.snapshotUse.used != nil)
        // Overwrites everything but the two meta pages while the store is open.
        var bytes = sound
        for index in 8192..<bytes.count { bytes[index] ^= 0x55 }
        let data = try OpenFile.open(file, [.write])
        try data.write(bytes.span, at: 0)
        let expected = try Self.folded(CounterApp.self, in: store.storage)
        let counters = try store.read { state in
          var counters: [CounterEntity] = []
          state.counters.forEach { _, counter in counters.append(counter) }
          return counters
        }
        var all: [CounterEntity] = []
        expected.state.counters.forEach { _, counter in all.append(counter) }
        #expect(counters == all)
        #expect(store.snapshotUse.notice?.contains("damaged") == true)
        let receipt = try store.sendBlocking([.added(name: "after")])
        #expect(receipt.state.counters.count == all.count + 1)
        try store.closeBlocking()
        #expect(try Self.folded(at: path).state == receipt.state)
      }
    }
  }

  @Test func `a view that meets a damaged page is told what is in the log`() throws {
    try withSeed("Snapshots damaged under a view") { random in
      try Self.withStore { path in
        try Self.record(400, sessions: 2, at: path, &random)
        let file = path + "/derived/data.mdb"
        var bytes = try FileSystem.readWhole(file, limitBytes: 1 << 26)
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: Self.configuration())
        for index in 8192..<bytes.count { bytes[index] ^= 0x55 }
        let data = try OpenFile.open(file, [.write])
        try data.write(bytes.span, at: 0)
        let expected = Self.names(try Self.folded(CounterApp.self, in: store.storage).state)
        let view = store.view({ $0 }, map: { Self.names($0) }) { (action: CounterAction) in action }
        // This reads damaged pages, and what it finds must not be remembered.
        _ = view.state
        let seen = Lock<[[String]]>([])
        let observation = view.observe { names in seen.withLock { $0.append(names) } }
        #expect(seen.withLock { $0 } == [expected])
        #expect(view.state == expected)
        try view.sendBlocking([.added(name: "after")])
        #expect(seen.withLock { $0.last } == expected + ["after"])
        withExtendedLifetime(observation) {}
        try store.closeBlocking()
      }
    }
  }

  private static func names(_ state: CounterState) -> [String] {
    var names: [String] = []
    state.counters.forEach { _, counter in names.append(counter.name) }
    return names
  }

  @Test func `a batch that was reduced on a damaged page does not get into the log`() throws {
    try withSeed("Snapshots damaged under a reducer") { random in
      try Self.withStore { path in
        try Self.record(400, sessions: 2, at: path, &random)
        let file = path + "/derived/data.mdb"
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: Self.configuration())
        var bytes = try FileSystem.readWhole(file, limitBytes: 1 << 26)
        for index in 8192..<bytes.count { bytes[index] ^= 0x55 }
        let data = try OpenFile.open(file, [.write])
        try data.write(bytes.span, at: 0)
        var expected = try Self.folded(CounterApp.self, in: store.storage).state
        // Without its page the counter seems to be missing, and the action would be refused.
        var id = CounterID(value: 0)
        while !expected.counters.contains(id) { id = CounterID(value: id.value + 1) }
        let receipt = try store.sendBlocking([.counted(id, by: 5)])
        let moment = receipt.state.lastMoment
        _ = CounterReducer().reduce(&expected, .counted(id, by: 5), at: moment)
        #expect(receipt.state == expected)
        #expect(store.state == expected)
        try store.closeBlocking()
        #expect(try Self.folded(at: path).state == expected)
      }
    }
  }

  @Test func `every snapshot that thinning leaves is complete`() throws {
    try withSeed("Snapshots thinned") { random in
      try Self.withStore { path in
        try Self.record(
          repetitions(20_000), sessions: 3, at: path, &random,
          configuration: Self.configuration(60, gapMax: 1_500))
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        let stored = try storage.snapshotUse(of: CounterApp.self).stored
        #expect(stored.count > 8)
        #expect(zip([0] + stored, stored).allSatisfy { $1 - $0 <= 1_500 }, "\(stored)")
        for sequence in stored {
          var replayer = try Replayer<CounterApp>(storage)
          try replayer.seek(to: sequence)
          // Near the start of the log no snapshot is looked for.
          #expect(replayer.recordsFolded == 0 || sequence <= 1_000)
          let read = try replayer.read { state throws(StoreError) in
            var counters: [CounterEntity] = []
            state.counters.forEach { _, counter in counters.append(counter) }
            return counters
          }
          var counters: [CounterEntity] = []
          let expected = try Self.folded(CounterApp.self, in: storage, through: sequence)
          expected.state.counters.forEach { _, counter in counters.append(counter) }
          #expect(read == counters, "at \(sequence)")
          #expect(replayer.snapshotUse.notice == nil)
        }
      }
    }
  }

  @Test(arguments: [(counters: 1, areClose: true), (1_500, false)])
  func `snapshots stay closer to one another where they take little room`(
    counters: Int, areClose: Bool
  ) throws {
    try withSeed("Snapshots spaced") { random in
      try Self.withStore { path in
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: Self.configuration(60, gapMax: 1_500))
        try store.sendBlocking((0..<counters).map { .added(name: "counter \($0)") })
        for _ in 0..<250 {
          try store.sendBlocking(
            (0..<30).map { _ in
              .counted(
                CounterID(value: Int64.random(in: 0..<Int64(counters), using: &random)), by: 1)
            })
        }
        try store.closeBlocking()
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        let stored = try storage.snapshotUse(of: CounterApp.self).stored
        // Young snapshots are close in both cases, and the first one comes after the first batch.
        let old = stored.filter { $0 < 5_000 }
        let gaps = zip(old, old.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 <= (areClose ? 600 : 1_500) }, "\(stored)")
        #expect(areClose || gaps.contains { $0 > 600 }, "\(stored)")
        #expect(old.count > (areClose ? 6 : 2), "\(stored)")
      }
    }
  }
}
