public import RetraceArchitecture
public import RetraceAvro
public import RetraceLog
public import RetraceState
public import RetraceStorage
import RetraceSystem

/// The verification of a log: its chain, state hashes and invariants and, on request, decisions.
public enum Verifier<App: ReplayableApp> {
  /// Recomputes the checksums, the chain and every recorded state hash of a log, and checks the
  /// app's invariants.
  ///
  /// One thread checks the blocks ahead of the calling thread, which alone decodes and reduces.
  /// Up to 8 threads, at most one for each processor, hash states in which much changed.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - checksEvery: Whether the app's invariants are checked after every record, and not only at
  ///     recorded state hashes and at the end.
  ///   - isDeciding: Whether each command is decided again on the state before it, and the
  ///     decision compared with the recorded one. A decider that traps ends the process, as a
  ///     reducer does; `replay verify` then names the record of the command.
  ///   - progress: Called every 65,536 records with the current and the last sequence.
  /// - Complexity: O(records), each hashed, decoded and reduced, plus one state hash for each
  ///   recorded one, the cost of the invariants and, if asked for, of each decider call.
  /// - Throws: `damaged` with the sequence when the log differs from what was written;
  ///   `incompatible` when this build cannot decode a record.
  @inlinable
  public static func verify(
    _ storage: LogStorage, checkingInvariantsAfterEveryRecord checksEvery: Bool = false,
    decidingCommands isDeciding: Bool = false,
    progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(StoreError) -> Verification {
    try storage.withReadView { (view) throws(StoreError) in
      let head = view.head
      var pass = VerificationPass<App>(
        of: storage, through: head, checkingEvery: checksEvery, isDeciding: isDeciding)
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

/// The progress of a verification.
///
/// The code that runs for every record is inlinable, so that it is specialised for the app.
@frozen
@usableFromInline
struct VerificationPass<App: ReplayableApp>: ~Copyable {
  @usableFromInline var fold: RecordFold<App>
  private var hashWriter = AvroWriter(capacity: 4096)
  private let workers: any WorkerPool
  private let stateFingerprint: Digest
  /// The fingerprint of the state schema of each session so far.
  private var sessions: [UInt64: Digest] = [:]
  private var lastAgreement: UInt64 = 0
  private var compared = 0
  private var notComparable = 0
  private var firstDivergence: Verification.Divergence?
  private var decisions: DecisionCheck<App>?
  private var firstViolations: Verification.Violations?
  /// The last record after which the invariants were checked.
  private var invariantsChecked: UInt64 = 0
  @usableFromInline let checksEvery: Bool
  @usableFromInline let isDeciding: Bool
  private let check: BlockCheck
  /// The last record up to which the chain is known to be confirmed.
  @usableFromInline var checked: UInt64 = 0

  /// Starts the check of the blocks.
  @usableFromInline
  init(
    of storage: LogStorage, through head: Head, checkingEvery checksEvery: Bool, isDeciding: Bool
  ) {
    self.checksEvery = checksEvery
    self.isDeciding = isDeciding
    decisions = isDeciding ? DecisionCheck() : nil
    fold = RecordFold(plan: DecodingPlan())
    workers = HashingPool()
    var composer = SchemaComposer()
    stateFingerprint = App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self)
    check = BlockCheck(through: head)
    // A fold that searches for the record at which the reducer crashes must run alone, so that no
    // other thread can cause the crash.
    check.start(
      on: storage, isBlocking: storage.notesEachRecord(foldedBy: App.reducerFingerprint))
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
    try view.fold(record, into: &fold)
    if let recorded = record.stateHash { compare(recorded, of: record) }
    if checksEvery { checkInvariants(after: record.sequence) }
  }

  @usableFromInline
  mutating func waitForCheck(
    of sequence: UInt64, in view: borrowing ReadView
  ) throws(StoreError) {
    checked = try check.wait(for: sequence, in: view)
  }

  /// Waits for the end of the check of the blocks.
  @usableFromInline
  func finishCheck(in view: borrowing ReadView) throws(StoreError) {
    try check.finish(in: view)
  }

  /// Stores the fingerprint of a session's state schema.
  @usableFromInline
  mutating func registerSession(_ record: borrowing RecordCursor) throws(StoreError) {
    guard let opened = try? record.systemPayload(as: SessionOpened.self) else {
      throw StoreError.damaged(sequence: record.sequence, detail: "session record")
    }
    sessions[record.session] = opened.stateSchema
  }

  /// Passes a record to the check of decisions, before the record is folded.
  @usableFromInline
  mutating func decide(
    _ record: borrowing RecordCursor, in view: borrowing ReadView
  ) throws(StoreError) {
    try decisions?.visit(record, before: fold, in: view)
  }

  /// Compares the recorded hash of a record with that of the state.
  @usableFromInline
  mutating func compare(_ recorded: Digest, of record: borrowing RecordCursor) {
    if !checksEvery { checkInvariants(after: record.sequence) }
    guard sessions[record.session] == stateFingerprint else {
      notComparable += 1
      return
    }
    compared += 1
    if stateHash() == recorded {
      lastAgreement = record.sequence
    } else if firstDivergence == nil {
      firstDivergence = Verification.Divergence(after: lastAgreement, upTo: record.sequence)
    }
  }

  /// Checks the invariants, unless that is done for the record or some are known to be broken.
  @usableFromInline
  mutating func checkInvariants(after sequence: UInt64) {
    guard firstViolations == nil, sequence > invariantsChecked else { return }
    invariantsChecked = sequence
    let violations = App.violations(of: fold.fold.state)
    guard !violations.isEmpty else { return }
    firstViolations = Verification.Violations(sequence: sequence, violations: violations)
  }

  /// Returns the results, at the end of the log.
  @usableFromInline
  mutating func result(at head: Head) -> Verification {
    decisions?.finish()
    checkInvariants(after: head.sequence)
    return Verification(
      records: head.sequence, chain: head.chain, stateHash: stateHash(), compared: compared,
      notComparable: notComparable, skipped: fold.skipped, firstDivergence: firstDivergence,
      firstViolations: firstViolations, decisions: decisions?.results)
  }

  private mutating func stateHash() -> Digest {
    StateHasher.hash(&fold.fold.state, with: SHA256Hasher.self, &hashWriter, on: workers)
  }
}
