import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSchema
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Undo and redo of commands.
@Suite struct UndoTests {
  private typealias Kiosk = Store<KioskApp>
  private let tea = KioskItemID(value: 0)
  private let jam = KioskItemID(value: 1)

  private func configuration(user: String = "anna") -> StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.origin.login = user
    return configuration
  }

  /// Returns the items of a state, without counters and the ids that removed items had.
  private func items(_ state: KioskState) -> [KioskItemID: KioskItem] {
    var items: [KioskItemID: KioskItem] = [:]
    state.items.forEach { id, item in items[id] = item }
    return items
  }

  /// Returns the fields of an item with their values.
  private func fields(of id: KioskItemID, in state: KioskState) -> [(String, String)] {
    let item = state.items[id]
    return [
      ("\(id.value) name", item?.name ?? "none"),
      ("\(id.value) stock", item.map { "\($0.stock)" } ?? "none"),
      ("\(id.value) price", item.map { "\($0.price)" } ?? "none"),
    ]
  }

  private func names<App: KioskVariant>(_ store: Store<App>) -> [String] {
    items(store.state).sorted { $0.key < $1.key }.map { "\($1.name) \($1.stock)" }
  }

  @Test func `an undo and a redo can close their session in the same commit`() throws {
    try ScratchDirectory.with { folder in
      for isRedo in [false, true] {
        let store = try Kiosk.openBlocking(
          at: folder + "/store", configuration: configuration())
        // If there is nothing to undo, the session stays open.
        if !isRedo {
          #expect(try store.undoBlocking(closing: true) == nil && store.sequence == 0)
          try store.performBlocking(.add(name: "tea"))
        }
        let before = store.sequence
        let done =
          isRedo
          ? try store.redoBlocking(closing: true) : try store.undoBlocking(closing: true)
        #expect(done != nil && names(store) == (isRedo ? ["tea 0"] : []))
        let last = try store.storage.withReadView { view throws(StoreError) in
          try view.withRecord(at: view.head.sequence) { $0.kind }
        }
        // The command, its action and, for a new session, its opening.
        #expect(last == .sessionClosed && store.sequence == before + (isRedo ? 4 : 3))
        try store.closeBlocking()
        #expect(store.sequence == before + (isRedo ? 4 : 3))
      }
    }
  }

  @Test func `an undo since a moment keeps older changes, redone ones included`() throws {
    var configuration = configuration()
    let clock = Lock<Int64>(0)
    configuration.clock = { Moment(microseconds: clock.withLock { $0 }) }
    func at(_ moment: Int64) { clock.withLock { $0 = moment } }
    let store = try Kiosk.inMemory(configuration: configuration)
    at(10)
    #expect(try store.undoBlocking(since: Moment(microseconds: 0)) == nil)
    try store.performBlocking(.add(name: "tea"))
    at(20)
    try store.performBlocking(.rename(tea, to: "mate"))
    at(30)
    try store.performBlocking(.add(name: "jam"))
    #expect(try store.undoBlocking(since: Moment(microseconds: 31)) == nil)
    #expect(try store.undoBlocking(since: Moment(microseconds: 30)) != nil)
    #expect(try store.undoBlocking(since: Moment(microseconds: 30)) == nil)
    #expect(names(store) == ["mate 0"])
    at(40)
    try store.undoBlocking()
    try store.redoBlocking()
    try store.redoBlocking()
    // The changes of 20 and 30 were redone at 40, and one of them twice.
    try store.undoBlocking()
    try store.redoBlocking()
    #expect(names(store) == ["mate 0", "jam 0"])
    #expect(try store.undoBlocking(since: Moment(microseconds: 35)) == nil)
    #expect(try store.undoBlocking(since: Moment(microseconds: 20)) != nil)
    #expect(try store.undoBlocking(since: Moment(microseconds: 20)) != nil)
    #expect(try store.undoBlocking(since: Moment(microseconds: 20)) == nil)
    #expect(names(store) == ["tea 0"])
  }

  @Test func `each undo takes back one command, and each redo one undo`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    #expect(try store.undoBlocking() == nil)
    #expect(try store.redoBlocking() == nil)
    try store.performBlocking(.add(name: "tea"))
    try store.performBlocking(.together([.restock(tea, count: 9), .rename(tea, to: "mate")]))
    try store.performBlocking(.add(name: "jam"))
    try store.performBlocking(.move(from: tea, to: jam, count: 4))
    #expect(names(store) == ["mate 5", "jam 4"])
    #expect(try store.undoBlocking()?.facts.count == 1)
    #expect(names(store) == ["mate 9", "jam 0"])
    try store.undoBlocking()
    #expect(names(store) == ["mate 9"])
    try store.undoBlocking()
    #expect(names(store) == ["tea 0"])
    try store.redoBlocking()
    try store.redoBlocking()
    #expect(names(store) == ["mate 9", "jam 0"])
    try store.undoBlocking()
    try store.undoBlocking()
    try store.undoBlocking()
    #expect(try store.undoBlocking() == nil && names(store).isEmpty)
    for _ in 0..<4 { #expect(try store.redoBlocking() != nil) }
    #expect(try names(store) == ["mate 5", "jam 4"] && store.redoBlocking() == nil)
    #expect(store.state.total == 9)
  }

  @Test func `a change after an undo ends the redo, and a refused command does not`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    try store.performBlocking(.restock(tea, count: 9))
    try store.undoBlocking()
    _ = try? store.performBlocking(.sell(tea, count: 1), from: .scene)
    #expect(try store.redoBlocking() != nil)
    try store.undoBlocking()
    try store.performBlocking(.restock(tea, count: 2))
    #expect(try store.redoBlocking() == nil && names(store) == ["tea 2"])
    try store.undoBlocking()
    try store.undoBlocking()
    #expect(names(store) == [])
  }

  @Test func `a user undoes only own changes, and names what others changed since`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    let anna = try Kiosk.openBlocking(
      at: folder + "/store", configuration: configuration(user: "anna"))
    try anna.performBlocking(.add(name: "tea"))
    try anna.performBlocking(.together([.restock(tea, count: 9), .rename(tea, to: "mate")]))
    try anna.performBlocking(.add(name: "jam"))
    try anna.closeBlocking()
    let ben = try Kiosk.openBlocking(
      at: folder + "/store", configuration: configuration(user: "ben"))
    #expect(try ben.undoBlocking() == nil)
    try ben.performBlocking(.restock(tea, count: 1))
    try ben.performBlocking(.rename(jam, to: "safe"))
    try ben.closeBlocking()
    let again = try Kiosk.openBlocking(
      at: folder + "/store", configuration: configuration(user: "anna"))
    // The jam has another name than the item that was opened, so it is not removed.
    let bankUndo = try #require(try again.undoBlocking())
    let cashUndo = try #require(try again.undoBlocking())
    #expect(KioskApp.restored(in: bankUndo.facts[0])?.unrestored == [UnrestoredField(jam)])
    #expect(
      KioskApp.restored(in: cashUndo.facts[0])?.unrestored == [UnrestoredField(tea, "stock")])
    #expect(names(again) == ["tea 10", "safe 0"])
    for _ in 0..<2 { #expect(try again.redoBlocking() != nil) }
    #expect(names(again) == ["mate 10", "safe 0"])
    try again.closeBlocking()
  }

  @Test func `an undo leaves the fields that others changed since as they are`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    let anna = try Kiosk.openBlocking(
      at: folder + "/store", configuration: configuration(user: "anna"))
    try anna.performBlocking(.add(name: "tea"))
    try anna.performBlocking(.together([.restock(tea, count: 9), .rename(tea, to: "mate")]))
    try anna.closeBlocking()
    let ben = try Kiosk.openBlocking(
      at: folder + "/store", configuration: configuration(user: "ben"))
    try ben.performBlocking(.restock(tea, count: 1))
    try ben.closeBlocking()
    let again = try Kiosk.openBlocking(
      at: folder + "/store", configuration: configuration(user: "anna"))
    let done = try #require(try again.undoBlocking())
    #expect(names(again) == ["tea 10"])
    #expect(KioskApp.restored(in: done.facts[0])?.unrestored == [UnrestoredField(tea, "stock")])
    // The redo restores what the undo did, and nothing else.
    try again.redoBlocking()
    #expect(names(again) == ["mate 10"])
    try again.closeBlocking()
  }

  @Test func `a field that one edit cannot restore is left alone by the others`() throws {
    let store = try Store<UnguardedKiosk>.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    try store.performBlocking(
      .together([.restock(tea, count: 5), .restock(tea, count: 4), .rename(tea, to: "mate")]))
    // As another user would: the stock is now the one between the two deliveries.
    try store.sendBlocking([.stockChanged(tea, from: 9, to: 5)])
    let done = try #require(try store.undoBlocking())
    #expect(names(store) == ["tea 5"])
    #expect(KioskApp.restored(in: done.facts[0])?.unrestored == [UnrestoredField(tea, "stock")])
  }

  @Test func `a name that is taken meanwhile is left out, and the undo goes on`() throws {
    let store = try Store<UnguardedKiosk>.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "jam"))
    try store.performBlocking(.add(name: "tea"))
    try store.performBlocking(.rename(jam, to: "mate"))
    try store.sendBlocking([.added(KioskItemID(value: 2), name: "tea")])
    let done = try #require(try store.undoBlocking())
    #expect(KioskApp.restored(in: done.facts[0])?.unrestored == [UnrestoredField(jam, "name")])
    #expect(names(store) == ["jam 0", "mate 0", "tea 0"])
    // The item was opened as "tea", but is "mate" now.
    let opening = try #require(try store.undoBlocking())
    #expect(KioskApp.restored(in: opening.facts[0])?.unrestored == [UnrestoredField(jam)])
    try store.undoBlocking()
    #expect(try names(store) == ["mate 0", "tea 0"] && store.undoBlocking() == nil)
  }

  /// Record 2 is a change, 3 its fact, 4 the restore with the link, and 5 its fact.
  @Test(arguments: [Int64.min, -1, 0, 1, 2, 3, 4, 5, 99, .max], [false, true])
  func `a link to anything but an earlier command of the user is damage`(
    link: Int64, isRedo: Bool
  ) throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    let links = RestoreLinks(
      target: 2, isRedo: isRedo, nextUndo: isRedo ? nil : link, nextRedo: isRedo ? link : nil)
    try plant(links, in: store)
    // A redo takes back an undo, and record 2 is not an undo.
    if link == 2, !isRedo {
      #expect(try store.undoBlocking() != nil)
      return
    }
    let count = store.sequence
    for _ in 0..<2 {
      let error = #expect(throws: CommandError<KioskApp>.self) {
        try isRedo ? store.redoBlocking() : store.undoBlocking()
      }
      guard case .store(let failure)? = error, case .damaged = failure.code else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(store.sequence == count)
  }

  @Test func `a target that is not before the undo is damage`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    let links = RestoreLinks(target: 4, isRedo: false, nextUndo: 2, nextRedo: nil)
    try plant(links, in: store)
    #expect(throws: CommandError<KioskApp>.self) { try store.undoBlocking() }
  }

  /// Appends a restore without edits as the store would.
  private func plant(_ links: RestoreLinks, in store: Kiosk) throws {
    let restore = KioskCommand.restore(Restore(links: links, expectedCount: 1, edits: []))
    let batch = try store.writer.encodeChecked(restore, from: .undo)
    _ = try store.writer.commitBlocking(batch)
  }

  @Test func `a restore that a caller made is a change, and its links are not followed`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    let links = RestoreLinks(target: 999, isRedo: false, nextUndo: 1, nextRedo: nil)
    var changes = KioskItemChanges()
    changes.name = Change(from: "tea", to: "mate")
    let edit = KioskEdit.item(.changed(tea, changes))
    try store.performBlocking(
      .restore(Restore(links: links, expectedCount: 1, edits: [edit])), from: .commandLine)
    #expect(names(store) == ["mate 0"])
    try store.undoBlocking()
    #expect(names(store) == ["tea 0"])
    try store.undoBlocking()
    #expect(try store.undoBlocking() == nil && names(store).isEmpty)
  }

  /// An app that has retired a case of the kiosk's facts.
  private enum RetiringKiosk: KioskVariant {
    static var reducer: KioskReducer { KioskReducer() }
    static var decider: KioskDecider { KioskDecider() }
    static var retired: [CaseName: RetiredCase] { [CaseName("KioskAction", "pinned"): .skip] }
  }

  /// Appends a command of another build, with a fact whose case is retired, to a store.
  private func appendRetiredFact(to path: String) throws {
    guard case .record(let name, let aliases, var fields) = KioskAction.schema,
      case .union(let cases) = fields[0].type
    else {
      Issue.record("the facts are no enum")
      return
    }
    let pinned = Schema.record(name: "KioskAction_pinned", fields: [])
    fields[0] = Schema.Field("case", .union(cases + [pinned]))
    let schema = Schema.record(name: name, aliases: aliases, fields: fields)
    let storage = try LogStorage.open(at: path, access: .write)
    defer { storage.close() }
    try storage.append { appender throws(StoreError) in
      let number = try appender.schemaNumber(json: schema.text)
      let command = try appender.commandSchemaNumber(json: KioskCommand.schema.text)
      let session = appender.nextSequence
      var envelope = Envelope(
        session: session, moment: Moment(microseconds: 0), schema: number)
      let opened = SessionOpened(
        app: KioskApp.name, build: "older",
        actionSchema: schema.fingerprint(with: SHA256Hasher.self), stateSchema: .zero,
        reducer: .zero, scene: nil, zone: "", zoneDatabase: "",
        origin: SessionOrigin(login: "anna", host: "", process: 1),
        schemas: [
          NamedSchema(
            number: command, fingerprint: KioskCommand.schema.fingerprint(with: SHA256Hasher.self))
        ])
      try appender.append(opened, envelope)
      let bytes = KioskCommand.remove(tea).encoded()
      try appender.append(
        RecordedCommand(origin: .program, command: .init(schema: command, bytes: bytes)), envelope)
      envelope.startsBatch = false
      var writer = AvroWriter()
      writer.branch(cases.count)
      try appender.append(envelope, payload: writer.span)
      envelope.startsBatch = true
      try appender.append(SessionClosed(reason: .closed), envelope)
    }
  }

  @Test func `a change whose facts are retired is not passed over by an undo`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    let path = folder + "/store"
    let older = try Kiosk.openBlocking(at: path, configuration: configuration())
    try older.performBlocking(.add(name: "tea"))
    try older.performBlocking(.restock(tea, count: 9))
    try older.closeBlocking()
    try appendRetiredFact(to: path)
    let store = try Store<RetiringKiosk>.openBlocking(at: path, configuration: configuration())
    func expectIncompatible() throws {
      let error = #expect(throws: CommandError<RetiringKiosk>.self) { try store.undoBlocking() }
      guard case .store(let failure)? = error, failure.code == .incompatible else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(items(store.state).values.map(\.stock) == [9])
    }
    try expectIncompatible()
    #expect(try store.redoBlocking() == nil)
    // This holds after a change that can be taken back, too.
    try store.performBlocking(.restock(tea, count: 1))
    #expect(try store.undoBlocking() != nil)
    try expectIncompatible()
    #expect(try store.redoBlocking() != nil)
    try store.closeBlocking()
  }

  @Test func `refused commands are passed over without reading what follows them`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    try store.performBlocking(.restock(tea, count: 9))
    let before = store.sequence
    let count = 3_000
    for _ in 0..<count { _ = try? store.performBlocking(.sell(tea, count: 99), from: .scene) }
    #expect(store.sequence == before + UInt64(count))
    try store.storage.withReadView { view throws(StoreError) in
      var search = try UndoSearch<KioskApp>(view, login: "anna")
      let restore = try search.restore(isRedo: false, count: 2, view)
      #expect(restore?.links.target == 4 && restore?.links.nextUndo == 2)
      #expect(search.commandsRead == 2 && search.recordsVisited <= count + 1_100)
    }
    try store.undoBlocking()
    #expect(names(store) == ["tea 0"])
  }

  @Test func `without a login name nothing is undone`() throws {
    let store = try Kiosk.inMemory(configuration: configuration(user: ""))
    try store.performBlocking(.add(name: "tea"))
    let error = #expect(throws: CommandError<KioskApp>.self) { try store.undoBlocking() }
    guard case .store(let failure)? = error, failure.code == .invalidConfiguration else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a change that is too long to be taken back is a clear error`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    let long = String(repeating: "x", count: 60_000)
    for index in 0..<20 { try store.performBlocking(.add(name: "\(index)\(long)")) }
    try store.performBlocking(
      .together((0..<20).map { .rename(KioskItemID(value: $0), to: "\($0)") }))
    let error = #expect(throws: CommandError<KioskApp>.self) { try store.undoBlocking() }
    guard case .store(let failure)? = error, failure.code == .recordTooLarge else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.why.contains("too many edits"))
  }

  @Test func `a fact between making and deciding an undo makes it again`() async throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    for _ in 0..<20 { try store.performBlocking(.restock(tea, count: 1)) }
    let item = tea
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<5 { _ = try await store.undo() } }
        group.addTask {
          for _ in 0..<5 { try await store.perform(.restock(item, count: 100)) }
        }
      }
      try await group.waitForAll()
    }
    // 40 deliveries and 20 undos, each of one delivery: 20 remain, whichever they are.
    var undone = 0
    while try store.undoBlocking() != nil { undone += 1 }
    #expect(undone == 21 && names(store) == [])
  }

  @Test func `undoing everything gives the items of the start, and redoing it those of the end`()
    throws
  {
    try withSeed { random in
      let store = try Kiosk.inMemory(configuration: configuration())
      var states: [[KioskItemID: KioskItem]] = []
      for _ in 0..<60 {
        let before = items(store.state)
        let command = KioskCommand.random(using: &random)
        guard let done = try? store.performBlocking(command), !done.facts.isEmpty else { continue }
        states.append(before)
      }
      let end = items(store.state)
      for state in states.reversed() {
        _ = try #require(try store.undoBlocking())
        #expect(items(store.state) == state)
      }
      #expect(try store.undoBlocking() == nil)
      #expect(items(store.state) == [:] && KioskApp.violations(of: store.state) == [])
      for state in states.dropFirst() + [end] {
        _ = try #require(try store.redoBlocking())
        #expect(items(store.state) == state)
      }
      #expect(try store.redoBlocking() == nil)
      // Any walk of undos and redos leads through the same states.
      var place = states.count
      let all = states + [end]
      for _ in 0..<100 {
        let goesBack = Bool.random(using: &random)
        let done = goesBack ? try store.undoBlocking() : try store.redoBlocking()
        #expect((done != nil) == (goesBack ? place > 0 : place < states.count))
        if done != nil { place += goesBack ? -1 : 1 }
        #expect(items(store.state) == all[place])
      }
    }
  }

  @Test(arguments: 1...20)
  func `undoing everything keeps what another user changed in between, and names it`(
    seed: UInt64
  ) throws {
    try withSeed(default: seed) { random in
      let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
      defer { try? FileSystem.removeTree(folder) }
      // The fields that the other user was the last to change, with their values.
      var others: [String: String] = [:]
      // The user's own changes, in order.
      var own: [[KioskEdit]] = []
      var sessions = 0
      while sessions < 12 || others.isEmpty {
        sessions += 1
        let isOther = Bool.random(using: &random)
        let store = try Kiosk.openBlocking(
          at: folder + "/store", configuration: configuration(user: isOther ? "ben" : "anna"))
        for _ in 0..<8 {
          let command = KioskCommand.random(using: &random)
          guard let done = try? store.performBlocking(command) else { continue }
          let edits = done.facts.flatMap { KioskApp.edits(of: $0) }
          if !isOther && !edits.isEmpty { own.append(edits) }
          for case .item(let edit) in edits {
            for (field, value) in fields(of: edit.id, in: store.state) {
              let isChanged = edit.fields.contains { $0.field.map(field.hasSuffix) ?? false }
              if case .changed = edit, !isChanged { continue }
              others[field] = isOther ? value : nil
            }
          }
        }
        try store.closeBlocking()
      }
      let store = try Kiosk.openBlocking(
        at: folder + "/store", configuration: configuration(user: "anna"))
      while let undone = try store.undoBlocking() {
        let change = try #require(own.last)
        own.removeLast()
        try expectNamed(change, undone.facts)
        for id: Int64 in 0..<64 {
          for (field, value) in fields(of: KioskItemID(value: id), in: store.state) {
            if let kept = others[field] { #expect(value == kept, "\(field)") }
          }
        }
        #expect(KioskApp.violations(of: store.state) == [])
      }
      #expect(own.isEmpty)
      try store.closeBlocking()
    }
  }

  /// Checks that the fact of an undo restores or names each field of the change.
  private func expectNamed(_ change: [KioskEdit], _ facts: [KioskAction]) throws {
    guard case .fact(.restored(let restored))? = facts.first, facts.count == 1 else {
      Issue.record("\(facts) is no undo")
      return
    }
    let (done, named) = (Set(restored.edits.flatMap(\.fields)), Set(restored.unrestored))
    var wanted: Set<UnrestoredField> = []
    for field in change.flatMap(\.inverted.fields) {
      var entity = field
      entity.field = nil
      #expect(done.contains(field) || named.contains(field) || named.contains(entity), "\(field)")
      wanted.formUnion([field, entity])
    }
    #expect(done.union(named).isSubset(of: wanted))
  }

  @Test
  func `after a million changes, each undo still reads as little as after a thousand`() throws {
    let store = try Kiosk.inMemory(configuration: configuration())
    let count = repetitions(1_000_000, few: 5_000)
    try store.performBlocking(.add(name: "tea"))
    for _ in 0..<count { try store.performBlocking(.restock(tea, count: 1)) }
    for undone in 1...100 {
      try store.undoBlocking()
      #expect(store.state.total == Int64(count - undone))
    }
    try store.storage.withReadView { view throws(StoreError) in
      var search = try UndoSearch<KioskApp>(view, login: "anna")
      _ = try search.restore(isRedo: false, count: 0, view)
      // Whatever the log's length: each of two searches looks at no more than one span of records.
      #expect(search.commandsRead <= 3 && search.recordsVisited <= 2 * 1_024)
      _ = try search.restore(isRedo: true, count: 0, view)
      #expect(search.commandsRead <= 5 && search.recordsVisited <= 4 * 1_024)
      let (commands, records) = (search.commandsRead, search.recordsVisited)
      print("two searches read \(commands) commands, \(records) of \(store.sequence) records")
    }
    for redone in 1...100 {
      try store.redoBlocking()
      #expect(store.state.total == Int64(count - 100 + redone))
    }
    #expect(try store.redoBlocking() == nil)
  }

  @Test func `an undo is recorded with its origin, and goes on after a restart`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    let store = try Kiosk.openBlocking(at: folder + "/store", configuration: configuration())
    try store.performBlocking(.add(name: "tea"))
    let undone = try #require(try store.undoBlocking())
    try store.redoBlocking()
    let origin = try store.storage.withReadView { view throws(StoreError) in
      try view.withRecord(at: undone.receipt.sequences.lowerBound) { record in
        try? record.systemPayload(as: RecordedCommand.self).origin
      }
    }
    #expect(origin == .undo)
    let state = store.state
    try store.closeBlocking()
    let again = try Kiosk.openBlocking(at: folder + "/store", configuration: configuration())
    #expect(again.state == state)
    #expect(try again.undoBlocking() != nil && again.undoBlocking() == nil)
    try again.closeBlocking()
  }
}
