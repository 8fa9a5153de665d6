public import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
public import RetraceStorage

/// Verifies a log against its chain and its recorded state hashes.
public enum Verifier<App: ReplayableApp> {
  /// Recomputes checksums, chain and every recorded state hash of a log.
  ///
  /// - Parameters:
  ///   - storage: The log.
  ///   - progress: Called now and then with the sequence reached and the last one.
  /// - Complexity: O(records), each hashed, decoded and reduced, plus one state hash per recorded
  ///   one.
  /// - Throws: `damaged` with the sequence when the log is not what was written; `incompatible`
  ///   when this build cannot decode a record.
  public static func verify(
    _ storage: LogStorage, progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(StoreError) -> Verification {
    var walk = Walk<App>()
    let head = try storage.withSnapshot { (snapshot) throws(StoreError) in
      let head = snapshot.head
      try snapshot.verify()
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
    return Verification(
      records: head.sequence, chain: head.chain, stateHash: walk.stateHash(),
      compared: walk.compared, notComparable: walk.notComparable,
      ignored: walk.ignored, firstDivergence: walk.firstDivergence)
  }
}

/// The state of a verification while it walks.
private struct Walk<App: ReplayableApp>: ~Copyable {
  private var fold: RecordFold<App>
  private var hashWriter = AvroWriter(capacity: 4096)
  private let stateFingerprint: Digest
  /// The fingerprint of the state schema of each session met.
  private var sessions: [UInt64: Digest] = [:]
  private var lastAgreement: UInt64 = 0
  private(set) var compared = 0
  private(set) var notComparable = 0
  private(set) var firstDivergence: Verification.Divergence?

  init() {
    fold = RecordFold(plan: DecodingPlan())
    var composer = SchemaComposer()
    stateFingerprint = App.State.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self)
  }

  mutating func start(_ plan: DecodingPlan<App>) {
    fold = RecordFold(plan: plan)
  }

  mutating func take(
    _ record: borrowing RecordCursor, of snapshot: borrowing LogSnapshot
  ) throws(StoreError) {
    let sequence = record.sequence
    if record.kind == .sessionOpened {
      guard let opened = try? SessionOpened(encoded: record.payload) else {
        throw StoreError.damaged(sequence: sequence, detail: "session record")
      }
      sessions[record.session] = opened.stateSchema
    }
    try snapshot.take(record, into: &fold)
    guard let recorded = record.stateHash else { return }
    guard sessions[record.session] == stateFingerprint else {
      notComparable += 1
      return
    }
    compared += 1
    if stateHash() == recorded {
      lastAgreement = sequence
    } else if firstDivergence == nil {
      firstDivergence = Verification.Divergence(after: lastAgreement, upTo: sequence)
    }
  }

  /// How many records were passed over because their case was retired, by case.
  var ignored: [CaseName: UInt64] { fold.ignored }

  mutating func stateHash() -> Digest {
    StateHasher.hash(&fold.fold.state, with: SHA256Hasher.self, &hashWriter)
  }
}
