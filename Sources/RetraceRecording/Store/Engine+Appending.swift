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
      let mayHash = !closing && index == batches.count - 1
      let receipt = try append(batches[index], schema: schema, mayHash: mayHash, &next, &appender)
      advance.receipts.append(receipt)
      try note(batches[index].key, of: receipt, in: storage, &appender)
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
          Attempt.Batch(
            moment: $0.moment, encoded: $0.encoded, count: $0.actions.count, answers: $0.end?.id)
        }))
  }

  /// Notes a phase of the group at hand; a test may end the process right after.
  private borrowing func enter(_ phase: Attempt.Phase) throws(StoreError) {
    guard attempt != nil else { return }
    try attempt?.note(phase)
    configuration.phaseObserver?(phase)
  }

  /// Appends a batch; answers no receipt if nobody wants one.
  private mutating func append(
    _ batch: PendingBatch<App>, schema: UInt32, mayHash: Bool, _ next: inout Progress,
    _ appender: inout LogAppender
  ) throws(StoreError) -> Receipt<App>? {
    if let end = batch.end {
      let isInFlight = try end.append(
        to: &next.fold, &appender, session: next.session ?? 0, at: batch.moment, schema: schema)
      guard isInFlight else {
        let none = appender.nextSequence..<appender.nextSequence
        return receipt(of: none, [], next, settlement: nil)
      }
    }
    let first = appender.nextSequence
    let effects = App.reduce(batch.actions, into: &next.fold, at: batch.moment)
    next.recordsSinceHash += batch.actions.count
    let last = next.fold.sequence
    let hashes = mayHash && !batch.actions.isEmpty && isHashDue(next)
    let hash = hashes ? stateHash(&next) : nil
    if hash != nil { next.hashedAt = last }
    var envelope = Envelope(
      sequence: first, session: next.session ?? 0, moment: batch.moment, schema: schema,
      cause: batch.end?.id.cause, key: batch.key?.bytes)
    var offset = 0
    let bytes = batch.encoded.bytes
    var caused = effects.makeIterator()
    var nextCaused = caused.next()
    while let range = batch.encoded.range(at: offset) {
      let sequence = appender.nextSequence
      envelope.hasEffect = nextCaused?.sequence == sequence
      if envelope.hasEffect { nextCaused = caused.next() }
      if sequence == last { envelope.stateHash = hash }
      try appender.append(envelope, payload: bytes.span.extracting(range))
      if sequence == first { (envelope.startsBatch, envelope.key) = (false, nil) }
      offset = range.upperBound
    }
    guard
      circumstances.isObserved || batch.isAwaited || batch.end != nil || batch.key != nil
        || !effects.isEmpty
    else { return nil }
    return receipt(
      of: first..<last + 1, effects, next, settlement: batch.end?.settlement)
  }

  private borrowing func receipt(
    of sequences: Range<UInt64>, _ effects: [ReducedEffect<App>], _ next: Progress,
    settlement: Settlement?
  ) -> Receipt<App> {
    var receipt = Receipt<App>(
      sequences: sequences, state: next.fold.state, sequence: next.fold.sequence)
    receipt.effects = effects.map { CausedEffect(cause: $0.sequence, effect: $0.effect) }
    receipt.effectsInFlight = next.fold.inFlight
    if !receipt.effects.isEmpty { receipt.settlement = settlement ?? Settlement() }
    return receipt
  }

  /// Whether the state should be hashed after the records at hand, which end a commit.
  ///
  /// The hash may have to be taken over everything that many actions changed: while more is queued,
  /// it waits as long as a save may wait.
  private borrowing func isHashDue(_ next: Progress) -> Bool {
    if circumstances.isBusy { return next.recordsSinceHash >= configuration.busyHashInterval }
    return next.recordsSinceHash >= configuration.hashIntervalMax
      || keeper.isDue(at: next.fold.sequence)
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
