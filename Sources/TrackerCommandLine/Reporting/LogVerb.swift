import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists entries, or prints their totals.
struct LogVerb: Verb {
  static let name = "log"
  static let limitOption = CommandOption(
    "limit", letter: "n", value: "count",
    "How many entries, the latest; the default is all of a range, or 30 and, without --json and "
      + "--csv, all others of their days.")
  static let totalsOption = CommandOption(
    "totals", "Print totals instead: of all entries, or of those in the range and the filter.")
  static let wideOption = CommandOption(
    "wide",
    "Do not cut lines to the width of the terminal. Lines for a pipe or a file are only cut if the "
      + "variable COLUMNS is set.")
  static let csvOption = CommandOption("csv", "Print CSV, a line for each entry.")
  static let syntax = CommandSyntax(
    "track log", summary: "List the latest entries or the entries of a range, by day.",
    discussion: """
      An entry is listed whole, under the day on which it began; `track report` cuts it at the \
      ends of the range. If entries go on after that day, its sum is followed by the part on this \
      day. Start, end and duration of an entry are each cut to minutes; sums count the seconds, \
      too. `track help times` lists the ranges, `track help filters` what a filter \
      can ask. Without --user the entries of all users are listed. Nothing is written.

      The sign $ marks billable entries. With --limit a day of which only some entries are listed \
      has two sums, as in 2:53 of 10:28.

      EXAMPLES
        track log
        track log :week
        track log :lastweek @thesis not +focus
        track log :week --project thesis --tag focus
        track log :lastweek --filter "#focus or @thesis"
        track log --filter "date:yesterday or date:2026-02..2026-03-01"
        track log --filter 'date>="2026-03-01 13:00" and not week:last'
        track log 2026-03-01 - 2026-03-05 --user anna --wide
        track log 2026-03 --csv
        track log :lastweek --format html > week.html
        track log --totals --user anna --json
        track log :month --totals --filter "#focus"

      FOR PROGRAMS
      With --csv a line has the start and the end in RFC 3339, the hours and the seconds, and for \
      a billable entry the rate, the price of an hour, and the amount, all of the whole entry; \
      seconds_in_range and amount_in_range, the last two columns, are of its part in the range, so \
      their sums count no time twice. The delimiter is a comma, and the decimal point a dot. \
      `track import` takes added apostrophes off again; with --exact there is a last column, \
      texts, which tells it that none was added. With --json the rate is in hundredths; \
      `track import --format track` reads that output back.
      """,
    operands: [RangeWords.operand],
    options: TrackerOptions.withClock + FilterOptions.all
      + [
        limitOption, totalsOption, wideOption, ShownTimes.secondsOption, csvOption,
        CSVTexts.exactOption, OutputPage.formatOption, TrackerOptions.asOfOption,
      ]
      + DisplayOptions.all)

