import Counter
import Retrace
import RetraceStorage
import RetraceSystem

/// Opens a store for reading, while its app may be recording.
func openForReading(_ path: String) throws(StoreError) -> LogStorage {
  let access: LogStorage.Access = .read
  return try LogStorage.open(at: path, access: access)
}

/// Returns the envelopes of the last records of a log.
func lastEnvelopes(_ count: UInt64, in storage: LogStorage) throws(StoreError) -> [Envelope] {
  try storage.withReadView { (view: borrowing ReadView) throws(StoreError) in
    let last = view.head.sequence
    guard last > 0, count > 0 else { return [] }
    var envelopes: [Envelope] = []
    let first = last - min(count, last) + 1
    try view.forEachRecord(from: first, through: last) { envelope, _ in
      envelopes.append(envelope)
    }
    return envelopes
  }
}

/// Returns the number of counters in the latest state, and the snapshot it was loaded from.
func counterCount(in storage: LogStorage) throws(StoreError) -> (counters: Int, snapshot: UInt64?) {
  try storage.withState(of: CounterApp.self) { (state, use: SnapshotUse) in
    (state.counters.count, use.used)
  }
}

/// Returns why the snapshots that were examined were not used.
func rejections(_ use: SnapshotUse) -> [String] {
  use.candidates.compactMap { (candidate: SnapshotUse.Candidate) in
    let verdict: SnapshotUse.Verdict = candidate.verdict
    return verdict == .used ? nil : "\(candidate.sequence): \(candidate.reason)"
  }
}

/// Appends raw records to an empty log in one transaction, as a benchmark of the log does.
func append(_ actions: [CounterAction], to storage: LogStorage) throws(StoreError) -> UInt64 {
  let moment = Moment(microseconds: 0)
  return try storage.appendRaw { transaction throws(StoreError) in
    var last: UInt64 = 0
    try transaction { (appender: inout LogAppender) throws(StoreError) in
      let schema = try appender.schemaNumber(json: CounterAction.schema.text)
      let opened = sessionOpened(by: SessionOrigin(login: "", host: "", process: 1))
      let session = try appender.append(
        opened, Envelope(sequence: 1, session: 1, moment: moment, schema: schema))
      last = session
      for action in actions {
        let payload = action.encoded()
        last = try appender.append(
          Envelope(session: session, moment: moment, schema: schema), payload: payload.span)
      }
    }
    return last
  }
}

/// Returns the number of actions in a buffer in which each follows its length.
func actionCount(of actions: [CounterAction]) -> Int {
  let encoded = EncodedActions(actions.map { $0.encoded() })
  var count = 0
  var offset = 0
  while let range = encoded.range(at: offset) {
    count += 1
    offset = range.upperBound
  }
  return count
}

/// Saves the state of a fold as a snapshot, as a benchmark of snapshots does; stores save on their
/// own.
func saveSnapshot(
  of fold: inout Fold<CounterApp>, chain: Digest, in storage: LogStorage
) -> String {
  var composer = SchemaComposer()
  let fingerprint = FoldFingerprint(
    stateSchema: CounterState.stateSchema(in: &composer).fingerprint(with: SHA256Hasher.self),
    reducer: CounterApp.reducerFingerprint,
    decoding: CounterAction.schema.fingerprint(with: SHA256Hasher.self))
  let snapshots: SnapshotStorage = storage.snapshots
  var keeper = SnapshotKeeper<CounterApp>(
    snapshots, policy: SnapshotPolicy(interval: 1_000), fingerprint: fingerprint)
  let result: SnapshotStorage.SaveResult = keeper.save(&fold, chain: chain) {
    (_: StateSnapshot) in false
  }
  switch result {
  case .saved(let pages, let bytes): return "\(pages) pages of \(bytes) bytes"
  case .skipped, .overtaken, .lost: return "not saved"
  case .failed(let reason): return reason
  }
}

/// Returns the trial that starts this program again with `--fold`, to fold in a child process.
func foldTrial() -> FoldTrial { FoldTrial(arguments: ["--fold"]) }

/// Folds a log in the child process that a trial starts.
func foldInChild(at path: String) throws(StoreError) {
  try LogStorage.foldNotingEachRecord(CounterApp.self, at: path)
}

/// Returns whether a failed opening may succeed later, without any help.
func isWorthRetrying(_ error: StoreError) -> Bool {
  let code: StoreError.Code = error.code
  switch code {
  case .inUse, .writerStalled, .overloaded: return true
  default: return false
  }
}

/// Returns whether an error means that the directory of the store is missing or empty.
func isFirstStart(_ error: StoreError) -> Bool {
  guard case .storeMissing(let missing) = error.code else { return false }
  let directory: StoreError.Code.Missing = .directory
  return missing == directory
}

/// Returns the shell command that removes the cause of an error, if there is one.
func command(against error: StoreError) -> String? {
  let remedy: StoreError.Remedy? = error.remedy
  switch remedy {
  case .restrictWriting(let directory):
    return "chmod go-w '\(directory.replacing("'", with: "'\\''"))'"
  case .raiseFileSizeLimit: return "ulimit -f unlimited"
  case .resume(let pids): return "kill -CONT \(pids.map(String.init).joined(separator: " "))"
  case .acceptAnyFileSystem, nil: return nil
  }
}
