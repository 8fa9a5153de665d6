import RetraceArchitecture
import RetraceRecording
import RetraceState
import RetraceStorage
import TimeTracking

/// Stores of the tracker, written through its store as any program would.
enum Stores {
  static let begin = Moment(microseconds: 1_000_000_000_000_000)
  static let spacing: Int64 = 300_000_000
  static let zone = RecordedZone(id: "UTC", offsetSeconds: 0)

  /// The moment after the last of a number of entries.
  static func end(_ count: Int) -> Moment {
    Moment(microseconds: begin.microseconds + Int64(count) * spacing)
  }

  static func open(_ path: String, at moment: Moment) throws(StoreError) -> Store<TimeTrackerApp> {
    try Store<TimeTrackerApp>.openBlocking(
      at: path, configuration: StoreConfiguration(clock: { moment }))
  }

  static func prepare(_ store: Store<TimeTrackerApp>) throws(StoreError) {
    try store.sendBlocking(
      (0..<3).map { .library(.userCreated(name: "user\($0)")) }
        + (0..<5).map { .library(.projectCreated(name: "project\($0)", workspace: nil)) })
  }

  /// Enqueues actions in batches, and waits for them.
  static func enqueue(
    _ count: Int, to store: Store<TimeTrackerApp>, batch: Int = 1_000,
    _ action: (Int) -> AppAction
  ) throws(StoreError) {
    var first = 0
    while first < count {
      let end = min(first + batch, count)
      try store.enqueue((first..<end).map(action))
      first = end
      // The queue is bounded.
      if first % 500_000 < batch { try store.flushBlocking() }
    }
    try store.flushBlocking()
  }

  static func entry(_ index: Int, _ random: inout Random) -> ClosedEntry {
    ClosedEntry(
      user: UserID(value: random.below(3)),
      details: EntryDetails(
        description: "task \(random.below(65_536))", project: ProjectID(value: random.below(5))),
      start: Moment(microseconds: begin.microseconds + Int64(index) * spacing),
      duration: ElapsedTime(microseconds: (1 + random.below(300)) * 1_000_000), zone: zone)
  }
}

/// SplitMix64.
struct Random {
  var state: UInt64

  init(seed: Int) { state = UInt64(seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func below(_ limit: Int64) -> Int64 { Int64(next() % UInt64(limit)) }
}

/// `write PATH COUNT`: writes a store of COUNT entries in the order of their starts; the last entry
/// of the first user is running.
func writeEntries(_ path: String, _ numbers: [Int]) throws(StoreError) {
  let count = numbers.first ?? 1_000_000
  let store = try Stores.open(path, at: Stores.end(count))
  try Stores.prepare(store)
  var random = Random(seed: 1)
  try Stores.enqueue(count, to: store) { .timeline(.created(Stores.entry($0, &random))) }
  try store.sendBlocking([
    .timeline(
      .started(
        EntryDetails(description: "running"), user: UserID(value: 0), zone: Stores.zone,
        start: nil))
  ])
  let entries = store.state.timeline.entries.count
  try store.closeBlocking()
  Main.printResult(entries, Checksum())
}
