import Glibc
import RetraceArchitecture
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import Workload

/// `write-log PATH RECORDS ENTRIES`: writes a log of the mix with RECORDS records, and opens it
/// once as a store, which saves snapshots.
func writeLog(_ path: String, _ numbers: [Int]) throws(StoreError) {
  // The opening of the first session is a record too, and so are the opening, the action and the
  // closing of the second.
  let log = WorkloadLog(actions: numbers[0] - 4, entries: numbers[1])
  try log.write(to: path)
  let store = try Store<WorkloadApp>.openBlocking(at: path, configuration: StoreConfiguration())
  var mix = ActionMix(seed: 2, entries: numbers[1])
  try store.sendBlocking([mix.next()])
  try store.closeBlocking()
  Main.printResult(Int(store.sequence), Checksum())
}

/// `crash PATH ENTRIES SEED ACTIONS`: sends ACTIONS actions, durable in batches of 100, and ends
/// without closing.
func crash(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let store = try Store<WorkloadApp>.openBlocking(at: path, configuration: StoreConfiguration())
  var mix = ActionMix(seed: UInt64(numbers[1]), entries: numbers[0])
  for _ in 0..<numbers[2] / 100 {
    try store.sendBlocking((0..<100).map { _ in mix.next() })
  }
  Main.printResult(numbers[2], Checksum())
  fflush(nil)
  _exit(0)
}

/// `recover PATH`: opens a store and prints the milliseconds until it has the state after the last
/// record, the number of records folded for it, and the sequence of the last record.
func recover(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let start = milliseconds()
  let store = try Store<WorkloadApp>.openBlocking(at: path, configuration: StoreConfiguration())
  let entries = try store.read { $0.timeline.entries.count }
  let time = milliseconds() - start
  var checksum = Checksum()
  checksum.add(Int64(entries))
  let folded = store.snapshotUse.folded
  try store.closeBlocking()
  Main.printResult(1, checksum, time, Double(folded), Double(store.sequence))
}

/// `seek PATH SEEKS SEED FIRST LAST`: seeks to random sequences of a range, one after the other.
///
/// It prints the 99th percentile and the median of the times in milliseconds, and the peak memory
/// in MiB.
func seek(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let (seeks, seed, first, last) = (numbers[0], numbers[1], numbers[2], numbers[3])
  let storage = try LogStorage.open(at: path, access: .read)
  defer { storage.close() }
  var random = Random(seed: seed)
  var checksum = Checksum()
  var times: [Double] = []
  var replayer = try Replayer<WorkloadApp>(storage)
  for _ in 0..<seeks {
    let place = UInt64(Int64(first) + random.below(Int64(last - first + 1)))
    let start = milliseconds()
    try replayer.seek(to: place)
    let entries = try replayer.read { state throws(StoreError) in state.timeline.entries.count }
    times.append(milliseconds() - start)
    checksum.add(Int64(place))
    checksum.add(Int64(entries))
  }
  times.sort()
  let p99 = times[min(times.count - 1, times.count * 99 / 100)]
  Main.printResult(seeks, checksum, p99, times[times.count / 2], kilobytes("VmHWM") / 1024)
}
