import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceSchema
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceFixtures
import Testing

/// Actions that could not be read back are refused before they are appended.
@Suite struct UnreadableActionTests {
  @Test func `an action beyond the limits of values is refused, and one within them is read back`()
    throws
  {
    let store = try Store<ChainApp>.open(
      over: try LogStorage.inMemory(),
      configuration: StoreConfiguration(clock: { Moment(microseconds: 1) }))
    // A link is a record, a union and a record.
    let most = AvroLimits.depth / 3 - 1
    for (action, isRead) in [
      (Chain.links(most), true), (.links(most + 1), false), (.links(2_000), false),
      (.empties(AvroLimits.emptyItems), true), (.empties(AvroLimits.emptyItems + 1), false),
    ] {
      let sequence = store.sequence
      if isRead {
        try store.sendBlocking([action])
        #expect(store.sequence > sequence)
        continue
      }
      do throws(StoreError) {
        try store.sendBlocking([.links(1), action])
        Issue.record("it was acknowledged")
      } catch {
        #expect(error.code == .recordTooLarge && error.why.contains("exceeds a limit of decoding"))
      }
      do throws(TransactionError<Never>) {
        try store.transactBlocking { (_, _) throws(Never) in [action] }
        Issue.record("it was acknowledged")
      } catch {
        guard case .store(let error) = error else {
          Issue.record("it was refused")
          continue
        }
        #expect(error.code == .recordTooLarge)
      }
      #expect(store.sequence == sequence)
    }
    // Every record is read by its type, by its schema, and once more by resolution.
    let codec = try SchemaCodec(Chain.schema)
    let resolver = try SchemaResolver(writer: Chain.schema, reader: Chain.schema)
    var actions = 0
    try store.storage.withReadView { (view) throws(StoreError) in
      try view.verify()
      try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, payload in
        guard envelope.kind == .action else { return }
        actions += 1
        #expect(throws: Never.self) {
          _ = try Chain(encoded: payload)
          _ = try codec.decode(payload)
          try codec.check(payload)
          var writer = AvroWriter()
          #expect(try resolver.resolve(payload, into: &writer) == .resolved)
        }
      }
    }
    #expect(actions == 2)
    try store.closeBlocking()
  }
}

/// An action that may be nested without end.
private indirect enum Chain {
  case end
  case link(Chain)
  case list([Nothing])

  struct Nothing {
    static var recordedName: String { "Nothing" }
    static func schema(in composer: inout SchemaComposer) -> Schema {
      composer.named(recordedName, for: Self.self) { _ in
        .record(name: recordedName, fields: [])
      }
    }
    func encode(into writer: inout AvroWriter) {}
    init() {}
    init(decoding reader: inout AvroReader) throws(AvroError) {}
  }

  static func links(_ count: Int) -> Chain {
    var chain = Chain.end
    for _ in 0..<count { chain = .link(chain) }
    return chain
  }

  static func empties(_ count: Int) -> Chain {
    .list(Array(repeating: Nothing(), count: count))
  }

  static var recordedName: String { "Chain" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      let list = composer.schema(of: [Nothing].self)
      return .record(
        name: recordedName,
        fields: [
          .init(
            "case",
            .union([
              composer.caseRecord("Chain_end", []),
              composer.caseRecord("Chain_link", [.init("_0", .reference(recordedName))]),
              composer.caseRecord("Chain_list", [.init("_0", list)]),
            ]))
        ])
    }
  }

  func encode(into writer: inout AvroWriter) {
    switch self {
    case .end: writer.branch(0)
    case .link(let next):
      writer.branch(1)
      next.encode(into: &writer)
    case .list(let items):
      writer.branch(2)
      items.encode(into: &writer)
    }
  }

  init(decoding reader: inout AvroReader) throws(AvroError) {
    try reader.enter()
    switch try reader.branch(count: 3) {
    case 0: self = .end
    case 1: self = .link(try reader.read())
    default: self = .list(try reader.read())
    }
    reader.leave()
  }
}

private enum ChainApp: ReplayableApp {
  struct State {
    var count: Int64 = 0
    static var recordedName: String { "ChainState" }
    static func stateSchema(in composer: inout SchemaComposer) -> Schema {
      composer.named(recordedName, for: Self.self) { _ in
        .record(name: recordedName, fields: [.init("count", .long)])
      }
    }
    init() {}
    func encodeScalars(into writer: inout AvroWriter) { count.encode(into: &writer) }
    init(decodingScalars reader: inout AvroReader) throws(AvroError) { count = try reader.read() }
    mutating func visitTables(_ visitor: inout some TableVisitor) {}
    func encodeWhole(into writer: inout AvroWriter) { count.encode(into: &writer) }
  }

  struct Counting: Reducer {
    func reduce(_ state: inout State, _ action: Chain, at moment: Moment) -> Effect<Chain, Never> {
      state.count += 1
      return .none
    }
  }

  static var name: String { "chain" }
  static var build: String { "tests" }
  static var reducer: Counting { Counting() }
  static var initialState: State { State() }
  static func scenes(in state: State) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: State) -> BackStack<CounterRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}

// In extensions, so that the generator leaves them alone.
extension Chain: Recordable, Hashable {}
extension Chain.Nothing: Recordable, Hashable {}
extension ChainApp.State: RecordedState {}
