import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Sums the time of entries up, in groups.
struct ReportVerb: Verb {
  static let name = "report"
  static let byOption = CommandOption(
    "by", value: "groups", kind: .groups,
    "The levels of groups, outermost first, such as project,tag: client, project, task, tag, "
      + "each-tag, description, user, workspace, day, week, month. The default is project.")
  static let csvOption = CommandOption(
    "csv", "Print CSV, a line for each innermost group; with --goals for each period of a goal.")
  static let goalsOption = CommandOption(
    "goals",
    "Print the goals of the user instead: now, or with a range, in each of their periods in the "
      + "range, from the first entry of the user on.")
  static let totalOption = CommandOption(
    "total-of", value: "what", choices: ReportTotal.allCases.map(\.rawValue),
    "What a total is: the exact sum, with the rest of the lines as a line of its own, or the sum "
      + "of the lines, whose times have seconds then. The default is exact.")
  static let syntax = CommandSyntax(
    "track report", summary: "Sum the time of a range up by project, tag, client, day and more.",
    discussion: """
      The range is words such as :week, yesterday, 2026-03 or 2026-03-01 - 2026-03-05; the default \
      is the current week, or all entries if the filter has dates. Entries count with their part \
      in the range, a running one until now. Without --user the entries of all users count. \
      Nothing is written.

      With --by tag, an entry with several tags is in the group of its set of tags, so that groups \
      add up. With --by each-tag, it counts in the group of each of its tags, and once in \
      the total.

      With --round, billable times and amounts in the table come from the rounded times. An \
      amount is time times rate, summed up exactly and then rounded to cents. Each line is rounded \
      by itself, by at most half a cent, and times are cut to minutes. Totals are exact, and the \
      difference to their lines is a line of its own, (rounding), at each level. With --total-of \
      lines, totals are the sums of the lines as they are printed, and there is no such line; the \
      note below the table, and totalOf in JSON, say which totals they are. An entry keeps the \
      rate that held when it was recorded; `track edit ID --rate project` takes the present one, \
      and `track edit ID --rate 85` another.

      --round-level says which times are rounded; all others are sums of these. With --round 15m, \
      four entries of 20 minutes of one project, two on each of two days, are in its line:
        entry  each entry is rounded           4 x 0:15     1:00
        day    each day of a line is rounded   0:45 + 0:45  1:30
        group  each line is rounded                         1:15
      With `day` and `group`, a total depends on --by. Billable and other time of a day or a line \
      are rounded apart. With `entry`, the total does not depend on --by: if --by or the range \
      cuts an entry at midnight, the whole entry is rounded, and the difference moves its end. So \
      the reports of two months add up to the report of both.

      With --csv, the columns are the levels of groups, then entries, hours, seconds, \
      billable_seconds and an amount for each currency, such as amount_EUR, or amount without one. \
      Their values are exact; with --round, each column after entries is followed by one of \
      rounded values, such as rounded_hours. Lines with (rounding) in place of a group have no \
      entries, and make seconds and amounts add up to the exact totals; --total-of lines leaves \
      them out. Hours are those of the seconds, with four decimals. The delimiter is a comma, and \
      the decimal point a dot.

      With --format html, the output is a page: a chart of the days, weeks or months, the table \
      and the notes. It has no script and loads nothing.

      With --goals, a goal with several periods in the range also has their balance: the sum of \
      what was spent and of the targets, and how much is left or over, such as overtime. It counts \
      the periods that have ended, each with its whole target, which is less on a day of 23 hours \
      and more on one of 25 hours; the current one does not count until it ends. With --csv, each \
      line has its own balance in seconds.

      EXAMPLES
        track report
        track report :lastmonth --by client,project --round 15m --round-mode up
        track report :month --by each-tag
        track report 2026-03-01 - 2026-03-05 --by day,project --csv
        track report :lastmonth --by client,project --format html > march.html
        track report --goals
        track report --goals :lastmonth
      """,
    operands: [RangeWords.operand],
    options: TrackerOptions.withClock + [byOption, totalOption] + RoundingOptions.all
      + FilterOptions.all
      + [
        csvOption, CSVTexts.exactOption, OutputPage.formatOption, goalsOption,
        ShownTimes.secondsOption,
        TrackerOptions.asOfOption,
      ]
      + DisplayOptions.all)

