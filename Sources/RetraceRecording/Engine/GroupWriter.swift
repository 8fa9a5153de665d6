import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceStorage
import RetraceSystem

/// The writer of groups, which notes, reduces and appends their batches in one write transaction.
///
/// The reduction starts from the state at the end of the log.
///
/// Batches are reduced and appended one after the other. In a large group, a second thread reduces
/// the next batches while the writer's thread appends.
struct GroupWriter<App: ReplayableApp>: ~Copyable, Sendable {
  private let configuration: StoreConfiguration
  private let identity: AppIdentity
  /// The thread that reduces large groups.
  private let reducer: WorkerThread
  private var session: HeldSession<App>
  private let encoder = ActionEncoder<App>()
  private var hashWriter = AvroWriter(capacity: 4096)
  /// The context of the current commit.
  private var context = CommitContext()

  /// The conditions of a commit, apart from its batches.
  struct CommitContext {
    /// Whether the state after each batch is needed, not only after awaited ones.
    var isObserved = true
    /// Whether batches are queued after the group; hashing and saving the state would delay them.
    var hasMoreQueued = false
    /// The scene that the session records when it begins.
    var scene: SceneID?
    /// Whether effects run in this process.
    var runsEffects = false
    /// Why the session ends, if it does.
    var reason = SessionClosed.Reason.closed
    /// The moment of the group's commands; `nil` if it has none.
    fileprivate(set) var commandMoment: Moment?
  }

  /// The number of a session and of the schema of its actions.
  private struct SessionNumbers {
    var session: UInt64
    var schema: UInt32

    init(_ next: borrowing LogState<App>) {
      session = next.session ?? 0
      schema = next.schema ?? 0
    }
  }

  init(configuration: StoreConfiguration, identity: AppIdentity, reducer: WorkerThread) {
    self.configuration = configuration
    self.identity = identity
    self.reducer = reducer
    session = HeldSession(configuration: configuration, identity: identity)
  }

  // MARK: The session

  /// Sets the context of the next commits.
  mutating func setContext(_ context: CommitContext) {
    self.context = context
    session.runsEffects = context.runsEffects
  }

  /// Removes the attempt and frees the session's lock.
  mutating func leaveSession(_ log: LogStorage) throws(StoreError) { try session.leave(log) }

  /// Notes that the current group was aborted.
  borrowing func abort() { session.abort() }

  private mutating func closeSession(
    _ next: inout LogState<App>, _ appender: inout LogAppender, schema: UInt32,
    after batch: PendingBatch<App>?
  ) throws(StoreError) {
    guard let session = next.session else { return }
    let sequence = appender.nextSequence
    let envelope = Envelope(
      sequence: sequence, session: session, moment: moment(of: batch) ?? configuration.clock(),
      schema: schema, stateHash: stateHash(&next))
    try appender.append(SessionClosed(reason: context.reason), envelope)
    next.fold.skip(sequence)
    next.session = nil
    next.hashedAt = sequence
  }

  /// Appends `crashed` records for batches that dead sessions were reducing, and the ends of these
  /// sessions, unless the log has them.
  ///
  /// - Returns: The sequences of the `crashed` records.
  mutating func appendDeadSessions(
    _ next: inout LogState<App>, _ appender: inout LogAppender, of log: LogStorage
  ) throws(StoreError) -> [UInt64] {
    let orphans = try log.orphanedAttempts()
    let sequences = try session.appendCrashed(
      orphans, &next, &appender, scene: context.scene, of: log)
    try session.appendDeadSessionEnds(orphans, &next, &appender, of: log)
    return sequences
  }

  /// Creates the attempt of the session, without a group, unless there is one.
  mutating func noteIdle(
    _ committed: borrowing LogState<App>, of log: LogStorage
  ) throws(StoreError) {
    try session.noteIdle(schema: committed.schema ?? 0, of: log)
  }

  // MARK: A group

