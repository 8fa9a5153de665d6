import RetraceArchitecture
import RetraceState
import TimeTracking

/// A state of the domain, and the time of its clock.
struct World {
  /// 2026-03-02 09:00 UTC.
  static let begin = Moment(microseconds: 1_772_442_000_000_000)

  var state = DomainState()
  var now = begin

  /// Carries out a command, and returns its facts.
  @discardableResult
  mutating func perform(_ command: DomainCommand) throws(DomainRefusal) -> [DomainFact] {
    let facts = try DomainDecider().decide(command, on: state, at: now)
    for fact in facts { _ = DomainReducer().reduce(&state, fact, at: now) }
    return facts
  }

  /// Lets time pass.
  mutating func wait(hours: Double) { now = now.adding(.hours(hours)) }

  /// A moment some hours after the first one.
  static func at(_ hours: Double) -> Moment { begin.adding(.hours(hours)) }

  /// Creates a user, and returns the id.
  mutating func addUser(_ name: String = "anna") throws(DomainRefusal) -> UserID {
    try perform(.user(.create(User(name: Name(name)))))
    return UserID(value: state.users.nextID.value - 1)
  }

  /// Starts an entry, and returns the id.
  @discardableResult
  mutating func start(
    _ description: String, _ user: UserID, at moment: Moment? = nil, _ policy: Policy = .refuse,
    _ change: (inout TimeEntryDraft) -> Void = { _ in }
  ) throws(DomainRefusal) -> TimeEntryID {
    var draft = TimeEntryDraft(user: .id(user), description: description, zone: .utc)
    change(&draft)
    try perform(.entry(.start(draft, at: moment, policy: policy)))
    return lastEntry
  }

  /// Records an entry that has ended, between hours after the first moment, and returns the id.
  @discardableResult
  mutating func add(
    _ description: String, _ user: UserID, _ start: Double, _ end: Double,
    _ policy: Policy = .refuse, _ change: (inout TimeEntryDraft) -> Void = { _ in }
  ) throws(DomainRefusal) -> TimeEntryID {
    var draft = TimeEntryDraft(user: .id(user), description: description, zone: .utc)
    change(&draft)
    try perform(
      .entry(.add(draft, start: Self.at(start), end: Self.at(end), policy: policy)))
    return lastEntry
  }

  var lastEntry: TimeEntryID { TimeEntryID(value: state.timeEntries.nextID.value - 1) }

  /// The visible entries as text: the description and the hours from the first moment.
  var entries: [String] {
    var found: [(Moment, String)] = []
    state.timeEntries.forEach { _, entry in
      guard state.isVisible(entry) else { return }
      let end = entry.end.map { "\($0.hours)" } ?? "now"
      found.append((entry.start, "\(entry.description) \(entry.start.hours)-\(end)"))
    }
    return found.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.1)
  }
}

extension ElapsedTime {
  static func hours(_ hours: Double) -> ElapsedTime {
    ElapsedTime(microseconds: Int64(hours * 3_600_000_000))
  }
}

extension Moment {
  /// The hours after the first moment of a ``World``.
  var hours: Double { Double(microseconds - World.begin.microseconds) / 3_600_000_000 }
}
