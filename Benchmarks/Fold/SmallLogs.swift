import Figures
import RetraceStorage
import Workload

/// Registers rows of logs of the sizes that users have; each log ends once it has that
/// many entries.
func registerSmallLogs() {
  for entries in [67, 162, 274, 866, 1_140, 2_760] {
    let file = LogFile(
      "small-\(entries)", actions: entries * 10, entries: entries, endsWhenFull: true)
    compare(
      Row(
        "verify and fold a log of \(grouped(entries)) entries",
        input: "the mix, seed \(seed)", unit: .microseconds),
      setUp: file.make, tearDown: file.remove,
      ours: { whole(try foldWithChain(file)) },
      yardsticks: [Yardstick("C") { whole(try foldInC(file, chains: true)) }])
  }
}

/// Returns a round as one operation, with the number of records in its checksum.
private func whole(_ measured: Measured) -> Measured {
  Measured(
    nanoseconds: measured.nanoseconds, operations: 1,
    checksum: measured.checksum &+ measured.operations)
}
