import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Stores that save states beside other processes, and go on from the snapshots that are stored.
@Suite struct SnapshotSharingTests {
  @Test func `a store that goes on saves again after derived was deleted under it`() throws {
    try withSeed("Snapshots deleted under a store") { random in
      try SnapshotTests.withStore { path in
        try SnapshotTests.record(100, sessions: 2, at: path, &random)
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: SnapshotTests.configuration(60))
        #expect(store.snapshotUse.used != nil)
        for round in 0..<3 {
          try FileSystem.removeTree(path + "/derived")
          let before = store.sequence
          for _ in 0..<150 {
            try store.sendBlocking([CounterAction.random(on: store.state, using: &random)])
          }
          let use = try store.storage.snapshotUse(of: CounterApp.self)
          #expect(use.used ?? 0 > before, "round \(round): \(use)")
        }
        try store.closeBlocking()
        let expected = try SnapshotTests.folded(at: path)
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        let isEqual = try storage.withState(of: CounterApp.self) {
          (state, use) throws(StoreError) in
          #expect(use.used != nil && use.notice == nil)
          return state == expected.state
        }
        #expect(isEqual)
      }
    }
  }

  @Test func `the pages that a state was opened from are released when it is saved`() throws {
    try withSeed("Snapshots let go") { random in
      try SnapshotTests.withStore { path in
        try SnapshotTests.record(400, sessions: 2, at: path, &random)
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: SnapshotTests.configuration(60))
        weak let first = store.writer.publisher.latest.pages
        #expect(first != nil)
        for _ in 0..<150 {
          try store.sendBlocking([CounterAction.random(on: store.state, using: &random)])
        }
        #expect(first == nil)
        // Most of the state was never read, and is still there.
        #expect(store.writer.publisher.latest.pages != nil)
        var state = try store.read { copy $0 }
        let expected = try SnapshotTests.folded(CounterApp.self, in: store.storage)
        #expect(StateHasher.hash(&state, with: SHA256Hasher.self) == expected.hash)
        #expect(state == expected.state)
        try store.closeBlocking()
      }
    }
  }

  /// Appends actions as another process does, and saves the state after them as that one would.
  private func appendAsOtherProcess(
    _ actions: [CounterAction], in storage: LogStorage
  ) throws(StoreError) {
    try storage.append { appender throws(StoreError) in
      let schema = try appender.schemaNumber(json: CounterAction.schema.text)
      let session = appender.nextSequence
      let envelope = Envelope(session: session, moment: Moment(microseconds: 5), schema: schema)
      let opened = SessionOpened(
        app: CounterApp.name, build: "", actionSchema: .zero, stateSchema: .zero, reducer: .zero,
        scene: nil, zone: "UTC", zoneDatabase: "")
      try appender.append(opened, envelope)
      for action in actions {
        let payload = action.encoded()
        try appender.append(envelope, payload: payload.span)
      }
    }
    let fingerprint = FoldFingerprint(of: CounterApp.self, in: storage.snapshots)
    try storage.withReadView { (view) throws(StoreError) in
      let restored = try view.restore(
        CounterApp.self, through: view.head.sequence, from: storage.snapshots,
        fingerprint: fingerprint)
      var keeper = SnapshotKeeper<CounterApp>(
        storage.snapshots, policy: SnapshotPolicy(), fingerprint: fingerprint)
      keeper.start(from: restored)
      var records = restored.recordFold
      try view.save(&records, by: &keeper, closing: true)
    }
  }

  @Test func `a store that only follows reads its pages from what others saved`() throws {
    try withSeed("Snapshots followed") { random in
      try SnapshotTests.withStore { path in
        try SnapshotTests.record(400, sessions: 2, at: path, &random)
        let store = try Store<CounterApp>.openBlocking(
          at: path, configuration: SnapshotTests.configuration(60))
        for round in 0..<3 {
          weak let before = store.writer.publisher.latest.pages
          #expect(before != nil)
          let actions = (0..<100).map { _ in CounterAction.random(on: store.state, using: &random) }
          try appendAsOtherProcess(actions, in: store.storage)
          try store.catchUpBlocking()
          #expect(before == nil, "round \(round)")
          let expected = try SnapshotTests.folded(CounterApp.self, in: store.storage)
          #expect(try store.read { $0 == expected.state })
        }
        // The store saves, too, once it sends.
        let sequence = store.sequence
        for _ in 0..<70 {
          try store.sendBlocking([CounterAction.random(on: store.state, using: &random)])
        }
        let use = try store.storage.snapshotUse(of: CounterApp.self)
        #expect(use.used ?? 0 > sequence)
        try store.closeBlocking()
      }
    }
  }

  @Test func `a fold goes on from a newer snapshot only if that leads to its own state`() throws {
    try withSeed("Snapshots gone on from") { random in
      try SnapshotTests.withStore { path in
        try SnapshotTests.record(600, sessions: 3, at: path, &random)
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        let stored = try storage.snapshotUse(of: CounterApp.self).stored
        let old = try #require(stored.first)
        let newest = try #require(stored.last)
        let fingerprint = FoldFingerprint(of: CounterApp.self, in: storage.snapshots)
        try storage.withReadView { (view) throws(StoreError) in
          let restored = try view.restore(
            CounterApp.self, through: old, from: storage.snapshots, fingerprint: fingerprint)
          var records = restored.recordFold
          try view.fold(into: &records, through: view.head.sequence)
          let policy = SnapshotPolicy(interval: 100, closingInterval: 10, gapMax: 100_000)
          var keeper = SnapshotKeeper<CounterApp>(
            storage.snapshots, policy: policy, fingerprint: fingerprint)
          keeper.start(from: restored)
          #expect(
            keeper.origin?.sequence == old && keeper.isSnapshotSearchDue(at: records.fold.sequence))
          // The fold does not continue from it if its own state differs.
          var other = records
          other.fold.state.counters.insert(CounterEntity(name: "elsewhere", count: 0))
          let isOther = try view.resume(&other, by: &keeper)
          #expect(
            !isOther && other.fold.state.counters.count == records.fold.state.counters.count + 1)
          #expect(keeper.origin?.sequence == old)
          #expect(!keeper.isSnapshotSearchDue(at: records.fold.sequence))

          let pages = keeper.pages
          let before = records.fold
          let goesOn = try view.resume(&records, by: &keeper)
          #expect(goesOn && keeper.origin?.sequence == newest)
          #expect(keeper.pages !== pages && keeper.pages != nil)
          #expect(records.fold.sequence == before.sequence)
          #expect(records.fold.state == before.state)
          let again = try view.resume(&records, by: &keeper)
          #expect(!again)
        }
      }
    }
  }
}
