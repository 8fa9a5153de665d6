import Retrace
import RetraceArchitecture
import RetraceRecording
import RetraceState
import RetraceStorage
import TimeTracking
import TrackerFeatures

/// Stores of the tracker, written through its store as any program would.
enum Stores {
  static let begin = Moment(microseconds: 1_000_000_000_000_000)
  static let spacing: Int64 = 300_000_000
  static let projects = 5

  /// The moment after the last of a number of entries.
  static func end(_ count: Int) -> Moment {
    Moment(microseconds: begin.microseconds + Int64(count) * spacing)
  }

  static func open(_ path: String, at moment: Moment) throws(StoreError) -> Store<TimeTracker> {
    try Store<TimeTracker>.openBlocking(
      at: path, configuration: StoreConfiguration(clock: { moment }))
  }

  /// Performs commands, of which none may be refused.
  static func perform(
    _ commands: [DomainCommand], on store: Store<TimeTracker>
  ) throws(StoreError) {
    for result in try store.performBlocking(commands) {
      switch result {
      case .success: break
      case .failure(.store(let error)): throw error
      case .failure(.refused(let refusal, _)): fatalError("refused: \(refusal)")
      }
    }
  }

  /// A command that starts an entry of the first user.
  static func start(_ description: String) -> DomainCommand {
    let draft = TimeEntryDraft(
      user: .id(UserID(value: 0)), description: description, zone: .utc)
    return .entry(.start(draft, at: nil, policy: .refuse))
  }

  fileprivate static func entry(
    _ index: Int, of users: Int, _ random: inout Random
  ) -> DomainCommand {
    let user = UserID(value: random.below(Int64(users)))
    var draft = TimeEntryDraft(
      user: .id(user), description: "task \(random.below(65_536))", zone: .utc)
    draft.project = .id(ProjectID(value: random.below(Int64(projects))))
    let start = Moment(microseconds: begin.microseconds + Int64(index) * spacing)
    let end = Moment(microseconds: start.microseconds + (1 + random.below(300)) * 1_000_000)
    return .entry(.add(draft, start: start, end: end, policy: .refuse))
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

/// `write PATH COUNT USERS LOGIN`: writes a store of COUNT entries of USERS users, in the order of
/// their starts; the last entry of the first user is running.
func writeEntries(_ path: String, _ numbers: [Int], login: String) throws(StoreError) {
  let (count, users) = (numbers[0], numbers[1])
  let now = Stores.end(count)
  var configuration = StoreConfiguration(clock: { now })
  // The snapshot of the last record, so that the yardstick needs no reducer to find what runs.
  configuration.snapshots.closingInterval = 1
  // A change can be undone by the login that made it.
  configuration.origin.login = login
  let store = try Store<TimeTracker>.openBlocking(at: path, configuration: configuration)
  try Stores.perform(
    (0..<users).map { .user(.create(User(name: Name("user\($0)")))) }
      + (0..<Stores.projects).map { .project(.create(Project(name: Name("project\($0)")))) },
    on: store)
  var random = Random(seed: 1)
  var first = 0
  while first < count {
    // Few at once: the state is hashed after each call, and a decision looks at all entries that
    // were added since.
    let end = min(first + 250, count)
    try Stores.perform(
      (first..<end).map { Stores.entry($0, of: users, &random) }, on: store)
    first = end
  }
  try Stores.perform([Stores.start("running")], on: store)
  let entries = store.state.domain.timeEntries.count
  try store.closeBlocking()
  Main.printResult(entries, Checksum())
}
