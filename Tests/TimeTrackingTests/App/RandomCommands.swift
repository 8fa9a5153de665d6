import RetraceArchitecture
import RetraceState
import RetraceTestSupport
import TimeTracking

/// Random commands about few entities, so that many of them conflict.
struct RandomCommands {
  var random: SeededGenerator
  /// Whether overlaps, future and long entries may be allowed.
  var allowsEverything = true

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func number(_ range: Range<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  private mutating func name() -> Name { Name(["a", "B", "b ", "c", ""][Int(number(0..<5))]) }
  private mutating func user() -> UserID { UserID(value: number(0..<3)) }
  private mutating func project() -> ProjectID { ProjectID(value: number(0..<4)) }
  private mutating func tag() -> TagID { TagID(value: number(0..<4)) }
  private mutating func chance(_ count: Int64) -> Bool { number(0..<count) == 0 }

  private mutating func policy() -> Policy {
    let policies: [Policy] = allowsEverything ? Policy.allCases : [.refuse, .adjust]
    return policies[Int(number(0..<Int64(policies.count)))]
  }

  private mutating func moment(before now: Moment) -> Moment? {
    if chance(3) { return nil }
    return Moment(microseconds: now.microseconds - number(-600..<36_000) * 1_000_000)
  }

  private mutating func draft() -> TimeEntryDraft {
    var draft = TimeEntryDraft(
      user: chance(4) ? .name(name()) : .id(user()), description: "work \(number(0..<9))",
      zone: .utc)
    if chance(2) { draft.project = chance(2) ? .name(name()) : .id(project()) }
    if chance(4) { draft.task = .name(name()) }
    if chance(3) { draft.tags = [.name(name()), .id(tag())] }
    if chance(3) { draft.isBillable = true }
    return draft
  }

  /// Returns a command about the entities of a state.
  mutating func next(on state: borrowing DomainState, at now: Moment) -> DomainCommand {
    let last = max(1, state.timeEntries.nextID.value)
    let entry = TimeEntryID(value: number(max(0, last - 12)..<last + 1))
    switch number(0..<19) {
    case 0...3: return .entry(.start(draft(), at: moment(before: now), policy: policy()))
    case 4...5: return .entry(.stop(user(), at: moment(before: now), policy: policy()))
    case 6...7:
      let start = moment(before: now) ?? now
      let end = start.adding(.seconds(number(-100..<9_000)))
      return .entry(.add(draft(), start: start, end: end, policy: policy()))
    case 8: return .entry(.resume(entry, at: nil, zone: .utc, policy: policy()))
    case 9...10: return .entry(correction(of: entry, in: state))
    case 11: return .entry(.delete(entry, reason: chance(2) ? "random" : nil))
    case 16: return .entry(.split(entry, at: moment(before: now) ?? now, reason: nil))
    case 17:
      let other = TimeEntryID(value: number(max(0, last - 12)..<last + 1))
      return .entry(.join(entry, other, policy: policy(), reason: nil))
    case 18:
      let other = TimeEntryID(value: number(max(0, last - 12)..<last + 1))
      return .entry(
        .several([
          correction(of: entry, in: state), .delete(other, reason: nil),
          correction(of: entry, in: state),
        ]))
    case 12: return .user(.create(User(name: name())))
    case 13:
      var project = Project(name: name())
      project.rate = chance(2) ? number(0..<9) * 1_000 : nil
      return .project(.create(project))
    case 14:
      let (from, to) = (project(), project())
      return chance(2)
        ? .project(.merge(from, into: to, reason: nil)) : .project(.delete(from, reason: nil))
    default:
      let id = project()
      var changes = ProjectChanges()
      let before = state.projects[id]?.name ?? Name("x")
      changes.name = Change(from: before, to: name())
      return .project(.change(id, changes, reason: nil))
    }
  }

  private mutating func correction(
    of id: TimeEntryID, in state: borrowing DomainState
  ) -> TimeEntryCommand {
    var correction = TimeEntryCorrection()
    if let entry = state.timeEntries[id] {
      var after = entry
      if chance(2) { after.description = "corrected \(number(0..<9))" }
      if chance(3) { after.start = after.start.adding(.seconds(number(-900..<900))) }
      if chance(3) { after.end = after.end?.adding(.seconds(number(-900..<900))) }
      if chance(8) { after.end = nil }
      if chance(4) { after.project = chance(2) ? nil : project() }
      correction.changes = TimeEntryChanges(from: entry, to: after)
    }
    if chance(6) { correction.project = name() }
    if chance(6) { correction.addedTags = [name()] }
    return .correct(id, correction, policy: policy(), reason: nil)
  }
}

extension DomainState {
  /// The visible entries and the entities that are not deleted, without moments of changes.
  var live: [String] {
    var found: [String] = []
    timeEntries.forEach { id, entry in
      guard isVisible(entry) else { return }
      var entry = entry
      entry.modified = World.begin
      found.append("\(id.value) \(entry)")
    }
    func add<ID, Entity: TrackedEntity>(_ table: EntityTable<ID, Entity>) {
      table.forEach { id, entity in
        guard entity.deleted == nil else { return }
        var entity = entity
        entity.modified = World.begin
        found.append("\(id.value) \(entity)")
      }
    }
    add(workspaces)
    add(clients)
    add(projects)
    add(tasks)
    add(tags)
    add(users)
    add(preferenceSets)
    add(goals)
    return found
  }

  /// The pairs of visible entries of one user that overlap, and the users with several running
  /// entries.
  var conflicts: [String] {
    var found: [String] = []
    var byUser: [UserID: [(start: Moment, end: Int64, id: TimeEntryID)]] = [:]
    timeEntries.forEach { id, entry in
      guard isVisible(entry), entry.start != entry.end else { return }
      byUser[entry.user, default: []].append((entry.start, entry.sortKey, id))
    }
    for (user, entries) in byUser {
      let sorted = entries.sorted { $0.start < $1.start }
      for (entry, next) in zip(sorted, sorted.dropFirst())
      where next.start.microseconds < entry.end {
        found.append("user \(user.value): \(entry.id.value) and \(next.id.value)")
      }
    }
    return found
  }
}
