import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Lists the times between entries.
struct GapsVerb: Verb {
  static let name = "gaps"
  static let leastOption = CommandOption(
    "least", value: "duration", "The shortest gap to list; the default is 1m.")
  static let syntax = CommandSyntax(
    "track gaps", summary: "List the times between the entries of each day.",
    discussion: """
      The time before the first and after the last entry of a day is no gap. Without a range, the \
      gaps of today are listed. The last line is the sum. Start, end and duration of a gap are \
      each cut to minutes; the sum counts the seconds, too.

      EXAMPLES
        track gaps
        track gaps :week --least 15m
        track gaps yesterday --json
      """,
    operands: [RangeWords.rangeOperand],
    options: TrackerOptions.ofUser + [leastOption, ShownTimes.secondsOption] + DisplayOptions.all)

  let options: TrackerOptions
  let display: DisplayOptions
  let words: RangeWords
  let least: ElapsedTime
  let shown: ShownTimes

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    options = TrackerOptions(arguments, in: context)
    display = DisplayOptions(arguments, in: context)
    words = RangeWords(arguments, in: context)
    shown = ShownTimes(arguments)
    guard words.terms.isEmpty else {
      throw .usage(
        "Gaps are between all entries of a user, so they take no filter.",
        advice: "Give a range only, such as `track gaps :week`.")
    }
    least = try arguments.duration(Self.leastOption, such: "15m") ?? .seconds(60)
  }

  func perform() throws(ToolFailure) {
    let (name, moment) = (try options.userName(), try options.currentMoment())
    let found = try options.read { (domain) throws(ToolFailure) in
      try gaps(of: name, in: domain, at: moment)
    }
    if options.json {
      return options.output.print(
        .array(
          found.gaps.map { gap in
            [
              "start": .string(gap.lowerBound.timestamp), "end": .string(gap.upperBound.timestamp),
              "seconds": .integer(gap.upperBound.elapsed(since: gap.lowerBound).seconds),
            ]
          }))
    }
    display.startPaging()
    if found.gaps.isEmpty { options.output.print("There are no gaps.") }
    if let missing = found.missing { options.output.print(missing.text) }
    let style = display.style()
    let shown = shown.styled(as: found.calendar.style)
    let rules = found.calendar.rules
    var table = TextTable([.left, .left, .right])
    let times = found.gaps.map {
      ElapsedTime.seconds($0.upperBound.elapsed(since: $0.lowerBound).seconds)
    }
    for (gap, time) in zip(found.gaps, times) {
      table.add([
        shown.text(rules.local(at: gap.lowerBound).date),
        shown.text(from: gap.lowerBound, to: gap.upperBound, in: rules), shown.text(time),
      ])
    }
    let sum = times.reduce(ElapsedTime.zero) { $0.adding($1) }
    if !times.isEmpty { table.add(["Total", "", shown.text(sum)], isBold: true) }
    table.print(style)
    let agree = zip(found.gaps, times).allSatisfy { gap, time in
      shown.agrees(time, from: gap.lowerBound, to: gap.upperBound, in: rules)
    }
    style.print(notes: agree ? shown.notes(on: times, sum: sum) : [shown.note])
  }

  private func gaps(
    of name: String, in domain: DomainState, at moment: Moment
  ) throws(ToolFailure) -> (gaps: [Range<Moment>], calendar: ReportCalendar, missing: MissingUser?)
  {
    let calendar = try options.calendar(of: name, in: domain)
    guard let user = domain.user(named: name) else {
      let missing = MissingUser(name, in: domain)
      if options.namesUser, let missing { throw missing.failure("No gaps were listed.") }
      return ([], calendar, missing)
    }
    let today = calendar.day(at: moment)
    let range =
      words.isEmpty
      ? EntryRange(days: today..<today.adding(days: 1), in: calendar)
      : try words.range(in: calendar, at: moment)
    guard range.hasEnd || words.areAll else {
      throw .usage("The range has no end.", advice: "Give one with an end, such as :week.")
    }
    let whole =
      range.moments
      .lowerBound..<max(range.moments.lowerBound, min(range.moments.upperBound, moment))
    var gaps: [Range<Moment>] = []
    var spans: [(start: Moment, end: Moment)] = []
    domain.forEachEntry(from: whole.lowerBound, to: whole.upperBound, of: user) { _, entry in
      spans.append((entry.start, entry.end ?? max(entry.start, moment)))
    }
    guard let first = spans.map(\.start).min(), let last = spans.map(\.end).max() else {
      return ([], calendar, nil)
    }
    var day = calendar.day(at: max(first, whole.lowerBound))
    let end = min(last, whole.upperBound)
    while calendar.start(of: day) < end {
      let bounds = calendar.range(of: day).clamped(to: whole)
      let inDay = spans.filter { $0.start < bounds.upperBound && bounds.lowerBound < $0.end }
      if let from = inDay.map(\.start).min(), let to = inDay.map(\.end).max() {
        let part =
          max(
            from, bounds.lowerBound)..<max(max(from, bounds.lowerBound), min(to, bounds.upperBound))
        gaps += domain.gaps(in: part, of: user, at: moment, atLeast: least)
      }
      day = day.adding(days: 1)
    }
    return (gaps, calendar, nil)
  }
}
