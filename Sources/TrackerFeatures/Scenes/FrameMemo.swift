import Retrace
import TimeTracking

/// What a frame takes over from the frame before it, so that it reads only what has changed.
///
/// A frame shows the same with any memo. So no record has one, and a replay begins with an empty
/// one.
public struct FrameMemo: Sendable {
  private var days: Boxed<EntryDays>?
  private var groups: Boxed<DayGroups>?
  private var contents: Boxed<RecentContents>?
  /// The lines and the bars of a report.
  private var report: Boxed<ReportLines>?
  /// The filter of a timer or of a report.
  private var filter: Boxed<TypedFilter>?
  private var items: Boxed<ListItems>?
  private var goals: Boxed<GoalFigures>?
  private var mostUsed: Boxed<MostUsedEntries>?
  /// The lists in which the command palette searches.
  private var named: [ListItems] = []
  private var found: Boxed<FoundLog>?

  /// Creates an empty memo.
  public init() {}

  /// Returns the days of a user's entries in a state, with the kept ones that are the same in it.
  ///
  /// - Complexity: As `EntryDays.follow(_:)`; O(1) for another user or calendar.
  func days(of user: UserID, in calendar: ReportCalendar, _ domain: DomainState) -> EntryDays {
    guard var days = days?.value, days.user == user, days.calendar == calendar else {
      return EntryDays(of: user, in: calendar, domain)
    }
    days.follow(domain)
    return days
  }

  /// Returns what a timer with a filter lists, and keeps it.
  ///
  /// - Complexity: O(1) for the list of the frame before, else as `FoundLog.init`.
  mutating func found(
    by route: TimerRoute, where condition: EntryCondition, in calendar: ReportCalendar,
    _ shape: LogShape, _ domain: DomainState
  ) -> FoundLog {
    if let found = found?.value,
      found.isList(of: route, where: condition, in: calendar, shape, domain)
    {
      return found
    }
    let fresh = FoundLog(route, where: condition, in: calendar, shape, domain, after: found?.value)
    found = Boxed(fresh)
    return fresh
  }

  /// Forgets what a timer with a filter listed.
  mutating func forgetFound() { found = nil }

  /// Returns the groups of similar entries in a state, with the kept ones that are the same in it.
  ///
  /// - Complexity: As `DayGroups.follow(_:)`.
  func groups(in domain: DomainState) -> DayGroups {
    guard var groups = groups?.value else { return DayGroups(domain) }
    groups.follow(domain)
    return groups
  }

  /// Returns the contents of a user's entries in a state, with the kept ones if they are the same.
  ///
  /// - Complexity: As `RecentContents.follow(_:)`.
  func contents(of user: UserID, _ domain: DomainState) -> RecentContents {
    guard var contents = contents?.value, contents.user == user else {
      return RecentContents(of: user, domain)
    }
    contents.follow(domain)
    return contents
  }

  /// Returns the memo with other contents.
  func keeping(_ contents: RecentContents) -> FrameMemo {
    var memo = self
    memo.contents = Boxed(contents)
    return memo
  }

  /// Returns the memo with the days and the groups of another log.
  func keeping(_ log: Log) -> FrameMemo {
    var memo = self
    (memo.days, memo.groups) = (Boxed(log.days), Boxed(log.groups))
    return memo
  }

  /// Returns the memo with other days.
  func keeping(_ days: EntryDays) -> FrameMemo {
    var memo = self
    memo.days = Boxed(days)
    return memo
  }

  /// Returns the memo without what was counted in another state, whose pages it would keep.
  ///
  /// - Parameters:
  ///   - domain: The state.
  ///   - listsFound: Whether the frame lists what a filter finds, and so follows it by differences.
  /// - Complexity: As `==` of the tables.
  func following(_ domain: DomainState, listsFound: Bool) -> FrameMemo {
    var memo = self
    if let report = report?.value, !report.isOf(domain) { memo.report = nil }
    memo.filter = filter?.value.following(domain).map { Boxed($0) }
    if let found = found?.value, !listsFound, !found.isOf(domain) { memo.found = nil }
    if let mostUsed = mostUsed?.value, !mostUsed.isOf(domain) { memo.mostUsed = nil }
    return memo
  }

