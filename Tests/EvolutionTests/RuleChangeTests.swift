import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceSchema
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

/// Logs of a type that was replaced by one with the same schema and other valid values.
@Suite struct RuleChangeTests {
  @Test func `a list that became a set is read as one, and the verdict says so`() throws {
    let lists: [[Int64]] = [[3, 1], [1, 1], [], [2, 5, 2]]
    try withLog(of: lists, as: ChangeApp<[Int64], Nothing>.self) { storage in
      try expect(ChangeApp<Set<Int64>, Nothing>.self, on: storage, "needs checking")
      var replayer = try Replayer<ChangeApp<Set<Int64>, Nothing>>(storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.state.values == lists.map { Set($0).encoded() })
    }
  }

  @Test func `a number that became a byte is read if it fits; if not, the log is not damaged`()
    throws
  {
    let numbers: [Int32] = [0, 255, 7]
    try withLog(of: numbers, as: ChangeApp<Int32, Nothing>.self) { storage in
      var replayer = try Replayer<ChangeApp<UInt8, Nothing>>(storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.state.values == numbers.map { $0.encoded() })
    }
    try withLog(of: numbers + [300, -1], as: ChangeApp<Int32, Nothing>.self) { storage in
      try expect(ChangeApp<UInt8, Nothing>.self, on: storage, "needs checking")
      var replayer = try Replayer<ChangeApp<UInt8, Nothing>>(storage)
      do throws(StoreError) {
        try replayer.seek(to: replayer.last)
        Issue.record("300 was read as a byte")
      } catch {
        #expect(error.code == .incompatible)
        #expect(error.why.contains("Record 5") && error.why.contains("`byte`"))
      }
      // Only a number that is no byte goes through the upcaster.
      try expect(ChangeApp<UInt8, Clamping>.self, on: storage, "fine")
      var clamped = try Replayer<ChangeApp<UInt8, Clamping>>(storage)
      try clamped.seek(to: clamped.last)
      #expect(clamped.state.values == [0, 255, 7, 99, 99].map { UInt8($0).encoded() })
    }
  }

  @Test func `a type with a rule of its own is read where a value satisfies the rule`() throws {
    let numbers: [Int32] = [0, 100, 101]
    try withLog(of: numbers, as: ChangeApp<Int32, Nothing>.self) { storage in
      try expect(ChangeApp<Share, Nothing>.self, on: storage, "needs checking")
      var replayer = try Replayer<ChangeApp<Share, Nothing>>(storage)
      try replayer.seek(to: 3)
      #expect(replayer.state.values.count == 2)
      do throws(StoreError) {
        try replayer.seek(to: replayer.last)
        Issue.record("101 was read as a share")
      } catch {
        #expect(error.code == .incompatible && error.why.contains("`Share`"))
      }
    }
  }

