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
    var totals = EntryTotals()
    var users: Set<UserID> = []
    var projects: Set<ProjectID> = []
    var aliases = AliasResolver(self)
    var visible = VisibleEntries(self)
    timeEntries.forEach { _, entry in
      guard owners?.contains(entry.user) ?? true, visible.contains(entry) else { return }
      totals.entries += 1
      users.insert(entry.user)
      if let project = aliases.project(entry.project) { projects.insert(project) }
      // The sum can overflow: an entry has up to 999 hours.
      guard let end = entry.end else { return totals.running += 1 }
      let duration = entry.elapsed(at: end)
      let (sum, isOver) = totals.time.microseconds.addingReportingOverflow(duration.microseconds)
      totals.time = ElapsedTime(microseconds: isOver ? .max : sum)
    }
    totals.users = users.count
    totals.projects = projects.count
    return totals
  }
}
