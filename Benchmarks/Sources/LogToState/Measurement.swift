import CBaseline
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import TimeTracking

/// What a way from the log to the state found; ours and the yardstick's have to be equal.
struct Findings: Equatable {
  /// The records of all kinds.
  var records: UInt64 = 0
  /// The records that are actions.
  var actions: UInt64 = 0
  /// The bytes of the records, with framing and envelopes.
  var bytes: UInt64 = 0
  /// The time entries in the last state.
  var entries: UInt64 = 0
  /// The seconds of the closed ones, as a checksum.
  var seconds: UInt64 = 0
}

/// One round: three runs of ours that each do more than the last, and two of the yardstick.
///
/// Times are those of the one thread that does the work, by the same clock for both, so that what
/// else the machine does disturbs them little.
struct Round {
  /// Nanoseconds for: every record walked, its block's checksum verified.
  var scan: Int64 = 0
  /// Nanoseconds for: that, and every action decoded.
  var decode: Int64 = 0
  /// Nanoseconds for: that, and every action reduced; the fold that the store itself uses.
  var whole: Int64 = 0
  /// Nanoseconds of the C program for: every record walked.
  var cScan: Int64 = 0
  /// Nanoseconds of the C program for: walked, decoded and folded.
  var cWhole: Int64 = 0
}

/// Why there is no figure.
enum BenchmarkError: Error {
  /// The store could not be read.
  case store(StoreError)
  /// The C program could not read the store.
  case baseline(Int32)
  /// The two found different things.
  case disagreement(Findings, Findings)
}

/// Measures one round on a store and compares what both ways found.
func measureRound(_ path: String) throws(BenchmarkError) -> (Round, Findings) {
  var round = Round()
  let ours: Findings
  do throws(StoreError) {
    ours = try measureOurs(path, &round)
  } catch {
    throw .store(error)
  }
  // The environment is closed by now: LMDB allows one open per process.
  // Unsafe: the C program reads the path during the call only.
  let result = unsafe baseline_fold(path)
  guard result.error == 0 else { throw .baseline(result.error) }
  round.cScan = Int64(result.scan_ns)
  round.cWhole = Int64(result.whole_ns)
  let theirs = Findings(
    records: result.records, actions: result.actions, bytes: result.bytes,
    entries: result.entries, seconds: result.seconds)
  guard ours == theirs else { throw .disagreement(ours, theirs) }
  return (round, ours)
}

/// The size of the map: what any log measured here fits into, and what valgrind can still map.
private let mapBytes = 8 << 30

private func measureOurs(_ path: String, _ round: inout Round) throws(StoreError) -> Findings {
  let storage = try LogStorage.open(at: path, access: .read, mapBytes: mapBytes)
  defer { storage.close() }
  var findings = Findings()
  var times = (scan: Int64(0), decode: Int64(0), whole: Int64(0))
  try storage.withSnapshot { snapshot throws(StoreError) in
    let last = snapshot.head.sequence
    let plan = try snapshot.plan(for: TimeTrackerApp.self)

    var start = baseline_now()
    try snapshot.scan(from: 1, through: last) { record throws(StoreError) in
      findings.records += 1
      if record.kind == .action { findings.actions += 1 }
      findings.bytes += UInt64(record.offset - record.recordStart)
    }
    times.scan = Int64(baseline_now() - start)

    start = baseline_now()
    var decoded: UInt64 = 0
    try snapshot.scan(from: 1, through: last) { record throws(StoreError) in
      if record.kind == .action {
        try decode(record)
        decoded += 1
      }
    }
    times.decode = Int64(baseline_now() - start)
    precondition(decoded == findings.actions, "two scans met different records")

    start = baseline_now()
    var records = RecordFold(plan: plan)
    try snapshot.fold(into: &records, through: last)
    times.whole = Int64(baseline_now() - start)
    let totals = records.fold.state.totals
    findings.entries = UInt64(totals.entries)
    findings.seconds = UInt64(totals.seconds)
  }
  (round.scan, round.decode, round.whole) = times
  return findings
}

/// Decodes an action as the fold does, and drops it.
private func decode(_ record: borrowing RecordCursor) throws(StoreError) {
  do throws(AvroError) {
    var reader = AvroReader(record.payload)
    _ = try AppAction(decoding: &reader)
    try reader.finish()
  } catch {
    throw StoreError(FoldError.undecodable(sequence: record.sequence, error))
  }
}
