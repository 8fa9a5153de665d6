import RetraceCommandLine
import RetraceTerminal
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The command line of the tracker.
package enum Track {
  /// Runs the command line of this process, and ends the process.
  package static func main() -> Never {
    do throws(ToolFailure) {
      try ToolProcess.prepare()
      try run(CommandLine.arguments.dropFirst())
    } catch {
      // The changes before the failure are on disk.
      Hooks.run()
      let isBrief =
        Terminal.isTerminal(2) && !ToolProcess.words.contains("--explain")
      ToolProcess.exit("track", reporting: error, isBrief: isBrief)
    }
    Hooks.run()
    ToolProcess.succeed("track")
  }

  /// The verbs, in the order of the help.
  static let verbs: [any Verb.Type] = [
    StartVerb.self, StopVerb.self, SwitchVerb.self, ContinueVerb.self,
    CancelVerb.self, PauseVerb.self, ResumeVerb.self, AddVerb.self, EditVerb.self,
    DeleteVerb.self,
    AnnotateVerb.self, TagVerb.self, UntagVerb.self, MoveVerb.self,
    LengthenVerb.self, ShortenVerb.self, SplitVerb.self, JoinVerb.self,
    FillVerb.self,
    UndoVerb.self, RedoVerb.self, StatusVerb.self, LogVerb.self,
    SearchVerb.self, HistoryVerb.self,
    PeriodVerb<DayPeriod>.self, PeriodVerb<WeekPeriod>.self,
    PeriodVerb<MonthPeriod>.self, ReportVerb.self, GapsVerb.self,
    ProjectsVerb.self, ClientsVerb.self, TasksVerb.self, TagsVerb.self,
    WorkspacesVerb.self, UsersVerb.self, GoalsVerb.self, PreferencesVerb.self,
    RouteVerb.self, AppVerb.self, ImportVerb.self, BatchVerb.self,
    DemoVerb.self, SchemaVerb.self, ExtensionVerb.self, ConfigVerb.self,
    CompletionsVerb.self, ManVerb.self,
  ]

  /// Runs the verb that the first word names, or the first one after options.
  static func run(_ words: ArraySlice<String>) throws(ToolFailure) {
    let (options, words) = leadingOptions(of: words)
    guard let first = words.first else {
      try StatusVerb.run(options)
      if !options.contains("--json") { Output.print("`track help` lists the commands.") }
      return
    }
    let rest = words.dropFirst()
    switch first {
    case "--version":
      Output.print(ToolVersion.text(app: TimeTracker.name, build: TimeTracker.build))
    case "-h", "--help": Output.printRaw(help)
    case "help": try printHelp(of: rest)
    case TrialFold.name:
      guard let path = rest.last else { throw unknown(first) }
      try TrialFold.run(TimeTracker.self, at: path)
    case CompletionScript.command: CompleteWords.run(rest)
    default:
      if let verb = verb(named: first) { return try verb.run(options + rest) }
      if isRange(first, rest) { return try AddVerb.run(options + words) }
      guard ExtensionVerb.isNamed(by: first) else { throw unknown(first) }
      try ExtensionVerb.run(options + words)
    }
  }

  /// Returns the options before the verb, with their values, and the other words.
  ///
  /// An alias of a shell can so give options to every verb.
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

  /// Returns the verb of a name.
  static func verb(named name: String) -> (any Verb.Type)? {
    // The types in the list are made at run time, which takes 1 % of the time of these verbs.
    switch name {
    case StatusVerb.name: StatusVerb.self
    case StartVerb.name: StartVerb.self
    case StopVerb.name: StopVerb.self
    default: verbs.first { $0.name == name }
    }
  }

  private static func printHelp(of words: ArraySlice<String>) throws(ToolFailure) {
    // `track help track add` is the help of add.
    let name = words.first { !["track", "help"].contains($0) }
    guard let name else { return Output.printRaw(help) }
    guard let verb = verb(named: name) else { throw unknown(name) }
    Output.printRaw(HelpText.of(verb.syntax))
  }

  /// The verbs for what other tools call by these words.
  private static let wordsOfOtherTools = [
    "track": "add", "modify": "edit", "resize": "edit --end", "summary": "log", "sum": "log",
    "export": "log :all --json", "get": "status --format", "today": "day",
    "yesterday": "day yesterday", "ls": "log", "list": "log", "show": "log", "frames": "log",
    "rm": "delete", "remove": "delete", "cont": "continue", "restart": "continue",
  ]

  /// Returns the failure of a word that is no verb.
  static func unknown(_ name: String) -> ToolFailure {
    let names = verbs.map { $0.name }
    if name.hasPrefix("-") {
      return .usage(
        "There is no option \(name) before a command.",
        advice: "Name a command first, such as `track status`.")
    }
    if let instead = wordsOfOtherTools[name] {
      return .usage("There is no command \(name).", advice: "Use `track \(instead)`.")
    }
    // A beginning of three letters is an abbreviation.
    let abbreviated = name.utf8.count > 2 ? names.first { $0.hasPrefix(name) } : nil
    let similar = abbreviated ?? Spelling.nearest(to: name, in: names)
    return .usage(
      "There is no command \(name).",
      advice: (similar.map { "Did you mean \($0)? " } ?? "") + "`track help` lists the commands.")
  }

  private static var help: String { HelpText.of(syntax) }

  /// The tool and its verbs, for its help.
  static var syntax: ToolSyntax {
    ToolSyntax(
      "track", summary: "Track time; every step is recorded and can be replayed.",
      discussion: """
        Every command takes --store DIR and --json, which may also stand before it. Without \
        --store the store is \(StoreLocation.standard(app: TimeTracker.name)). A \
        command that only reads refuses a directory of --store that does not exist. `track \
        config` shows and changes the settings, such as the store and the user. Without a command, \
        the status is printed. On a terminal, an error has one or two lines; --explain prints all \
        parts of it. There, a time with several readings, such as 9.30, is asked about; elsewhere \
        it is refused.

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
          most 10 seconds, and then ends it.

        EXIT CODES
          0 success, 1 refused, 3 damaged, 4 incompatible, 5 in use,
          6 storage or disk, 64 usage
        """,
      commands: [("COMMANDS", verbs.map { ($0.name, $0.syntax.summary) })])
  }
}
