import Counter
import Retrace
import RetraceStorage
import RetraceSystem

/// A block of records with its key and the chain digest of its last record.
struct FinishedBlock {
  var key: UInt64
  var bytes: [UInt8]
  var chain: Digest
}

/// Writes actions into the first block of a log, after the record that opens a session.
func firstBlock(
  of actions: [CounterAction], in store: StoreID, at moment: Moment
) throws -> FinishedBlock {
  var builder = BlockBuilder<SHA256Hasher>(store: store, startingAt: 1, after: .zero)
  let opened = sessionOpened(by: SessionOrigin(login: "ada", host: "", process: 1)).encoded()
  _ = try builder.append(
    Envelope(kind: .sessionOpened, session: 1, moment: moment, schema: 1), payload: opened.span)
  for action in actions {
    let payload = action.encoded()
    let envelope = Envelope(session: 1, moment: moment, schema: 1)
    guard try builder.append(envelope, payload: payload.span) else { break }
  }
  let chain = builder.finish()
  var bytes: [UInt8] = []
  let block = builder.bytes
  for index in block.indices { bytes.append(block[index]) }
  return FinishedBlock(key: builder.firstSequence, bytes: bytes, chain: chain)
}

/// Returns the payload of the record that opens a session.
func sessionOpened(by origin: SessionOrigin) -> SessionOpened {
  var composer = SchemaComposer()
  return SessionOpened(
    app: CounterApp.name, build: CounterApp.build,
    actionSchema: CounterAction.schema.fingerprint(with: SHA256Hasher.self),
    stateSchema: CounterState.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self),
    reducer: CounterApp.reducerFingerprint, scene: nil, zone: "UTC", zoneDatabase: "",
    origin: origin)
}

/// Returns the fingerprint of a command schema, as it was recorded when a session was opened.
func fingerprint(ofCommandSchema number: UInt32, in opened: SessionOpened) -> Digest? {
  opened.schemas.first { (schema: NamedSchema) in schema.number == number }?.fingerprint
}

/// Checks a log of one block, and returns the head that a store would keep.
func check(_ block: FinishedBlock, of store: StoreID) throws(LogError) -> Head {
  var verifier = LogVerifier<SHA256Hasher>(store: store)
  try verifier.check(block.bytes.span, at: block.key)
  let head = Head(
    sequence: verifier.sequence, chain: verifier.chain, moment: verifier.moment,
    lastBlockKey: verifier.lastBlockKey)
  try verifier.finish(head)
  return head
}

/// Returns the chain digest of a block, computed from its bytes and the digest before it.
func chain(of block: FinishedBlock, in store: StoreID) throws(LogError) -> Digest {
  let bytes = block.bytes.span
  let header = try BlockHeader(
    decoding: bytes, at: block.key, checksummedBy: SHA256Hasher.self)
  var hasher = ChainHasher<SHA256Hasher>(block: header, of: store)
  hasher.update(bytes.extracting(LogFormat.headerBytes..<bytes.count))
  return hasher.digest
}

/// Returns the envelopes of the records in a block, without their payloads.
func envelopes(in block: FinishedBlock) throws(LogError) -> [Envelope] {
  var cursor = try RecordCursor(block.bytes.span, at: block.key)
  var envelopes: [Envelope] = []
  while try cursor.next() { envelopes.append(cursor.envelope) }
  return envelopes
}

/// Returns whether a later build can read a block that this one cannot.
func isFromLaterBuild(_ error: LogError) -> Bool {
  switch error {
  case .unknownVersion, .unknownKind, .unknownFlags: true
  case .damaged, .recordTooLarge, .invalidEnvelope: false
  }
}

/// Folds the records of a block that was written with the app's own action schema.
func fold(_ block: FinishedBlock) throws -> Fold<CounterApp> {
  var plan = DecodingPlan<CounterApp>()
  plan.appendOwn(CounterAction.schema.fingerprint(with: SHA256Hasher.self))
  var records = RecordFold(plan: plan)
  var cursor = try RecordCursor(block.bytes.span, at: block.key)
  while try cursor.next() {
    do throws(FoldError) {
      try records.advance(cursor)
    } catch .undecodable(let sequence, let error) {
      throw LogError.damaged(sequence: sequence, detail: error.description)
    }
  }
  return records.fold
}

/// Returns the fingerprints of the schemas that the app reads by resolution.
func resolvedSchemas(in plan: DecodingPlan<CounterApp>) -> [Digest] {
  plan.schemas.filter { (schema: LoggedSchema) in
    schema.verdict != .same && schema.verdict.isReadable
  }.map(\.fingerprint)
}

/// Returns a sentence about the current record, unless it is an action.
func sentence(about record: borrowing RecordCursor) throws -> String? {
  switch record.kind {
  case .action: return nil
  case .sessionOpened:
    return "opened by build \(try record.systemPayload(as: SessionOpened.self).build)"
  case .sessionClosed:
    let reason: SessionClosed.Reason = try record.systemPayload(as: SessionClosed.self).reason
    return reason == .foundDead ? "the process had ended" : "closed"
  case .effectFinished:
    let finished = try record.systemPayload(as: EffectFinished.self)
    let outcome: EffectFinished.Outcome = finished.outcome
    return outcome == .failed ? finished.error : "effect \(finished.id) ended"
  case .crashed:
    return "\(try record.systemPayload(as: Crashed.self).actions.count) actions crashed"
  case .clockJumped:
    let jump = try record.systemPayload(as: ClockJumped.self)
    return "the clock jumped by \(jump.observed.elapsed(since: jump.expected).seconds) s"
  case .command:
    let command = try record.systemPayload(as: RecordedCommand.self)
    let origin: RecordedCommand.Origin = command.origin
    let refusal: RecordedCommand.Encoded? = command.refusal
    return "a command of \(origin)\(refusal == nil ? "" : " was refused")"
  }
}

/// Returns the schemas of all system payloads, as the current version of the format records them.
func systemSchemas() -> [Schema] {
  RecordKind.allCases.filter { $0 != .action }.map {
    $0.payloadSchema(ofVersion: LogFormat.version)
  }
}

/// Returns the byte of a payload's kind, followed by the encoded payload, for programs that store
/// records in another way.
func tagged(_ payload: some SystemPayload) -> [UInt8] {
  [type(of: payload).kind.rawValue] + payload.encoded()
}

/// Returns the first record of a log that cannot be trusted; `nil` if all can.
func firstDamage(in storage: LogStorage) throws(StoreError) -> UInt64? {
  let report: LogReport = try storage.withReadView { (view) throws(StoreError) in
    try view.verify()
  }
  return report.damage?.sequence
}
