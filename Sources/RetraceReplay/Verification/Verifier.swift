public import Retrace
public import RetraceStorage
import RetraceSystem

/// The verification of a log: its chain, state hashes, effects and invariants and, on request,
/// decisions.
public enum Verifier<App: ReplayableApp> {
  /// Recomputes the checksums, the chain and every recorded state hash of a log, compares the
  /// effects of the fold with what the log says of effects, and checks the app's invariants.
  ///
  /// One thread checks the blocks ahead of the calling thread, which alone decodes and reduces.
  /// Up to 8 threads, at most one for each processor, hash states in which much changed. Where
  /// many logs are verified at the same time, let each use the calling thread alone.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - invariantChecks: The records after which the app's invariants are checked.
  ///   - isDeciding: Whether each command is decided again on the state before it, and the
  ///     decision compared with the recorded one. A decider that traps ends the process, as a
  ///     reducer does; `replay verify` then names the record of the command.
  ///   - isOnOneThread: Whether no other thread than the calling one is used.
  ///   - progress: Called every 65,536 records with the current and the last sequence.
  /// - Complexity: O(records), each hashed, decoded and reduced, plus one state hash for each
  ///   recorded one, the cost of the invariants and, if asked for, of each decider call.
  /// - Throws: `damaged` with the sequence when the log differs from what was written;
  ///   `incompatible` when this build cannot decode a record.
  @inlinable
  public static func verify(
    _ storage: LogStorage,
    checkingInvariants invariantChecks: Verification.InvariantChecks = .spread,
    decidingCommands isDeciding: Bool = false,
    onOneThread isOnOneThread: Bool = false,
    progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(StoreError) -> Verification {
    try storage.withReadView { (view) throws(StoreError) in
      let head = view.head
      var pass = VerificationPass<App>(
        of: storage, through: head, checkingInvariants: invariantChecks, isDeciding: isDeciding,
        isOnOneThread: isOnOneThread)
      do throws(StoreError) {
        pass.startFold(with: try view.plan(for: App.self))
        if head.sequence > 0 {
          try view.scan(
            foldingBy: App.reducerFingerprint, from: 1, through: head.sequence
          ) { record throws(StoreError) in
            try pass.verify(record, of: view)
            if record.sequence & 0xffff == 0 { progress(record.sequence, head.sequence) }
          }
        }
      } catch {
        // Damage of the log takes precedence over any other error.
        try pass.finishCheck(in: view)
        throw error
      }
      try pass.finishCheck(in: view)
      return pass.result(at: head)
    }
  }
}

extension Verification.InvariantChecks {
  /// The most checks that are spread over a log.
  private static var spreadMax: UInt64 { 64 }

  /// Returns the number of records from one check to the next; `UInt64.max` for no checks.
  func interval(through last: UInt64) -> UInt64 {
    switch self {
    case .omitted: .max
    case .spread: max(1, last / Self.spreadMax + (last % Self.spreadMax == 0 ? 0 : 1))
    case .everyRecord: 1
    }
  }
}

/// The progress of a verification.
///
/// The code that runs for every record is inlinable, so that it is specialised for the app.
@frozen
@usableFromInline
struct VerificationPass<App: ReplayableApp>: ~Copyable {
  @usableFromInline var fold: RecordFold<App>
  private var hashWriter = AvroWriter(capacity: 4096)
  private let workers: WorkerPool
  private var hashes: StateHashCheck
  @usableFromInline var effects: EffectCheck
  private var decisions: DecisionCheck<App>?
  private var firstViolations: Verification.Violations?
  private var invariantChecks = 0
  /// The next record after which the invariants are checked, or `UInt64.max`.
  @usableFromInline var nextInvariantCheck: UInt64
  /// The number of records from one check of the invariants to the next.
  private let invariantCheckInterval: UInt64
  private let lastSequence: UInt64
  @usableFromInline let isDeciding: Bool
  private let check: BlockCheck
  /// The last record up to which the chain is known to be confirmed.
  @usableFromInline var checked: UInt64 = 0

  /// Starts the check of the blocks.
  @usableFromInline
  init(
    of storage: LogStorage, through head: Head,
    checkingInvariants: Verification.InvariantChecks, isDeciding: Bool, isOnOneThread: Bool
  ) {
    let interval = checkingInvariants.interval(through: head.sequence)
    invariantCheckInterval = interval
    nextInvariantCheck =
      interval == .max || head.sequence == 0 ? .max : min(interval, head.sequence)
    lastSequence = head.sequence
    self.isDeciding = isDeciding
    decisions = isDeciding ? DecisionCheck() : nil
    effects = EffectCheck()
    fold = RecordFold(plan: DecodingPlan())
    workers = isOnOneThread ? .callingThread : .forHashing()
    var composer = SchemaComposer()
    hashes = StateHashCheck(
      stateSchema: App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self))
    check = BlockCheck(through: head)
    // A fold that searches for the record at which the reducer crashes must run alone, so that no
    // other thread can cause the crash.
    check.start(
      on: storage,
      isBlocking: isOnOneThread || storage.notesEachRecord(foldedBy: App.reducerFingerprint))
  }

