import ArgumentParser
import RetraceToolSupport
import TrackerFeatures

/// The entry point of the tool.
@main
struct Main {
  static func main() { ToolMain.run(Track.self) }
}

/// The root of the tracker's commands.
struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Track time; every step is recorded and can be replayed.",
    discussion: """
      Every command takes --store DIR and --json. Without --store the store is in \
      retrace/track below XDG_DATA_HOME, or below ~/.local/share.

      EXAMPLES
        track start "write the report" --project thesis --tag focus
        track status
        track stop
        track log
        track app                  the screens, on a terminal or over a pipe
        track import times.csv     entries from a file; see track help import

      EXIT CODES
        0 success, 1 refused, 3 damaged, 4 incompatible, 5 in use,
        6 storage or disk, 64 usage
      """,
    version: ToolVersion.text(app: TimeTracker.name, build: TimeTracker.build),
    subcommands: [
      StartCommand.self, StopCommand.self, ContinueCommand.self, StatusCommand.self,
      LogCommand.self, RouteCommand.self, AppCommand.self, ImportCommand.self,
      TryFoldCommand<TimeTracker>.self,
    ])
}