  /// Appends a group.
  ///
  /// - Parameters:
  ///   - batches: The batches, none of which is in the log.
  ///   - closing: Whether the session ends with them.
  ///   - next: The state at the end of the log; on return, the state after the group.
  ///   - saver: Tells whether a save is due, and whether the pages of the state are sound.
  mutating func appendGroup(
    _ batches: [PendingBatch<App>], closing: Bool, _ next: inout LogState<App>,
    _ appender: inout LogAppender, _ result: inout CommitResult<App>,
    saver: borrowing StateSaver<App>, by access: borrowing LogWriter.Access
  ) throws(StoreError) {
    let schema: UInt32
    if let known = next.schema {
      schema = known
    } else {
      schema = try appender.schemaNumber(identity.schemas.action)
    }
    next.schema = schema
    result.actions = Self.actionCount(of: batches)
    next.countActions(result.actions)
    // The attempt notes 0 for a session without a committed record: if the process ends, the
    // number may go to another session.
    let start = (first: next.fold.sequence + 1, session: next.session ?? 0)
    let (ends, hasCommands) = (Self.ends(of: batches), Self.hasCommands(batches))
    // Sampled after catching up, so that no committed record has a later moment of this clock.
    context.commandMoment = hasCommands ? configuration.clock() : nil
    if next.session == nil {
      try session.reserve(&next, &appender, of: access.log)
      // A command opens the session only when its record is appended.
      if ends.first?.command == nil {
        try open(&next, &appender, schema: schema, at: ends.first?.moment)
      }
    }
    if batches.count > 0 {
      let newSchema = appender.newSchema == schema ? identity.schemas.action.text : ""
      let group = Attempt(
        firstSequence: start.first, session: start.session, schema: schema, newSchema: newSchema,
        newCommandSchema:
          hasCommands && appender.hasNewCommandSchema
          ? identity.schemas.commands?.command.text ?? "" : "",
        batches: noted(batches, next))
      try session.note(group, session: session.number ?? 0, of: access.log)
    }
    // The record that closes the session carries the hash of the state after the last batch.
    result.isLarge = isLarge(batches, actions: result.actions)
    if result.isLarge {
      try appendLargeGroup(
        batches, mayHash: !closing, &next, &appender, &result, saver: saver, by: access)
    } else {
      // Processor time, because it does not depend on other load.
      let begin = batches.count > 1 ? ThreadClock.nanoseconds() : 0
      defer { if begin > 0 { result.reductionNanoseconds = ThreadClock.nanoseconds() - begin } }
      for index in 0..<batches.count {
        try enter(.reducing(index))
        let mayHash = !closing && index == batches.count - 1
        try appendBatch(
          batches[index], at: index, mayHash: mayHash, &next, &appender, &result, saver: saver,
          by: access)
      }
    }
    result.batches = batches.count
    if batches.count > 0 && next.fold.sequence < start.first {
      // A decider that read a damaged page may have refused wrongly.
      try saver.checkPages()
      // Nothing was appended: every command failed, or was refused without a record.
      return abort()
    }
    // A command that is not accepted leaves the session open, also if its refusal is recorded.
    let closing = closing && !(batches.count == 1 && result.lastCommandWasNotAccepted)
    if closing { try closeSession(&next, &appender, schema: schema, after: ends.last) }
    // Results of damaged pages must not get into the log.
    try saver.checkPages()
    try enter(.committing)
  }

  /// Returns the number of actions of the batches; a command counts as one.
  @inline(__always)
  private static func actionCount(of batches: [PendingBatch<App>]) -> Int {
    var count = 0
    for index in 0..<batches.count { count += batches[index].count }
    return count
  }

  @inline(__always)
  private static func hasCommands(_ batches: [PendingBatch<App>]) -> Bool {
    for index in 0..<batches.count where batches[index].command != nil { return true }
    return false
  }

  /// Appends the first record of the session.
  private mutating func open(
    _ next: inout LogState<App>, _ appender: inout LogAppender, schema: UInt32, at moment: Moment?
  ) throws(StoreError) {
    try session.appendOpening(&next, &appender, schema: schema, at: moment, scene: context.scene)
  }

  /// Returns the moment of a batch.
  private borrowing func moment(of batch: PendingBatch<App>?) -> Moment? {
    batch?.command == nil ? batch?.moment : context.commandMoment
  }