  /// Returns the lines of a report and the bars of its chart at a moment, and keeps them.
  ///
  /// - Complexity: As `ReportLines.follow(to:)` if they are kept, else as `ReportLines.init`.
  mutating func report(
    _ query: ReportQuery, by chart: ReportGrouping, in domain: DomainState, at moment: Moment
  ) -> ReportLines {
    var lines: ReportLines
    if let kept = report?.value, kept.isOf(query, by: chart, in: domain) {
      lines = kept
      lines.follow(to: moment)
    } else {
      lines = ReportLines(query, by: chart, in: domain, at: moment)
    }
    report = Boxed(lines)
    return lines
  }

  /// Returns the filter of a text, and keeps it.
  ///
  /// - Complexity: As `TypedFilter.isFilter` if it is kept, else as `TypedFilter.init`.
  mutating func filter(
    _ text: String, in calendar: ReportCalendar, at moment: Moment, _ domain: DomainState
  ) -> TypedFilter {
    if let filter = filter?.value, filter.isFilter(text, in: calendar, at: moment, domain) {
      return filter
    }
    var fresh = TypedFilter(text, in: calendar, at: moment, domain)
    if let filter = filter?.value { fresh.keepCondition(of: filter) }
    filter = Boxed(fresh)
    return fresh
  }

  /// Returns the most used entries of a user, with the kept ones if they are the same.
  ///
  /// - Complexity: O(1) if they are kept, else as `MostUsedEntries.init(of:in:at:)`.
  func mostUsed(by user: UserID, in domain: DomainState, at moment: Moment) -> MostUsedEntries {
    if let mostUsed = mostUsed?.value, mostUsed.user == user, mostUsed.isOf(domain, at: moment) {
      return mostUsed
    }
    return MostUsedEntries(of: user, in: domain, at: moment)
  }

  /// Returns the memo with other most used entries, or without any.
  func keeping(_ mostUsed: MostUsedEntries?) -> FrameMemo {
    var memo = self
    memo.mostUsed = mostUsed.map { Boxed($0) }
    return memo
  }

  /// Returns the items of a list, and keeps them.
  ///
  /// - Complexity: O(1) for the list of the frame before, if no entity of it has changed. Else as
  ///   `ListItems.init(_:in:)` and `ListItems.find(_:showsArchived:)`.
  mutating func items(of route: ListsRoute, in domain: DomainState) -> ListItems {
    var items = all(of: route, in: domain)
    items.find(route.search.text, showsArchived: route.showsArchived)
    self.items = Boxed(items)
    return items
  }

  /// Returns the projects with a name that were not merged into others.
  ///
  /// - Complexity: As ``items(of:in:)``.
  mutating func projects(
    named name: Name, of user: UserID, in domain: DomainState
  ) -> [ProjectID] {
    let all = all(of: ListsRoute(user: user, kind: .projects), in: domain)
    items = Boxed(all)
    return all.ids(named: name).map { ProjectID(value: $0) }
  }

  private func all(of route: ListsRoute, in domain: DomainState) -> ListItems {
    if let items = items?.value, items.isList(of: route, in: domain) { return items }
    return ListItems(route, in: domain)
  }

  /// Returns the items of a kind whose names contain each word, and keeps all items of the kind.
  ///
  /// - Complexity: As ``items(of:in:)``.
  mutating func items(
    named words: String, of kind: ListKind, _ user: UserID, in domain: DomainState
  ) -> [ListItems.Item] {
    let route = ListsRoute(user: user, kind: kind)
    let index = named.firstIndex { $0.isList(of: route, in: domain) }
    var items = index.map { named.remove(at: $0) } ?? ListItems(route, in: domain)
    items.find(words, showsArchived: false)
    named.append(items)
    // Lists of another state are of no use any more.
    if named.count > ListKind.allCases.count { named.removeFirst() }
    return items.found
  }

  /// Returns the progress of a user's goals, and keeps it.
  ///
  /// - Complexity: O(1) within a minute, if nothing has changed. Else as `GoalFigures.init`.
  mutating func goals(
    of user: UserID, at moment: Moment, _ context: ScreenContext
  ) -> GoalFigures {
    let (calendar, domain) = (context.calendar(of: user), context.domain)
    if let goals = goals?.value, goals.isProgress(of: user, at: moment, in: calendar, domain) {
      return goals
    }
    let fresh = GoalFigures(of: user, at: moment, in: calendar, domain)
    goals = Boxed(fresh)
    return fresh
  }
}
