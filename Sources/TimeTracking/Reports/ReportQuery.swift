public import CivilTime
public import RetraceAvro
public import RetraceState

/// The query of a report: its entries, groups and rounding.
public struct ReportQuery: Hashable, Sendable {
  /// The time that counts; entries that reach beyond it count with their part in it.
  public var range: Range<Moment>
  /// The entries that count.
  public var filter: EntryFilter = EntryFilter()
  /// The levels of groups, outermost first; a repeated level is ignored.
  public var grouping: [ReportGrouping] = []
  /// The days, weeks and months.
  public var calendar: ReportCalendar
  /// The rounding of times; `nil` for exact times only.
  public var rounding: ReportRounding? = nil

  /// Creates a report of all entries of a range, without groups.
  public init(_ range: Range<Moment>, in calendar: ReportCalendar) {
    self.range = range
    self.calendar = calendar
  }
}

/// A property by which entries are grouped.
///
/// Each grouping but ``eachTag`` is a partition: each part of an entry is in one group, so the
/// times of the groups add up to the time of the report. With ``tags``, an entry is in the group of
/// its set of tags.
public enum ReportGrouping: Recordable, Hashable, Sendable, CaseIterable {
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
  /// Each tag. An entry is in the group of each of its tags. The parent counts such an entry once.
  /// The groups above this level and those below it are rounded independently.
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

/// The value of a grouping that the entries of a group share.
///
/// Ids are resolved through all merges, and may refer to deleted entities.
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
  /// The week that begins on a day.
  case week(CivilDate)
  /// The month that begins on a day.
  case month(CivilDate)
}

/// The rounding of the times of a report.
///
/// The billable part of a time and the rest are rounded separately, so that billable times are
/// multiples of the increment too.
public struct ReportRounding: Hashable, Sendable {
  /// The level whose times are rounded; sums of rounded times are not rounded again.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// The time of each entry, whatever the groups and the range.
    ///
    /// If an entry is in several groups or reaches beyond the range, rounding moves its end: time
    /// is added to its last part, or removed from the last part and then from earlier parts. So
    /// reports of consecutive ranges add up to the report of the whole range.
    case entry
    /// The time of each day in each innermost group.
    case day
    /// The time of each innermost group, or of the whole report without groups.
    case group
  }

  /// The direction of rounding between two multiples of the increment.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// To the higher multiple.
    case up
    /// To the lower multiple.
    case down
    /// To the nearer multiple, half up.
    case nearest
  }

  /// The longest increment that a user can choose: a day.
  package static var incrementMax: ElapsedTime { .seconds(86_400) }

  /// The level whose times are rounded.
  public var level: Level
  /// The increment; nothing is rounded if it is not positive.
  public var increment: ElapsedTime
  /// The direction.
  public var mode: Mode

  /// Creates a rounding.
  public init(_ level: Level, to increment: ElapsedTime, _ mode: Mode) {
    self.level = level
    self.increment = increment
    self.mode = mode
  }

  /// Returns a rounded time; a negative time becomes zero.
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
