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
    _ appender: inout LogAppender, _ advance: inout Advance<App>
  ) throws(StoreError) {
    let schema = try schemaNumber(&appender)
    next.schema = schema
    advance.actions = actionCount(of: batches)
    next.expect(advance.actions)
    if next.session == nil {
      try openSession(&next, &appender, schema: schema, at: batches.first?.moment, in: storage)
    }
    try note(
      batches, session: next.session ?? 0, schema: schema, isNew: appender.newSchema == schema,
      in: storage)
    // The record that closes the session carries the hash of the state after the last batch.
    advance.isLarge = isLarge(batches)
    if advance.isLarge {
      try appendLarge(batches, mayHash: !closing, in: storage, &next, &appender, &advance)
    } else {
      // The time of the processor, which does not depend on what else the machine does.
      let begin = batches.count > 1 ? ThreadClock.nanoseconds() : 0
      defer { if begin > 0 { advance.nanoseconds = ThreadClock.nanoseconds() - begin } }
      for index in 0..<batches.count {
        try enter(.reducing(index))
        let mayHash = !closing && index == batches.count - 1
        try append(
          batches[index], at: index, mayHash: mayHash, in: storage, &next, &appender, &advance)
      }
    }
    advance.batches = batches.count
    if closing { try closeSession(&next, &appender, schema: schema, after: batches.last) }
    // What was reduced on pages that are not what they should be must not get into the log.
    try checkPages()
    try enter(.committing)
  }

  /// The number of the action schema; looked up in the log by the first commit only.
  @inline(__always)
  borrowing func schemaNumber(_ appender: inout LogAppender) throws(StoreError) -> UInt32 {
    if let schema = committed.schema { return schema }
    return try appender.schemaNumber(json: identity.actionSchema)
  }

  /// How many actions batches have.
  @inline(__always)
  borrowing func actionCount(of batches: [PendingBatch<App>]) -> Int {
    var count = 0
    for index in 0..<batches.count { count += batches[index].actions.count }
    return count
  }

  mutating func openSession(
    _ next: inout Progress, _ appender: inout LogAppender, schema: UInt32, at moment: Moment?,
    in storage: LogStorage
  ) throws(StoreError) {
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
    guard batches.count > 0 else { return }
    if attempt == nil { attempt = try storage.attemptFile(session: session) }
    var noted: [Attempt.Batch] = []
    noted.reserveCapacity(batches.count)
    for index in 0..<batches.count {
      let batch = batches[index]
      noted.append(
        Attempt.Batch(
          moment: batch.moment, encoded: batch.encoded, count: batch.actions.count,
          answers: batch.end?.id))
    }
    try attempt?.write(
      Attempt(
        // A session without a record yet has no number that would outlive this process.
        firstSequence: committed.fold.sequence + 1, session: committed.session ?? 0,
        schema: schema,
        newSchema: isNew ? identity.actionSchema : "", batches: noted))
  }

  /// Notes a phase of the group at hand; a test may end the process right after.
  borrowing func enter(_ phase: Attempt.Phase) throws(StoreError) {
    guard attempt != nil else { return }
    // That the first batch is reduced was noted with the group.
    if phase != .reducing(0) { try attempt?.note(phase) }
    configuration.phaseObserver?(phase)
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

  mutating func stateHash(_ next: inout Progress) -> Digest {
    next.recordsSinceHash = 0
    return StateHasher.hash(&next.fold.state, with: SHA256Hasher.self, &hashWriter)
  }
}

extension Engine.Progress {
  /// Gets the state ready when this process turns out to append many actions.
  fileprivate mutating func expect(_ count: Int) {
    let before = actions
    actions += UInt64(count)
    if before <= 256 { fold.prepare(for: actions) }
  }
}
