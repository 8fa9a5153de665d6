import CBaseline
import Figures
import RetraceArchitecture
import RetraceLog
import RetraceStorage
import RetraceState
import TimeTracking
import TrackerFeatures

/// Registers rows that scan and fold the log that the import wrote.
func registerLogRows() {
  var folder = ""
  func row(
    _ name: String, limit: String, ours: @escaping (String) throws -> Measured,
    theirs: @escaping (baseline_result) -> Measured
  ) {
    compare(
      Row(name, input: TimeLog.input + ", imported", limit: limit),
      setUp: {
        folder = try scratch("log")
        _ = try Imports.run(in: folder)
      },
      tearDown: { removeScratch(folder) },
      ours: { try ours(folder + "/store") },
      yardsticks: [
        Yardstick("C") {
          let result = baseline_fold(folder + "/store")
          guard result.error == 0 else { throw FiguresError("C failed with \(result.error)") }
          return theirs(result)
        }
      ])
  }
  row(
    "scan of the time log", limit: "C, without checksums", ours: scan,
    theirs: {
      Measured(nanoseconds: Int64($0.scan_ns), operations: $0.records, checksum: $0.bytes)
    })
  row(
    "time log to state", limit: "C, without checksums, names, tables and sharing", ours: fold,
    theirs: {
      Measured(
        nanoseconds: Int64($0.whole_ns), operations: $0.records,
        checksum: $0.entries << 40 ^ $0.seconds)
    })
}

private func scan(_ store: String) throws -> Measured {
  try withReadView(of: store) { view throws(StoreError) in
    var records: UInt64 = 0
    var bytes: UInt64 = 0
    let start = FiguresClock.thread.now
    try view.scan(from: 1, through: view.head.sequence) { record throws(StoreError) in
      records += 1
      bytes += UInt64(record.recordEnd - record.recordStart)
    }
    return Measured(
      nanoseconds: FiguresClock.thread.now - start, operations: records, checksum: bytes)
  }
}

private func fold(_ store: String) throws -> Measured {
  try withReadView(of: store) { view throws(StoreError) in
    let start = FiguresClock.thread.now
    var records = RecordFold(plan: try view.plan(for: TimeTracker.self))
    try view.fold(into: &records, through: view.head.sequence)
    let nanoseconds = FiguresClock.thread.now - start
    let totals = records.fold.state.domain.totals()
    return Measured(
      nanoseconds: nanoseconds, operations: view.head.sequence,
      checksum: UInt64(totals.entries) << 40 ^ UInt64(totals.time.seconds))
  }
}

private func withReadView(
  of store: String, _ body: (borrowing ReadView) throws(StoreError) -> Measured
) throws -> Measured {
  let storage = try LogStorage.open(at: store, access: .read)
  defer { storage.close() }
  return try storage.withReadView(body)
}
