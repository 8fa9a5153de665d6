import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage

/// What the writer thread owns: the state, the session and the buffers.
///
/// A group of batches is encoded before it comes here. It is noted in the attempt file, reduced on
/// a copy of the state, appended and committed; only then does the copy become the state.
struct Engine<App: ReplayableApp>: ~Copyable, Sendable {
  /// What the last commit left.
  private var committed: Progress
  private var attempt: AttemptFile?
  private var hashWriter = AvroWriter(capacity: 4096)
  /// The scene that the session attaches to; fixed once the session is opened.
  var scene: SceneID?
  private let configuration: StoreConfiguration
  private let identity: AppIdentity

  init(fold: Fold<App>, configuration: StoreConfiguration, identity: AppIdentity) {
    committed = Progress(fold: fold)
    self.configuration = configuration
    self.identity = identity
  }

  /// The state and the sequence that it stands after.
  var fold: Fold<App> { committed.fold }

  /// Commits batches together, in order, and answers a receipt for each.
  ///
  /// - Parameters:
  ///   - batches: The batches, none empty.
  ///   - closing: Whether the session ends with this commit.
  mutating func commit(
    _ batches: [PendingBatch<App>], closing: Bool = false, to storage: LogStorage
  ) throws(StoreError) -> [Receipt<App>] {
    guard !batches.isEmpty || (closing && committed.session != nil) else { return [] }
    var next = committed
    let receipts: [Receipt<App>]
    do throws(StoreError) {
      receipts = try append(batches, closing: closing, to: storage, &next)
    } catch {
      // Whoever finds the file later must not take a group that was given up for a crash.
      try? attempt?.note(.idle)
      throw error
    }
    committed = next
    return receipts
  }

  /// Notes, reduces and appends batches in one transaction, and commits it.
  private mutating func append(
    _ batches: [PendingBatch<App>], closing: Bool, to storage: LogStorage, _ next: inout Progress
  ) throws(StoreError) -> [Receipt<App>] {
    var receipts: [Receipt<App>] = []
    receipts.reserveCapacity(batches.count)
    try storage.appendDirectly { (appender: inout LogAppender) throws(StoreError) in
      try self.checkHead(of: appender)
      let schema = try self.schemaNumber(&appender)
      next.schema = schema
      try self.openSession(
        &next, &appender, schema: schema, at: batches.first?.moment, in: storage)
      try self.note(
        batches, session: next.session ?? 0, schema: schema,
        isNew: appender.newSchema == schema, in: storage)
      for index in batches.indices {
        try self.enter(.reducing(index))
        // The record that closes the session carries the hash of the state after the last batch.
        let mayHash = !closing || index < batches.count - 1
        let receipt = try self.append(
          batches[index], schema: schema, mayHash: mayHash, &next, &appender)
        receipts.append(receipt)
      }
      if closing { try self.closeSession(&next, &appender, schema: schema, after: batches.last) }
      try self.enter(.committing)
    }
    return receipts
  }

  /// Appends a `crashed` record for each batch that a dead session was reducing when its process
  /// ended and that the log lacks, and removes the attempt files of dead sessions.
  ///
  /// The records belong to this session, which found them. They are durable before the files go, so
  /// that an end in between repeats nothing: the log has gone on, and the attempt is not its next.
  ///
  /// - Returns: The sequences of the records appended.
  mutating func recover(in storage: LogStorage) throws(StoreError) -> [UInt64] {
    let left = try storage.leftAttempts()
    guard !left.isEmpty else { return [] }
    var next = committed
    var sequences: [UInt64] = []
    try storage.appendDirectly { (appender: inout LogAppender) throws(StoreError) in
      for attempt in left {
        guard var crashed = attempt.crashed(after: appender.head) else { continue }
        if let json = attempt.attempt?.newSchema, !json.isEmpty {
          // Its number went with the group, and may be another's by now.
          crashed.schema = try appender.schemaNumber(json: json)
        }
        let schema = try appender.schemaNumber(json: identity.actionSchema)
        try self.openSession(&next, &appender, schema: schema, at: nil, in: storage)
        let envelope = Envelope(
          session: next.session ?? 0, moment: configuration.clock(), schema: schema)
        let sequence = try appender.append(crashed, envelope)
        next.fold.pass(sequence)
        sequences.append(sequence)
      }
    }
    committed = next
    for attempt in left { try storage.removeAttempt(session: attempt.session) }
    return sequences
  }

  /// Removes the attempt file; called when the store closes in order.
  mutating func removeAttempt(in storage: LogStorage) throws(StoreError) {
    guard let session = attempt?.session else { return }
    attempt = nil
    try storage.removeAttempt(session: session)
  }

  /// What a commit changes, kept apart until the commit is through.
  private struct Progress {
    var fold: Fold<App>
    /// The number of this session, or `nil` before its first batch.
    var session: UInt64?
    var recordsSinceHash = 0
    /// The number of the app's action schema in the log, once a commit has told it.
    var schema: UInt32?
  }

  private borrowing func checkHead(of appender: borrowing LogAppender) throws(StoreError) {
    guard appender.head.sequence == committed.fold.sequence else {
      throw StoreError(
        .storageFailed, what: "The commit was not begun.",
        why: "The log ends at record \(appender.head.sequence), this process expected "
          + "\(committed.fold.sequence).",
        advice: "Open the store again.")
    }
  }

  /// The number of the action schema; looked up in the log by the first commit only.
  private borrowing func schemaNumber(
    _ appender: inout LogAppender
  ) throws(StoreError) -> UInt32 {
    if let schema = committed.schema { return schema }
    return try appender.schemaNumber(json: identity.actionSchema)
  }

  private mutating func openSession(
    _ next: inout Progress, _ appender: inout LogAppender, schema: UInt32, at moment: Moment?,
    in storage: LogStorage
  ) throws(StoreError) {
    guard next.session == nil else { return }
    let sequence = appender.nextSequence
    // The lock is what tells others that this session lives.
    try storage.holdSessionLock(sequence)
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
        batches: batches.map { Attempt.Batch(moment: $0.moment, actions: $0.payloads) }))
  }

  /// Notes a phase of the group at hand; a test may end the process right after.
  private borrowing func enter(_ phase: Attempt.Phase) throws(StoreError) {
    guard attempt != nil else { return }
    try attempt?.note(phase)
    configuration.phaseObserver?(phase)
  }

  private mutating func append(
    _ batch: PendingBatch<App>, schema: UInt32, mayHash: Bool, _ next: inout Progress,
    _ appender: inout LogAppender
  ) throws(StoreError) -> Receipt<App> {
    let first = appender.nextSequence
    let last = batch.actions.count - 1
    for index in batch.actions.indices {
      let sequence = appender.nextSequence
      _ = next.fold.apply(batch.actions[index], at: batch.moment, sequence: sequence)
      next.recordsSinceHash += 1
      let hashes =
        mayHash && index == last && next.recordsSinceHash >= configuration.hashIntervalMax
      let envelope = Envelope(
        sequence: sequence, kind: .action, session: next.session ?? 0, moment: batch.moment,
        schema: schema, startsBatch: index == 0, stateHash: hashes ? stateHash(&next) : nil)
      let payload = batch.payloads[index]
      try appender.append(envelope, payload: payload.span)
    }
    return Receipt(
      sequences: first..<first + UInt64(batch.actions.count), state: next.fold.state,
      sequence: next.fold.sequence)
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
  }

  private mutating func stateHash(_ next: inout Progress) -> Digest {
    next.recordsSinceHash = 0
    return StateHasher.hash(&next.fold.state, with: SHA256Hasher.self, &hashWriter)
  }
}
