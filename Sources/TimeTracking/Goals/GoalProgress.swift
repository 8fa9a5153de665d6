public import RetraceState

/// How much of a goal's time was spent in one of its periods.
public struct GoalProgress: Hashable, Sendable {
  /// The goal.
  public var goal: GoalID
  /// The period.
  public var period: Range<Moment>
  /// The time that was spent.
  public var time: ElapsedTime
  /// The time to spend.
  public var target: ElapsedTime
  /// Whether the target is the most to spend, and not the least.
  public var isLimit: Bool

  /// The time left until the target; zero from then on.
  public var remaining: ElapsedTime { target.elapsedBeyond(time) }
  /// The time beyond the target.
  public var excess: ElapsedTime { time.elapsedBeyond(target) }
  /// Whether the target is reached; a limit may be reached, but not exceeded.
  public var isReached: Bool { time >= target }
  /// The hundredths of the target that were spent, rounded down.
  public var percent: Int64 {
    target > .zero ? time.percent(of: target) : 100
  }
}

extension ElapsedTime {
  /// Returns the hundredths that the time is of a whole, rounded down.
  ///
  /// - Precondition: The whole is positive.
  package func percent(of whole: ElapsedTime) -> Int64 {
    Int64(clamping: Int128(microseconds) * 100 / Int128(whole.microseconds))
  }

  /// Returns how much longer the time is than another.
  fileprivate func elapsedBeyond(_ other: ElapsedTime) -> ElapsedTime {
    Moment(microseconds: microseconds).elapsed(since: Moment(microseconds: other.microseconds))
  }
}

extension DomainState {
  /// Returns how much of a goal was spent in one of its periods, until a moment.
  ///
  /// The user's entries of the project and the tag count, also those of what was merged into them,
  /// each with its part in the period; entries that overlap count in full.
  ///
  /// - Parameters:
  ///   - goal: The goal.
  ///   - moment: The moment until which entries count.
  ///   - calendar: The days, weeks and months.
  ///   - instant: An instant of the period; `nil` for `moment`.
  /// - Returns: `nil` if there is no such goal, or if it is deleted.
  /// - Complexity: O(entries that end in the period or within 999 hours after it).
  public func progress(
    of goal: GoalID, at moment: Moment, in calendar: ReportCalendar,
    periodOf instant: Moment? = nil
  ) -> GoalProgress? {
    let instant = instant ?? moment
    guard let wanted = goals.live(goal) else { return nil }
    let period =
      switch wanted.period {
      case .day: calendar.range(of: .today, at: instant)
      case .week: calendar.range(of: .thisWeek, at: instant)
      case .month: calendar.range(of: .thisMonth, at: instant)
      }
    var filter = EntryFilter()
    filter.users = [wanted.user]
    if let project = wanted.project { filter.projects = [project] }
    if let tag = wanted.tag { filter.tags = .any([tag]) }
    var matcher = EntryMatcher(filter, in: self)
    var time = ElapsedTime.zero
    let past = period.lowerBound..<max(period.lowerBound, min(period.upperBound, moment))
    forEachPart(in: past, at: moment, of: wanted.user) { id, entry, part in
      guard matcher.matches(id, entry) else { return }
      time = time.adding(part.upperBound.elapsed(since: part.lowerBound))
    }
    return GoalProgress(
      goal: goal, period: period, time: time, target: wanted.target, isLimit: wanted.isLimit)
  }
}
