import Retrace
import RetraceBundle

/// The verification of a log, some records at a time: its chain, and its state hashes against those
/// of a fold.
struct PageVerdict<App: ReplayableApp> {
  private var verifier: LogVerifier<SwiftHasher>
  private var hashes: StateHashCheck
  /// Why the rest of the log was not verified.
  private var failure: String?
  private var stateHash: Digest?
  /// The fingerprints of the reducers that recorded the log.
  private var reducers: [Digest] = []

  init(_ log: PageLog) {
    verifier = LogVerifier(store: log.bundle.header.store)
    var composer = SchemaComposer()
    hashes = StateHashCheck(
      stateSchema: App.State.stateSchema(in: &composer).fingerprint(with: SwiftHasher.self))
  }

  /// Verifies and folds further blocks, until as many records were looked at.
  ///
  /// - Returns: Whether the verdict is complete.
  mutating func goOn(
    records: UInt64, in log: PageLog, with folds: inout PageFolds<App>
  ) -> Bool {
    guard stateHash == nil, failure == nil else { return true }
    let goal = verifier.sequence + max(1, records)
    do throws(PageFailure) {
      while verifier.sequence < min(goal, log.last) { try checkBlock(of: log, with: &folds) }
      guard verifier.sequence == log.last else { return false }
      do throws(LogError) {
        try verifier.finish(log.bundle.trailer.head)
      } catch {
        throw PageFailure(error)
      }
      try folds.seek(to: log.last, in: log)
      stateHash = folds.stateHash()
    } catch {
      failure = error.text
    }
    return true
  }

  private mutating func checkBlock(
    of log: PageLog, with folds: inout PageFolds<App>
  ) throws(PageFailure) {
    let before = verifier.sequence
    try folds.seek(to: before, in: log)
    try log.bundle.scanBlocks(from: before + 1) { (key, block) throws(PageFailure) in
      do throws(LogError) {
        try verifier.check(block, at: key)
      } catch {
        throw PageFailure(error)
      }
      return false
    }
    try log.forEachRecord(from: before + 1, through: verifier.sequence) {
      (record) throws(PageFailure) in
      if record.kind == .sessionOpened { try register(record) }
      _ = try folds.advance(record, in: log)
      if let recorded = record.recordedHash, hashes.canCompare(record) {
        hashes.compare(recorded, of: record, with: folds.stateHash())
      }
      return true
    }
  }

  private mutating func register(_ record: borrowing RecordCursor) throws(PageFailure) {
    let opened: SessionOpened
    do throws(AvroError) {
      opened = try record.systemPayload(as: SessionOpened.self)
    } catch {
      throw PageFailure("session \(record.sequence) cannot be read: \(error.description)")
    }
    hashes.register(record.session, opened)
    if !reducers.contains(opened.reducer) { reducers.append(opened.reducer) }
  }

  /// The verdict so far.
  var json: JSONValue {
    [
      "isComplete": .bool(stateHash != nil || failure != nil),
      "failure": failure.map { .string($0) } ?? .null,
      "records": .integer(Int64(clamping: verifier.records)),
      "chain": .string(verifier.chain.hex),
      "stateHash": stateHash.map { .string($0.hex) } ?? .null,
      "compared": .integer(Int64(hashes.compared)),
      "comparedShort": .integer(Int64(hashes.comparedShort)),
      "notComparable": .integer(Int64(hashes.notComparable)),
      "largestDistance": .integer(Int64(clamping: hashes.largestDistance)),
      "recordsAfterLastHash": .integer(
        Int64(clamping: verifier.sequence - min(verifier.sequence, hashes.lastCompared))),
      "firstDivergence": hashes.firstDivergence.map {
        ["after": .integer(Int64(clamping: $0.after)), "upTo": .integer(Int64(clamping: $0.upTo))]
      } ?? .null,
      "reducers": .array(reducers.map { .string($0.hex) }),
      "reducer": .string(App.reducerFingerprint.hex),
    ]
  }
}
