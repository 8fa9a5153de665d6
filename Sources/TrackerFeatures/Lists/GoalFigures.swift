import Retrace
import TimeTracking

/// The progress of a user's goals, kept for a minute.
///
/// A goal counts the entries of a month at most, so its time is computed once a minute, and again
/// only if an entry or a goal has changed.
struct GoalFigures: Sendable {
  private let user: UserID
  private let domain: DomainState
  private let calendar: ReportCalendar
  /// The start of the minute until which entries count.
  private let moment: Moment
  private let progress: [GoalID: GoalProgress]

  /// The microseconds of a minute.
  private static var minute: Int64 { 60_000_000 }

  /// Computes the progress of the goals that are not archived.
  ///
  /// - Complexity: As `DomainState.progress(of:at:in:)` for each goal.
  init(of user: UserID, at moment: Moment, in calendar: ReportCalendar, _ domain: DomainState) {
    (self.user, self.domain, self.calendar) = (user, domain, calendar)
    self.moment = Self.minute(of: moment)
    var progress: [GoalID: GoalProgress] = [:]
    let until = self.moment
    domain.goals.forEach { id, goal in
      guard goal.deleted == nil, !goal.isArchived, goal.user == user else { return }
      progress[id] = domain.progress(of: id, at: until, in: calendar)
    }
    self.progress = progress
  }

  /// Returns whether the progress is that of a user in a state and a minute.
  ///
  /// - Complexity: O(1) for copies of the same tables.
  func isProgress(
    of user: UserID, at moment: Moment, in calendar: ReportCalendar, _ other: DomainState
  ) -> Bool {
    self.user == user && self.moment == Self.minute(of: moment) && self.calendar == calendar
      && domain.goals == other.goals && domain.timeEntries == other.timeEntries
      && domain.importRuns == other.importRuns && domain.projects == other.projects
      && domain.tags == other.tags
  }

  private static func minute(of moment: Moment) -> Moment {
    let rest = ((moment.microseconds % minute) + minute) % minute
    let (start, overflows) = moment.microseconds.subtractingReportingOverflow(rest)
    return overflows ? moment : Moment(microseconds: start)
  }

  /// Returns the time spent on a goal in its present period; `nil` for an archived goal.
  func text(of goal: GoalID) -> String? {
    guard let progress = progress[goal] else { return nil }
    let over = progress.isLimit && progress.excess > .zero
    return "\(progress.time.hoursAndMinutes) spent, \(progress.percent)%\(over ? ", too much" : "")"
  }
}