  private borrowing func noted(
    _ batches: [PendingBatch<App>], _ next: borrowing LogState<App>
  ) -> [Attempt.Batch] {
    var noted: [Attempt.Batch] = []
    noted.reserveCapacity(batches.count)
    for index in 0..<batches.count {
      let batch = batches[index]
      if let command = batch.command, let schemas = next.commandSchemas,
        let moment = context.commandMoment
      {
        noted.append(
          Attempt.Batch(
            moment: moment, command: command.record(schemas), answeringLeaf: batch.answer?.id))
        continue
      }
      noted.append(
        Attempt.Batch(
          moment: batch.moment, encoded: batch.encoded, count: batch.actions.count,
          answeringLeaf: batch.answer?.id))
    }
    return noted
  }

  /// Notes a phase of the current group; a test may end the process right after.
  private borrowing func enter(_ phase: Attempt.Phase) throws(StoreError) {
    guard session.isNoting else { return }
    // Writing the group to the file already noted that its first batch is being reduced.
    if phase != .reducing(0) { try session.note(phase) }
    configuration.phaseObserver?(phase)
  }

  private mutating func stateHash(_ next: inout LogState<App>) -> Digest {
    next.actionsSinceHash = 0
    return StateHasher.hash(&next.fold.state, with: SHA256Hasher.self, &hashWriter)
  }

  /// Returns whether the state should be hashed after the last record of a commit.
  ///
  /// After many changes a hash is expensive. So while more is queued, the state is hashed only as
  /// often as it is saved.
  @inline(__always)
  private borrowing func isHashDue(
    after actions: Int, at sequence: UInt64, _ saver: borrowing StateSaver<App>
  ) -> Bool {
    if context.hasMoreQueued { return actions >= max(1, configuration.busyHashInterval / 2) }
    return actions >= configuration.hashInterval || saver.keeper.isDue(at: sequence)
  }

  /// Counts the actions of a reduced batch, and hashes the state if that is due after them.
  @inline(__always)
  private mutating func hashIfDue(
    after count: Int, mayHash: Bool, _ next: inout LogState<App>, _ saver: borrowing StateSaver<App>
  ) -> Digest? {
    next.actionsSinceHash += count
    guard mayHash, count > 0,
      isHashDue(after: next.actionsSinceHash, at: next.fold.sequence, saver)
    else { return nil }
    next.hashedAt = next.fold.sequence
    return stateHash(&next)
  }

  // MARK: One batch

  /// Reduces a batch and appends its records.
  private mutating func appendBatch(
    _ batch: PendingBatch<App>, at position: Int, mayHash: Bool, _ next: inout LogState<App>,
    _ appender: inout LogAppender, _ result: inout CommitResult<App>,
    saver: borrowing StateSaver<App>, by access: borrowing LogWriter.Access
  ) throws(StoreError) {
    if let command = batch.command, let moment = context.commandMoment {
      return try appendCommand(
        command, of: batch, at: position, moment, mayHash: mayHash, &next, &appender, &result,
        saver: saver, by: access)
    }
    if next.session == nil {
      try open(&next, &appender, schema: next.schema ?? 0, at: batch.moment)
    }
    let numbers = SessionNumbers(next)
    if let answer = batch.answer {
      let isInFlight = try answer.append(
        to: &next.fold, &appender, session: numbers.session, at: batch.moment,
        schema: numbers.schema)
      guard isInFlight else {
        return result.add(
          Self.emptyReceipt(at: appender.nextSequence, next.fold, of: batch), at: position)
      }
    }
    let effects = App.reduce(batch.actions, into: &next.fold, at: batch.moment)
    let hash = hashIfDue(after: batch.actions.count, mayHash: mayHash, &next, saver)
    let sequences = try Self.appendRecords(
      of: batch, effects, hash, as: numbers, by: access, &appender)
    if batch.needsReceipt || context.isObserved || effects.count > 0 {
      result.add(Self.receipt(of: sequences, effects, next.fold, of: batch), at: position)
    }
  }

  // MARK: A command

