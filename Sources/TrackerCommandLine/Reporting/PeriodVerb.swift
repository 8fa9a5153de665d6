import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TimeTracking

/// A day, a week or a month.
protocol ReportPeriod: Sendable {
  /// The name of the period, and of its command.
  static var name: String { get }
  /// Examples of the command.
  static var examples: String { get }
  /// The divisions of the first chart, as a sentence.
  static var division: String { get }
  /// The grouping of a report by such periods.
  static var grouping: ReportGrouping { get }
  /// The key of the period that begins with a day.
  static func key(_ first: CivilDate) -> ReportKey
  /// Returns the days of the period in which a day is.
  static func dates(of day: CivilDate, in calendar: ReportCalendar) -> Range<CivilDate>
}

/// A day.
enum DayPeriod: ReportPeriod {
  static let name = "day"
  static let examples = """
      track day
      track day yesterday --by tag
      track day 2026-03-02 --json
    """
  static let division = "Several days are shown with the sum of each."
  static let grouping = ReportGrouping.day
  static func key(_ first: CivilDate) -> ReportKey { .day(first) }
  static func dates(of day: CivilDate, in calendar: ReportCalendar) -> Range<CivilDate> {
    day..<day.adding(days: 1)
  }
}

/// A week, from the first weekday of the calendar on.
enum WeekPeriod: ReportPeriod {
  static let name = "week"
  static let examples = """
      track week
      track week last
      track week -2
      track week 47
      track week 2026-03-02 --by client
      track week :lastweek --user anna
    """
  static let division = "The sum of each day is shown, or of each of several weeks."
  static let grouping = ReportGrouping.week
  static func key(_ first: CivilDate) -> ReportKey { .week(first) }
  static func dates(of day: CivilDate, in calendar: ReportCalendar) -> Range<CivilDate> {
    day.week(startingOn: calendar.firstWeekday)
  }
}

/// A month.
enum MonthPeriod: ReportPeriod {
  static let name = "month"
  static let examples = """
      track month
      track month last --by tag
      track month 2026 --billable
    """
  static let division = "The sum of each day is shown, or of each of several months."
  static let grouping = ReportGrouping.month
  static func key(_ first: CivilDate) -> ReportKey { .month(first) }
  static func dates(of day: CivilDate, in calendar: ReportCalendar) -> Range<CivilDate> {
    day.monthDates
  }
}

/// Prints the time of a day, week or month with a chart.
struct PeriodVerb<Period: ReportPeriod>: Verb {
  static var name: String { Period.name }
  static var byOption: CommandOption {
    CommandOption(
      "by", value: "group",
      choices: [
        "project", "tag", "each-tag", "client", "task", "description", "user", "workspace",
      ],
      "What the time is summed up by; the default is project.")
  }
  static var syntax: CommandSyntax {
    CommandSyntax(
      "track \(name)", summary: "Show the time of a \(name) by project, with a chart.",
      discussion: """
        The default is the current \(name), or all time if the filter has dates. A date or a \
        range shows the \(name)s that it touches, whole. \(Period.division) Entries count with \
        their part in that time, a running one until now. Without --user the entries of all users \
        count. The total is exact, and the difference to its lines is a line of its own, \
        (rounding); with --total-of lines it is the sum of the lines. Nothing is written.

        EXAMPLES
        \(Period.examples)
        """,
      operands: [RangeWords.operand],
      options: TrackerOptions.withClock + [byOption, ReportVerb.totalOption] + FilterOptions.all
        + [ShownTimes.secondsOption] + DisplayOptions.all)
  }

