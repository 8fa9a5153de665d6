public import CivilTime
public import RetraceState

/// What a report counts, and how it is divided.
public struct ReportQuery: Hashable, Sendable {
  /// The time that counts; entries that reach beyond it count with their part in it.
  public var range: Range<Moment>
  /// The entries that count.
  public var filter: EntryFilter = EntryFilter()
  /// The levels of groups, outermost first; a level that occurs twice has an effect once.
  public var grouping: [ReportGrouping] = []
  /// The days, weeks and months.
  public var calendar: ReportCalendar
  /// How times are rounded; `nil` for a report of exact times only.
  public var rounding: ReportRounding? = nil

  /// Makes a report of all entries of a range, without groups.
  public init(_ range: Range<Moment>, in calendar: ReportCalendar) {
    self.range = range
    self.calendar = calendar
  }
}

/// What entries of a group have in common.
///
/// Each grouping but ``eachTag`` is a partition: each part of an entry is in one group, so the
/// times of the groups add up to that of the report. With ``tags`` an entry with several tags is
/// therefore in one group, that of its set of tags.
public enum ReportGrouping: Hashable, Sendable, CaseIterable {
  /// The workspace of the entry.
  case workspace
  /// The client of the project.
  case client
  /// The project.
  case project
  /// The task of the project.
  case task
  /// The set of tags.
  case tags
  /// Each tag: an entry is in the group of each of its tags, and counts once in what these are
  /// groups of. Rounded times there are those of a report without this level and those within it.
  case eachTag
  /// The user.
  case user
  /// The description.
  case description
  /// The day; an entry that crosses the start of a day is cut there.
  case day
  /// The week.
  case week
  /// The month.
  case month
}

/// What the entries of one group have in common.
///
/// An id is that after all merges, and may be that of a deleted entity.
public enum ReportKey: Hashable, Sendable {
  /// The workspace, if any.
  case workspace(WorkspaceID?)
  /// The client of the project, if any.
  case client(ClientID?)
  /// The project, if any.
  case project(ProjectID?)
  /// The task, if any.
  case task(TaskID?)
  /// The tags, in order of their ids, each once.
  case tags([TagID])
  /// One of the tags; `nil` for entries without tags.
  case eachTag(TagID?)
  /// The user.
  case user(UserID)
  /// The description; empty for none.
  case description(String)
  /// The day.
  case day(CivilDate)
  /// The week of a first day.
  case week(CivilDate)
  /// The month of a first day.
  case month(CivilDate)
}

/// How the times of a report are rounded.
///
/// The billable part of a time and the rest are rounded by themselves, so that billable times are
/// multiples of the increment too.
public struct ReportRounding: Hashable, Sendable {
  /// The times that are rounded; sums of them are not rounded again.
  public enum Level: Hashable, Sendable, CaseIterable {
    /// The time of each entry, whatever the groups and the range.
    ///
    /// If an entry is in several groups, or reaches beyond the range, the difference moves its end:
    /// it is added to its last part, or taken from that and then from the parts before it. So the
    /// reports of the parts of a range add up to that of the range.
    case entry
    /// The time of each day in each innermost group.
    case day
    /// The time of each innermost group; that of the report if it has no groups.
    case group
  }

  /// Where a time that lies between two multiples of the increment is rounded to.
  public enum Mode: Hashable, Sendable, CaseIterable {
    /// To the higher multiple.
    case up
    /// To the lower multiple.
    case down
    /// To the nearer multiple; to the higher one from the middle.
    case nearest
  }

  /// The times that are rounded.
  public var level: Level
  /// The time whose multiples are left; nothing is rounded if it is not positive.
  public var increment: ElapsedTime
  /// The direction.
  public var mode: Mode

  /// Makes a rounding.
  public init(_ level: Level, to increment: ElapsedTime, _ mode: Mode) {
    self.level = level
    self.increment = increment
    self.mode = mode
  }

  /// Returns a time, rounded; a negative time becomes zero.
  public func rounded(_ time: ElapsedTime) -> ElapsedTime {
    let time = max(0, time.microseconds)
    let increment = increment.microseconds
    guard increment > 0, time % increment != 0 else { return ElapsedTime(microseconds: time) }
    let rest = time % increment
    let goesUp =
      switch mode {
      case .up: true
      case .down: false
      case .nearest: rest >= increment - rest
      }
    let lower = ElapsedTime(microseconds: time - rest)
    return goesUp ? lower.adding(self.increment) : lower
  }
}