  /// Decides a command, reduces its facts and appends the records.
  ///
  /// If a leaf answers with the command, the record of the leaf's end comes first. If the leaf is
  /// not in flight any more, nothing is decided. If the command cannot be decided, the leaf fails.
  private mutating func appendCommand(
    _ command: PendingCommand<App>, of batch: PendingBatch<App>, at position: Int,
    _ moment: Moment, mayHash: Bool, _ next: inout LogState<App>,
    _ appender: inout LogAppender, _ result: inout CommitResult<App>,
    saver: borrowing StateSaver<App>, by access: borrowing LogWriter.Access
  ) throws(StoreError) {
    var answer = batch.answer
    if let answer, !next.fold.inFlight.contains(answer.id) {
      return result.add(
        Self.emptyReceipt(at: appender.nextSequence, next.fold, of: batch), at: position)
    }
    let decision = command.decide(on: next.fold, at: moment, encoder)
    if case .failed(let error) = decision.outcome { answer = answer?.failing(because: error) }
    if let answer, answer.outcome != nil {
      if next.session == nil {
        try open(&next, &appender, schema: next.schema ?? 0, at: moment)
      }
      let numbers = SessionNumbers(next)
      _ = try answer.append(
        to: &next.fold, &appender, session: numbers.session, at: moment, schema: numbers.schema)
    }
    guard let schemas = next.commandSchemas, decision.isRecorded(from: command.origin) else {
      return result.add(
        Self.emptyReceipt(at: appender.nextSequence, next.fold, of: batch, decision),
        at: position)
    }
    if next.session == nil {
      try open(&next, &appender, schema: next.schema ?? 0, at: moment)
    }
    let numbers = SessionNumbers(next)
    let first = next.fold.sequence + 1
    next.fold.skip(first)
    guard case .accepted(let facts, let encoded) = decision.outcome else {
      try appender.append(
        command.record(schemas, refusal: decision.refusal),
        Envelope(
          session: numbers.session, moment: moment, schema: numbers.schema,
          cause: answer?.id.cause))
      return result.add(
        Self.receipt(of: first..<first + 1, [], next.fold, of: batch, decision), at: position)
    }
    let effects = App.reduce(facts, into: &next.fold, at: moment)
    let hash = hashIfDue(after: facts.count, mayHash: mayHash, &next, saver)
    var envelope = Envelope(
      session: numbers.session, moment: moment, schema: numbers.schema, cause: answer?.id.cause,
      key: batch.key?.bytes)
    try appender.append(command.record(schemas), envelope)
    (envelope.startsBatch, envelope.key) = (false, nil)
    try appender.append(encoded, envelope, effectsAt: Self.causes(of: effects), hashOfLast: hash)
    let sequences = first..<appender.nextSequence
    try Self.noteKey(of: batch, sequences, by: access, &appender)
    result.add(
      Self.receipt(of: sequences, effects, next.fold, of: batch, decision, at: moment),
      at: position)
  }

  // MARK: A large group

  /// Returns whether reducing and appending a group is enough work for two threads.
  private borrowing func isLarge(_ batches: [PendingBatch<App>], actions: Int) -> Bool {
    guard actions >= configuration.largeGroupActionsMin else { return false }
    // One thread handles a group with answers: whether a leaf is still in flight, and so whether
    // its end is appended, is known only when the batch is reduced. The facts of a command are
    // known only after it is decided, so one thread handles its group too.
    return !batches.contains { $0.answer != nil || $0.command != nil }
  }

  /// Appends the records of batches while a second thread reduces the batches after them.
  private mutating func appendLargeGroup(
    _ batches: [PendingBatch<App>], mayHash: Bool, _ next: inout LogState<App>,
    _ appender: inout LogAppender, _ result: inout CommitResult<App>,
    saver: borrowing StateSaver<App>, by access: borrowing LogWriter.Access
  ) throws(StoreError) {
    let count = result.actions
    let last = next.fold.sequence + UInt64(count)
    let hashesState = mayHash && isHashDue(after: next.actionsSinceHash + count, at: last, saver)
    let reduction = GroupReduction(
      batches, into: next.fold, attempt: session.takeAttempt(),
      isObserved: context.isObserved, hashesState: hashesState,
      phaseObserver: configuration.phaseObserver)
    reducer.submit { reduction.run() }
    var failure: StoreError?
    do throws(StoreError) {
      try Self.appendReduced(
        batches, reduction, as: SessionNumbers(next), by: access, &appender, &result)
    } catch {
      failure = error
      reduction.abort()
    }
    next.fold = reduction.waitForFold()
    session.putBack(reduction.takeAttempt())
    result.reductionNanoseconds = reduction.reductionNanoseconds
    next.actionsSinceHash = hashesState ? 0 : next.actionsSinceHash + count
    if hashesState { next.hashedAt = last }
    if let failure { throw failure }
  }

