import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage

/// What a commit appends, in the order in which it does; all of it in the write transaction, on a
/// state that stands at the end of the log.
extension Engine {
  mutating func append(
    _ batches: [PendingBatch<App>], closing: Bool, in storage: LogStorage, _ next: inout Progress,
    _ appender: inout LogAppender
  ) throws(StoreError) -> Advance<App> {
    var advance = Advance<App>()
    advance.receipts.reserveCapacity(batches.count)
    let schema = try schemaNumber(&appender)
    next.schema = schema
    next.expect(batches.reduce(0) { $0 + UInt64($1.actions.count) })
    try openSession(&next, &appender, schema: schema, at: batches.first?.moment, in: storage)
    try note(
      batches, session: next.session ?? 0, schema: schema, isNew: appender.newSchema == schema,
      in: storage)
    for index in batches.indices {
      try enter(.reducing(index))
      // The record that closes the session carries the hash of the state after the last batch.
      let mayHash = !closing || index < batches.count - 1
      try append(batches[index], schema: schema, mayHash: mayHash, &next, &appender, &advance)
      try note(batches[index].key, of: advance.receipts.last, in: storage, &appender)
    }
    if closing { try closeSession(&next, &appender, schema: schema, after: batches.last) }
    // What was reduced on pages that are not what they should be must not get into the log.
    try checkPages()
    try enter(.committing)
    return advance
  }

  /// The number of the action schema; looked up in the log by the first commit only.
  borrowing func schemaNumber(_ appender: inout LogAppender) throws(StoreError) -> UInt32 {
    if let schema = committed.schema { return schema }
    return try appender.schemaNumber(json: identity.actionSchema)
  }

  mutating func openSession(
    _ next: inout Progress, _ appender: inout LogAppender, schema: UInt32, at moment: Moment?,
    in storage: LogStorage
  ) throws(StoreError) {
    guard next.session == nil else { return }
    try leaveSession(in: storage)
    let sequence = appender.nextSequence
    // The lock is what tells others that this session lives.
    try storage.holdSessionLock(sequence)
    heldSession = sequence
    let opened = SessionOpened(
      app: App.name, build: App.build, actionSchema: identity.actionFingerprint,
      stateSchema: identity.stateFingerprint, reducer: identity.reducerFingerprint,
      scene: scene, zone: configuration.zoneID, zoneDatabase: configuration.zoneDatabaseVersion)
    let envelope = Envelope(
      sequence: sequence, session: sequence, moment: moment ?? configuration.clock(),
      schema: schema)
    try appender.append(opened, envelope)
    next.fold.pass(sequence)
    next.session = sequence
  }

  private mutating func note(
    _ batches: [PendingBatch<App>], session: UInt64, schema: UInt32, isNew: Bool,
    in storage: LogStorage
  ) throws(StoreError) {
    guard !batches.isEmpty else { return }
    if attempt == nil { attempt = try storage.attemptFile(session: session) }
    try attempt?.write(
      Attempt(
        // A session without a record yet has no number that would outlive this process.
        firstSequence: committed.fold.sequence + 1, session: committed.session ?? 0,
        schema: schema,
        newSchema: isNew ? identity.actionSchema : "",
        batches: batches.map {
          Attempt.Batch(moment: $0.moment, actions: $0.payloads, answers: $0.end?.id)
        }))
  }

  /// Notes a phase of the group at hand; a test may end the process right after.
  private borrowing func enter(_ phase: Attempt.Phase) throws(StoreError) {
    guard attempt != nil else { return }
    try attempt?.note(phase)
    configuration.phaseObserver?(phase)
  }

  private mutating func append(
    _ batch: PendingBatch<App>, schema: UInt32, mayHash: Bool, _ next: inout Progress,
    _ appender: inout LogAppender, _ advance: inout Advance<App>
  ) throws(StoreError) {
    var receipt = Receipt<App>(
      sequences: appender.nextSequence..<appender.nextSequence, state: next.fold.state,
      sequence: next.fold.sequence)
    if let end = batch.end {
      let isInFlight = try end.append(
        to: &next.fold, &appender, session: next.session ?? 0, at: batch.moment, schema: schema)
      guard isInFlight else { return advance.receipts.append(receipt) }
    }
    let first = appender.nextSequence
    let last = batch.actions.count - 1
    for index in batch.actions.indices {
      let sequence = appender.nextSequence
      let effect = next.fold.apply(batch.actions[index], at: batch.moment, sequence: sequence)
      if !effect.isNone { receipt.effects.append(CausedEffect(cause: sequence, effect: effect)) }
      next.recordsSinceHash += 1
      let hashes =
        mayHash && index == last
        && (next.recordsSinceHash >= configuration.hashIntervalMax || keeper.isDue(at: sequence))
      if hashes { next.hashedAt = sequence }
      let envelope = Envelope(
        sequence: sequence, kind: .action, session: next.session ?? 0, moment: batch.moment,
        schema: schema, cause: batch.end?.id.cause, startsBatch: index == 0,
        key: index == 0 ? batch.key?.bytes : nil, stateHash: hashes ? stateHash(&next) : nil,
        hasEffect: !effect.isNone)
      let payload = batch.payloads[index]
      try appender.append(envelope, payload: payload.span)
    }
    receipt.sequences = first..<first + UInt64(batch.actions.count)
    receipt.state = next.fold.state
    receipt.effectsInFlight = next.fold.inFlight
    receipt.sequence = next.fold.sequence
    if !receipt.effects.isEmpty { receipt.settlement = batch.end?.settlement ?? Settlement() }
    advance.receipts.append(receipt)
  }

  private mutating func closeSession(
    _ next: inout Progress, _ appender: inout LogAppender, schema: UInt32,
    after batch: PendingBatch<App>?
  ) throws(StoreError) {
    guard let session = next.session else { return }
    let sequence = appender.nextSequence
    let envelope = Envelope(
      sequence: sequence, session: session, moment: batch?.moment ?? configuration.clock(),
      schema: schema, stateHash: stateHash(&next))
    try appender.append(SessionClosed(reason: .closed), envelope)
    next.fold.pass(sequence)
    next.session = nil
    next.hashedAt = sequence
  }

  private mutating func stateHash(_ next: inout Progress) -> Digest {
    next.recordsSinceHash = 0
    return StateHasher.hash(&next.fold.state, with: SHA256Hasher.self, &hashWriter)
  }
}

extension Engine.Progress {
  /// Gets the state ready when this process turns out to append many actions.
  fileprivate mutating func expect(_ count: UInt64) {
    let before = actions
    actions += count
    if before <= 256 { fold.prepare(for: actions) }
  }
}
