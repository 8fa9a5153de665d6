import Retrace
import RetraceBundle
import RetraceFixtures
import RetraceRandom

/// A log of counters in memory with a state hash at every tenth record, its bundle and its states.
struct PageSample {
  private(set) var bundle: [UInt8] = []
  private(set) var head = Head.empty
  /// The state after each record; the first one is the one before the log.
  private(set) var states = [CounterApp.initialState]
  private var blocks: [(first: UInt64, bytes: [UInt8])] = []
  private var moment = Moment(microseconds: 1_700_000_000_000_000)

  /// Makes a log of random actions.
  ///
  /// - Parameters:
  ///   - actions: The number of actions.
  ///   - wrongHash: A record whose state hash is another state's; it is a multiple of ten.
  ///   - message: The message of the bundle.
  ///   - random: The source of the actions.
  init(
    actions: Int, wrongHash: UInt64 = 0, message: String = "", using random: inout SeededGenerator
  ) throws {
    let store = StoreID(1, 2)
    var builder = BlockBuilder<SwiftHasher>(store: store, startingAt: 1, after: .zero)
    var composer = SchemaComposer()
    let opened = SessionOpened(
      app: CounterApp.name, build: CounterApp.build,
      actionSchema: CounterAction.schema.fingerprint(with: SwiftHasher.self),
      stateSchema: CounterState.stateSchema(in: &composer).fingerprint(with: SwiftHasher.self),
      reducer: .zero, scene: nil, zone: "UTC", zoneDatabase: "")
    try append(
      Envelope(kind: .sessionOpened, session: 1, moment: moment, schema: 1), opened.encoded(),
      to: &builder)
    var fold = Fold<CounterApp>()
    fold.skip(1)
    states.append(fold.state)
    for _ in 0..<actions {
      let sequence = builder.sequence
      moment.microseconds += Int64.random(in: 0...1_000_000, using: &random)
      let action = CounterAction.random(on: fold.state, using: &random)
      let before = StateHasher.hash(&fold.state, with: SwiftHasher.self)
      _ = fold.apply(action, at: moment, sequence: sequence)
      states.append(fold.state)
      var envelope = Envelope(session: 1, moment: moment, schema: 1)
      if sequence % 10 == 0 {
        envelope.stateHash =
          sequence == wrongHash ? before : StateHasher.hash(&fold.state, with: SwiftHasher.self)
      }
      try append(envelope, action.encoded(), to: &builder)
    }
    finishBlock(of: &builder)
    head = Head(
      sequence: builder.sequence - 1, chain: builder.finish(), moment: moment,
      lastBlockKey: builder.firstSequence)
    var writer = BundleWriter<SwiftHasher>(
      BundleHeader(app: CounterApp.name, store: store, contents: .original, message: message))
    writer.append(schema: CounterAction.schema.text, kind: .action, number: 1)
    for block in blocks { writer.append(block: block.bytes.span, first: block.first) }
    writer.finish(head)
    var file: [UInt8] = []
    writer.drain { part in for index in part.indices { file.append(part[index]) } }
    bundle = file
  }

  private mutating func append(
    _ envelope: Envelope, _ payload: [UInt8], to builder: inout BlockBuilder<SwiftHasher>
  ) throws {
    if try builder.append(envelope, payload: payload.span) { return }
    finishBlock(of: &builder)
    builder.startNext()
    _ = try builder.append(envelope, payload: payload.span)
  }

  private mutating func finishBlock(of builder: inout BlockBuilder<SwiftHasher>) {
    _ = builder.finish()
    let block = builder.bytes
    blocks.append((builder.firstSequence, block.indices.map { block[$0] }))
  }
}