  @Test func `a log that was recorded before there were rules is read as it is`() throws {
    typealias App = ChangeApp<Set<Int64>, Nothing>
    let directory = try FileSystem.makeTemporaryDirectory("retrace-rules-")
    defer { try? FileSystem.removeTree(directory) }
    let path = directory + "/store"
    let storage = try LogStorage.open(at: path, access: .create)
    let text = App.Action.schema.text.replacing(#","retraceRule":"set""#, with: "")
    #expect(try Schema(parsing: text).canonicalForm == App.Action.schema.canonicalForm)
    #expect(text != App.Action.schema.text)
    let sets: [Set<Int64>] = [[3, 1], [], [2, 5]]
    try storage.append { appender throws(StoreError) in
      let number = try appender.schemaNumber(json: text)
      let session = appender.nextSequence
      let opened = SessionOpened(
        app: "change", build: "",
        actionSchema: App.Action.schema.fingerprint(with: SHA256Hasher.self),
        stateSchema: .zero, reducer: .zero, scene: nil, zone: "UTC", zoneDatabase: "")
      let moment = Moment(microseconds: 0)
      try appender.append(opened, Envelope(session: session, moment: moment, schema: number))
      for set in sets {
        let bytes = Change(id: BookID(value: 1), value: set).encoded()
        try appender.append(
          Envelope(session: session, moment: moment, schema: number), payload: bytes.span)
      }
    }
    storage.close()
    // The log is opened for writing and continued; the schema of the new session has the rules.
    let store = try Store<App>.openBlocking(
      at: path, creating: false, configuration: .init(clock: { Moment(microseconds: 0) }))
    try store.sendBlocking([Change(id: BookID(value: 2), value: [9, 8])])
    #expect(store.state.values == (sets + [[8, 9]]).map { $0.encoded() })
    try store.closeBlocking()
    let reading = try LogStorage.open(at: path, access: .read)
    defer { reading.close() }
    let plan = try reading.withReadView { (view) throws(StoreError) in
      try view.plan(for: App.self)
    }
    #expect(plan.schemas.map(\.verdict.name) == ["needs checking", "same"])
    #expect(plan.decodesDirectly(1) && plan.decodesDirectly(2))
    #expect(plan.schemas[0].fingerprint == plan.schemas[1].fingerprint)
    #expect(try Verifier<App>.verify(reading).firstDivergence == nil)
  }

  @Test func `a retired case may lose ids, but no other values`() throws {
    let edits: [[OldPart]] = [[.text("x"), .billable(true)], [.text("y")]]
    try withLog(of: edits, as: ChangeApp<[OldPart], Nothing>.self) { storage in
      // The text beside it would be lost.
      try expect(ChangeApp<[NewPart], Retiring>.self, on: storage, "needs upcaster")
      do throws(StoreError) {
        _ = try Replayer<ChangeApp<[NewPart], Retiring>>(storage)
        Issue.record("a retired case took a text with it")
      } catch {
        #expect(error.code == .incompatible && error.why.contains("would also lose the values"))
      }
    }
    try withLog(
      of: [OldPart.text("x"), .billable(true)], as: ChangeApp<OldPart, Nothing>.self
    ) { storage in
      try expect(ChangeApp<NewPart, Retiring>.self, on: storage, "fine")
      let verification = try Verifier<ChangeApp<NewPart, Retiring>>.verify(storage)
      #expect(verification.skipped == [CaseName("Part", "billable"): 1])
      var replayer = try Replayer<ChangeApp<NewPart, Retiring>>(storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.state.values == [NewPart.text("x").encoded()])
    }
  }

  /// Gives a body a log of one change for each value, written by an app.
  private func withLog<Value: Recordable, Handling: Handler>(
    of values: [Value], as app: ChangeApp<Value, Handling>.Type,
    _ body: (LogStorage) throws -> Void
  ) throws {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-rules-")
    defer { try? FileSystem.removeTree(directory) }
    let store = try Store<ChangeApp<Value, Handling>>.openBlocking(
      at: directory + "/store", configuration: .init(clock: { Moment(microseconds: 0) }))
    for value in values { try store.sendBlocking([Change(id: BookID(value: 1), value: value)]) }
    try store.closeBlocking()
    let storage = try LogStorage.open(at: directory + "/store", access: .read)
    defer { storage.close() }
    try body(storage)
  }

  private func expect<App: ReplayableApp>(
    _ app: App.Type, on storage: LogStorage, _ verdict: String
  ) throws {
    let plan = try storage.withReadView { (view) throws(StoreError) in
      try view.planWithVerdicts(for: App.self)
    }
    #expect(plan.schemas.map(\.verdict.name) == [verdict], "\(plan.schemas.map(\.verdict))")
  }
}

/// An enum of one case, which names an entity and holds a value of any type.
private struct Change<Value: Recordable> {
  var id: BookID
  var value: Value

  init(id: BookID, value: Value) {
    self.id = id
    self.value = value
  }

  static var recordedName: String { "Change" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let fields: [Schema.Field] = [
        .init("id", composer.schema(of: BookID.self)),
        .init("value", composer.schema(of: Value.self)),
      ]
      return .record(
        name: recordedName,
        fields: [.init("case", .union([composer.caseRecord("Change_put", fields)]))])
    }
  }
  func encode(into writer: inout AvroWriter) {
    writer.branch(0)
    id.encode(into: &writer)
    value.encode(into: &writer)
  }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    _ = try reader.branch(count: 1)
    id = try reader.read()
    value = try reader.read()
  }
}

/// A number from 0 to 100.
private struct Share {
  var value: Int32
  static var recordedName: String { "Share" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .int }
  func encode(into writer: inout AvroWriter) { value.encode(into: &writer) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    value = try reader.int()
    if !(0...100).contains(value) { throw AvroError(.outOfRange, at: start, "share") }
  }
}

private enum OldPart {
  case text(String)
  case billable(Bool)

  static var recordedName: String { "Part" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          .init(
            "case",
            .union([
              composer.caseRecord("Part_text", [.init("_0", .string)]),
              composer.caseRecord("Part_billable", [.init("_0", .boolean)]),
            ]))
        ])
    }
  }
  func encode(into writer: inout AvroWriter) {
    switch self {
    case .text(let text):
      writer.branch(0)
      writer.string(text)
    case .billable(let isBillable):
      writer.branch(1)
      writer.boolean(isBillable)
    }
  }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    self =
      try reader.branch(count: 2) == 0
      ? .text(try reader.string()) : .billable(try reader.boolean())
  }
}

private enum NewPart {
  case text(String)

