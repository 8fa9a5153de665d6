public import RetraceArchitecture
public import RetraceAvro
public import RetraceLog
public import RetraceState
public import RetraceStorage
import RetraceSystem

/// Verifies a log against its chain and its recorded state hashes.
public enum Verifier<App: ReplayableApp> {
  /// Recomputes checksums, chain and every recorded state hash of a log.
  ///
  /// The blocks are checked, and a state in which much changed is hashed, by as many threads as
  /// there are processors, up to 8; decoding and reducing are for the calling thread alone.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - progress: Called now and then with the sequence reached and the last one.
  /// - Complexity: O(records), each hashed, decoded and reduced, plus one state hash per recorded
  ///   one.
  /// - Throws: `damaged` with the sequence when the log is not what was written; `incompatible`
  ///   when this build cannot decode a record.
  @inlinable
  public static func verify(
    _ storage: LogStorage, progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(StoreError) -> Verification {
    var walk = Walk<App>()
    let head = try storage.withSnapshot { (snapshot) throws(StoreError) in
      let head = snapshot.head
      try walk.check(snapshot)
      walk.start(try snapshot.plan(for: App.self))
      if head.sequence > 0 {
        try snapshot.scan(
          foldingBy: App.reducerFingerprint, from: 1, through: head.sequence
        ) { record throws(StoreError) in
          try walk.take(record, of: snapshot)
          if record.sequence & 0xffff == 0 { progress(record.sequence, head.sequence) }
        }
      }
      return head
    }
    return walk.result(at: head)
  }
}

/// The state of a verification while it walks.
///
/// What every record goes through is inlinable, so that whoever names an app gets a walk that is
/// compiled for it.
@frozen
@usableFromInline
struct Walk<App: ReplayableApp>: ~Copyable {
  @usableFromInline var fold: RecordFold<App>
  private var hashWriter = AvroWriter(capacity: 4096)
  private let crew: any WorkSharing
  private let stateFingerprint: Digest
  /// The fingerprint of the state schema of each session met.
  private var sessions: [UInt64: Digest] = [:]
  private var lastAgreement: UInt64 = 0
  private var compared = 0
  private var notComparable = 0
  private var firstDivergence: Verification.Divergence?

  @usableFromInline
  init() {
    fold = RecordFold(plan: DecodingPlan())
    crew = HashingCrew()
    var composer = SchemaComposer()
    stateFingerprint = App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self)
  }

  /// Checks all blocks of the log before anything is made of them.
  @usableFromInline
  func check(_ snapshot: borrowing LogSnapshot) throws(StoreError) {
    try snapshot.verify(sharedBy: crew)
  }

  @usableFromInline
  mutating func start(_ plan: DecodingPlan<App>) {
    fold = RecordFold(plan: plan)
  }

  @inlinable
  mutating func take(
    _ record: borrowing RecordCursor, of snapshot: borrowing LogSnapshot
  ) throws(StoreError) {
    if record.kind == .sessionOpened { try meet(record) }
    try snapshot.take(record, into: &fold)
    if let recorded = record.stateHash { compare(recorded, of: record) }
  }

  /// Takes note of the state schema of a session.
  @usableFromInline
  mutating func meet(_ record: borrowing RecordCursor) throws(StoreError) {
    guard let opened = try? record.systemPayload(as: SessionOpened.self) else {
      throw StoreError.damaged(sequence: record.sequence, detail: "session record")
    }
    sessions[record.session] = opened.stateSchema
  }

  /// Compares the hash that a record carries with that of the state.
  @usableFromInline
  mutating func compare(_ recorded: Digest, of record: borrowing RecordCursor) {
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

  /// What was found, at the end of the log.
  @usableFromInline
  mutating func result(at head: Head) -> Verification {
    Verification(
      records: head.sequence, chain: head.chain, stateHash: stateHash(), compared: compared,
      notComparable: notComparable, ignored: fold.ignored, firstDivergence: firstDivergence)
  }

  private mutating func stateHash() -> Digest {
    StateHasher.hash(&fold.fold.state, with: SHA256Hasher.self, &hashWriter, sharedBy: crew)
  }
}
