import Retrace
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
  private let reducer: WorkerThread
  private var session: HeldSession<App>
  private let encoder = ActionEncoder<App>()
  private var hashWriter = AvroWriter(capacity: 4096)
  private var context = CommitContext()
  /// The first sequence and the session of the group, as the attempt notes them.
  private var groupStart: (first: UInt64, session: UInt64) = (0, 0)

  struct CommitContext {
    /// Whether the state after each batch is needed, not only after awaited ones.
    var isObserved = true
    /// Whether batches are queued after the group; hashing and saving the state would delay them.
    var hasMoreQueued = false
    var scene: SceneID?
    /// Whether effects run in this process.
    var runsEffects = false
    var reason = SessionClosed.Reason.closed
    /// Whether the group is what one input means, so that a command that is not accepted ends it.
    var isInput = false
    /// The moment of the group's commands; `nil` if it has none.
    fileprivate(set) var commandMoment: Moment?
  }

  init(configuration: StoreConfiguration, identity: AppIdentity, reducer: WorkerThread) {
    self.configuration = configuration
    self.identity = identity
    self.reducer = reducer
    session = HeldSession(configuration: configuration, identity: identity)
  }

  // MARK: The session

  mutating func setContext(_ context: CommitContext) {
    self.context = context
    session.runsEffects = context.runsEffects
  }

  /// Removes the attempt and frees the session's lock.
  mutating func leaveSession(_ log: LogStorage) throws(StoreError) { try session.leave(log) }

  borrowing func abort() { session.abort() }

  /// Returns the time of the machine, if the moments come from another clock.
  borrowing func realTime() -> Moment? { configuration.realClock?() }

  private mutating func closeSession(
    in transaction: inout GroupTransaction<App>, after batch: PendingBatch<App>?
  ) throws(StoreError) {
    guard transaction.next.session != nil else { return }
    var envelope = transaction.envelope(at: moment(of: batch) ?? configuration.clock())
    envelope.stateHash = stateHash(&transaction.next)
    transaction.next.actionsSinceHash = 0
    let sequence = try transaction.appender.append(
      SessionClosed(reason: context.reason), envelope)
    transaction.next.fold.skip(sequence)
    transaction.next.session = nil
    transaction.next.hashedAt = sequence
  }

  /// Appends `crashed` records for batches that dead sessions were reducing, and the ends of these
  /// sessions, unless the log has them.
  ///
  /// - Returns: The sequences of the `crashed` records.
  mutating func appendDeadSessions(
    in transaction: inout GroupTransaction<App>
  ) throws(StoreError) -> [UInt64] {
    let orphans = try transaction.log.orphanedAttempts()
    let sequences = try session.appendCrashed(orphans, in: &transaction, scene: context.scene)
    try session.appendDeadSessionEnds(orphans, in: &transaction)
    return sequences
  }

  /// Creates the attempt of the session, without a group, unless there is one.
  mutating func noteIdle(
    _ committed: borrowing LogState<App>, of log: LogStorage
  ) throws(StoreError) {
    try session.noteIdle(schema: committed.schema ?? 0, of: log)
  }

  // MARK: A group

  /// Appends those batches of a group that the log does not have.
  ///
  /// - Parameters:
  ///   - batches: The batches, none empty.
  ///   - closing: Whether the session ends with them.
  ///   - answer: For the group of one input, what follows a command.
  ///   - transaction: The transaction, before its first record.
  mutating func append(
    _ batches: [PendingBatch<App>], closing: Bool, answering answer: InputAnswer<App>?,
    in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    var fresh = batches
    var places: [Int] = []
    if batches.count > 1 || (batches.count == 1 && batches[0].key != nil) {
      transaction.result.repeated = try transaction.next.outcomesOfRepeated(
        batches, in: transaction.appender)
      if let repeated = transaction.result.repeated {
        places = batches.indices.filter { repeated[$0] == nil }
        fresh = places.map { batches[$0] }
      }
    }
    let hadSession = transaction.next.session != nil
    // A batch that the log already has does not close the session.
    guard fresh.count > 0 || (closing && batches.count == 0 && hadSession) else { return }
    let first = transaction.appender.nextSequence
    try appendGroup(fresh, closing: closing, answering: answer, in: &transaction)
    if !hadSession, transaction.appender.nextSequence == first {
      // The session has no record, so its number and its lock are released.
      try leaveSession(transaction.log)
    }
    if !places.isEmpty { transaction.result.move(to: places) }
  }

  private mutating func appendGroup(
    _ batches: [PendingBatch<App>], closing: Bool, answering answer: InputAnswer<App>?,
    in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    var batches = batches
    let first = transaction.appender.nextSequence
    let ends = Self.ends(of: batches)
    try begin(batches, in: &transaction)
    // The record that closes the session carries the hash of the state after the last batch.
    if isLarge(batches, actions: transaction.result.actions) {
      transaction.result.isLarge = true
      try appendLargeGroup(batches, mayHash: !closing, in: &transaction)
    } else {
      // Processor time, because it does not depend on other load.
      let begin = batches.count > 1 ? ThreadClock.nanoseconds() : 0
      defer {
        if begin > 0 {
          transaction.result.reductionNanoseconds = ThreadClock.nanoseconds() - begin
        }
      }
      var index = 0
      while index < batches.count {
        try enter(.reducing(index))
        let mayHash = !closing && index == batches.count - 1
        try appendBatch(batches[index], at: index, mayHash: mayHash, in: &transaction)
        if context.isInput, batches[index].command != nil {
          try continueInput(&batches, after: index, answering: answer, in: &transaction)
        }
        index += 1
      }
    }
    transaction.result.batches = batches.count
    if batches.count > 0 && transaction.appender.nextSequence == first {
      // A decider that read a damaged page may have refused wrongly.
      try transaction.checkPages()
      // Nothing was appended: every command failed, or was refused without a record.
      return abort()
    }
    // A command that is not accepted leaves the session open, also if its refusal is recorded.
    let closing =
      closing && !(batches.count == 1 && transaction.result.lastCommandWasNotAccepted)
    if closing { try closeSession(in: &transaction, after: ends.last) }
    // Results of damaged pages must not get into the log.
    try transaction.checkPages()
    try enter(.committing)
  }

  /// Drops what follows a command of an input that was not accepted, and inserts the answer.
  ///
  /// - Throws: The reason why a command could not be decided; then nothing of the input is left.
  private mutating func continueInput(
    _ batches: inout [PendingBatch<App>], after index: Int, answering answer: InputAnswer<App>?,
    in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    let receipts = transaction.result.receipts
    guard receipts.count > 0 else { return }
    let outcome: Result<[App.Action], App.Refusal>
    switch receipts[receipts.count - 1].receipt.decision?.outcome {
    case .accepted(let facts, _): outcome = .success(facts)
    case .refused(let refusal):
      outcome = .failure(refusal)
      batches.removeLast(batches.count - index - 1)
    case .failed(let error): throw error
    case nil: return
    }
    guard let answer else { return }
    guard let actions = App._sent(answer(outcome)) else { throw StoreError.notFromScene }
    guard actions.count > 0 else { return }
    let encoded = try encoder.encode(actions)
    let batch = PendingBatch<App>(
      actions: actions, encoded: encoded, bytes: encoded.bytes.count,
      moment: context.commandMoment ?? batches[index].moment)
    batches.insert(batch, at: index + 1)
    transaction.result.actions += actions.count
    transaction.next.countActions(actions.count)
    try note(batches, in: transaction)
  }

  /// Prepares the transaction for a group, opens the session, and notes the group in the attempt.
  private mutating func begin(
    _ batches: [PendingBatch<App>], in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    let schema: UInt32
    if let known = transaction.next.schema {
      schema = known
    } else {
      schema = try transaction.appender.schemaNumber(identity.schemas.action)
    }
    transaction.next.schema = schema
    transaction.result.actions = Self.actionCount(of: batches)
    transaction.next.countActions(transaction.result.actions)
    // The attempt notes 0 for a session without a committed record: if the process ends, the
    // number may go to another session.
    groupStart = (
      first: transaction.next.fold.sequence + 1, session: transaction.next.session ?? 0
    )
    // Sampled after catching up, so that no committed record has a later moment of this clock.
    // What an input means has one moment, which is sampled there, too.
    context.commandMoment =
      Self.hasCommands(batches)
      ? context.isInput ? batches[0].moment : configuration.clock() : nil
    if transaction.next.session == nil {
      try session.reserve(in: &transaction)
      // A command opens the session only when its record is appended.
      if batches.count == 0 || batches[0].command == nil {
        try open(in: &transaction, at: Self.ends(of: batches).first?.moment)
      }
    }
    if batches.count > 0 { try note(batches, in: transaction) }
  }

  /// Notes a group in the attempt.
  private mutating func note(
    _ batches: [PendingBatch<App>], in transaction: borrowing GroupTransaction<App>
  ) throws(StoreError) {
    let schema = transaction.next.schema ?? 0
    let hasNewCommandSchema =
      Self.hasCommands(batches) && transaction.appender.hasNewCommandSchema
    let group = Attempt(
      firstSequence: groupStart.first, session: groupStart.session, schema: schema,
      newSchema: transaction.appender.newSchema == schema ? identity.schemas.action.text : "",
      newCommandSchema:
        hasNewCommandSchema ? identity.schemas.commands?.command.text ?? "" : "",
      batches: noted(batches, transaction.next))
    try session.note(group, session: session.number ?? 0, of: transaction.log)
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

  /// Appends the first record of the session, unless it is open.
  private mutating func open(
    in transaction: inout GroupTransaction<App>, at moment: Moment?
  ) throws(StoreError) {
    guard transaction.next.session == nil else { return }
    try session.appendOpening(in: &transaction, at: moment, scene: context.scene)
  }

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
    StateHasher.hash(&next.fold.state, with: SHA256Hasher.self, &hashWriter)
  }

  /// How much of a state's hash is recorded.
  private enum HashForm {
    case whole, short

    func record(of hash: Digest) -> RecordedStateHash {
      self == .whole ? .whole(hash) : RecordedStateHash(shortOf: hash)
    }
  }

  /// The form of a hash that is not due.
  ///
  /// In a session with a scene, where a person acts, every commit gets at least a short hash, so
  /// that a verification finds the commit at which a fold diverges.
  private var formNotDue: HashForm? { context.scene == nil ? nil : .short }

  /// Counts actions of a commit, and returns the form of the state's hash after its last record;
  /// `nil` if the state is not hashed.
  ///
  /// After many changes a hash is expensive. So while more is queued, the state is hashed only as
  /// often as it is saved.
  @inline(__always)
  private borrowing func hashForm(
    after count: Int, at sequence: UInt64, mayHash: Bool,
    in transaction: inout GroupTransaction<App>
  ) -> HashForm? {
    transaction.next.actionsSinceHash += count
    guard mayHash, count > 0 else { return nil }
    let actions = transaction.next.actionsSinceHash
    let isDue =
      context.hasMoreQueued
      ? actions >= max(1, configuration.busyHashInterval / 2)
      : actions >= configuration.hashInterval || transaction.isSaveDue(at: sequence)
    guard isDue else { return formNotDue }
    transaction.next.hashedAt = sequence
    transaction.next.actionsSinceHash = 0
    return .whole
  }

  /// Counts the actions of a reduced batch, and hashes the state if that is due after them.
  @inline(__always)
  private mutating func hashIfDue(
    after count: Int, mayHash: Bool, in transaction: inout GroupTransaction<App>
  ) -> RecordedStateHash? {
    let sequence = transaction.next.fold.sequence
    let form = hashForm(after: count, at: sequence, mayHash: mayHash, in: &transaction)
    guard let form else { return nil }
    return form.record(of: stateHash(&transaction.next))
  }

  // MARK: One batch

  /// Reduces a batch and appends its records.
  private mutating func appendBatch(
    _ batch: PendingBatch<App>, at position: Int, mayHash: Bool,
    in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    if let command = batch.command {
      return try appendCommand(
        command, of: batch, at: position, mayHash: mayHash, in: &transaction)
    }
    try open(in: &transaction, at: batch.moment)
    if let answer = batch.answer, try !transaction.append(answer, at: batch.moment) {
      return transaction.result.add(transaction.emptyReceipt(), at: position)
    }
    let effects = App.reduce(batch.actions, into: &transaction.next.fold, at: batch.moment)
    let hash = hashIfDue(after: batch.actions.count, mayHash: mayHash, in: &transaction)
    let sequences = try transaction.append(batch, effects, hash: hash)
    if batch.needsReceipt || context.isObserved || effects.count > 0 {
      var receipt = Receipt(of: sequences, after: transaction.next.fold)
      receipt.setEffects(effects, of: batch, at: batch.moment)
      transaction.result.add(receipt, at: position, of: batch, batch.moment)
    }
  }

  // MARK: A command

  /// Decides a command, reduces its facts and appends the records.
  ///
  /// If a leaf answers with the command, the record of the leaf's end comes first. If the leaf is
  /// not in flight any more, nothing is decided. If the command cannot be decided, the leaf fails.
  private mutating func appendCommand(
    _ command: PendingCommand<App>, of batch: PendingBatch<App>, at position: Int, mayHash: Bool,
    in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    let moment = context.commandMoment ?? batch.moment
    var answer = batch.answer
    if let answer, !transaction.next.fold.inFlight.contains(answer.id) {
      return transaction.result.add(transaction.emptyReceipt(), at: position)
    }
    let decision = command.decide(on: transaction.next.fold, at: moment, encoder)
    if case .failed(let error) = decision.outcome { answer = answer?.failing(because: error) }
    if let answer, answer.outcome != nil {
      try open(in: &transaction, at: moment)
      _ = try transaction.append(answer, at: moment)
    }
    guard let schemas = transaction.next.commandSchemas,
      decision.isRecorded(from: command.origin)
    else {
      return transaction.result.add(transaction.emptyReceipt(decision), at: position)
    }
    try open(in: &transaction, at: moment)
    let first = transaction.next.fold.sequence + 1
    transaction.next.fold.skip(first)
    var envelope = transaction.envelope(at: moment, cause: answer?.id.cause)
    guard case .accepted(let facts, let encoded) = decision.outcome else {
      if mayHash || context.isInput, let form = formNotDue {
        envelope.recordedHash = form.record(of: stateHash(&transaction.next))
      }
      try transaction.appender.append(
        command.record(schemas, refusal: decision.refusal), envelope)
      let receipt = Receipt(of: first..<first + 1, after: transaction.next.fold, decision)
      return transaction.result.add(receipt, at: position, of: batch, moment)
    }
    let effects = App.reduce(facts, into: &transaction.next.fold, at: moment)
    let hash = hashIfDue(after: facts.count, mayHash: mayHash, in: &transaction)
    envelope.key = batch.key?.bytes
    try transaction.appender.append(command.record(schemas), envelope)
    (envelope.startsBatch, envelope.key) = (false, nil)
    let causes = GroupTransaction<App>.causes(of: effects)
    try transaction.appender.append(encoded, envelope, effectsAt: causes, hashOfLast: hash)
    let sequences = first..<transaction.appender.nextSequence
    try transaction.noteKey(of: batch, sequences)
    var receipt = Receipt(of: sequences, after: transaction.next.fold, decision)
    receipt.setEffects(effects, of: batch, at: moment)
    transaction.result.add(receipt, at: position, of: batch, moment)
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
    _ batches: [PendingBatch<App>], mayHash: Bool, in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    let count = transaction.result.actions
    let form = hashForm(
      after: count, at: transaction.next.fold.sequence + UInt64(count), mayHash: mayHash,
      in: &transaction)
    let reduction = GroupReduction(
      batches, into: transaction.next.fold, attempt: session.takeAttempt(),
      isObserved: context.isObserved, hashesState: form != nil,
      phaseObserver: configuration.phaseObserver)
    reducer.submit { reduction.run() }
    var failure: StoreError?
    do throws(StoreError) {
      try Self.appendReduced(batches, reduction, form, in: &transaction)
    } catch {
      failure = error
      reduction.abort()
    }
    transaction.next.fold = reduction.waitForFold()
    session.putBack(reduction.takeAttempt())
    transaction.result.reductionNanoseconds = reduction.reductionNanoseconds
    if let failure { throw failure }
  }

  /// Appends the records of batches as they are reduced.
  private static func appendReduced(
    _ batches: [PendingBatch<App>], _ reduction: GroupReduction<App>, _ form: HashForm?,
    in transaction: inout GroupTransaction<App>
  ) throws(StoreError) {
    for chunk in reduction.chunks {
      let reduced = try reduction.next()
      // Most batches have no effects and need no receipt.
      let isPlain = reduced.reduced.isEmpty
      for position in chunk {
        let batch = batches[position]
        var hash: RecordedStateHash?
        if position == batches.count - 1, let form, let found = reduced.hash {
          hash = form.record(of: found)
        }
        guard !isPlain, let found = reduced.reduced[position] else {
          try transaction.append(batch, [], hash: hash)
          continue
        }
        let sequences = try transaction.append(batch, found.effects, hash: hash)
        var receipt = Receipt(of: sequences, after: found.fold)
        receipt.setEffects(found.effects, of: batch, at: batch.moment)
        transaction.result.add(receipt, at: position, of: batch, batch.moment)
      }
    }
  }

  /// Returns the first and the last batch.
  ///
  /// `first` and `last` of an array of a generic type would look up conformances at run time.
  private static func ends(
    of batches: [PendingBatch<App>]
  ) -> (first: PendingBatch<App>?, last: PendingBatch<App>?) {
    batches.count == 0 ? (nil, nil) : (batches[0], batches[batches.count - 1])
  }
}
