import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TimeTracking

/// Finds entries by words in any of their texts.
struct SearchVerb: Verb {
  static let name = "search"
  static let limitOption = CommandOption(
    "limit", letter: "n", value: "count",
    "How many entries; the default is 30. The latest are listed.")
  static let syntax = CommandSyntax(
    "track search", summary: "Find entries by words in their texts, of whatever age.",
    discussion: """
      An entry is found if every word occurs in its description, its annotations or the name of \
      its client, project, task or tags, also as a part of a word and in small or capital letters; \
      ß is the same as ss, and the Turkish İ and ı are the same as I and i. The sums count the \
      listed entries. `track log RANGE --filter FILTER` finds entries by time, duration and exact \
      names.

      EXAMPLES
        track search report
        track search big bank invoice --limit 5
        track search review --filter "not @thesis" --json
      """,
    operands: [CommandOperand("words", repeats: true, "Words that must all occur.")],
    options: TrackerOptions.withClock + FilterOptions.all
      + [limitOption, LogVerb.wideOption, ShownTimes.secondsOption])

  private let arguments: CommandArguments
  private let options: TrackerOptions
  private let limit: Int

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    self.arguments = arguments
    options = TrackerOptions(arguments, in: context)
    limit = try arguments.count(Self.limitOption) ?? 30
  }

  func perform() throws(ToolFailure) {
    let moment = try options.currentMoment()
    let filterOptions = try FilterOptions(arguments, in: options.context)
    try EntryWords.refuseHints(in: arguments.operands.prefix(arguments.operandsBeforeEnd))
    let text = arguments.operands.joined(separator: " ")
    let (texts, calendar) = try options.read { (domain) throws(ToolFailure) in
      let calendar = try options.calendar(
        of: try filterOptions.userName(in: options.context), in: domain)
      var filter = try filterOptions.filter(
        "Nothing was searched.", in: domain, calendar, at: moment)
      filter.words = WordQuery(text)
      return (EntryText.latest(filter, limit, in: domain, at: moment), calendar)
    }
    options.output.startBuffering()
    if options.json {
      options.output.print(.array(texts.map { $0.json(options.context.zones) }))
    } else if texts.isEmpty, limit > 0 {
      let subject = filterOptions.user.map { "No entry of \($0)" } ?? "No entry"
      let match = filterOptions.passesAll ? "" : " and matches the filter"
      let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
      let id = UInt32(digits).map { " `track log id:\($0)` lists the entry of that number." }
      options.output.print(
        "\(subject) has all of these words\(match): \(text).\(filterOptions.remark)\(id ?? "")")
    } else {
      EntryList(texts, in: calendar)
        .print(
          options.context.style(isWide: arguments.has(LogVerb.wideOption)), ShownTimes(arguments))
    }
  }
}
