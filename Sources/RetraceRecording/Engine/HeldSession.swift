import Retrace
import RetraceStorage
import RetraceSystem

/// The session of this process as other processes see it: its lock and its attempt.
struct HeldSession<App: ReplayableApp>: ~Copyable, Sendable {
  /// The session whose lock this process holds.
  private(set) var number: UInt64?
  /// The sessions before it whose locks are still held.
  private var earlier: [UInt64] = []
  /// Whether effects run in this process.
  ///
  /// Then it holds the locks of its earlier sessions: a process that took one of them for dead
  /// would run its effects a second time.
  var runsEffects = false
  private var attempt: AttemptWriter?
  private let configuration: StoreConfiguration
  private let identity: AppIdentity

  init(configuration: StoreConfiguration, identity: AppIdentity) {
    self.configuration = configuration
    self.identity = identity
  }

  var isNoting: Bool { attempt != nil }

  /// Begins the session of this process with its first record.
  private mutating func open(
    in transaction: inout GroupTransaction<App>, scene: SceneID?
  ) throws(StoreError) {
    try reserve(in: &transaction)
    try appendOpening(in: &transaction, at: nil, scene: scene)
  }

  /// Reserves the number and the lock of a session, and stores its schemas of commands.
  mutating func reserve(in transaction: inout GroupTransaction<App>) throws(StoreError) {
    let log = transaction.log
    if runsEffects, let session = number {
      number = nil
      earlier.append(session)
    }
    try leave(log)
    if !runsEffects {
      for session in earlier { try log.releaseSessionLock(session) }
      earlier = []
    }
    let sequence = transaction.appender.nextSequence
    // Other processes see from the lock that this session is alive.
    try log.acquireSessionLock(sequence)
    number = sequence
    guard let schemas = identity.schemas.commands else { return }
    transaction.next.commandSchemas = CommandSchemaNumbers(
      command: try transaction.appender.commandSchemaNumber(schemas.command),
      refusal: try transaction.appender.commandSchemaNumber(schemas.refusal))
  }

  /// Appends the first record of a session whose number is reserved.
  func appendOpening(
    in transaction: inout GroupTransaction<App>, at moment: Moment?, scene: SceneID?
  ) throws(StoreError) {
    let sequence = transaction.appender.nextSequence
    var opened = SessionOpened(
      app: App.name, build: App.build, actionSchema: identity.schemas.action.digests.fingerprint,
      stateSchema: identity.schemas.stateFingerprint, reducer: identity.reducerFingerprint,
      scene: scene, zone: configuration.zoneID, zoneDatabase: configuration.zoneDatabaseVersion,
      origin: configuration.origin, sleptMilliseconds: MachineSleep.milliseconds())
    if let schemas = identity.schemas.commands, let numbers = transaction.next.commandSchemas {
      opened.schemas = [
        NamedSchema(number: numbers.command, fingerprint: schemas.command.digests.fingerprint),
        NamedSchema(number: numbers.refusal, fingerprint: schemas.refusal.digests.fingerprint),
      ]
    }
    transaction.next.session = sequence
    let envelope = transaction.envelope(at: moment ?? configuration.clock())
    try transaction.appender.append(opened, envelope)
    transaction.next.fold.skip(sequence)
  }

  /// Notes a group whose first batch is about to be reduced.
  mutating func note(
    _ group: Attempt, session: UInt64, of log: LogStorage
  ) throws(StoreError) {
    if attempt == nil { attempt = try log.attemptWriter(session: session) }
    try attempt?.write(group)
  }

  /// Notes that the session has no group in progress.
  ///
  /// If the process then ends, recovery finds the session by its attempt. This is called after
  /// the first record of the session is committed. It replaces the attempt of a session with the
  /// same number whose process ended before the first commit.
  mutating func noteIdle(schema: UInt32, of log: LogStorage) throws(StoreError) {
    guard let number, !isNoting else { return }
    let nothing = Attempt(firstSequence: number, session: number, schema: schema, batches: [])
    try note(nothing, session: number, of: log)
    try note(.idle)
    try log.removeReplacedAttempt(session: number)
  }

  borrowing func note(_ phase: Attempt.Phase) throws(StoreError) { try attempt?.note(phase) }

  /// Hands the attempt to the thread that reduces a large group.
  mutating func takeAttempt() -> AttemptWriter? { attempt.take() }

  mutating func putBack(_ file: consuming AttemptWriter?) { attempt = file }

  /// Notes that the current group was aborted, so that no other process takes it for a crash.
  borrowing func abort() { try? attempt?.note(.idle) }

  /// Removes the attempt and frees the session's lock.
  mutating func leave(_ log: LogStorage) throws(StoreError) {
    if let ended = attempt.take() { try log.end(ended) }
    if let session = number {
      number = nil
      try log.releaseSessionLock(session)
    }
  }

  /// Appends a `crashed` record for each batch that a dead session was reducing when its process
  /// ended and that the log lacks.
  ///
  /// - Returns: The sequences of the records.
  mutating func appendCrashed(
    _ orphans: [OrphanedAttempt], in transaction: inout GroupTransaction<App>, scene: SceneID?
  ) throws(StoreError) -> [UInt64] {
    let log = transaction.log
    var sequences: [UInt64] = []
    for attempt in orphans {
      guard var crashed = try log.unrecordedCrash(of: attempt) else { continue }
      // The number of a schema that the group added was lost with the group, and may belong to
      // another schema now.
      if crashed.schema > LogFormat.commandSchemaNumber(0) {
        if let json = attempt.attempt?.newCommandSchema, !json.isEmpty {
          crashed.schema = LogFormat.commandSchemaNumber(
            try transaction.appender.commandSchemaNumber(json: json))
        }
      } else if let json = attempt.attempt?.newSchema, !json.isEmpty {
        crashed.schema = try transaction.appender.schemaNumber(json: json)
      }
      transaction.next.schema = try transaction.appender.schemaNumber(identity.schemas.action)
      if transaction.next.session == nil { try open(in: &transaction, scene: scene) }
      let leaf = attempt.crashedAnswer
      let envelope = transaction.envelope(at: configuration.clock(), cause: leaf?.cause)
      let sequence = try transaction.appender.append(crashed, envelope)
      transaction.next.fold.skip(sequence)
      sequences.append(sequence)
      if let id = leaf, try log.hasCrashed(on: crashed, answering: id.cause) {
        // A single crash may have been a kill. After the second one the leaf fails, because a leaf
        // that runs again and gives the same answer would crash every process. A subscription that
        // was recorded in between goes on.
        let end = LeafAnswer(
          id: id, outcome: .failed,
          error: "The program ended twice while it reduced the result of the effect.")
        _ = try transaction.append(end, at: envelope.moment)
      }
    }
    return sequences
  }

  /// Appends a `sessionClosed` record for each dead session that has no end in the log.
  ///
  /// The records belong to the dead sessions, and have the moment at which these were found.
  func appendDeadSessionEnds(
    _ orphans: [OrphanedAttempt], in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    for attempt in orphans {
      guard let schema = try transaction.log.schemaOfUnclosedSession(attempt) else { continue }
      let moment = configuration.clock()
      // Absence would mean the real time as the dead session's clock shows it.
      let envelope = Envelope(
        session: attempt.session, moment: moment, realTime: transaction.realTime ?? moment,
        schema: schema)
      let sequence = try transaction.appender.append(
        SessionClosed(reason: .foundDead), envelope)
      transaction.next.fold.skip(sequence)
    }
  }
}
