import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// Commands: decided inside the write transaction, and recorded with their facts or not at all.
@Suite struct CommandTests {
  private typealias Kiosk = Store<KioskApp>
  private let tea = KioskItemID(value: 0)
  private let jam = KioskItemID(value: 1)

  private static var configuration: StoreConfiguration {
    StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })
  }

  private func refusal(
    _ body: () throws(CommandError<KioskApp>) -> Void
  ) -> KioskRefusal? {
    do throws(CommandError<KioskApp>) {
      try body()
      return nil
    } catch {
      if case .refused(let refusal, _) = error { return refusal }
      Issue.record("\(error)")
      return nil
    }
  }

  /// Returns the sequence after which a refused command was decided.
  private func decidedAfter(
    _ command: KioskCommand, from origin: RecordedCommand.Origin, in store: Kiosk
  ) -> UInt64? {
    do throws(CommandError<KioskApp>) {
      try store.performBlocking(command, from: origin)
      return nil
    } catch {
      if case .refused(_, let sequence) = error { return sequence }
      return nil
    }
  }

  private func code(
    _ body: () throws(CommandError<KioskApp>) -> Void
  ) -> StoreError.Code? {
    do throws(CommandError<KioskApp>) {
      try body()
      return nil
    } catch {
      if case .store(let error) = error { return error.code }
      return nil
    }
  }

  /// The kinds, batch starts and keys of the records.
  private func shape(_ store: Kiosk) throws -> [String] {
    var shape: [String] = []
    try store.storage.withReadView { view throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, _ in
        let key = envelope.key.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
        shape.append("\(envelope.kind)\(envelope.startsBatch ? " first" : "")\(key)")
      }
    }
    return shape
  }

  @Test func `a command is one batch: its record and then its facts [L1]`() async throws {
    let store = try Kiosk.inMemory(configuration: Self.configuration)
    let opened = try await store.perform(.add(name: "tea"), from: .commandLine, key: "k")
    #expect(opened.facts == [.added(tea, name: "tea")] && !opened.wasRepeated)
    #expect(opened.receipt.sequences == 2..<4 && opened.receipt.state.items.count == 1)
    try store.performBlocking(.add(name: "jam"))
    try store.performBlocking(.restock(tea, count: 70))
    try store.performBlocking(.move(from: tea, to: jam, count: 30), from: .scene)
    // Nothing to change: a command without facts.
    let same = try store.performBlocking(.rename(tea, to: "tea"))
    #expect(same.facts == [] && same.receipt.sequences == 11..<12)
    #expect(store.state.items[tea]?.stock == 40 && store.state.total == 70)
    #expect(
      try shape(store) == [
        "sessionOpened first", "command first k", "action", "command first", "action",
        "command first", "action", "command first", "action", "action", "command first",
      ])
    let (record, moments) = try store.storage.withReadView { view throws(StoreError) in
      let record = try view.withRecord(at: 8) { try? $0.systemPayload(as: RecordedCommand.self) }
      return (
        record,
        try (2...11).map { number throws(StoreError) in
          try view.withRecord(at: UInt64(number)) { $0.moment.microseconds }
        }
      )
    }
    #expect(record?.origin == .scene && record?.refusal == nil)
    let bytes = try #require(record?.command.bytes)
    #expect(
      try KioskCommand(encoded: bytes.span) == .move(from: tea, to: jam, count: 30))
    #expect(moments.allSatisfy { $0 == 1_000_000 })
    try await store.close()
  }

  @Test func `the schemas of commands and refusals are in the log, and the session names them`()
    throws
  {
    let store = try Kiosk.inMemory(configuration: Self.configuration)
    try store.performBlocking(.add(name: "tea"))
    try store.storage.withReadView { view throws(StoreError) in
      let opened = try view.withRecord(at: 1) { try? $0.systemPayload(as: SessionOpened.self) }
      #expect(opened?.schemas.map(\.number) == [1, 2])
      let command = try view.schema(LogFormat.commandSchemaNumber(1))
      #expect(command == KioskCommand.schema.text)
      #expect(
        try view.schema(LogFormat.commandSchemaNumber(2)) == KioskRefusal.schema.text)
      let fingerprints = [KioskCommand.schema, KioskRefusal.schema].map {
        $0.fingerprint(with: SHA256Hasher.self)
      }
      #expect(opened?.schemas.map(\.fingerprint) == fingerprints)
    }
    try store.closeBlocking()
  }

  @Test func `a refused command appends nothing, not even the opening of the session`() throws {
    try ScratchDirectory.with { folder in
      let store = try Kiosk.openBlocking(
        at: folder + "/store", configuration: Self.configuration)
      for closing in [false, true] {
        let found = refusal { () throws(CommandError<KioskApp>) in
          try store.performBlocking(.sell(tea, count: 1), closing: closing)
        }
        #expect(found == .noItem(tea) && store.sequence == 0)
      }
      try store.performBlocking(.add(name: "tea"))
      // A refusal leaves the session as it is, also with `closing`.
      let found = refusal { () throws(CommandError<KioskApp>) in
        try store.performBlocking(.add(name: "tea"), closing: true)
      }
      #expect(found == .nameTaken("tea") && store.sequence == 3)
      let inScene = refusal { () throws(CommandError<KioskApp>) in
        try store.performBlocking(.add(name: "tea"), from: .scene, closing: true)
      }
      #expect(inScene == .nameTaken("tea") && store.sequence == 4)
      try store.performBlocking(.add(name: "jam"), closing: true)
      #expect(
        try shape(store) == [
          "sessionOpened first", "command first", "action", "command first", "command first",
          "action", "sessionClosed first",
        ])
      try store.closeBlocking()
      #expect(store.sequence == 7)
      let later = try Kiosk.openBlocking(
        at: folder + "/store", configuration: Self.configuration)
      #expect(later.recovered == [] && later.sequence == 7)
      try later.closeBlocking()
    }
  }

  @Test func `a command refused in a scene is recorded with its refusal [T2] [i10]`() throws {
    let store = try Kiosk.inMemory(configuration: Self.configuration)
    let found = refusal { () throws(CommandError<KioskApp>) in
      try store.performBlocking(.sell(tea, count: 1), from: .scene, key: "k")
    }
    #expect(found == .noItem(tea))
    #expect(try shape(store) == ["sessionOpened first", "command first"])
    let record = try store.storage.withReadView { view throws(StoreError) in
      try view.withRecord(at: 2) { try? $0.systemPayload(as: RecordedCommand.self) }
    }
    let refused = try #require(record?.refusal)
    #expect(refused.schema == 2)
    #expect(try KioskRefusal(encoded: refused.bytes.span) == .noItem(tea))
    #expect(try store.sequences(ofKey: "k") == nil && store.state == KioskState())
    #expect(decidedAfter(.remove(tea), from: .scene, in: store) == 2 && store.sequence == 3)
    #expect(decidedAfter(.remove(tea), from: .program, in: store) == 3 && store.sequence == 3)
    try store.closeBlocking()
  }

  @Test func `commands of one group are decided one after the other, each refused alone [E9]`()
    async throws
  {
    let store = try Kiosk.inMemory(configuration: Self.configuration)
    try store.performBlocking(.add(name: "tea"))
    try store.performBlocking(.restock(tea, count: 100))
    let item = tea
    // Each takes 30 of 100, whatever their order: three are accepted.
    let stocks = await withTaskGroup(of: Int64?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let done = try? await store.perform(.sell(item, count: 30))
          guard case .fact(.stockChanged(_, let stock))? = done?.facts.first else { return nil }
          return stock.after
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(stocks.compactMap { $0 }.sorted() == [10, 40, 70])
    #expect(stocks.count { $0 == nil } == 5 && store.state.total == 10)
    try await store.close()
  }

  @Test func `actions and commands of one group keep their order`() async throws {
    let store = try Store<UnguardedKiosk>.inMemory(configuration: Self.configuration)
    try store.enqueue([.added(tea, name: "tea")])
    try store.enqueue([.stockChanged(tea, from: 0, to: 9)])
    let taken = try await store.perform(.sell(tea, count: 9))
    #expect(taken.facts == [.stockChanged(tea, from: 9, to: 0)])
    try await store.close()
  }

  @Test func `the moment is sampled when the command is decided`() throws {
    let now = Lock<Int64>(10)
    var configuration = StoreConfiguration(clock: {
      Moment(
        microseconds: now.withLock { now in
          now += 1
          return now
        })
    })
    configuration.hashInterval = 1
    let store = try Kiosk.inMemory(configuration: configuration)
    try store.performBlocking(.add(name: "tea"))
    try store.performBlocking(.restock(tea, count: 1))
    let moments = try store.storage.withReadView { view throws(StoreError) in
      try (1...5).map { number throws(StoreError) in
        try view.withRecord(at: UInt64(number)) { $0.moment.microseconds }
      }
    }
    #expect(moments == moments.sorted() && Set(moments).count == 2)
    #expect(moments[0] == moments[2] && moments[3] == moments[4])
    try store.closeBlocking()
  }

  @Test func `a command repeated with its key gets the facts that the log has`() async throws {
    try await ScratchDirectory.with { folder in
      let store = try Kiosk.openBlocking(
        at: folder + "/store", configuration: Self.configuration)
      let first = try store.performBlocking(.add(name: "tea"), key: "a")
      // The decider would refuse it now.
      let again = try await store.perform(.add(name: "tea"), key: "a")
      #expect(again.wasRepeated && again.facts == first.facts)
      #expect(again.receipt.sequences == first.receipt.sequences && store.sequence == 3)
      let other = code { () throws(CommandError<KioskApp>) in
        try store.performBlocking(.add(name: "jam"), key: "a")
      }
      #expect(other == .keyReused && store.sequence == 3)
      // Neither a reused key nor a repeated command closes the session.
      let closing = code { () throws(CommandError<KioskApp>) in
        try store.performBlocking(.add(name: "jam"), key: "a", closing: true)
      }
      #expect(closing == .keyReused)
      try store.performBlocking(.add(name: "tea"), key: "a", closing: true)
      #expect(store.sequence == 3)
      // A refused command does not use its key.
      let refused = refusal { () throws(CommandError<KioskApp>) in
        try store.performBlocking(.remove(jam), key: "b")
      }
      #expect(refused == .noItem(jam))
      try store.performBlocking(.add(name: "jam"), key: "b")
      try store.closeBlocking()
      // The keys of a copy are rebuilt from its records.
      _ = try LogStorage.salvage(folder + "/store", to: folder + "/copy")
      let later = try Kiosk.openBlocking(
        at: folder + "/copy", configuration: Self.configuration)
      let repeated = try later.performBlocking(.add(name: "tea"), key: "a")
      #expect(repeated.wasRepeated && repeated.facts == first.facts)
      try later.closeBlocking()
    }
  }

  @Test func `under one key, a command differs from an action of the same bytes`() {
    for bytes: [UInt8] in [[], [0], [1, 2, 3]] {
      let action = KeyedBatch.digest(of: EncodedActions([bytes]))
      #expect(KeyedBatch.digest(ofCommand: bytes) != action)
    }
  }

  @Test func `with relaxed durability a repeated command finds its facts, too`() async throws {
    var configuration = Self.configuration
    configuration.durability = .relaxed(window: .seconds(60))
    let folder = try FileSystem.makeTemporaryDirectory("retrace-recording")
    let store = try Kiosk.openBlocking(at: folder + "/store", configuration: configuration)
    for name in ["tea", "jam"] {
      let first = try store.performBlocking(.add(name: name), key: name)
      let again =
        name == "tea"
        ? try store.performBlocking(.add(name: name), key: name)
        : try await store.perform(.add(name: name), key: name)
      #expect(again.wasRepeated && again.facts == first.facts)
    }
    #expect(store.durableSequence == store.sequence)
    try store.closeBlocking()
    try FileSystem.removeTree(folder)
  }

  @Test func `a refusal decided on a damaged page does not reach the caller`() throws {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      var configuration = Self.configuration
      configuration.snapshots = SnapshotPolicy(interval: 50, closingInterval: 1)
      let first = try Kiosk.openBlocking(at: path, configuration: configuration)
      for number in 0..<400 { try first.performBlocking(.add(name: "n\(number)")) }
      try first.closeBlocking()
      let store = try Kiosk.openBlocking(at: path, configuration: configuration)
      let file = path + "/derived/data.mdb"
      var bytes = try FileSystem.readWhole(file, limitBytes: 1 << 26)
      for index in 8192..<bytes.count { bytes[index] ^= 0x55 }
      try OpenFile.open(file, [.write]).write(bytes.span, at: 0)
      let item = KioskItemID(value: 200)
      let taken = refusal { () throws(CommandError<KioskApp>) in
        try store.performBlocking(.sell(item, count: 1))
      }
      #expect(taken == .outOfStock(item, stock: 0))
      try store.performBlocking(.restock(item, count: 3))
      #expect(store.state.items[item]?.stock == 3 && store.state.items.count == 400)
      try store.closeBlocking()
    }
  }

  @Test func `a refusal that could not be read back is not recorded`() throws {
    let store = try Store<WordyKiosk>.inMemory(configuration: Self.configuration)
    try store.performBlocking(.add(name: "tea"))
    for origin in [RecordedCommand.Origin.scene, .program] {
      do throws(CommandError<WordyKiosk>) {
        try store.performBlocking(.remove(tea), from: origin)
        Issue.record("accepted")
      } catch {
        switch error {
        case .store(let error): #expect(origin == .scene && error.code == .recordTooLarge)
        case .refused: #expect(origin == .program)
        }
      }
    }
    #expect(store.sequence == 3)
  }

  @Test func `an origin that names a cause is refused without one`() throws {
    let store = try Kiosk.inMemory(configuration: Self.configuration)
    let found = code { () throws(CommandError<KioskApp>) in
      try store.performBlocking(.add(name: "tea"), from: .effect)
    }
    #expect(found == .invalidRecord && store.sequence == 0)
  }

  /// A kiosk whose refusals of a removal are longer than a record may be.
  private enum WordyKiosk: KioskVariant {
    struct Wordy: Decider {
      func decide(
        _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
      ) throws(KioskRefusal) -> [KioskAction] {
        if case .remove = command {
          throw .nameTaken(String(repeating: "x", count: LogFormat.actionBytesMax))
        }
        return try KioskDecider().decide(command, on: state, at: moment)
      }
    }

    static var reducer: KioskReducer { KioskReducer() }
    static var decider: Wordy { Wordy() }
  }

  @Test func `a command without a decider, too long or too deep is refused at once`() throws {
    let store = try Kiosk.inMemory(configuration: Self.configuration)
    let long = String(repeating: "x", count: LogFormat.actionBytesMax)
    var deep = KioskCommand.remove(tea)
    for _ in 0...AvroLimits.depth { deep = .together([deep]) }
    for command in [.add(name: long), deep] {
      let found = code { () throws(CommandError<KioskApp>) in
        try store.performBlocking(command)
      }
      #expect(found == .recordTooLarge)
    }
    #expect(store.sequence == 0)
    let picky = try Store<PickyKiosk>.inMemory(configuration: Self.configuration)
    #expect(throws: CommandError<PickyKiosk>.self) {
      try picky.performBlocking(.remove(tea))
    }
    try picky.performBlocking(.add(name: "tea"))
    #expect(picky.sequence == 3)
  }

  /// A kiosk whose decider handles only the adding of items.
  private enum PickyKiosk: KioskVariant {
    struct Picky: Decider {
      func handles(_ command: KioskCommand) -> Bool {
        if case .add = command { true } else { false }
      }

      func decide(
        _ command: KioskCommand, on state: borrowing KioskState, at moment: Moment
      ) throws(KioskRefusal) -> [KioskAction] {
        try KioskDecider().decide(command, on: state, at: moment)
      }
    }

    static var reducer: KioskReducer { KioskReducer() }
    static var decider: Picky { Picky() }
  }

  /// The outcome of a command: its facts, or the reason why it has none.
  private func text(_ result: Result<[KioskAction], CommandError<KioskApp>>) -> String {
    switch result {
    case .success(let facts): "\(facts.count) facts"
    case .failure(.refused(let refusal, _)): "\(refusal)"
    case .failure(.store(let error)): "\(error.code)"
    }
  }

  @Test func `many commands are decided in order, each refused alone`() async throws {
    try await ScratchDirectory.with { path in
      let commands: [KioskCommand] = [
        .add(name: "tea"), .add(name: "tea"), .restock(tea, count: 5), .add(name: "jam"),
        .move(from: tea, to: jam, count: 9), .move(from: tea, to: jam, count: 5),
      ]
      let expected = [
        "1 facts", "\(KioskRefusal.nameTaken("tea"))", "1 facts", "1 facts",
        "\(KioskRefusal.outOfStock(tea, stock: 5))", "2 facts",
      ]
      let keys = commands.indices.map { "key \($0)" }
      let store = try Kiosk.openBlocking(at: path, configuration: Self.configuration)
      let first = try await store.perform(commands, from: .importing, keys: keys)
      #expect(first.map(text) == expected)
      // Performed again, the accepted ones are not appended, and the refused ones are decided anew.
      let last = store.sequence
      let again = try store.performBlocking(commands, from: .importing, keys: keys)
      #expect(again.map(text).enumerated().allSatisfy { $1 == expected[$0] || $0 == 4 })
      #expect(text(again[4]) == "\(KioskRefusal.outOfStock(tea, stock: 0))")
      #expect(try again[5].get() == first[5].get() && store.sequence == last)
      #expect(try store.performBlocking([]).isEmpty)
      #expect(throws: StoreError.self) {
        try store.performBlocking([.add(name: "x")], keys: [String(repeating: "k", count: 65)])
      }
      #expect(store.sequence == last)
      try store.closeBlocking()
      let closed = try? await store.perform([.add(name: "late")])
      #expect(closed.map { $0.map(text) } == ["\(StoreError.Code.closed)"])
    }
  }

  @Test func `many commands share a few commits`() throws {
    let plan = LMDBFaultPlan()
    let store = try Kiosk.open(
      over: try LogStorage.inMemory(in: nil, faults: plan), configuration: Self.configuration)
    try store.performBlocking(.add(name: "tea"))
    let commits = plan.callCount(of: .commit)
    let results = try store.performBlocking(
      (0..<5_000).map { _ in .restock(tea, count: 1) }, from: .importing)
    #expect(results.allSatisfy { text($0) == "1 facts" })
    #expect(store.state.items[tea]?.stock == 5_000)
    #expect(plan.callCount(of: .commit) - commits < 50)
    try store.closeBlocking()
  }

  @Test func `a command that says that it is an undo is refused`() throws {
    try ScratchDirectory.with { folder in
      let store = try Kiosk.openBlocking(
        at: folder + "/store", configuration: Self.configuration)
      let links = RestoreLinks(target: 999, isRedo: false, nextUndo: 1, nextRedo: nil)
      let restore = Restore<KioskEdit>(links: links, expectedCount: 0, edits: [])
      #expect(
        code { () throws(CommandError<KioskApp>) in
          try store.performBlocking(.restore(restore), from: .undo)
        } == .invalidRecord)
      try store.closeBlocking()
    }
  }
}