  @usableFromInline
  mutating func startFold(with plan: DecodingPlan<App>) {
    fold = RecordFold(plan: plan)
  }

  @inlinable
  mutating func verify(
    _ record: borrowing RecordCursor, of view: borrowing ReadView
  ) throws(StoreError) {
    if record.sequence > checked { try waitForCheck(of: record.sequence, in: view) }
    if record.kind == .sessionOpened { try registerSession(record) }
    if isDeciding { try decide(record, in: view) }
    if record.moment < effects.lastMoment { effects.lastSetBack = record.sequence }
    effects.lastMoment = record.moment
    if record.kind == .effectFinished || record.cause != nil {
      try compareAnswer(record, in: view)
    }
    let skipped = record.hasEffect ? skippedRecords() : 0
    let effect = try view.fold(record, into: &fold)
    if record.hasEffect || !effect.isNone { compare(effect, of: record, after: skipped) }
    if let recorded = record.recordedHash { compare(recorded, of: record) }
    if record.sequence >= nextInvariantCheck { checkInvariants(after: record.sequence) }
  }

  @usableFromInline
  mutating func waitForCheck(
    of sequence: UInt64, in view: borrowing ReadView
  ) throws(StoreError) {
    checked = try check.wait(for: sequence, in: view)
  }

  @usableFromInline
  func finishCheck(in view: borrowing ReadView) throws(StoreError) {
    try check.finish(in: view)
  }

  /// Stores the fingerprint of a session's state schema.
  @usableFromInline
  mutating func registerSession(_ record: borrowing RecordCursor) throws(StoreError) {
    let opened = try record.storedPayload(as: SessionOpened.self)
    hashes.register(record.session, opened)
    effects.register(record.session, opened)
  }

  /// Passes a record to the check of decisions, before the record is folded.
  @usableFromInline
  mutating func decide(
    _ record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) {
    try decisions?.visit(record, before: fold, in: view)
  }

  /// Compares the end of a leaf, or the start of an answer, before the record is folded.
  @usableFromInline
  mutating func compareAnswer(
    _ record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) {
    try effects.compareAnswer(record, with: fold.fold.inFlight, in: view)
  }

  /// Returns the number of records skipped so far because their case is retired.
  @usableFromInline
  func skippedRecords() -> UInt64 { fold.skipped.values.reduce(0, +) }

  /// Compares the effect of an action, unless the action was skipped because its case is retired.
  @usableFromInline
  mutating func compare(
    _ effect: Effect<App.Action, App.Environment>, of record: borrowing RecordCursor,
    after skipped: UInt64
  ) {
    if record.hasEffect, effect.isNone, skippedRecords() != skipped {
      effects.skip(record.sequence)
    } else {
      effects.compare(effect, of: record)
    }
  }

  /// Compares the recorded hash of a record with the hash of the state.
  @usableFromInline
  mutating func compare(_ recorded: RecordedStateHash, of record: borrowing RecordCursor) {
    guard hashes.canCompare(record) else { return }
    hashes.compare(recorded, of: record, with: stateHash())
  }

  /// Checks the invariants and chooses the record for the next check.
  @usableFromInline
  mutating func checkInvariants(after sequence: UInt64) {
    invariantChecks += 1
    let violations = App.violations(of: fold.fold.state)
    if !violations.isEmpty {
      firstViolations = Verification.Violations(sequence: sequence, violations: violations)
      nextInvariantCheck = .max
    } else if sequence == lastSequence {
      nextInvariantCheck = .max
    } else {
      nextInvariantCheck = sequence + min(invariantCheckInterval, lastSequence - sequence)
    }
  }

  @usableFromInline
  mutating func result(at head: Head) -> Verification {
    decisions?.finish()
    return Verification(
      records: head.sequence, chain: head.chain, stateHash: stateHash(), compared: hashes.compared,
      comparedShort: hashes.comparedShort, notComparable: hashes.notComparable,
      largestDistance: hashes.largestDistance,
      recordsAfterLastHash: head.sequence - hashes.lastCompared, skipped: fold.skipped,
      firstDivergence: hashes.firstDivergence.map {
        Verification.Divergence(after: $0.after, upTo: $0.upTo)
      },
      effects: effects.results, invariantChecks: invariantChecks,
      firstViolations: firstViolations, decisions: decisions?.results)
  }

  private mutating func stateHash() -> Digest {
    StateHasher.hash(&fold.fold.state, with: SHA256Hasher.self, &hashWriter, on: workers)
  }
}