  static var recordedName: String { "Part" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          .init("case", .union([composer.caseRecord("Part_text", [.init("_0", .string)])]))
        ])
    }
  }
  func encode(into writer: inout AvroWriter) {
    writer.branch(0)
    if case .text(let text) = self { writer.string(text) }
  }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    _ = try reader.branch(count: 1)
    self = .text(try reader.string())
  }
}

/// What an app prepares for older logs.
private protocol Handler: Sendable {
  static func upcasters<Value>(
    of value: Value.Type
  ) -> [CaseName: Upcaster<Change<Value>>]
  static var retired: [CaseName: RetiredCase] { get }
}

extension Handler {
  static func upcasters<Value>(of value: Value.Type) -> [CaseName: Upcaster<Change<Value>>] { [:] }
  static var retired: [CaseName: RetiredCase] { [:] }
}

private enum Nothing: Handler {}

private enum Retiring: Handler {
  static var retired: [CaseName: RetiredCase] { [CaseName("Part", "billable"): .skip] }
}

private enum Clamping: Handler {
  static func upcasters<Value>(of value: Value.Type) -> [CaseName: Upcaster<Change<Value>>] {
    [
      CaseName("Change", "put"): { put, _ throws(AvroError) in
        // 99 for a number that is no byte.
        let bytes = Int32(99).encoded()
        let id = BookID(value: try put.integer(at: "id", "value"))
        return [Change(id: id, value: try Value(encoded: bytes.span))]
      }
    ]
  }
}

private enum ChangeApp<Value: Recordable, Handling: Handler>: ReplayableApp {
  struct State {
    /// The values in the order in which they came, encoded.
    var values: [[UInt8]] = []

    static var recordedName: String { "ChangeState" }
    static func stateSchema(in composer: inout SchemaComposer) -> Schema {
      composer.named(recordedName, for: Self.self) { composer in
        .record(
          name: recordedName, fields: [.init("values", composer.schema(of: [[UInt8]].self))])
      }
    }
    init() {}
    func encodeScalars(into writer: inout AvroWriter) { values.encode(into: &writer) }
    init(decodingScalars reader: inout AvroReader) throws(AvroError) {
      values = try reader.read()
    }
    mutating func visitTables(_ visitor: inout some TableVisitor) {}
    func encodeWhole(into writer: inout AvroWriter) { values.encode(into: &writer) }
  }

  struct Keeping: Reducer {
    func reduce(
      _ state: inout State, _ action: Change<Value>, at moment: Moment
    ) -> Effect<Change<Value>, Never> {
      state.values.append(action.value.encoded())
      return .none
    }
  }

  static var name: String { "change" }
  static var build: String { "tests" }
  static var reducer: Keeping { Keeping() }
  static var initialState: State { State() }
  static var upcasters: [CaseName: Upcaster<Change<Value>>] { Handling.upcasters(of: Value.self) }
  static var retired: [CaseName: RetiredCase] { Handling.retired }
  static func scenes(in state: State) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: State) -> BackStack<CounterRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}

/// The history of schemas of an app whose types have rules.
@Suite struct RuleHistoryTests {
  @Test func `a schema that was released before there were rules gets them when it is written`()
    throws
  {
    typealias App = ChangeApp<Set<Int64>, Nothing>
    let folder = try FileSystem.makeTemporaryDirectory("retrace-schemas-")
    defer { try? FileSystem.removeTree(folder) }
    let (file, isNew) = try SchemaHistory<App>.write(to: folder)
    #expect(isNew)
    #expect(try !SchemaHistory<App>.write(to: folder).isNew)
    let path = "\(folder)/\(file)"
    let text = try String(decoding: FileSystem.readWhole(path, limitBytes: 1 << 20), as: UTF8.self)
    let old = [UInt8](text.replacing(#""retraceRule":"set""#, with: #""note":"""#).utf8)
    try FileSystem.unlink(path)
    let opened = try OpenFile.open(path, [.write, .create, .exclusive], mode: 0o644)
    try opened.write(old.span, at: 0)
    let before = try SchemaHistory<App>(folder: folder)
    #expect(before.entries.map(\.verdict.name) == ["needs checking"])
    #expect(!before.containsCurrent && before.unreadable.isEmpty)
    #expect(try SchemaHistory<App>.write(to: folder).isNew)
    let after = try SchemaHistory<App>(folder: folder)
    #expect(after.entries.map(\.verdict) == [.same] && after.containsCurrent)
  }
}

// In extensions, so that the generator leaves them alone.
extension Change: Recordable {}
extension Share: Recordable {}
extension OldPart: Recordable {}
extension NewPart: Recordable {}
extension ChangeApp.State: RecordedState {}
