import Figures
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceStorage
import Workload

/// Registers rows of verification, beside the plain fold of the same log: checksums, chain, every
/// action decoded and reduced, effects compared, and the state's hash recomputed where the log
/// recorded one.
///
/// It uses several threads, so it is timed by the wall clock, except in the second row, which has
/// the processor time of all threads. In the third row's log each record has a hash, as if a person
/// had made each change by itself.
func registerVerification() {
  let file = LogFile("verify", actions: 1_000_000, entries: 10_000, hashes: 10_000)
  let input = "the mix, seed \(seed), a recorded hash every 10,000 records"
  register(
    Row("verification, \(file.text)", input: "\(input); wall time"), of: file, by: .wall,
    .timesYardstick(atMost: 1.5))
  register(
    Row("processor time of verification, \(file.text)", input: "\(input); of all threads"),
    of: file, by: .process)
  let dense = LogFile(
    "verify-dense", actions: 100_000, entries: 10_000, hashes: 256, hasShortHashes: true)
  register(
    Row(
      "verification, a hash in each record, \(dense.text)",
      input: "the mix, seed \(seed), whole hashes every 256 records, else short ones; wall time"),
    of: dense, by: .wall, .timesYardstick(atMost: 24))
}

private func register(
  _ row: Row, of file: LogFile, by clock: FiguresClock, _ target: Target? = nil
) {
  // The last action has a hash too.
  let interval = file.log.hashInterval
  let hashes =
    file.log.hasShortHashes ? file.log.actions : (file.log.actions + interval - 1) / interval
  compare(
    row, setUp: file.make, tearDown: file.remove,
    ours: {
      let storage = try LogStorage.open(at: file.path, access: .read, mapBytes: 8 << 30)
      defer { storage.close() }
      return try timed(by: clock) {
        let report = try Verifier<WorkloadApp>.verify(storage)
        guard report.firstDivergence == nil, report.compared == hashes else {
          throw FiguresError("verification found \(report)")
        }
        return (report.records, report.stateHash.firstWord)
      }
    },
    yardsticks: [
      Yardstick("plain fold", target) {
        try file.read { view throws(StoreError) in
          var hash = Digest.zero
          var measured = try clocked(by: clock) { () throws(StoreError) in
            var state = try folded(view)
            hash = state.stateHash()
            return (view.head.sequence, 0)
          }
          measured.checksum = hash.firstWord
          return measured
        }
      }
    ])
}
