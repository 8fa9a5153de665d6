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
}

struct ReplayCommand<Tool: ReplayTool>: ParsableCommand {
  typealias App = Tool.App

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "replay",
      abstract: "Replay the recorded sessions of \(App.name).",
      discussion: """
        The log is not changed and no effect is run. Every command takes --store DIR and --json. \
        Without --store the store is \(Tool.store.help). Text has the moments of records in the \
        local time zone, with the offset; JSON has UTC.

        EXAMPLES
          replay sessions                  what was recorded, session by session
          replay show --last 20            the newest twenty records
          replay state --at 1200 --json    the state after record 1200
          replay screen --at 1200          what the app showed then
          replay step                      the player: timeline, screen and changes
          replay step next diff next diff  steps as arguments or from standard input
          replay history TYPE=ID           every record that changed an entity
          replay verify                    recompute chain, checksums and state hashes
          replay compare --with ./replay2  where another build folds differently
          replay bench                     how fast this build folds, action by action
          replay backup DIR                copy the store, even while it is in use
          replay salvage DIR               copy what can be verified of a damaged store
          replay migrate DIR               copy an older store to the current format
          replay schema --stored           whether this build can read older recordings

        EXIT CODES
          0 success, 1 refused, 2 divergence, 3 damaged, 4 incompatible, 5 in use,
          6 storage or disk, 7 not found, 64 usage
        """,
      version: ToolVersion.text(app: App.name, build: App.build),
      subcommands: [
        SessionsCommand<Tool>.self, ShowCommand<Tool>.self, StateCommand<Tool>.self,
        RouteCommand<Tool>.self, ScreenCommand<Tool>.self, StepCommand<Tool>.self,
        HistoryCommand<Tool>.self, VerifyCommand<Tool>.self, CompareCommand<Tool>.self,
        BenchCommand<Tool>.self, ExportCommand<Tool>.self, BackupCommand<Tool>.self,
        SalvageCommand<Tool>.self, MigrateCommand<Tool>.self,
        DoctorCommand<Tool>.self, TryFoldCommand<App>.self, SchemaCommand<Tool>.self,
      ])
  }
}
