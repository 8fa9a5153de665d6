import RetraceCommandLine
import RetraceTerminal
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// The entry point of the tool.
@main
struct Main {
  static func main() {
    do throws(ToolFailure) {
      try ToolProcess.prepare()
      try Track.run(CommandLine.arguments.dropFirst())
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
}

/// The tracker's commands.
enum Track {
  /// The commands, in the order of the help.
  static let commands: [any TrackCommand.Type] = [
    StartCommand.self, StopCommand.self, SwitchCommand.self, ContinueCommand.self,
    CancelCommand.self, PauseCommand.self, ResumeCommand.self, AddCommand.self, EditCommand.self,
    DeleteCommand.self,
    AnnotateCommand.self, TagCommand.self, UntagCommand.self, MoveCommand.self,
    LengthenCommand.self, ShortenCommand.self, SplitCommand.self, JoinCommand.self,
    FillCommand.self,
    UndoCommand.self, RedoCommand.self, StatusCommand.self, LogCommand.self,
    SearchCommand.self, HistoryCommand.self,
    PeriodCommand<DayPeriod>.self, PeriodCommand<WeekPeriod>.self,
    PeriodCommand<MonthPeriod>.self, ReportCommand.self, GapsCommand.self,
    ProjectsCommand.self, ClientsCommand.self, TasksCommand.self, TagsCommand.self,
    WorkspacesCommand.self, UsersCommand.self, GoalsCommand.self, PreferencesCommand.self,
    RouteCommand.self, AppCommand.self, ImportCommand.self, BatchCommand.self,
    DemoCommand.self, SchemaCommand.self, ExtensionCommand.self, ConfigCommand.self,
    CompletionsCommand.self, ManCommand.self,
  ]

  /// Runs the command that the first word names, or the first one after options.
  static func run(_ words: ArraySlice<String>) throws(ToolFailure) {
    let (options, words) = leadingOptions(of: words)
    guard let first = words.first else {
      try StatusCommand.run(options)
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
      if let command = command(named: first) { return try command.run(options + rest) }
      if isRange(first, rest) { return try AddCommand.run(options + words) }
      guard ExtensionCommand.isNamed(by: first) else { throw unknown(first) }
      try ExtensionCommand.run(options + words)
    }
  }

  /// Returns the options before the command, with their values, and the other words.
  ///
  /// An alias of a shell can so give options to every command.
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

  /// Returns whether words without a command begin with a range of two times, which is that of an
  /// entry; the name of a day alone is none.
  static func isRange(_ first: String, _ rest: ArraySlice<String>) -> Bool {
    guard EntryWords.looksLikeTime(first) else { return false }
    guard others[first] != nil else { return true }
    return (try? CommandArguments(rest, for: AddCommand.syntax))?.operands.isEmpty != true
  }

  /// Returns the command of a name.
  static func command(named name: String) -> (any TrackCommand.Type)? {
    // The types in the list are made at run time, which takes 1 % of the time of these commands.
    switch name {
    case StatusCommand.name: StatusCommand.self
    case StartCommand.name: StartCommand.self
    case StopCommand.name: StopCommand.self
    default: commands.first { $0.name == name }
    }
  }

  private static func printHelp(of words: ArraySlice<String>) throws(ToolFailure) {
    // `track help track add` is the help of add.
    let name = words.first { !["track", "help"].contains($0) }
    guard let name else { return Output.printRaw(help) }
    guard let command = command(named: name) else { throw unknown(name) }
    Output.printRaw(HelpText.of(command.syntax))
  }

  /// The commands that do what those of other tools do.
  private static let others = [
    "track": "add", "modify": "edit", "resize": "edit --end", "summary": "log", "sum": "log",
    "export": "log :all --json", "get": "status --format", "today": "day",
    "yesterday": "day yesterday", "ls": "log", "list": "log", "show": "log", "frames": "log",
    "rm": "delete", "remove": "delete", "cont": "continue", "restart": "continue",
  ]

  /// Returns the failure of a word that is no command.
  static func unknown(_ name: String) -> ToolFailure {
    let names = commands.map { $0.name }
    if name.hasPrefix("-") {
      return .usage(
        "There is no option \(name) before a command.",
        advice: "Name a command first, such as `track status`.")
    }
    if let instead = others[name] {
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

  /// The tool and its commands, for its help.
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
      commands: [("COMMANDS", commands.map { ($0.name, $0.syntax.summary) })])
  }
}
