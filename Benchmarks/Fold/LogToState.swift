import CFold
import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceStorage
import Workload

/// Registers rows from the log to the state, beside a C program that does the same with the same
/// bytes: walk the records, check checksums and chain, decode and reduce the actions.
func registerLogToState() {
  register(LogFile("fold-1e4", actions: 10_000, entries: 10_000))
  register(LogFile("fold-1e6-1e2", actions: 1_000_000, entries: 100))
  register(LogFile("fold-1e6-1e4", actions: 1_000_000, entries: 10_000))
  register(LogFile("fold-1e6-1e6", actions: 1_000_000, entries: 1_000_000))
  register(LogFile("fold-1e7-1e4", actions: 10_000_000, entries: 10_000), timesC: 4)
  register(
    LogFile("fold-3.5e6", actions: 20_000_000, entries: 3_500_000, endsWhenFull: true),
    timesC: 3.5)
}

private func register(_ file: LogFile, timesC: Double? = nil) {
  compare(
    Row(
      "log to state, \(file.text)",
      input: "the mix of 69 cases, seed \(seed); checksums and chain"),
    setUp: file.make, tearDown: file.remove,
    ours: { try foldWithChain(file) },
    yardsticks: [
      Yardstick("C", timesC.map { .timesYardstick(atMost: $0) }) { try foldInC(file, chains: true) }
    ])
}

/// Recomputes the chain, then folds the log as stores and replayers do.
func foldWithChain(_ file: LogFile) throws -> Measured {
  var state = WorkloadState()
  var measured = try file.read { view throws(StoreError) in
    try clocked { () throws(StoreError) in
      try view.verify()
      state = try folded(view)
      return (view.head.sequence, view.head.chain.firstWord)
    }
  }
  measured.checksum = combined(state.checksum, chain: measured.checksum)
  return measured
}

/// Returns the state after the last record.
func folded(_ view: borrowing ReadView) throws(StoreError) -> WorkloadState {
  let plan = try view.plan(for: WorkloadApp.self)
  var records = RecordFold(plan: plan)
  try view.fold(into: &records, through: view.head.sequence)
  return records.fold.state
}

/// Folds the log with the C program.
func foldInC(_ file: LogFile, chains: Bool) throws -> Measured {
  // Unsafe: C reads the path during the call only.
  let result = unsafe fold_workload(file.path, chains ? 1 : 0)
  guard result.error == 0 else { throw FiguresError("the C program failed: \(result.error)") }
  return Measured(
    nanoseconds: Int64(result.nanoseconds), operations: result.records,
    checksum: combined(result.checksum, chain: result.chain))
}