  /// Appends the records of batches as they are reduced.
  private static func appendReduced(
    _ batches: [PendingBatch<App>], _ reduction: GroupReduction<App>, as numbers: SessionNumbers,
    by access: borrowing LogWriter.Access, _ appender: inout LogAppender,
    _ result: inout CommitResult<App>
  ) throws(StoreError) {
    for chunk in reduction.chunks {
      let reduced = try reduction.next()
      // Most batches have no effects and need no receipt.
      let isPlain = reduced.reduced.isEmpty
      for position in chunk {
        let batch = batches[position]
        let hash = position == batches.count - 1 ? reduced.hash : nil
        guard !isPlain, let found = reduced.reduced[position] else {
          try appendRecords(of: batch, [], hash, as: numbers, by: access, &appender)
          continue
        }
        let sequences = try appendRecords(
          of: batch, found.effects, hash, as: numbers, by: access, &appender)
        result.add(receipt(of: sequences, found.effects, found.fold, of: batch), at: position)
      }
    }
  }

  // MARK: Records and receipts

  /// Returns the records that caused effects.
  private static func causes(of effects: [ReducedEffect<App>]) -> [UInt64] {
    // A key path of a generic type would be created anew on each call.
    effects.count == 0 ? [] : effects.map { $0.sequence }
  }

  /// Returns the first and the last batch.
  ///
  /// `first` and `last` of an array look up conformances when the program runs, because the type is
  /// generic here.
  private static func ends(
    of batches: [PendingBatch<App>]
  ) -> (first: PendingBatch<App>?, last: PendingBatch<App>?) {
    batches.count == 0 ? (nil, nil) : (batches[0], batches[batches.count - 1])
  }

  /// Appends the records of a reduced batch, and returns their sequences.
  @discardableResult
  private static func appendRecords(
    of batch: PendingBatch<App>, _ effects: [ReducedEffect<App>], _ hash: Digest?,
    as numbers: SessionNumbers, by access: borrowing LogWriter.Access, _ appender: inout LogAppender
  ) throws(StoreError) -> Range<UInt64> {
    let envelope = Envelope(
      session: numbers.session, moment: batch.moment, schema: numbers.schema,
      cause: batch.answer?.id.cause, key: batch.key?.bytes)
    let sequences = try appender.append(
      batch.encoded, envelope, effectsAt: causes(of: effects), hashOfLast: hash)
    try noteKey(of: batch, sequences, by: access, &appender)
    return sequences
  }

  /// Notes the idempotency key of a batch, if it has one.
  @inline(__always)
  private static func noteKey(
    of batch: PendingBatch<App>, _ sequences: Range<UInt64>,
    by access: borrowing LogWriter.Access, _ appender: inout LogAppender
  ) throws(StoreError) {
    guard let key = batch.key else { return }
    try appender.note(
      key: key.bytes, of: KeyedBatch(sequences: sequences, digest: key.digest),
      keeping: access.keyLimit)
  }

  /// Returns the receipt of a batch that got no sequences.
  private static func emptyReceipt(
    at next: UInt64, _ fold: Fold<App>, of batch: PendingBatch<App>,
    _ decision: Decision<App>? = nil
  ) -> Receipt<App> {
    receipt(of: next..<next, [], fold, of: batch, decision)
  }

  @inline(__always)
  private static func receipt(
    of sequences: Range<UInt64>, _ effects: [ReducedEffect<App>], _ fold: Fold<App>,
    of batch: PendingBatch<App>, _ decision: Decision<App>? = nil, at moment: Moment? = nil
  ) -> Receipt<App> {
    var receipt = Receipt<App>(
      sequences: sequences, state: fold.state, sequence: fold.sequence)
    receipt.decision = decision
    receipt.effectsInFlight = fold.inFlight
    guard effects.count > 0 else { return receipt }
    receipt.effects = effects.map {
      CausedEffect(cause: $0.sequence, moment: moment ?? batch.moment, effect: $0.effect)
    }
    receipt.settlement = batch.answer?.settlement ?? Settlement()
    return receipt
  }
}
