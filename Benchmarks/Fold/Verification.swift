import Figures
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceStorage
import Workload

/// Verification beside the plain fold of the same log: checksums, chain, every action decoded and
/// reduced, and the state's hash recomputed where the log recorded one.
func registerVerification() {
  let file = LogFile("verify", actions: 1_000_000, entries: 10_000, hashes: 10_000)
  compare(
    Row(
      "verification, \(file.text)",
      input: "the mix, seed \(seed), a recorded hash every 10,000 records"),
    setUp: file.make, tearDown: file.remove,
    ours: {
      let storage = try LogStorage.open(at: file.path, access: .read, mapBytes: 8 << 30)
      defer { storage.close() }
      return try timed {
        let report = try Verifier<WorkloadApp>.verify(storage)
        guard report.firstDivergence == nil, report.compared == file.log.actions / 10_000 else {
          throw FiguresError("verification found \(report)")
        }
        return (report.records, report.stateHash.firstWord)
      }
    },
    yardsticks: [
      Yardstick("plain fold", .timesYardstick(atMost: 1 / 0.6)) {
        try file.read { snapshot throws(StoreError) in
          var hash = Digest.zero
          var measured = try clocked { () throws(StoreError) in
            var state = try folded(snapshot)
            hash = state.stateHash()
            return (snapshot.head.sequence, 0)
          }
          measured.checksum = hash.firstWord
          return measured
        }
      }
    ])
}