  let options: TrackerOptions
  let display: DisplayOptions
  let words: RangeWords
  let filter: FilterOptions
  let grouping: [ReportGrouping]
  let rounding: ReportRounding?
  let totalOf: ReportTotal
  let isCSV: Bool
  let isPage: Bool
  let csvTexts: CSVTexts
  let showsGoals: Bool
  let shown: ShownTimes

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    display = DisplayOptions(arguments, in: context)
    (words, filter) = try RangeWords.withFilter(arguments, in: context)
    grouping = try arguments[Self.byOption].map(Self.grouping) ?? [.project]
    rounding = try RoundingOptions.rounding(arguments)
    totalOf = arguments.total(Self.totalOption)
    (isPage, isCSV) = OutputPage.form(arguments, csv: Self.csvOption)
    try OutputPage.requireOneForm(arguments, csv: Self.csvOption, isJSON: options.json)
    csvTexts = try CSVTexts(arguments, isCSV: isCSV)
    showsGoals = arguments.has(Self.goalsOption)
    shown = ShownTimes(arguments, totalOf: totalOf)
    let isPlain =
      words.terms.isEmpty && arguments[Self.byOption] == nil && rounding == nil
      && arguments[Self.totalOption] == nil
    let hasFilter = [
      FilterOptions.projectOption, FilterOptions.clientOption, FilterOptions.tagOption,
      FilterOptions.filterOption,
    ].contains { arguments.has($0) }
    let hasBillable = [FilterOptions.billableOption, FilterOptions.notBillableOption].contains {
      arguments.has($0)
    }
    guard !showsGoals || isPlain && !hasFilter && !hasBillable && !isPage else {
      throw .usage(
        "--goals has groups and filters of its own.",
        advice: "Give it a range, --user, --now, --tz, --seconds, --csv and --json only.")
    }
  }

  /// Returns the groupings of a list such as `project,tag`.
  private static func grouping(_ text: String) throws(ToolFailure) -> [ReportGrouping] {
    let names = ReportGrouping.allCases.map(\.word)
    var found: [ReportGrouping] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.split(separator: " ").map(String.init).joinedByBlanks
      guard let grouping = ReportGrouping(word: word) else {
        throw .usage(
          "--by cannot be \(text).",
          advice: Spelling.hint(word, in: names)
            + "Give some of \(names.joined(separator: ", ")), with commas between them.")
      }
      guard !found.contains(grouping) else {
        throw .usage("--by has \(word) twice.", advice: "Leave one of them out.")
      }
      found.append(grouping)
    }
    return found
  }

  func perform() throws(ToolFailure) {
    let moment = try options.currentMoment()
    if showsGoals { return try printGoals(at: moment) }
    let text = try options.read { (domain) throws(ToolFailure) in
      try report(in: domain, at: moment)
    }
    if isPage { return page(text, at: moment).print(options.output) }
    if options.json {
      options.output.print(.object(text.json))
    } else if isCSV {
      options.output.startBuffering()
      for line in text.csv(csvTexts).lines { line.print(options.output) }
    } else {
      print(text)
    }
  }

  private func report(in domain: DomainState, at moment: Moment) throws(ToolFailure) -> ReportText {
    let calendar = try options.calendar(of: try filter.userName(in: options.context), in: domain)
    let range =
      words.isEmpty
      ? EntryRange(
        days: calendar.day(at: moment).week(startingOn: calendar.firstWeekday), in: calendar)
      : try words.range(in: calendar, at: moment)
    var query = ReportQuery(range.moments, in: calendar)
    query.filter = try filter.filter("No report was made.", in: domain, calendar, at: moment)
    query.grouping = grouping
    query.rounding = rounding
    return ReportText(
      query, of: range, totalOf, filter, in: domain, at: moment, hasChart: isPage)
  }

  /// Returns the numbers that a line of the table has: the times in seconds, as far as they are
  /// shown, and the amounts in hundredths.
  private func numbers(
    of figures: ReportFigures, _ currencies: [String?], _ shown: ShownTimes
  ) -> [Int64] {
    [figures.exact.time, figures.rounded?.time ?? .zero, figures.billed.billable]
      .map { shown.shown($0).seconds } + currencies.map { figures.billed.hundredths(in: $0) }
  }

  private func print(_ text: ReportText) {
    let style = display.style()
    options.output.startBuffering()
    display.startPaging()
    options.output.print(TextWidth.cut(text.heading, to: style.columns ?? .max))
    guard !text.isEmpty else { return options.output.print(filter.noMatch) }
    options.output.print("")
    let (table, notes) = table(text)
    table.print(style)
    style.print(notes: notes)
  }

  private func page(_ text: ReportText, at moment: Moment) -> OutputPage {
    var (table, notes) = table(text)
    if text.isEmpty { (table, notes) = (TextTable([]), [filter.noMatch]) }
    return OutputPage(
      title: "Report of \(text.heading)", chartTitle: text.chartTitle, bars: text.bars,
      table: table, notes: notes, footer: OutputPage.footer(at: moment, in: text.calendar))
  }

  /// Returns the table of a report, and the notes below it.
  private func table(_ text: ReportText) -> (table: TextTable, notes: [String]) {
    let shown = shown.styled(as: text.style)
    let total = text.report.total
    let isBillable = total.exact.billable > .zero
    let hasAmounts = !total.exact.amounts.isEmpty
    var table = TextTable([.text, .right, .right, .right, .right, .right], barsYield: true)
    table.add(
      [
        "", "Time", rounding == nil ? "" : "Rounded", isBillable ? "Billable" : "",
        hasAmounts ? "Amount" : "", "Share",
      ], isBold: true)
    let most = text.report.groups.map(\.figures.exact.time).max() ?? .zero
    let currencies = total.billed.amounts.map(\.currency)
    let printed: (ReportFigures) -> [Int64] = { numbers(of: $0, currencies, shown) }
    let lines = text.report.lines(totalOf, printed)
    /// Returns the cells of numbers; those that are zero are empty if `hasZeros` is false.
    func cells(_ numbers: [Int64], hasZeros: Bool, _ amounts: [String?]) -> [String] {
      func time(_ column: Int) -> String {
        hasZeros || numbers[column] != 0 ? shown.text(.seconds(numbers[column])) : ""
      }
      let texts = currencies.indices.compactMap { index -> String? in
        let number = numbers[3 + index]
        guard number != 0 || amounts.contains(currencies[index]) else { return nil }
        return (currencies[index].map { "\($0) " } ?? "") + Amount.decimal(number)
      }
      return [
        time(0), rounding == nil ? "" : time(1), isBillable ? time(2) : "",
        texts.joined(separator: ", "),
      ]
    }
    func add(_ name: String, _ line: ReportLine, color: Int32? = nil) {
      let (time, hasBar) = (line.figures.exact.time, line.key != nil)
      let amounts = line.figures.billed.amounts.map(\.currency)
      let percent = text.report.percent(of: time)
      table.add(
        [name] + cells(line.values, hasZeros: true, amounts) + ["\(percent)%"],
        share: hasBar ? time.share(of: most) : nil, isBold: !hasBar,
        color: TextTable.CellColor(color, at: 0))
    }
    func add(below line: ReportLine, level: Int) {
      let indent = String(repeating: "  ", count: level)
      for group in line.lines {
        guard let key = group.key else { continue }
        add(indent + text.label(key), group, color: text.color(key))
        add(below: group, level: level + 1)
      }
      guard let difference = line.difference else { return }
      table.add(
        [indent + ReportLine.differenceLabel] + cells(difference, hasZeros: false, []) + [""])
    }
    add(below: lines, level: 0)
    add("Total", lines)
    var notes = text.notes(shown)
    if let note = text.totalNote(printed) { notes.append(note) }
    let times: [(ReportFigures) -> ElapsedTime] = [
      \.exact.time, { $0.billed.time }, { $0.billed.billable },
    ]
    if !times.allSatisfy({ time in text.addsUp { shown.shown(time($0)).seconds } }) {
      notes.append(shown.note)
    }
    return (table, notes)
  }

  private func printGoals(at moment: Moment) throws(ToolFailure) {
    let name = try filter.userName(in: options.context)
    let list: GoalList = try options.read { (domain) throws(ToolFailure) in
      let calendar = try options.calendar(of: name, in: domain)
      if filter.user != nil {
        _ = try filter.filter("No goals were listed.", in: domain, calendar, at: moment)
      }
      let range = words.isEmpty ? nil : try words.range(in: calendar, at: moment)
      return GoalList(of: name, in: domain, at: moment, calendar, in: range)
    }
    if options.json {
      options.output.print(list.json)
    } else if isCSV {
      list.printCSV(options.output, csvTexts)
    } else {
      list.print(display.style(), shown)
    }
  }
}

