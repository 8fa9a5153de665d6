public import RetraceState

/// The time spent on a goal in one of its periods.
public struct GoalProgress: Hashable, Sendable {
  /// The goal.
  public var goal: GoalID
  /// The period.
  public var period: Range<Moment>
  /// The time spent.
  public var time: ElapsedTime
  /// The target time; a day of 23 or 25 hours has as much less or more, see
  /// ``Goal/target(of:)``.
  public var target: ElapsedTime
  /// Whether the target is a maximum instead of a minimum.
  public var isLimit: Bool

  /// The time left until the target; zero once it is reached.
  public var remaining: ElapsedTime { target.elapsedBeyond(time) }
  /// The time beyond the target.
  public var excess: ElapsedTime { time.elapsedBeyond(target) }
  /// Whether the target is reached; a limit may be reached, but not exceeded.
  public var isReached: Bool { time >= target }
  /// The percentage of the target that is spent, rounded down.
  public var percent: Int64 {
    target > .zero ? time.percent(of: target) : 100
  }
}

extension ElapsedTime {
  /// Returns the time as a percentage of a whole, rounded down.
  ///
  /// - Precondition: The whole is positive.
  package func percent(of whole: ElapsedTime) -> Int64 {
    Int64(clamping: Int128(microseconds) * 100 / Int128(whole.microseconds))
  }

  /// Returns by how much the time exceeds another.
  fileprivate func elapsedBeyond(_ other: ElapsedTime) -> ElapsedTime {
    Moment(microseconds: microseconds).elapsed(since: Moment(microseconds: other.microseconds))
  }
}

extension Goal {
  /// Returns the target in a period.
  ///
  /// The target of a day is for 24 hours: a day of 23 hours has 23/24 of it and one of 25 hours
  /// 25/24, to the nearest second. So a goal of a whole day can be reached on each day. A week and
  /// a month have their target whatever their length.
  public func target(of period: Range<Moment>) -> ElapsedTime {
    guard self.period == .day else { return target }
    let length = period.upperBound.elapsed(since: period.lowerBound)
    let usual: Int128 = 86_400_000_000
    guard Int128(length.microseconds) != usual else { return target }
    let second = usual * 1_000_000
    let parts = Int128(target.microseconds) * Int128(length.microseconds)
    return .seconds(Int64(clamping: (parts + second / 2) / second))
  }
}

extension DomainState {
  /// Returns the progress of a goal in one of its periods, until a moment.
  ///
  /// The user's entries with the project and the tag count, each with its part in the period.
  /// Entries of projects and tags that were merged into these count too. Overlapping entries count
  /// in full.
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
      goal: goal, period: period, time: time, target: wanted.target(of: period),
      isLimit: wanted.isLimit)
  }
}
