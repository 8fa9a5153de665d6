import RetraceArchitecture
import RetraceState

extension TimeEntries {
  /// Starts an entry, and ends the running one of its user where it begins.
  ///
  /// A start before that of the running entry would leave nothing of it, so it is decided by the
  /// policy, as other overlaps are.
  static func start(
    _ entry: TimeEntry, _ policy: Policy, in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    var entry = entry
    try checkPast(entry, policy, editor.moment)
    if let (id, running) = editor.state.runningEntry(of: entry.user),
      running.start <= entry.start
    {
      var ended = running
      ended.end = entry.start
      try checkDuration(of: ended, policy)
      editor.change(id, of: Self.self) { $0 = ended }
    }
    try place(&entry, nil, policy, in: &editor)
    editor.insert(entry, of: Self.self)
  }

  /// Checks the time of an entry against the present and the other entries of its user, and adjusts
  /// those if the policy says so.
  ///
  /// - Complexity: O(entries that end within 999 hours after it); O(entries that end after its
  ///   start) while it runs.
  static func place(
    _ entry: inout TimeEntry, _ id: TimeEntryID?, _ policy: Policy,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    if let end = entry.end, end < entry.start { throw .endsBeforeStart }
    try checkPast(entry, policy, editor.moment)
    try checkDuration(of: entry, policy)
    let (start, end) = (entry.start, entry.end)
    // An entry without a duration takes nobody's time.
    if start == end { return }
    var overlaps: [(TimeEntryID, OverlapAdjustment)] = []
    var count: Int64 = 0
    var running: TimeEntryID?
    editor.state.forEachEntry(from: start, to: end, of: entry.user) { other, rival in
      guard other != id, rival.start != rival.end,
        let adjustment = OverlapAdjustment.of(
          start: rival.start, end: rival.end, takenFrom: start, to: end)
      else { return }
      count += 1
      if overlaps.count < adjustmentsMax { overlaps.append((other, adjustment)) }
      if rival.isRunning { running = other }
    }
    switch policy {
    case .refuse:
      if !overlaps.isEmpty { throw .overlaps(overlaps.map(\.0)) }
    case .adjust:
      guard count <= adjustmentsMax else { throw .tooManyOverlaps(count) }
      for (other, adjustment) in overlaps { adjust(other, adjustment, in: &editor) }
    case .allow:
      // Overlaps are allowed, but not a second running entry.
      if entry.isRunning, let running { throw .anotherRuns(running) }
    }
  }

  private static func checkPast(
    _ entry: TimeEntry, _ policy: Policy, _ now: Moment
  ) throws(TimeEntryRefusal) {
    if policy == .allow { return }
    if entry.start > now { throw .inFuture(entry.start) }
    if let end = entry.end, end > now { throw .inFuture(end) }
  }

  private static func checkDuration(
    of entry: TimeEntry, _ policy: Policy
  ) throws(TimeEntryRefusal) {
    guard let duration = entry.duration else { return }
    let limit = policy == .allow ? TimeEntry.durationMax : TimeEntry.usualDurationMax
    if duration > limit { throw .tooLong(duration) }
  }

  /// Takes the time of another entry away from an entry.
  private static func adjust(
    _ id: TimeEntryID, _ adjustment: OverlapAdjustment, in editor: inout EntityEditor<DomainEdit>
  ) {
    let moment = editor.moment
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
