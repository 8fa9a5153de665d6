import RetraceArchitecture
import RetraceState
import RetraceTesting
import TimeTracking

/// Random commands about few entities of every kind, so that many of them conflict.
struct RandomCommands {
  var random: SeededGenerator
  /// Whether overlaps, future and long entries may be allowed, also by earlier rules.
  var allowsEverything = true
  /// Whether periods are closed and reopened.
  var closesPeriods = false
  /// The number of names so far that only one import has.
  var importedNames = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func number(_ range: Range<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  mutating func name() -> Name { Name(["a", "B", "b ", "c", ""][Int(number(0..<5))]) }
  mutating func chance(_ count: Int64) -> Bool { number(0..<count) == 0 }

  /// Returns one of the newest ids of a table, mostly of a live entity, and seldom one that does
  /// not exist.
  mutating func id<ID, Entity: TrackedEntity>(in table: EntityTable<ID, Entity>) -> ID {
    let next = table.nextID.value
    let ids = max(0, next - 8)..<next + 1
    for _ in 0..<6 {
      let id = ID(value: number(ids))
      if table.live(id) != nil { return id }
    }
    return ID(value: number(ids))
  }

  mutating func rules() -> RuleSet {
    allowsEverything ? [.first, .second, .third][Int(number(0..<3))] : .latest
  }

  private mutating func policy() -> Policy {
    let policies: [Policy] = allowsEverything ? Policy.allCases : [.refuse, .adjust]
    return policies[Int(number(0..<Int64(policies.count)))]
  }

  private mutating func moment(before now: Moment) -> Moment? {
    if chance(3) { return nil }
    return Moment(microseconds: now.microseconds - number(-600..<36_000) * 1_000_000)
  }

  private mutating func draft(on state: DomainState) -> TimeEntryDraft {
    if chance(6), let favorite = state.favorites.live(id(in: state.favorites)) {
      return favorite.draft(in: .utc)
    }
    var draft = TimeEntryDraft(
      user: chance(4) ? .name(name()) : .id(id(in: state.users)),
      description: "work \(number(0..<9))", zone: .utc)
    if chance(2) {
      draft.project = chance(2) ? .name(name()) : .id(id(in: state.projects))
    }
    if chance(4) { draft.task = chance(2) ? .name(name()) : .id(id(in: state.tasks)) }
    if chance(3) { draft.tags = [.name(name()), .id(id(in: state.tags))] }
    if chance(3) { draft.isBillable = true }
    return draft
  }

  /// Returns a command about the entities of a state.
  mutating func next(on state: DomainState, at now: Moment) -> DomainCommand {
    let last = max(1, state.timeEntries.nextID.value)
    let entry = TimeEntryID(value: number(max(0, last - 12)..<last + 1))
    let other = TimeEntryID(value: number(max(0, last - 12)..<last + 1))
    if state.users.live(id(in: state.users)) == nil, chance(2) {
      return .user(.create(User(name: name())))
    }
    if closesPeriods, chance(12) { return .closing(closing(on: state, at: now)) }
    // Few imports have entries in a closed period.
    if closesPeriods, chance(8) { return .importRun(importing(on: state, at: now)) }
    switch number(0..<24) {
    case 0...3:
      return .entry(.start(draft(on: state), at: moment(before: now), policy: policy()))
    case 4...5:
      return .entry(.stop(id(in: state.users), at: moment(before: now), policy: policy()))
    case 6...7:
      let start = moment(before: now) ?? now
      let end = start.adding(.seconds(number(-100..<9_000)))
      return .entry(.add(draft(on: state), start: start, end: end, policy: policy()))
    case 8: return .entry(.resume(entry, at: nil, zone: .utc, policy: policy()))
    case 9...10: return .entry(correction(of: entry, in: state))
    case 11: return .entry(.delete(entry, reason: chance(2) ? "random" : nil))
    case 12: return .entry(.split(entry, at: moment(before: now) ?? now, reason: nil))
    case 13: return .entry(.join(entry, other, policy: policy(), rules: rules(), reason: nil))
    case 14:
      return .entry(
        .several([
          correction(of: entry, in: state), .delete(other, reason: nil),
          correction(of: entry, in: state),
        ]))
    case 15...16: return .importRun(importing(on: state, at: now))
    default: return entityCommand(on: state)
    }
  }

  private mutating func correction(
    of id: TimeEntryID, in state: DomainState
  ) -> TimeEntryCommand {
    var correction = TimeEntryCorrection()
    if let entry = state.timeEntries[id] {
      var after = entry
      if chance(2) { after.description = "corrected \(number(0..<9))" }
      if chance(3) { after.start = after.start.adding(.seconds(number(-900..<900))) }
      if chance(3) { after.end = after.end?.adding(.seconds(number(-900..<900))) }
      if chance(8) { after.end = nil }
      if chance(4) { after.project = chance(2) ? nil : self.id(in: state.projects) }
      if chance(6) { after.user = self.id(in: state.users) }
      if chance(6) { after.annotations.append("note \(number(0..<9))") }
      if chance(6) { (after.isBillable, after.rate) = (true, number(0..<9) * 1_000) }
      correction.changes = TimeEntryChanges(from: entry, to: after)
    }
    if chance(6) { correction.project = name() }
    if chance(6) { correction.addedTags = [name()] }
    return .correct(id, correction, policy: policy(), rules: rules(), reason: nil)
  }
}

extension DomainState {
  /// The visible entries and the entities that are not deleted, without moments of changes and
  /// imports.
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
    add(favorites)
    add(externalSources)
    add(closings)
    return found
  }

  /// The pairs of visible entries of one user that overlap, without imported ones.
  var conflicts: [String] {
    var found: [String] = []
    var byUser: [UserID: [(start: Moment, end: Int64, id: TimeEntryID)]] = [:]
    timeEntries.forEach { id, entry in
      guard isVisible(entry), entry.start != entry.end, entry.importRun == nil else { return }
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
