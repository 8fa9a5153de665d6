import RetraceArchitecture
import RetraceState

extension TimeEntries {
  /// Starts an entry, and ends the running one of its user at the same instant.
  ///
  /// If the entry starts at or before the running one, ending that one would leave no time of it.
  /// The policy then decides, as for other overlaps.
  ///
  /// - Parameter isNow: Whether the user gave no time. The entry then begins now, or with the
  ///   running entry if the clock was set back slightly.
  static func start(
    _ entry: TimeEntry, isNow: Bool, _ policy: Policy, _ rules: RuleSet,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    var entry = entry
    let found = editor.state.runningEntry(of: entry.user)
    if isNow, let running = found?.entry {
      try checkStarted(running, editor.moment)
      entry.start = max(entry.start, running.start)
    }
    if !isNow {
      try checkPast(entry, since: nil, policy, editor.moment)
      try checkDuration(of: entry, since: nil, policy, rules, at: editor.moment)
    }
    if let (id, running) = found,
      running.start < entry.start || isNow && running.start == entry.start
    {
      var ended = running
      ended.end = entry.start
      try checkDuration(of: ended, since: nil, policy, at: editor.moment)
      editor.change(id, of: Self.self) { $0 = ended }
    }
    try place(&entry, nil, since: nil, isNow: isNow, policy, rules, in: &editor)
    editor.insert(entry, of: Self.self)
  }

  /// Checks the time of an entry against the present and the other entries of its user, and adjusts
  /// those if the policy says so.
  ///
  /// Only violations that the command adds or enlarges are checked. An overlap that was allowed
  /// before is not, nor is a duration or a time in the future that does not grow.
  ///
  /// - Parameters:
  ///   - entry: The entry after the command. If the policy allows it to overlap others or to lie in
  ///     the future, it is marked as allowed to overlap.
  ///   - id: Its id; `nil` if it is new.
  ///   - before: The entry before the command; `nil` if it is new.
  ///   - isNow: Whether the user gave no time, so that its start or end is the present.
  ///   - policy: The handling of overlaps, of time in the future, and of long entries.
  ///   - rules: The rules of the command, which may limit how long an entry runs.
  ///   - editor: The editor.
  /// - Complexity: O(entries that end within 999 hours after it), or O(entries that end after its
  ///   start) if it runs.
  static func place(
    _ entry: inout TimeEntry, _ id: TimeEntryID?, since before: TimeEntry?, isNow: Bool = false,
    _ policy: Policy, _ rules: RuleSet = .first, in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    if let end = entry.end, end < entry.start { throw .endsBeforeStart }
    if !isNow { try checkPast(entry, since: before, policy, editor.moment) }
    let now = editor.moment
    try checkDuration(of: entry, since: before, policy, rules, at: now)
    let (start, end) = (entry.start, entry.end)
    // An empty entry overlaps nothing.
    if start == end { return }
    var overlaps: [(TimeEntryID, OverlapAdjustment)] = []
    var count: Int64 = 0
    var running: TimeEntryID?
    let placed = entry
    editor.state.forEachEntry(from: start, to: end, of: entry.user) { other, rival in
      guard other != id, rival.start != rival.end else { return }
      if placed.isRunning, rival.isRunning { running = other }
      // An ended entry in the future that may overlap others is no conflict for a running entry.
      if placed.isRunning, !rival.isRunning, rival.allowsOverlap, rival.start > now { return }
      guard
        let adjustment = OverlapAdjustment.of(
          start: rival.start, end: rival.end, takenFrom: start, to: end),
        !takesNothingNew(placed, since: before, from: rival)
      else { return }
      count += 1
      if overlaps.count < adjustmentsMax { overlaps.append((other, adjustment)) }
    }
    switch policy {
    case .refuse:
      if !overlaps.isEmpty { throw .overlaps(overlaps.map({ $0.0 })) }
    case .adjust:
      guard count <= adjustmentsMax else { throw .tooManyOverlaps(count) }
      for (other, adjustment) in overlaps {
        // The rest of another entry would begin after an entry that ends in the future.
        if rules.limitsRunning, let rest = adjustment.restStart, rest > now {
          throw .inFuture(rest)
        }
        try adjust(other, adjustment, rules, in: &editor)
      }
    case .allow:
      // Overlaps are allowed, but not a second running entry.
      if let running { throw .anotherRuns(running) }
      let isPlanned = max(start, end ?? start) > now
      if !overlaps.isEmpty || isPlanned { entry.allowsOverlap = true }
    }
  }

