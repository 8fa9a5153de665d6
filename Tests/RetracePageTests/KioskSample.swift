import Retrace
import RetraceBundle
import RetraceFixtures
import RetraceRandom

/// A log of random commands of the kiosk in memory, with a state hash after each batch.
struct KioskSample {
  /// A command, and the first record of its batch.
  struct Step: Equatable {
    var record: UInt64
    var command: KioskCommand
    var moment: Moment
  }

  private(set) var bundle: [UInt8] = []
  private(set) var steps: [Step] = []

  /// Makes a log of one session, recorded by a build with a reducer.
  init(
    commands: Int, reducer: Digest = KioskApp.reducerFingerprint,
    using random: inout SeededGenerator
  ) throws {
    let store = StoreID(3, 4)
    var builder = BlockBuilder<SwiftHasher>(store: store, startingAt: 1, after: .zero)
    var composer = SchemaComposer()
    let schemas = [KioskCommand.schema, KioskRefusal.schema]
    var moment = Moment(microseconds: 1_700_000_000_000_000)
    let opened = SessionOpened(
      app: KioskApp.name, build: KioskApp.build,
      actionSchema: KioskAction.schema.fingerprint(with: SwiftHasher.self),
      stateSchema: KioskState.stateSchema(in: &composer).fingerprint(with: SwiftHasher.self),
      reducer: reducer, scene: nil, zone: "UTC", zoneDatabase: "",
      origin: SessionOrigin(login: "ada", host: "home", process: 7),
      schemas: schemas.enumerated().map { index, schema in
        NamedSchema(
          number: UInt32(index + 1), fingerprint: schema.fingerprint(with: SwiftHasher.self))
      })
    _ = try builder.append(
      Envelope(kind: .sessionOpened, session: 1, moment: moment, schema: 1),
      payload: opened.encoded().span)
    var fold = Fold<KioskApp>()
    fold.skip(1)
    for _ in 0..<commands {
      moment.microseconds += Int64.random(in: 0...1_000_000, using: &random)
      let step = Step(
        record: builder.sequence, command: .random(using: &random), moment: moment)
      steps.append(step)
      try Self.append(step, to: &builder, &fold)
    }
    let chain = builder.finish()
    let head = Head(
      sequence: builder.sequence - 1, chain: chain, moment: moment,
      lastBlockKey: builder.firstSequence)
    var writer = BundleWriter<SwiftHasher>(
      BundleHeader(app: KioskApp.name, store: store, contents: .original))
    writer.append(schema: KioskAction.schema.text, kind: .action, number: 1)
    for (index, schema) in schemas.enumerated() {
      writer.append(schema: schema.text, kind: .command, number: UInt32(index + 1))
    }
    writer.append(block: builder.bytes, first: builder.firstSequence)
    writer.finish(head)
    var file: [UInt8] = []
    writer.drain { part in for index in part.indices { file.append(part[index]) } }
    bundle = file
  }

  private static func append(
    _ step: Step, to builder: inout BlockBuilder<SwiftHasher>, _ fold: inout Fold<KioskApp>
  ) throws {
    var facts: [KioskAction] = []
    var refusal: KioskRefusal?
    do throws(KioskRefusal) {
      facts = try KioskApp._decide(step.command, on: fold, at: step.moment) ?? []
    } catch {
      refusal = error
    }
    let recorded = RecordedCommand(
      origin: .program, command: .init(schema: 1, bytes: step.command.encoded()),
      refusal: refusal.map { .init(schema: 2, bytes: $0.encoded()) })
    var envelope = Envelope(kind: .command, session: 1, moment: step.moment, schema: 1)
    fold.skip(builder.sequence)
    _ = try builder.append(envelope, payload: recorded.encoded().span)
    (envelope.kind, envelope.startsBatch) = (.action, false)
    for (index, fact) in facts.enumerated() {
      _ = fold.apply(fact, at: step.moment, sequence: builder.sequence)
      if index == facts.count - 1 {
        envelope.stateHash = StateHasher.hash(&fold.state, with: SwiftHasher.self)
      }
      _ = try builder.append(envelope, payload: fact.encoded().span)
    }
  }

  /// Returns the hash of the state after commands, and the number of their records.
  static func outcome(of steps: [Step]) throws -> (hash: Digest, records: UInt64) {
    var builder = BlockBuilder<SwiftHasher>(store: StoreID(0, 0), startingAt: 1, after: .zero)
    var fold = Fold<KioskApp>()
    for step in steps { try append(step, to: &builder, &fold) }
    return (StateHasher.hash(&fold.state, with: SwiftHasher.self), builder.sequence - 1)
  }
}
