import Retrace
import TimeTracking

/// What a timer with a filter lists, kept from frame to frame.
struct FoundLog: Sendable {
  /// The entries that match.
  let log: Log
  /// The page of the shown ones.
  let page: LogPage
  /// The sum of those that end last; of all if few entries are recorded.
  let sum: EntrySum
  private let route: TimerRoute
  private let shape: LogShape
  private let domain: DomainState

  /// The number of entries of all users after which the search for the list of a frame stops, and
  /// that for the sum; fewer while the filter is typed, because each letter is another filter.
  private static func visitsMax(isFiltering: Bool) -> Int {
    isFiltering ? 2_000 : LogPage.visitsMax
  }

  /// Reads the entries.
  ///
  /// - Parameters:
  ///   - route: The timer.
  ///   - condition: The condition of its filter.
  ///   - calendar: The calendar of the days.
  ///   - shape: The shape of the page.
  ///   - domain: The state.
  ///   - older: What the frame before has listed.
  /// - Complexity: As `EntryDays.sum(visits:)` and ``LogPage``, each for 20,000 entries at most, or
  ///   2,000 while the filter is typed, and as `EntryDays.day(_:)` for the shown days.
  init(
    _ route: TimerRoute, where condition: EntryCondition, in calendar: ReportCalendar,
    _ shape: LogShape, _ domain: DomainState, after older: FoundLog?
  ) {
    var days = EntryDays(of: route.user, in: calendar, domain, where: condition)
    var groups = DayGroups(domain)
    var sum: EntrySum?
    if let older, older.isFound(of: route.user, where: condition, in: calendar) {
      (days, groups) = (older.log.days, older.log.groups)
      days.follow(domain)
      groups.follow(domain)
      if older.domain.hasLog(of: domain), older.route.isFiltering == route.isFiltering {
        sum = older.sum
      }
    }
    var log = Log(days, groups, open: route.expanded, isGrouped: shape.hasHeadings)
    let visits = Self.visitsMax(isFiltering: route.isFiltering)
    page = LogPage(&log, from: route.top, shape, visits: visits)
    self.sum = sum ?? days.sum(visits: visits)
    self.log = log
    (self.route, self.shape, self.domain) = (route, shape, domain)
  }

  private func isFound(
    of user: UserID, where condition: EntryCondition, in calendar: ReportCalendar
  ) -> Bool {
    log.days.user == user && log.days.calendar == calendar
      && (log.days.condition?.isSame(as: condition) ?? false)
  }

  /// Returns whether the entries were read in a state.
  ///
  /// - Complexity: As `==` of the tables.
  func isOf(_ domain: DomainState) -> Bool { self.domain == domain }

  /// Returns whether a timer lists the same.
  ///
  /// - Complexity: O(1) for copies of the same tables.
  func isList(
    of route: TimerRoute, where condition: EntryCondition, in calendar: ReportCalendar,
    _ shape: LogShape, _ domain: DomainState
  ) -> Bool {
    isFound(of: route.user, where: condition, in: calendar) && self.shape == shape
      && self.route.isFiltering == route.isFiltering && self.route.top == route.top
      && self.route.expanded == route.expanded
      && self.domain.hasLog(of: domain)
  }
}

extension DomainState {
  /// Returns whether the entries and their names are those of another state.
  ///
  /// - Complexity: O(1) for copies of the same tables.
  fileprivate func hasLog(of other: DomainState) -> Bool {
    timeEntries == other.timeEntries && importRuns == other.importRuns && hasNames(of: other)
  }
}
