import RetraceArchitecture
import RetraceRecording
import RetraceReplay
import RetraceStorage
import TimeTracking

/// `recover PATH RECORDS`: opens a store and tells the milliseconds until its state stands after
/// the last record.
func recover(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let start = milliseconds()
  let store = try Stores.open(path, at: Stores.end(1))
  let entries = try store.read { $0.timeline.entries.count }
  let time = milliseconds() - start
  var checksum = Checksum()
  checksum.add(Int64(entries))
  checksum.add(Int64(store.sequence))
  Main.answer(numbers[0], checksum, time)
}

/// `seek PATH RECORDS SEEKS SEED FIRST LAST`: seeks to random sequences of a range, one after the
/// other, and tells the time in milliseconds of each hundredth part, and the most memory in MiB.
func seek(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let (seeks, seed, first, last) = (numbers[1], numbers[2], numbers[3], numbers[4])
  let storage = try LogStorage.open(at: path, access: .read)
  defer { storage.close() }
  var random = Random(seed: seed)
  var checksum = Checksum()
  var times: [Double] = []
  var replayer = try Replayer<TimeTrackerApp>(storage)
  for _ in 0..<seeks {
    let place = UInt64(Int64(first) + random.below(Int64(last - first + 1)))
    let start = milliseconds()
    try replayer.seek(to: place)
    let entry = try replayer.read { $0.timeline.entries[TimeEntryID(value: 0)]?.description }
    times.append(milliseconds() - start)
    checksum.add(Int64(place))
    checksum.add(entry ?? "")
  }
  times.sort()
  let p99 = times[min(times.count - 1, times.count * 99 / 100)]
  Main.answer(
    seeks, checksum, p99, times[times.count / 2], kilobytes("VmHWM") / 1024,
    kilobytes("RssAnon") / 1024)
}
