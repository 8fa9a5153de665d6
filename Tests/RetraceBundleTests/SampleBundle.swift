import Retrace
import RetraceBundle
import RetraceFixtures
import RetraceRandom

/// A log of counters in memory, and its bundle.
struct SampleBundle {
  static let store = StoreID(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)
  static let zone: [UInt8] = Array("TZif of a place".utf8)

  private(set) var bytes: [UInt8] = []
  private(set) var blocks: [(first: UInt64, bytes: [UInt8])] = []
  private(set) var head = Head.empty
  private(set) var state = CounterApp.initialState

  /// Makes a log of random actions.
  init(actions: Int, using random: inout SeededGenerator) throws {
    var builder = BlockBuilder<SwiftHasher>(
      store: Self.store, startingAt: 1, after: .zero)
    let schema = CounterAction.schema
    var fold = Fold<CounterApp>()
    var moment = Moment(microseconds: 1_700_000_000_000_000)
    let opened = SessionOpened(
      app: CounterApp.name, build: CounterApp.build,
      actionSchema: schema.fingerprint(with: SwiftHasher.self), stateSchema: .zero,
      reducer: .zero, scene: nil, zone: "UTC", zoneDatabase: "")
    try append(
      Envelope(kind: .sessionOpened, session: 1, moment: moment, schema: 1), opened.encoded(),
      to: &builder)
    fold.skip(1)
    for _ in 0..<actions {
      let sequence = builder.sequence
      moment.microseconds += Int64.random(in: -1_000...1_000_000, using: &random)
      let action = CounterAction.random(on: fold.state, using: &random)
      _ = fold.apply(action, at: moment, sequence: sequence)
      try append(
        Envelope(session: 1, moment: moment, schema: 1), action.encoded(), to: &builder)
    }
    let (first, chain) = (builder.firstSequence, builder.finish())
    keep(builder.bytes, first)
    state = fold.state
    head = Head(
      sequence: builder.sequence - 1, chain: chain, moment: moment, lastBlockKey: first)
    var writer = BundleWriter<SwiftHasher>(Self.header)
    writer.append(schema: schema.text, kind: .action, number: 1)
    writer.append(schema: "\"long\"", kind: .state, number: 1)
    writer.append(zoneFile: Self.zone, name: "Europe/Berlin")
    for block in blocks { writer.append(block: block.bytes.span, first: block.first) }
    writer.finish(head)
    var file: [UInt8] = []
    writer.drain { part in for index in part.indices { file.append(part[index]) } }
    bytes = file
  }

  static var header: BundleHeader {
    BundleHeader(
      app: CounterApp.name, store: store, contents: .redacted, allowed: ["CounterEntity.name"],
      message: "It counts twice: \u{1b}[31mno\u{202e}")
  }

  private mutating func append(
    _ envelope: Envelope, _ payload: [UInt8], to builder: inout BlockBuilder<SwiftHasher>
  ) throws {
    if try builder.append(envelope, payload: payload.span) { return }
    _ = builder.finish()
    keep(builder.bytes, builder.firstSequence)
    builder.startNext()
    _ = try builder.append(envelope, payload: payload.span)
  }

  private mutating func keep(_ block: Span<UInt8>, _ first: UInt64) {
    blocks.append((first, block.indices.map { block[$0] }))
  }
}