/// The options of the rounding of times.
struct RoundingOptions {
  static let roundOption = CommandOption(
    "round", value: "duration", "Round times to multiples of a duration, such as 15m.")
  static let modeOption = CommandOption(
    "round-mode", value: "mode", choices: ["nearest", "up", "down"],
    "The direction of the rounding; the default is nearest.")
  static let levelOption = CommandOption(
    "round-level", value: "level", choices: ReportRounding.Level.allCases.map { $0.rawValue },
    "The times that are rounded: of entries, of each day in a line, or of lines (group). The "
      + "default is entry.")
  static let all = [roundOption, modeOption, levelOption]

  /// Returns the rounding that the options give; `nil` for none.
  ///
  /// - Throws: The failure for a wrong value.
  static func rounding(_ arguments: CommandArguments) throws(ToolFailure) -> ReportRounding? {
    guard let increment = try arguments.duration(roundOption, such: "15m") else {
      guard arguments[modeOption] == nil, arguments[levelOption] == nil else {
        throw .usage(
          "Nothing says to what times are rounded.", advice: "Add --round, such as --round 15m.")
      }
      return nil
    }
    guard increment > .zero else {
      throw .usage("--round is zero.", advice: "Give a duration such as 15m.")
    }
    guard increment <= ReportRounding.incrementMax else {
      throw .usage("--round is more than 24 hours.", advice: "Give a duration such as 15m.")
    }
    let mode = arguments[modeOption].flatMap { ReportRounding.Mode(rawValue: $0) }
    let level = arguments[levelOption].flatMap { ReportRounding.Level(rawValue: $0) }
    return ReportRounding(level ?? .entry, to: increment, mode ?? .nearest)
  }
}

extension CommandArguments {
  /// Returns what totals are by an option.
  func total(_ option: CommandOption) -> ReportTotal {
    self[option].flatMap { ReportTotal(rawValue: $0) } ?? .exact
  }
}
