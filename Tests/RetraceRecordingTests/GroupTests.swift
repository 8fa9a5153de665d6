import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// Which batches form a group, and what is left of a group when the process ends.
@Suite struct GroupTests {
  private func configuration() -> StoreConfiguration {
    StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })
  }

  @Test func `a group takes batches up to a number of bytes, and at least one`() throws {
    try ScratchDirectory.with { folder in
      let last = Lock(0)
      let sizes = Lock<[Int]>([])
      var configuration = configuration()
      configuration.groupBytesMax = 100
      configuration.phaseObserver = { phase in
        switch phase {
        case .reducing(let batch): last.withLock { $0 = batch }
        case .committing: sizes.withLock { $0.append(last.withLock { $0 } + 1) }
        case .idle: break
        }
      }
      let store = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      let name = String(repeating: "x", count: 31)
      // An action of 33 bytes of payload and 4 of length.
      try store.storage.performWriting { (_) throws(StoreError) in
        for _ in 0..<5 { try store.enqueue([.noticed(name)]) }
        try store.enqueue([CounterAction](repeating: .noticed(name), count: 9))
        try store.enqueue([.noticed(name)])
      }
      try store.flushBlocking()
      #expect(sizes.withLock { $0 } == [2, 2, 1, 1, 1])
      #expect(store.sequence == 16)
      try store.closeBlocking()
    }
  }

  @Test func `a group has at most as many actions as lie between two saves`() throws {
    try ScratchDirectory.with { folder in
      let batches = Lock<[Int]>([])
      var configuration = configuration()
      configuration.snapshots.interval = 2_000
      configuration.phaseObserver = { phase in
        if case .reducing(let batch) = phase { batches.withLock { $0.append(batch) } }
      }
      let store = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      // However long one action takes.
      store.writer.queue.recordGroupTime(of: 1_000_000, took: 1)
      try store.storage.performWriting { (_) throws(StoreError) in
        // While more is queued, a state is saved every tenth time: after 20,000.
        for count in [9_000, 9_000, 3_000, 25_000, 1] {
          try store.enqueue([CounterAction](repeating: .noticed("x"), count: count))
        }
      }
      try store.flushBlocking()
      #expect(batches.withLock { $0 } == [0, 1, 0, 0, 0])
      try store.closeBlocking()
    }
  }

  @Test func `hashes and saves wait while more is queued, but not for ever`() throws {
    try ScratchDirectory.with { folder in
      var configuration = configuration()
      configuration.snapshots.interval = 1_000
      let store = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      // However long one action takes.
      store.writer.queue.recordGroupTime(of: 1_000_000, took: 1)
      try store.storage.performWriting { (_) throws(StoreError) in
        for _ in 0..<12 {
          try store.enqueue([CounterAction](repeating: .noticed("x"), count: 1_000))
        }
      }
      try store.flushBlocking()
      var hashed: [UInt64] = []
      try store.storage.withReadView { (view) throws(StoreError) in
        try view.scan(from: 1, through: view.head.sequence) { (record) throws(StoreError) in
          if record.stateHash != nil { hashed.append(record.sequence) }
        }
      }
      // After ten groups the hash waits no longer; nothing is queued after the last group.
      #expect(hashed == [10_001, 12_001])
      try store.closeBlocking()
    }
  }

  @Test(arguments: [1, 2_048])
  func `in a session with a scene, the last action of each commit has the hash of the state`(
    largeFrom: Int
  ) throws {
    try ScratchDirectory.with { folder in
      var configuration = configuration()
      configuration.largeGroupActionsMin = largeFrom
      configuration.hashInterval = 12
      let store = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      #expect(try store.attach(to: SceneID(value: 0)))
      var whole: [UInt64] = []
      for count in 1...6 {
        let actions = [CounterAction](repeating: .noticed("x"), count: count)
        let receipt = try store.sendBlocking(actions)
        var state = receipt.state
        let hash = StateHasher.hash(&state, with: SHA256Hasher.self)
        for sequence in receipt.sequences {
          let recorded = try store.storage.withReadView { (view) throws(StoreError) in
            try view.withRecord(at: sequence) { $0.recordedHash }
          }
          let isLast = sequence == receipt.sequence
          #expect((recorded != nil) == isLast, "record \(sequence)")
          #expect(recorded?.matches(hash) ?? true)
          #expect(recorded?.matches(.zero) != true)
          if case .whole? = recorded { whole.append(sequence) }
        }
      }
      // The interval counts from the last whole hash: 1 + 2 + 3 + 4 + 5 actions, then 6.
      #expect(whole == [16])
      try store.detach(from: SceneID(value: 0))
      let plain = try store.sendBlocking([.noticed("y")])
      let recorded = try store.storage.withReadView { (view) throws(StoreError) in
        try view.withRecord(at: plain.sequence) { $0.recordedHash }
      }
      #expect(recorded == nil)
      try store.closeBlocking()
    }
  }

  @Test func `each record of a session with another clock has the time of the machine`() throws {
    try ScratchDirectory.with { folder in
      let real = Lock<Int64>(50)
      func open(_ realClock: (@Sendable () -> Moment)?) throws -> Store<CounterApp> {
        var configuration = configuration()
        configuration.realClock = realClock
        return try Store<CounterApp>.openBlocking(
          at: folder + "/store", configuration: configuration)
      }
      let store = try open { Moment(microseconds: real.withLock { $0 }) }
      try store.sendBlocking([.noticed("a"), .noticed("b")])
      real.withLock { $0 = 1_000_000 }
      try store.sendBlocking([.noticed("c")])
      // The next process records the end of this session.
      store.abandon()
      let next = try open(nil)
      try next.sendBlocking([.noticed("d")])
      var found: [(RecordKind, Int64?)] = []
      try next.storage.withReadView { (view) throws(StoreError) in
        try view.scan(from: 1, through: view.head.sequence) { (record) throws(StoreError) in
          found.append((record.kind, record.realTime?.microseconds))
        }
      }
      try next.closeBlocking()
      let expected: [(RecordKind, Int64?)] = [
        (.sessionOpened, 50), (.action, 50), (.action, 50), (.action, 1_000_000),
        // The session has another clock than the process that found it dead.
        (.sessionClosed, 1_000_000), (.sessionOpened, nil), (.action, nil),
      ]
      #expect(found.count == expected.count)
      #expect(zip(found, expected).allSatisfy { $0 == $1 }, "\(found)")
    }
  }

  @Test(arguments: [1, 2_048])
  func `a receipt has the state after its batch, even if other batches need no receipt`(
    largeFrom: Int
  ) throws {
    try ScratchDirectory.with { folder in
      var configuration = configuration()
      configuration.largeGroupActionsMin = largeFrom
      let store = try Store<CounterApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      let states = Lock<[CounterApp.State]>([])
      try store.storage.performWriting { (_) throws(StoreError) in
        try store.enqueue([.added(name: "one")])
        let waited = try store.writer.encode([.added(name: "two")]).completing { result in
          if let receipt = try? result.get() { states.withLock { $0.append(receipt.state) } }
        }
        try store.writer.push(waited, bounded: true)
        try store.enqueue([.added(name: "three")])
      }
      try store.flushBlocking()
      var fold = Fold<CounterApp>()
      fold.skip(1)
      let moment = Moment(microseconds: 1_000_000)
      _ = fold.apply(.added(name: "one"), at: moment, sequence: 2)
      _ = fold.apply(.added(name: "two"), at: moment, sequence: 3)
      #expect(states.withLock { $0 } == [fold.state])
      _ = fold.apply(.added(name: "three"), at: moment, sequence: 4)
      #expect(store.state == fold.state)
      try store.closeBlocking()
    }
  }

  @Test func `a batch that crashed before its schema was in the log is recorded with its schema`()
    throws
  {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      var file = try storage.attemptWriter(session: 1)
      // Another build, whose schema would have got the number that this build's gets.
      try file.write(
        Attempt(
          firstSequence: 1, session: 0, schema: 1, newSchema: "\"string\"",
          batches: [.init(moment: Moment(microseconds: 5), actions: ["hello".encoded()])]))
      storage.close()
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      #expect(store.recovered == [2])
      try store.sendBlocking([.added(name: "one")])
      try store.storage.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: 2, through: 3) { (envelope, payload) throws(StoreError) in
          if envelope.kind == .crashed {
            let crashed = try? Crashed(encoded: payload)
            #expect(crashed?.actions == ["hello".encoded()])
            #expect(try view.schema(crashed?.schema ?? 0) == "\"string\"")
          } else {
            #expect(envelope.kind == .action)
            #expect(try view.schema(envelope.schema) == CounterAction.schema.text)
          }
        }
      }
      try store.closeBlocking()
    }
  }

  @Test func `an attempt file that is longer than any group does not prevent an open`() throws {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      try store.sendBlocking([.added(name: "one")])
      try store.closeBlocking()
      let file = try OpenFile.open(path + "/attempt.1", [.write, .create], mode: 0o600)
      try file.truncate(to: 3 * LogFormat.payloadBytesMax)
      let again = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      #expect(again.recovered.isEmpty)
      #expect(again.state.counters.count == 1)
      try again.closeBlocking()
      #expect(try !FileSystem.list(path).contains("attempt.1"))
    }
  }
}
