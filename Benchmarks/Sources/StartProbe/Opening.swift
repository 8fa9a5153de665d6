import CivilTime
import RetraceArchitecture
import RetraceRecording
import RetraceState
import RetraceStorage
import TimeTracking

/// `open PATH COUNT`: opens the store for writing, looks up the running entry and the last 30, and
/// starts an entry, which is durable when that returns.
func openAndStart(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let now = Stores.end(numbers[0]).adding(.seconds(60))
  let store = try Store<TimeTrackerApp>.openBlocking(
    at: path, creating: false, configuration: StoreConfiguration(clock: { now }))
  var checksum = Checksum()
  let user = UserID(value: 0)
  let shown = try store.read { state in
    let running = state.runningEntry(of: user).map { [$0.id.value] } ?? []
    return running + state.recentEntries(of: nil, limit: 30).map(\.id.value)
  }
  // What is shown changes from round to round; how many there are does not.
  checksum.add(Int64(shown.count))
  let receipt: Receipt<TimeTrackerApp>
  do throws(TransactionError<Refusal>) {
    receipt = try store.transactBlocking(closing: true) { _, _ throws(Refusal) in
      [
        .timeline(
          .started(EntryDetails(description: "next"), user: user, zone: Stores.zone, start: nil))
      ]
    }
  } catch {
    switch error {
    case .store(let error): throw error
    case .refused: fatalError("a start is not refused")
    }
  }
  try store.closeBlocking()
  checksum.add(receipt.state.timeline.entries.count > numbers[0] ? 1 : 0)
  Main.printResult(shown.count + 1, checksum)
}

/// `lazy PATH COUNT`: opens the store, looks up the running entry, and prints the anonymous memory
/// in kibibytes.
func openLazily(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let store = try Stores.open(path, at: Stores.end(numbers[0]))
  let running = try store.read { $0.runningEntry(of: UserID(value: 0)) != nil }
  var checksum = Checksum()
  checksum.add(running ? 1 : 0)
  Main.printResult(1, checksum, kilobytes("RssAnon"))
}

/// `today PATH COUNT`: the entries of the last day.
func today(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let day = LocalTime(
    Moment(microseconds: Stores.end(numbers[0]).microseconds - 1), offsetSeconds: 0
  ).date
  let rules = ZoneRules(id: "UTC", offsetSeconds: 0)
  let entries = try read(path) { $0.entries(on: day, in: rules) }
  var checksum = Checksum()
  // Leaves out the entries that earlier rounds started; they have higher ids.
  let written = entries.filter { $0.id.value < Int64(numbers[0]) }
  for (id, entry) in written {
    checksum.add(id.value)
    checksum.add(entry.description)
  }
  Main.printResult(written.count, checksum)
}

/// `report PATH COUNT FIRST`: the seconds of each user and project, over entries from id FIRST on.
func report(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let (count, first) = (numbers[0], numbers[1])
  let sums = try read(path) { state in
    var sums = [Int64](repeating: 0, count: 3 * 6 + 1)
    state.timeline.entries.forEach(from: TimeEntryID(value: Int64(first))) { id, entry in
      guard id.value < Int64(count) else { return }
      let project = entry.project.map { $0.value + 1 } ?? 0
      sums[Int(entry.user.value * 6 + project)] += entry.duration?.seconds ?? 0
      sums[18] += 1
    }
    return sums
  }
  var checksum = Checksum()
  for sum in sums { checksum.add(sum) }
  Main.printResult(Int(sums[18]), checksum)
}

private func read<Result>(
  _ path: String, _ body: (borrowing AppState) -> Result
) throws(StoreError) -> Result {
  let storage = try LogStorage.open(at: path, access: .read)
  defer { storage.close() }
  return try storage.withState(of: TimeTrackerApp.self) { state, _ throws(StoreError) in
    body(state)
  }
}
