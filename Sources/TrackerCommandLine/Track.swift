import Retrace
import RetraceCommandLine
import RetraceSystem
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The command line of the tracker.
package enum Track {
  /// Runs the command line of this process, and ends the process.
  package static func main() -> Never {
    let context = VerbContext(Array(CommandLine.arguments.dropFirst()))
    do throws(ToolFailure) {
      try ToolProcess.prepare()
    } catch {
      ThisProcess.exit(report(error, in: context))
    }
    ThisProcess.exit(run(context))
  }

  /// Runs a command line, prints its result or its failure, and runs the hooks of its changes.
  ///
  /// - Returns: The exit code.
  package static func run(_ context: VerbContext) -> Int32 {
    do throws(ToolFailure) {
      try perform(context)
    } catch {
      // The changes before the failure are on disk.
      context.runHooks()
      return report(error, in: context)
    }
    context.runHooks()
    context.output.flush()
    context.printNotes()
    if let failure = context.output.failure { return report(failure, in: context) }
    return context.exitCode
  }

  /// Prints a failure, and returns its exit code.
  private static func report(_ failure: ToolFailure, in context: VerbContext) -> Int32 {
    let output = context.output
    output.report(
      failure, of: "track", asJSON: context.hasOption("--json"),
      isBrief: output.streams.isTerminal(.error) && !context.hasOption("--explain"))
    return failure.exitCode
  }

  /// The verbs, in the order of the help.
  static let verbs: [any Verb.Type] = [
    StartVerb.self, StopVerb.self, SwitchVerb.self, ContinueVerb.self,
    CancelVerb.self, PauseVerb.self, ResumeVerb.self, AddVerb.self, EditVerb.self,
    DeleteVerb.self,
    AnnotateVerb.self, TagVerb.self, UntagVerb.self, MoveVerb.self,
    LengthenVerb.self, ShortenVerb.self, SplitVerb.self, JoinVerb.self,
    FillVerb.self,
    UndoVerb.self, RedoVerb.self, RestoreVerb.self, StatusVerb.self, LogVerb.self,
    SearchVerb.self, HistoryVerb.self,
    PeriodVerb<DayPeriod>.self, PeriodVerb<WeekPeriod>.self,
    PeriodVerb<MonthPeriod>.self, ReportVerb.self, GapsVerb.self,
    CloseVerb.self, ReopenVerb.self,
    ProjectsVerb.self, ClientsVerb.self, TasksVerb.self, TagsVerb.self,
    WorkspacesVerb.self, UsersVerb.self, GoalsVerb.self, PreferencesVerb.self,
    RouteVerb.self, AppVerb.self, ImportVerb.self, BatchVerb.self,
    DemoVerb.self, BugReportVerb.self, SchemaVerb.self, ExtensionVerb.self, ConfigVerb.self,
    CompletionsVerb.self, ManVerb.self,
  ]

  /// Performs the verb that the first word names, or the first one after options.
  private static func perform(_ context: VerbContext) throws(ToolFailure) {
    let output = context.output
    let (options, words) = leadingOptions(of: context.words[...])
    guard let first = words.first else {
      try StatusVerb.run(options, in: context)
      if !options.contains("--json") { output.print("`track help` lists the commands.") }
      return
    }
    let rest = words.dropFirst()
    switch first {
    case "--version":
      output.print(ToolVersion.text(app: TimeTracker.name, build: TimeTracker.build))
    case "-h", "--help", "help": output.printRaw(try help(of: rest, as: context.helpText))
    case TrialFold.name:
      guard let path = rest.last else { throw unknown(first) }
      try TrialFold.run(TimeTracker.self, at: path)
    case CompletionScript.command: CompleteWords(context: context).run(rest)
    default:
      if let verb = verb(named: first) { return try verb.run(options + rest, in: context) }
      if isRange(first, rest) { return try AddVerb.run(options + words, in: context) }
      guard ExtensionVerb.isNamed(by: first, in: context) else { throw unknown(first) }
      try ExtensionVerb.run(options + words, in: context)
    }
  }

  /// Returns the options before the verb, with their values, and the other words.
  ///
  /// So an alias of a shell can give options to every verb.
  static func leadingOptions(
    of words: ArraySlice<String>
  ) -> (options: ArraySlice<String>, rest: ArraySlice<String>) {
    var rest = words
    while let word = rest.first, word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1)
      let option = TrackerOptions.ofUser.first { $0.name == parts.first ?? "" }
      guard let option else { break }
      rest = rest.dropFirst()
      let isSeparate = option.value != nil && parts.count == 1 && !word.hasSuffix("=")
      if isSeparate, let value = rest.first, !value.hasPrefix("--") { rest = rest.dropFirst() }
    }
    return (words[..<rest.startIndex], rest)
  }

  /// Returns whether words without a verb begin with the range of an entry: two times, and not the
  /// name of a day alone.
  static func isRange(_ first: String, _ rest: ArraySlice<String>) -> Bool {
    guard EntryWords.looksLikeTime(first) else { return false }
    guard wordsOfOtherTools[first] != nil else { return true }
    return (try? CommandArguments(rest, for: AddVerb.syntax))?.operands.isEmpty != true
  }

  static func verb(named name: String) -> (any Verb.Type)? {
    verbs.first { $0.name == name }
  }

  private static func help(
    of words: ArraySlice<String>, as text: HelpText
  ) throws(ToolFailure) -> String {
    // `track help track add` is the help of add, as is `track help --json add`.
    var rest = leadingOptions(of: words).rest
    while let word = rest.first, ["track", "help", "-h", "--help"].contains(word) {
      rest = leadingOptions(of: rest.dropFirst()).rest
    }
    guard let name = rest.first else { return text.of(syntax) }
    if name.hasPrefix("-") {
      throw .usage(
        "`track help` has no option \(name).",
        advice: "Name a command or a page, such as `track help log` or `track help times`.")
    }
    if let page = HelpPage.all.first(where: { $0.name == name }) {
      return text.page(page.source)
    }
    guard let verb = verb(named: name) else {
      throw unknown(name, besides: HelpPage.all.map(\.name))
    }
    return text.of(verb.syntax)
  }

  private static var invoice: String { "report :lastmonth --by client,project" }

  /// The verbs that replace the words of other tools.
  private static let wordsOfOtherTools = [
    "track": "add", "modify": "edit", "resize": "edit --end", "summary": "log", "sum": "log",
    "export": "log :all --csv` or `track log :all --json", "invoice": invoice, "bill": invoice,
    "current": "status", "now": "status", "timer": "status", "running": "status",
    "begin": "start", "finish": "stop", "end": "stop", "get": "status --format", "today": "day",
    "yesterday": "day yesterday", "ls": "log", "list": "log", "show": "log", "frames": "log",
    "rm": "delete", "remove": "delete", "cont": "continue", "restart": "continue",
  ]

  /// Returns the failure of a word that is no verb.
  ///
  /// - Parameters:
  ///   - name: The word.
  ///   - pages: What it could have meant besides a verb.
  static func unknown(_ name: String, besides pages: [String] = []) -> ToolFailure {
    let names = verbs.map { $0.name } + pages
    if name.hasPrefix("-") {
      return .usage(
        "There is no option \(name) before a command.",
        advice: "Name a command first, such as `track status`.")
    }
    if let instead = wordsOfOtherTools[name] {
      return .usage("There is no command \(name).", advice: "Use `track \(instead)`.")
    }
    if HelpPage.all.contains(where: { $0.name == name }) {
      return .usage("There is no command \(name).", advice: "Read `track help \(name)`.")
    }
    // The first three letters or more are an abbreviation.
    let abbreviated = name.utf8.count > 2 ? names.first { $0.hasPrefix(name) } : nil
    let similar = abbreviated ?? Spelling.nearest(to: name, in: names)
    return .usage(
      "There is no command \(name).",
      advice: (similar.map { "Did you mean \($0)? " } ?? "") + "`track help` lists the commands.")
  }

  /// The tool and its verbs, for its help.
  static var syntax: ToolSyntax {
    ToolSyntax(
      "track", summary: "Track time; every step is recorded and can be replayed.",
      discussion: """
        Every command takes --store DIR and --json, which may also stand before it. Without \
        --store the store is \(TrackerOptions.location.help). A \
        command that only reads refuses a directory of --store that does not exist. `track \
        config` shows and changes the settings, such as the store and the user. Without a command, \
        the status is printed. On a terminal, an error has one or two lines; --explain prints all \
        parts of it. There, a time with several readings, such as 9.30, is asked about; elsewhere \
        it is refused. `track help times` lists what is read as a time or a range, `track help \
        filters` what --filter can ask.

        EXAMPLES
          track start write the report @thesis +focus
          track stop 17:30
          track 9:00 - 10:30 standup @work
          track edit --start 8:45    the running entry, or the one that ended last
          track undo
          track log
          track week                 the time of this week, with a chart
          track report :lastmonth --by client,project
          track app                  the screens, on a terminal or over a pipe
          track import times.csv     entries from a file; see track help import

        HOOKS
          The programs on-start, on-stop and on-edit in retrace/hooks below
          XDG_CONFIG_HOME or ~/.config run after each change of an entry that a
          command has made, and read it as a JSON object from standard input. They
          cannot refuse it. What they print goes to standard error. They may use
          track, which then runs no hooks. The command waits for each program, for at
          most 10 seconds, and then ends it. The app waits for them only when it is
          left, and shows what they print as a notice; import and demo run none, for
          the number of entries.

        EXIT CODES
          0 success, 1 refused, 3 damaged, 4 incompatible, 5 in use,
          6 storage or disk, 64 usage
        """,
      commands: [("COMMANDS", verbs.map { ($0.name, $0.syntax.summary) })])
  }
}
