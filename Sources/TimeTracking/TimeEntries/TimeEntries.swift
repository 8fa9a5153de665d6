public import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// The decisions and rules of time entries.
public enum TimeEntries: EntityModule {
  /// The ids.
  public typealias ID = TimeEntryID
  /// The changes.
  public typealias Changes = TimeEntryChanges
  /// The commands.
  public typealias Command = TimeEntryCommand
  /// The refusals.
  public typealias Refusal = TimeEntryRefusal

  /// The maximum number of entries that one command adjusts.
  public static var adjustmentsMax: Int { 1_000 }

  /// The maximum number of commands in one change.
  public static var commandsMax: Int { 1_000 }

  /// The maximum time by which a running entry may start after now and still be ended by a command
  /// without a time.
  ///
  /// The ended entry is then empty. The limit tolerates a clock that was set back slightly.
  static var clockStepMax: ElapsedTime { .seconds(60) }

  /// Decides a command.
  public static func decide(
    _ command: TimeEntryCommand, in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    switch command {
    case .start(let draft, let at, let policy, let rules):
      let entry = try entry(draft, start: at ?? editor.moment, end: nil, in: &editor)
      try start(entry, isNow: at == nil, policy, rules, in: &editor)
    case .stop(let user, let at, let policy):
      guard let (id, running) = editor.state.runningEntry(of: user) else {
        throw .nothingRunning
      }
      var entry = running
      if at == nil { try checkStarted(running, editor.moment) }
      entry.end = at ?? max(editor.moment, entry.start)
      try place(&entry, id, since: running, isNow: at == nil, policy, in: &editor)
      editor.change(id, of: Self.self) { $0 = entry }
    case .add(let draft, let start, let end, let policy, let rules):
      var entry = try entry(draft, start: start, end: end, in: &editor)
      try place(&entry, nil, since: nil, policy, rules, in: &editor)
      editor.insert(entry, of: Self.self)
    case .resume(let id, let at, let zone, let policy, let rules):
      var entry = try visible(id, in: editor)
      entry.start = at ?? editor.moment
      (entry.end, entry.importRun, entry.externalIDs) = (nil, nil, [])
      entry.allowsOverlap = false
      entry.zone = zone
      entry.modified = editor.moment
      try keepLive(&entry, in: editor)
      try setRate(of: &entry, in: editor)
      try start(entry, isNow: at == nil, policy, rules, in: &editor)
    case .correct(let id, let correction, let policy, let rules, reason: _):
      try correct(id, correction, policy, rules, in: &editor)
    case .delete(let id, reason: _):
      _ = try visible(id, in: editor)
      let moment = editor.moment
      editor.change(id, of: Self.self) { $0.deleted = moment }
    case .split(let id, let at, let policy, reason: _):
      try split(id, at: at, policy, in: &editor)
    case .join(let id, let other, let policy, let rules, reason: _):
      try join(id, other, policy, rules, in: &editor)
    case .several(let commands):
      guard command.count <= commandsMax else { throw .invalid(field: "commands") }
      try carryOut(commands, in: &editor)
    }
  }

  /// Returns whether an entry ends at or after its start, is the only running one of its user, who
  /// is not deleted, and overlaps others only where allowed.
  ///
  /// - Complexity: O(entries that end within 999 hours after it).
  public static func allows(_ id: TimeEntryID, in state: borrowing DomainState) -> Bool {
    guard let entry = state.timeEntries[id] else { return true }
    if let end = entry.end, end < entry.start { return false }
    guard state.isVisible(entry) else { return true }
    if entry.isRunning, state.users.live(entry.user) == nil { return false }
    var isAllowed = true
    state.forEachEntry(from: entry.start, to: entry.end, of: entry.user) { other, rival in
      if other != id, conflict(entry, rival) { isAllowed = false }
    }
    return isAllowed
  }

  /// Returns whether two entries of a user conflict: both run, or they overlap and neither is
  /// allowed to overlap.
  static func conflict(_ entry: TimeEntry, _ other: TimeEntry) -> Bool {
    if entry.isRunning, other.isRunning { return true }
    guard !entry.allowsOverlap, !other.allowsOverlap, entry.start != entry.end,
      other.start != other.end
    else { return false }
    return entry.start.microseconds < other.sortKey && other.start.microseconds < entry.sortKey
  }

