import ArgumentParser
import Retrace
import RetraceToolCommands
import RetraceToolSupport

/// A command of the replay tool of an app.
protocol ReplaySubcommand: ToolCommand {
  associatedtype Tool: ReplayTool
}

extension ReplaySubcommand {
  typealias App = Tool.App

  /// The name of the tool in texts.
  static var replay: String { ToolProcess.replay }
}

struct ReplayCommand<Tool: ReplayTool>: ParsableCommand {
  typealias App = Tool.App

  private static var replay: String { ToolProcess.replay }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: replay,
      abstract: "Replay the recorded sessions of \(App.name).",
      discussion: """
        The log is not changed and no effect is run. Every command but those for many bundles \
        takes --store DIR and --json; a file that `\(replay) bundle` wrote is read as a store is. \
        Without --store the store is \(Tool.store.help). Text has the moments of records in the \
        local time zone, with the offset; JSON has UTC.

        EXAMPLES
        \(examples)

        \(TypedTime.help)

        EXIT CODES
          0 success, 1 refused, 2 divergence, 3 damaged, 4 incompatible, 5 in use,
          6 storage or disk, 7 not found, 64 usage
        """,
      version: ToolVersion.text(app: App.name, build: App.build),
      subcommands: [
        SessionsCommand<Tool>.self, ShowCommand<Tool>.self, StateCommand<Tool>.self,
        RouteCommand<Tool>.self, ScreenCommand<Tool>.self, StepCommand<Tool>.self,
        OpenCommand<Tool>.self,
        HistoryCommand<Tool>.self, VerifyCommand<Tool>.self, CompareCommand<Tool>.self,
        BenchCommand<Tool>.self, ExportCommand<Tool>.self, BundleCommand<Tool>.self,
        PageCommand<Tool>.self, CICommand<Tool>.self, WorkerCommand<Tool>.self,
        TestCommand<Tool>.self, BackupCommand<Tool>.self,
        SalvageCommand<Tool>.self, MigrateCommand<Tool>.self,
        DoctorCommand<Tool>.self, TryFoldCommand<App>.self, SchemaCommand<Tool>.self,
      ])
  }

  private static var examples: String {
    let rows = [
      ("sessions", "what was recorded, session by session"),
      ("show --last 20", "the newest twenty records"),
      ("state --at 1200 --json", "the state after record 1200"),
      ("screen --at 1200", "what the app showed then"),
      ("step", "the player: timeline, screen and changes"),
      ("open FILE --at 1200", "the app as it was then; nothing is written"),
      ("step next diff next diff", "steps as arguments or from standard input"),
      ("history TYPE=ID", "every record that changed an entity"),
      ("verify", "recompute chain, checksums and state hashes"),
      ("compare --with ./replay2", "where another build folds differently"),
      ("bench", "how fast this build folds, action by action"),
      ("bundle --output FILE", "the log in one file, without private texts"),
      ("page --output FILE", "such a file as a page for browsers"),
      ("ci DIR", "check every such file of a folder"),
      ("test FILE --output DIR", "such a file as a test"),
      ("backup DIR", "copy the store, even while it is in use"),
      ("salvage DIR", "copy what can be verified of a damaged store"),
      ("migrate DIR", "copy an older store to the current format"),
      ("schema --stored", "whether this build can read older recordings"),
    ].map { (command: "  \(replay) \($0)", meaning: $1) }
    let width = 2 + (rows.map { TextWidth.of($0.command) }.max() ?? 0)
    // A longer name leaves no room beside the commands.
    let isBeside = rows.allSatisfy { width + TextWidth.of($0.meaning) <= 80 }
    return rows.map { row in
      isBeside
        ? TextWidth.padded(row.command, to: width) + row.meaning
        : "\(row.command)\n      \(row.meaning)"
    }.joined(separator: "\n")
  }
}