  let options: TrackerOptions
  let display: DisplayOptions
  let words: RangeWords
  let filter: FilterOptions
  let limit: Int?
  let showsTotals: Bool
  let isWide: Bool
  let shown: ShownTimes
  let isCSV: Bool
  let isPage: Bool
  let csvTexts: CSVTexts

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    display = DisplayOptions(arguments, in: context)
    (words, filter) = try RangeWords.withFilter(arguments, in: context)
    showsTotals = arguments.has(Self.totalsOption)
    isWide = arguments.has(Self.wideOption)
    shown = ShownTimes(arguments)
    (isPage, isCSV) = OutputPage.form(arguments, csv: Self.csvOption)
    if !showsTotals {
      try OutputPage.requireOneForm(arguments, csv: Self.csvOption, isJSON: options.json)
    }
    csvTexts = try CSVTexts(arguments, isCSV: isCSV)
    limit = try arguments.count(Self.limitOption)
  }

  func perform() throws(ToolFailure) {
    guard !showsTotals || limit == nil && !isCSV && !isPage else {
      let wrong = isCSV ? "--csv" : isPage ? "--format" : "--limit"
      throw .usage("--totals lists no entries.", advice: "Leave out \(wrong).")
    }
    if showsTotals { return try printTotals() }
    let moment = try options.currentMoment()
    let found = try options.read { (domain) throws(ToolFailure) in
      try self.found(in: domain, at: moment)
    }
    if isCSV, let calendar = found.calendar {
      let csv = EntryCSV(
        entries: found.texts, texts: csvTexts, rules: calendar.rules, range: found.range?.moments)
      if let note = csv.note { options.context.note(note) }
      return csv.print(options.output)
    }
    if isPage, let calendar = found.calendar {
      let title = found.range.map { "Entries of \($0.heading(in: calendar))" } ?? "Latest entries"
      return EntryList(found.texts, in: calendar, times: found.times)
        .page(title, shown, in: limit == nil ? found.range : nil, at: moment)
        .print(options.output)
    }
    options.output.startBuffering()
    if !options.json { display.startPaging() }
    if options.json {
      options.output.print(.array(found.texts.map { $0.json(options.context.zones) }))
    } else if let calendar = found.calendar, !found.texts.isEmpty {
      EntryList(found.texts, in: calendar, times: found.times)
        .print(
          display.style(isWide: isWide), shown, in: limit == nil ? found.range?.moments : nil)
    } else if limit != 0 {
      let kind = filter.passesAll ? "entries" : "entries that match"
      let remark = filter.remark + found.missing
      let subject = filter.user.map { "\($0) has no \(kind)" } ?? "There are no \(kind)"
      if let range = found.range, let calendar = found.calendar {
        options.output.print("\(subject) in this range: \(range.text(in: calendar)).\(remark)")
      } else {
        options.output.print("\(subject)\(filter.passesAll ? " yet" : "").\(remark)")
      }
    }
  }

  /// The title of a failure.
  private static let what = "No entries were listed."

  /// The listed entries.
  private struct Found {
    /// The entries, in order of their ends.
    var texts: [EntryText] = []
    var range: EntryRange?
    /// The calendar; `nil` if it is not needed.
    var calendar: ReportCalendar?
    /// The whole times of days whose entries may not all be listed.
    var times: [CivilDate: ElapsedTime] = [:]
    /// A sentence on an id of the filter that no entry has, or nothing.
    var missing = ""
  }

  private func found(in domain: DomainState, at moment: Moment) throws(ToolFailure) -> Found {
    var found = Found()
    let users = try self.filter.users(Self.what, in: domain)
    // A user who was deleted may have had the same name.
    let isPlain = self.filter.passesAll && users?.count ?? 1 == 1
    if !options.json || !words.isEmpty || !self.filter.passesAll {
      found.calendar = try options.calendar(
        of: try self.filter.userName(in: options.context), in: domain)
    }
    var filter = EntryFilter()
    filter.users = users
    if !self.filter.passesAll, let calendar = found.calendar {
      filter = try self.filter.filter(Self.what, in: domain, calendar, at: moment)
      found.missing = self.filter.missingIDs(in: domain)
    }
    if !words.isEmpty, let calendar = found.calendar {
      let range = try words.range(in: calendar, at: moment)
      found.range = range
      let texts = EntryText.texts(entries(filter, in: range, of: domain), in: domain, at: moment)
      found.texts = texts.suffix(limit ?? .max)
      if limit != nil { found.times = times(of: texts, in: calendar) }
      return found
    }
    found.texts =
      isPlain
      ? EntryText.texts(
        domain.latestEntries(of: users?.first, limit: limit ?? 30).reversed(), in: domain,
        at: moment)
      : EntryText.latest(filter, limit ?? 30, in: domain, at: moment)
    if !options.json, !isCSV, let calendar = found.calendar {
      let texts = daysOf(found.texts, filter, in: domain, calendar, at: moment)
      if limit == nil { found.texts = texts }
      found.times = times(of: texts, in: calendar)
    }
    return found
  }

  /// Returns the entries that pass a filter and have time in a range, in order of their ends.
  private func entries(
    _ filter: EntryFilter, in range: EntryRange, of domain: DomainState
  ) -> [IdentifiedEntry] {
    var entries: [IdentifiedEntry] = []
    guard !range.moments.isEmpty else { return entries }
    let users = filter.users ?? []
    domain.forEachEntry(
      from: range.moments.lowerBound, to: range.hasEnd ? range.moments.upperBound : nil,
      of: users.count == 1 ? users.first : nil
    ) {
      entries.append(IdentifiedEntry(id: $0, entry: $1))
    }
    if !self.filter.passesAll || users.count > 1 {
      var matcher = EntryMatcher(filter, in: domain)
      entries.removeAll { !matcher.matches($0.id, $0.entry) }
    }
    entries.sort { ($0.entry.sortKey, $0.id) < ($1.entry.sortKey, $1.id) }
    return entries
  }

  /// Returns entries, and all others that pass a filter and began on the days of these.
  ///
  /// - Complexity: O(entries that end within 999 hours after each of the days).
  private func daysOf(
    _ listed: [EntryText], _ filter: EntryFilter, in domain: DomainState,
    _ calendar: ReportCalendar, at moment: Moment
  ) -> [EntryText] {
    let known = Set(listed.map(\.id))
    let days = Set(listed.map { calendar.day(at: $0.entry.start) })
    return days.reduce(into: listed) { all, day in
      let entries = entries(
        filter, in: EntryRange(days: day..<day.adding(days: 1), in: calendar), of: domain)
      let others = entries.filter {
        !known.contains($0.id) && calendar.day(at: $0.entry.start) == day
      }
      all += EntryText.texts(others, in: domain, at: moment)
    }
  }

  /// Returns the time of each day on which entries began.
  private func times(
    of texts: [EntryText], in calendar: ReportCalendar
  ) -> [CivilDate: ElapsedTime] {
    texts.reduce(into: [:]) { times, text in
      let day = calendar.day(at: text.entry.start)
      times[day] = (times[day] ?? .zero).adding(text.elapsed)
    }
  }

  /// Prints the totals of all entries, or of those in the range and the filter.
  private func printTotals() throws(ToolFailure) {
    let moment = try options.currentMoment()
    let (totals, inside) = try options.read {
      (domain) throws(ToolFailure) -> (EntryTotals, ElapsedTime?) in
      if words.isEmpty, filter.passesAll {
        return (domain.totals(of: try filter.users(Self.what, in: domain)), nil)
      }
      let calendar = try options.calendar(
        of: try filter.userName(in: options.context), in: domain)
      let range = words.isEmpty ? EntryRange.all : try words.range(in: calendar, at: moment)
      let wanted = try filter.filter(Self.what, in: domain, calendar, at: moment)
      let entries = entries(wanted, in: range, of: domain).map(\.entry)
      let inside = entries.reduce(ElapsedTime.zero) { sum, entry in
        guard let end = entry.end else { return sum }
        let part = entry.span(at: end).clamped(to: range.moments)
        return sum.adding(part.upperBound.elapsed(since: part.lowerBound))
      }
      return (domain.totals(over: entries), words.isEmpty ? nil : inside)
    }
    if options.json {
      var members: [JSONValue.Member] = [
        .init("entries", .integer(Int64(totals.entries))),
        .init("running", .integer(Int64(totals.running))),
        .init("seconds", .integer(totals.time.seconds)),
        .init("users", .integer(Int64(totals.users))),
        .init("projects", .integer(Int64(totals.projects))),
      ]
      if let inside { members.append(.init("secondsInRange", .integer(inside.seconds))) }
      return options.output.print(.object(members))
    }
    let ended = totals.running > 0 ? ", of ended entries" : ""
    options.output.print("entries   \(totals.entries), \(totals.running) running")
    options.output.print("time      \(totals.time.clock)\(ended)")
    if let inside, inside != totals.time {
      options.output.print("in range  \(inside.clock)\(ended)")
    }
    options.output.print("users     \(totals.users)")
    options.output.print("projects  \(totals.projects)")
  }
}