  /// Returns the entries that end before their start, that have no user, that overlap the previous
  /// entry although neither is allowed to, that run for a deleted user, or that run at the same
  /// time as another one.
  ///
  /// - Complexity: O(entries log entries).
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    var violations: [Violation] = []
    var running: Set<UserID> = []
    var strict: [UserID: [(start: Int64, end: Int64, id: TimeEntryID)]] = [:]
    state.timeEntries.forEach { id, entry in
      if let end = entry.end, end < entry.start {
        violations.append(Violation(of: "no entry ends before its start", "entry \(id.value)"))
      }
      if !state.users.contains(entry.user) {
        violations.append(Violation(of: "entries have a user", "entry \(id.value)"))
      }
      guard state.isVisible(entry) else { return }
      if !entry.allowsOverlap, entry.start != entry.end {
        strict[entry.user, default: []].append((entry.start.microseconds, entry.sortKey, id))
      }
      if entry.isRunning, state.users.live(entry.user) == nil {
        violations.append(
          Violation(of: "no entry of a deleted user runs", "entry \(id.value)"))
      }
      if entry.isRunning, !running.insert(entry.user).inserted {
        violations.append(
          Violation(of: "one entry of a user runs at most", "user \(entry.user.value)"))
      }
    }
    for (user, entries) in strict.sorted(by: { $0.key < $1.key }) {
      let sorted = entries.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
      for (entry, next) in zip(sorted, sorted.dropFirst()) where next.start < entry.end {
        let pair = "entries \(entry.id.value) and \(next.id.value) of user \(user.value)"
        violations.append(Violation(of: "no time is counted twice unless allowed", pair))
      }
    }
    return violations
  }

  /// Sets the moment of the last change.
  public static func touch(_ entity: inout TimeEntry, at moment: Moment) {
    entity.modified = moment
  }

  /// Returns a visible entry.
  static func visible(
    _ id: TimeEntryID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) -> TimeEntry {
    guard let entry = editor.state.timeEntries[id], editor.state.isVisible(entry) else {
      throw .entity(.unknown(type: TimeEntryID.recordedName, id: id.value))
    }
    return entry
  }

  /// Refuses an entry that begins to run for a deleted user.
  private static func requireUser(
    of entry: TimeEntry, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    do throws(EntityRefusal) {
      _ = try Users.live(entry.user, in: editor)
    } catch {
      throw .entity(error)
    }
  }

  /// Applies a correction to an entry.
  private static func correct(
    _ id: TimeEntryID, _ correction: TimeEntryCorrection, _ policy: Policy, _ rules: RuleSet,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    let before = try visible(id, in: editor)
    guard correction.addedTags.count <= TimeEntry.listMax else { throw .invalid(field: "tags") }
    var entry: TimeEntry
    do throws(EntityRefusal) {
      var changes = correction.changes
      try changes.requireNone(of: ["externalIDs", "deleted"])
      if let tags = changes.tags {
        // Stored tags are sorted. The sorted value of a repeated correction equals them, and a
        // field that already has its new value is not a conflict.
        changes.tags = Change(from: tags.before, to: Set(tags.after).sorted())
      }
      entry = try changes.applied(to: before)
      if let project = correction.project {
        entry.project = try findProject(project, for: entry, in: &editor)
      }
      // The entry moves to the workspace of its new project.
      if entry.project != before.project, correction.changes.workspace == nil,
        let project = entry.project.flatMap({ editor.state.projects[$0] })
      {
        entry.workspace = project.workspace
      }
      for tag in correction.addedTags {
        entry.tags.append(
          try Tags.findOrCreate(Tag(name: tag, workspace: entry.workspace), in: &editor))
      }
    } catch {
      throw .entity(error)
    }
    if entry.project != before.project, entry.task == before.task { entry.task = nil }
    try check(&entry, since: before, rules, in: editor)
    if entry.isRunning, !before.isRunning { try requireUser(of: entry, in: editor) }
    let setsRate = correction.changes.rate != nil
    if rules != .first, setsRate, entry.rate != nil, !entry.isBillable { throw .notBillable }
    let mayChangeRate =
      entry.project != before.project || entry.isBillable != before.isBillable
      || entry.user != before.user || entry.workspace != before.workspace
    if !setsRate, mayChangeRate {
      try setRate(of: &entry, in: editor)
    }
    if entry.start != before.start || entry.end != before.end || entry.user != before.user {
      try place(&entry, id, since: before, policy, rules, in: &editor)
    }
    editor.change(id, of: Self.self) { $0 = entry }
  }
}
