public import RetraceState

/// Sums over visible entries.
public struct EntryTotals: Hashable, Sendable {
  /// The number of entries.
  public var entries = 0
  /// The number of running entries.
  public var running = 0
  /// The time of all ended entries.
  public var time: ElapsedTime = .zero
  /// The number of users with entries.
  public var users = 0
  /// The number of projects with entries; merged ones count once.
  public var projects = 0
}

extension DomainState {
  /// Returns the sums over all visible entries.
  ///
  /// - Parameter owners: The users; `nil` for all users.
  /// - Complexity: O(entries).
  public func totals(of owners: Set<UserID>? = nil) -> EntryTotals {
    var sums = EntrySums(self)
    var visible = VisibleEntries(self)
    timeEntries.forEach { _, entry in
      guard owners?.contains(entry.user) ?? true, visible.contains(entry) else { return }
      sums.add(entry)
    }
    return sums.totals
  }

  /// Returns the sums over some entries.
  ///
  /// - Complexity: O(entries).
  public func totals(over entries: some Sequence<TimeEntry>) -> EntryTotals {
    var sums = EntrySums(self)
    for entry in entries { sums.add(entry) }
    return sums.totals
  }
}

/// The sums over the entries that were added.
private struct EntrySums {
  private var sums = EntryTotals()
  private var users: Set<UserID> = []
  private var projects: Set<ProjectID> = []
  private var aliases: AliasResolver

  init(_ state: DomainState) { aliases = AliasResolver(state) }

  var totals: EntryTotals {
    var totals = sums
    (totals.users, totals.projects) = (users.count, projects.count)
    return totals
  }

  mutating func add(_ entry: TimeEntry) {
    sums.entries += 1
    users.insert(entry.user)
    if let project = aliases.project(entry.project) { projects.insert(project) }
    guard let end = entry.end else {
      sums.running += 1
      return
    }
    // The sum can overflow: an entry has up to 999 hours.
    let duration = entry.elapsed(at: end)
    let (sum, isOver) = sums.time.microseconds.addingReportingOverflow(duration.microseconds)
    sums.time = ElapsedTime(microseconds: isOver ? .max : sum)
  }
}