  /// Returns whether an entry overlaps another one no more than before the command.
  private static func takesNothingNew(
    _ entry: TimeEntry, since before: TimeEntry?, from rival: TimeEntry
  ) -> Bool {
    guard let before, before.user == entry.user else { return false }
    return max(entry.start, rival.start) >= max(before.start, rival.start)
      && min(entry.sortKey, rival.sortKey) <= min(before.sortKey, rival.sortKey)
  }

  private static func checkPast(
    _ entry: TimeEntry, since before: TimeEntry?, _ policy: Policy, _ now: Moment
  ) throws(TimeEntryRefusal) {
    if policy == .allow { return }
    if entry.start > max(now, before?.start ?? now) { throw .inFuture(entry.start) }
    if let end = entry.end, end > max(now, before?.end ?? now) { throw .inFuture(end) }
  }

  /// Refuses to end a running entry that begins in the future, because the time until then would be
  /// lost.
  static func checkStarted(_ running: TimeEntry, _ now: Moment) throws(TimeEntryRefusal) {
    if running.start > now.adding(clockStepMax) { throw .endsBeforeStart }
  }

  /// Checks the duration of an entry, and the time since the start of a running one.
  ///
  /// - Parameters:
  ///   - entry: The entry after the command.
  ///   - before: The entry before the command; `nil` if it is new. A duration that it had is
  ///     allowed.
  ///   - policy: The handling of long entries.
  ///   - rules: The rules of the command, which may limit how long an entry runs.
  ///   - now: The moment of the decision.
  static func checkDuration(
    of entry: TimeEntry, since before: TimeEntry?, _ policy: Policy, _ rules: RuleSet = .first,
    at now: Moment
  ) throws(TimeEntryRefusal) {
    guard let duration = entry.duration else {
      guard rules.limitsRunning, policy != .allow else { return }
      // An entry that had all of this time before may keep it.
      if let before, before.start <= entry.start, (before.end ?? now) >= now { return }
      let duration = now.elapsed(since: entry.start)
      if duration > TimeEntry.usualDurationMax { throw .runsSince(entry.start) }
      return
    }
    let limit =
      policy == .allow
      ? TimeEntry.durationMax : max(TimeEntry.usualDurationMax, before?.duration ?? .zero)
    if duration > limit { throw .tooLong(duration) }
  }

  /// Refuses an entry that is longer than the limit of every policy.
  private static func checkLongest(from start: Moment, to end: Moment) throws(TimeEntryRefusal) {
    let duration = end.elapsed(since: start)
    if duration > TimeEntry.durationMax { throw .tooLong(duration) }
  }

  /// Adjusts an entry to make room for another one.
  ///
  /// A running entry that ends earlier is as long as one that is stopped may be.
  private static func adjust(
    _ id: TimeEntryID, _ adjustment: OverlapAdjustment, _ rules: RuleSet,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    let moment = editor.moment
    switch adjustment {
    case .endsEarlier(let end), .split(let end, _):
      guard var entry = editor.entity(id, of: Self.self) else { return }
      let wasRunning = entry.isRunning
      entry.end = end
      try checkLongest(from: entry.start, to: end)
      if wasRunning, rules.limitsRunning {
        try checkDuration(of: entry, since: nil, .adjust, at: moment)
      }
    case .startsLater, .deleted: break
    }
    switch adjustment {
    case .endsEarlier(let end): editor.change(id, of: Self.self) { $0.end = end }
    case .startsLater(let start): editor.change(id, of: Self.self) { $0.start = start }
    case .deleted: editor.change(id, of: Self.self) { $0.deleted = moment }
    case .split(let end, let start):
      guard var rest = editor.entity(id, of: Self.self) else { return }
      editor.change(id, of: Self.self) { $0.end = end }
      rest.start = start
      rest.externalIDs = []
      rest.modified = moment
      editor.insert(rest, of: Self.self)
    }
  }
}
