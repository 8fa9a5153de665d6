import RetraceArchitecture
import RetraceState

/// Turns rows of a file into actions, by what the state already holds.
///
/// Users, projects and tags that do not exist are created before the row that names them first,
/// with the ids that the state will give. A row whose id is known is skipped. The planner keeps
/// what it needs to know of the state: it is read whole once, and again only if somebody else
/// changed it between two calls of ``plan(_:in:)``.
///
/// A planner is a value. Who plans inside a transaction that may fail plans on a copy and keeps the
/// copy once the transaction is through.
public struct ImportPlanner: Sendable {
  /// The user of rows that name none.
  public let defaultUser: String
  /// How many entries were planned.
  public private(set) var created = 0
  /// How many rows were passed over because their id is known.
  public private(set) var skipped = 0
  /// How many entries of zero duration were planned.
  public private(set) var zeroDurations = 0

  private var users: [String: UserID] = [:]
  private var projects: [String: ProjectID] = [:]
  private var tags: [String: TagID] = [:]
  private var externalIDs: Set<String> = []
  private var intervals = OverlapCounter()
  /// The ids that the state gives next if only this planner's actions are added.
  private var expected: Counters?
  /// The ids of the entries that were planned, as few ranges as can be.
  private var planned: [Range<Int64>] = []

  /// The ids that the tables of a state give next.
  private struct Counters: Equatable {
    var user: Int64
    var project: Int64
    var tag: Int64
    var entry: Int64

    init(_ state: AppState) {
      user = state.library.users.nextID.value
      project = state.library.projects.nextID.value
      tag = state.library.tags.nextID.value
      entry = state.timeline.entries.nextID.value
    }
  }

  /// Makes a planner.
  ///
  /// - Parameter defaultUser: The user of rows that name none.
  public init(defaultUser: String) {
    self.defaultUser = defaultUser
  }

  /// The actions that bring rows into a state.
  ///
  /// - Parameters:
  ///   - rows: The next rows of the file.
  ///   - state: The state that the actions will be added to, nothing in between.
  /// - Complexity: O(rows), and O(entries of the state) for the first call and after a change by
  ///   somebody else.
  public mutating func plan(_ rows: [ImportedEntry], in state: AppState) -> [AppAction] {
    if expected != Counters(state) { learn(state) }
    var actions: [AppAction] = []
    actions.reserveCapacity(rows.count + 8)
    for row in rows { plan(row, &actions) }
    return actions
  }

  /// How many planned entries overlap another entry of the same user, planned or there before.
  ///
  /// Intervals hold their start and not their end: entries that touch do not overlap, and one of
  /// zero duration overlaps nothing. A running entry has no end.
  ///
  /// - Complexity: O(n log n) for n entries of state and file.
  public var overlaps: Int { intervals.overlaps }

  private mutating func plan(_ row: ImportedEntry, _ actions: inout [AppAction]) {
    if let id = row.externalID, !externalIDs.insert(id).inserted {
      skipped += 1
      return
    }
    let user = self.user(named: row.user ?? defaultUser, &actions)
    let details = EntryDetails(
      description: row.text, project: row.project.map { project(named: $0, &actions) },
      tags: row.tags.map { tag(named: $0, &actions) }.sortedUnique, isBillable: row.isBillable)
    let zone = RecordedZone(id: row.zoneID, offsetSeconds: row.offsetSeconds)
    actions.append(
      .timeline(
        .created(
          ClosedEntry(
            user: user, details: details, start: row.start, duration: row.duration, zone: zone,
            externalID: row.externalID))))
    noteEntry()
    created += 1
    if row.duration == .zero { zeroDurations += 1 }
    intervals.add(user, from: row.start, to: row.start.adding(row.duration), isNew: true)
  }

  private mutating func user(named name: String, _ actions: inout [AppAction]) -> UserID {
    if let known = users[name] { return known }
    let id = UserID(value: expected?.user ?? 0)
    expected?.user += 1
    actions.append(.library(.userCreated(name: name)))
    users[name] = id
    return id
  }

  private mutating func project(named name: String, _ actions: inout [AppAction]) -> ProjectID {
    if let known = projects[name] { return known }
    let id = ProjectID(value: expected?.project ?? 0)
    expected?.project += 1
    actions.append(.library(.projectCreated(name: name, workspace: nil)))
    projects[name] = id
    return id
  }

  private mutating func tag(named name: String, _ actions: inout [AppAction]) -> TagID {
    if let known = tags[name] { return known }
    let id = TagID(value: expected?.tag ?? 0)
    expected?.tag += 1
    actions.append(.library(.tagCreated(name: name, workspace: nil)))
    tags[name] = id
    return id
  }

  /// Reads what the state holds; of two things of one name the first is meant.
  private mutating func learn(_ state: AppState) {
    expected = Counters(state)
    users = [:]
    projects = [:]
    tags = [:]
    state.library.users.forEach { id, user in users[user.name] = users[user.name] ?? id }
    state.library.projects.forEach { id, project in
      projects[project.name] = projects[project.name] ?? id
    }
    state.library.tags.forEach { id, tag in tags[tag.name] = tags[tag.name] ?? id }
    intervals.removeOld()
    state.timeline.entries.forEach { id, entry in
      if let id = entry.externalID { externalIDs.insert(id) }
      // What was planned before and is in the state by now is counted as planned.
      if planned.contains(where: { $0.contains(id.value) }) { return }
      let end = entry.end ?? Moment(microseconds: Int64.max)
      intervals.add(entry.user, from: entry.start, to: end, isNew: false)
    }
  }

  /// Notes that the next id of an entry is taken by a planned one.
  private mutating func noteEntry() {
    let id = expected?.entry ?? 0
    expected?.entry += 1
    if let last = planned.last, last.upperBound == id {
      planned[planned.count - 1] = last.lowerBound..<id + 1
    } else {
      planned.append(id..<id + 1)
    }
  }
}