  let options: TrackerOptions
  let display: DisplayOptions
  let words: RangeWords
  let filter: FilterOptions
  let grouping: ReportGrouping
  let totalOf: ReportTotal
  let shown: ShownTimes

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    display = DisplayOptions(arguments, in: context)
    (words, filter) = try RangeWords.withFilter(arguments, in: context)
    totalOf = arguments.total(ReportVerb.totalOption)
    shown = ShownTimes(arguments, totalOf: totalOf)
    grouping = arguments[Self.byOption].flatMap { ReportGrouping(word: $0) } ?? .project
  }

  /// The time of the periods: by group, and by day or period.
  private struct Times {
    var groups: ReportText
    /// The key and the group of each day or period, in order; a group is `nil` without entries.
    var parts: [(key: ReportKey, group: ReportGroup?)] = []
    var partsText: ReportText
  }

  func perform() throws(ToolFailure) {
    let moment = try options.currentMoment()
    let times = try options.read { (domain) throws(ToolFailure) in
      try self.times(in: domain, at: moment)
    }
    if options.json {
      var members = times.groups.json
      members.insert(.init("period", .string(Period.name)), at: 1)
      let lines = times.partsText.lines.lines
      let parts = times.parts.compactMap { part in
        lines.first { $0.key == part.key }.map { times.partsText.json($0) }
      }
      members.append(.init("parts", .array(parts)))
      options.output.print(.object(members))
    } else {
      print(times)
    }
  }

  private func times(in domain: DomainState, at moment: Moment) throws(ToolFailure) -> Times {
    let calendar = try options.calendar(of: try filter.userName(in: options.context), in: domain)
    let filter = try self.filter.filter(
      "No time was summed up.", in: domain, calendar, at: moment)
    let dates =
      words.areAll
      ? allDates(filter, in: domain, calendar, at: moment)
      : try self.dates(in: calendar, at: moment)
    let range = EntryRange(days: dates, in: calendar)
    var query = ReportQuery(range.moments, in: calendar)
    query.filter = filter
    query.grouping = [grouping]
    let groups = ReportText(query, of: range, totalOf, self.filter, in: domain, at: moment)
    // One week or month is divided into days, several of them are not.
    let isOne = dates == Period.dates(of: dates.lowerBound, in: calendar)
    query.grouping = [isOne ? .day : Period.grouping]
    let parts = ReportText(query, of: range, totalOf, self.filter, in: domain, at: moment)
    var times = Times(groups: groups, partsText: parts)
    var found: [ReportKey: ReportGroup] = [:]
    for group in parts.report.groups { found[group.key] = group }
    var day = dates.lowerBound
    while day < dates.upperBound {
      let key = isOne ? .day(day) : Period.key(day)
      times.parts.append((key, found[key]))
      day = isOne ? day.adding(days: 1) : Period.dates(of: day, in: calendar).upperBound
    }
    return times
  }

  /// Returns the days from the first period with an entry to the last, or of the current period
  /// without entries.
  private func allDates(
    _ filter: EntryFilter, in domain: DomainState, _ calendar: ReportCalendar, at moment: Moment
  ) -> Range<CivilDate> {
    var query = ReportQuery(EntryRange.all.moments, in: calendar)
    query.filter = filter
    query.grouping = [Period.grouping]
    let days = domain.report(query, at: moment).groups.compactMap { group -> CivilDate? in
      switch group.key {
      case .day(let day), .week(let day), .month(let day): day
      default: nil
      }
    }
    let current = Period.dates(of: calendar.day(at: moment), in: calendar)
    guard let first = days.min(), let last = days.max() else { return current }
    return first..<Period.dates(of: last, in: calendar).upperBound
  }

  /// Returns the days of all periods that the words touch.
  private func dates(
    in calendar: ReportCalendar, at moment: Moment
  ) throws(ToolFailure) -> Range<CivilDate> {
    let today = calendar.day(at: moment)
    guard !words.isEmpty else { return Period.dates(of: today, in: calendar) }
    if let count = words.periodsBack {
      return (0..<count).reduce(Period.dates(of: today, in: calendar)) { dates, _ in
        Period.dates(of: dates.lowerBound.adding(days: -1), in: calendar)
      }
    }
    let range = try words.range(in: calendar, at: moment, of: Period.name)
    if let dates = range.dates {
      let last = dates.upperBound.adding(days: -1)
      return Period.dates(of: dates.lowerBound, in: calendar)
        .lowerBound..<Period.dates(of: last, in: calendar).upperBound
    }
    let first = calendar.day(at: range.moments.lowerBound)
    let last =
      range.hasEnd
      ? calendar.day(
        at: max(range.moments.lowerBound, range.moments.upperBound.adding(.microsecondBack)))
      : max(first, today)
    return Period.dates(of: first, in: calendar)
      .lowerBound..<Period.dates(of: last, in: calendar).upperBound
  }

  private func print(_ times: Times) {
    let style = display.style()
    let text = times.groups
    let shown = shown.styled(as: text.style)
    options.output.startBuffering()
    display.startPaging()
    options.output.print(TextWidth.cut(text.heading, to: style.columns ?? .max))
    guard !text.isEmpty else {
      options.output.print(filter.noMatch)
      return style.print(notes: text.notes(shown))
    }
    if times.parts.count > 1 {
      options.output.print("")
      var table = TextTable([.left, .right])
      let most = times.parts.map { $0.group?.figures.exact.time ?? .zero }.max() ?? .zero
      for (key, group) in times.parts {
        let time = group?.figures.exact.time ?? .zero
        let printed = group == nil ? "-" : shown.text(time)
        table.add([times.partsText.label(key), printed], share: time.share(of: most))
      }
      table.print(style)
    }
    options.output.print("")
    var table = TextTable([.text, .right, .right])
    let most = text.report.groups.first?.figures.exact.time ?? .zero
    let printed: (ReportFigures) -> [Int64] = { [shown.shown($0.exact.time).seconds] }
    let lines = text.report.lines(totalOf, printed)
    for line in lines.lines {
      guard let key = line.key else { continue }
      let time = line.figures.exact.time
      table.add(
        [text.label(key), shown.text(time), "\(text.report.percent(of: time))%"],
        share: time.share(of: most), color: TextTable.CellColor(text.color(key), at: 0))
    }
    if let difference = lines.difference {
      table.add([ReportLine.differenceLabel, shown.text(.seconds(difference[0])), ""])
    }
    table.add(["Total", shown.text(.seconds(lines.values[0])), ""], isBold: true)
    table.print(style)
    var notes = text.notes(shown)
    if let note = text.totalNote(printed) { notes.append(note) }
    let tables = times.parts.count > 1 ? [times.partsText, text] : [text]
    if !tables.allSatisfy({ $0.addsUp { shown.shown($0.exact.time).seconds } }) {
      notes.append(shown.note)
    }
    style.print(notes: notes)
  }
}

extension ElapsedTime {
  /// The smallest step back in time.
  static var microsecondBack: ElapsedTime { ElapsedTime(microseconds: -1) }

  /// Returns the part of a longer time, from 0 to 1.
  func share(of most: ElapsedTime) -> Double {
    most > .zero ? Double(microseconds) / Double(most.microseconds) : 0
  }
}
