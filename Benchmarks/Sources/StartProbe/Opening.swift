import CivilTime
import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import TimeTracking
import TrackerFeatures

/// `open PATH COUNT USERS SECOND`: opens the store for writing, looks up the running entry and the
/// last 30, and starts an entry, which is durable when that returns.
///
/// SECOND is the present, in seconds after the last entry.
func openAndStart(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let now = Stores.end(numbers[0]).adding(.seconds(Int64(numbers[2])))
  let store = try Store<TimeTracker>.openBlocking(
    at: path, creating: false, configuration: StoreConfiguration(clock: { now }))
  var checksum = Checksum()
  let user = UserID(value: 0)
  let shown = try store.read { state in
    let running = state.domain.runningEntry(of: user).map { [$0.id.value] } ?? []
    return running + state.domain.latestEntries(of: nil, limit: 30).map(\.id.value)
  }
  // What is shown changes from round to round; how many there are does not.
  checksum.add(Int64(shown.count))
  let started: Performed<TimeTracker>
  do throws(CommandError<TimeTracker>) {
    started = try store.performBlocking(
      Stores.start("next"), from: .commandLine, closing: true)
  } catch {
    switch error {
    case .store(let error): throw error
    case .refused(let refusal, _): fatalError("refused: \(refusal)")
    }
  }
  try store.closeBlocking()
  checksum.add(started.receipt.state.domain.timeEntries.count > numbers[0] ? 1 : 0)
  Main.printResult(shown.count + 1, checksum)
}

/// `lazy PATH COUNT`: opens the store, looks up the running entry, and prints the anonymous memory
/// in kibibytes.
func openLazily(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let store = try Stores.open(path, at: Stores.end(numbers[0]))
  let running = try store.read { $0.domain.runningEntry(of: UserID(value: 0)) != nil }
  var checksum = Checksum()
  checksum.add(running ? 1 : 0)
  Main.printResult(1, checksum, kilobytes("RssAnon"))
}

/// `today PATH COUNT`: the entries that have time in the last day.
func today(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let count = numbers[0]
  let day = LocalTime(
    Moment(microseconds: Stores.end(count).microseconds - 1), offsetSeconds: 0
  ).date
  let rules = ZoneRules(id: "UTC", offsetSeconds: 0)
  let range = rules.day(day).moments
  var checksum = Checksum()
  let found = try read(path) { domain in
    var found: [(id: Int64, description: String)] = []
    domain.forEachEntry(from: range.lowerBound, to: range.upperBound) { id, entry in
      // Leaves out the entries that were started after the store was written.
      if id.value < Int64(count) { found.append((id.value, entry.description)) }
    }
    return found
  }
  for (id, description) in found {
    checksum.add(id)
    checksum.add(description)
  }
  Main.printResult(found.count, checksum)
}

/// `report PATH COUNT USERS FIRST`: the seconds of each user and project, over entries from id
/// FIRST on.
func report(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let (count, users, first) = (numbers[0], numbers[1], numbers[2])
  let groups = Int64(Stores.projects) + 1
  let sums = try read(path) { domain in
    var sums = [Int64](repeating: 0, count: users * Int(groups) + 1)
    domain.timeEntries.forEach(from: TimeEntryID(value: Int64(first))) { id, entry in
      guard id.value < Int64(count) else { return }
      let project = entry.project.map { $0.value + 1 } ?? 0
      sums[Int(entry.user.value * groups + project)] += entry.duration?.seconds ?? 0
      sums[sums.count - 1] += 1
    }
    return sums
  }
  var checksum = Checksum()
  for sum in sums { checksum.add(sum) }
  Main.printResult(Int(sums[sums.count - 1]), checksum)
}

/// `appended PATH`: prints the bytes of the records of the last session.
func appended(_ path: String) throws(StoreError) {
  let storage = try LogStorage.open(at: path, access: .read)
  defer { storage.close() }
  var (records, bytes, session) = (0, 0, UInt64(0))
  try storage.withReadView { view throws(StoreError) in
    let last = view.head.sequence
    try view.scan(from: last > 100 ? last - 100 : 1, through: last) { record in
      if record.session != session { (records, bytes, session) = (0, 0, record.session) }
      records += 1
      bytes += record.recordEnd - record.recordStart
    }
  }
  Main.printResult(records, Checksum(), Double(bytes))
}

private func read<Result>(
  _ path: String, _ body: (borrowing DomainState) -> Result
) throws(StoreError) -> Result {
  let storage = try LogStorage.open(at: path, access: .read)
  defer { storage.close() }
  return try storage.withState(of: TimeTracker.self) { state, _ throws(StoreError) in
    body(state.domain)
  }
}
