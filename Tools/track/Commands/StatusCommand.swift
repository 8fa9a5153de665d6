import CivilTime
import RetraceCommandLine
import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Prints the running entry.
struct StatusCommand: TrackCommand {
  static let name = "status"
  static let syntax = CommandSyntax(
    "track status", summary: "Print the running entry and its duration.",
    discussion: """
      Nothing is written. If nothing is running, the exit code is still 0.

      EXAMPLE
        track status --json
      """,
    options: TrackerOptions.ofUser)

  let options: TrackerOptions

  init(_ arguments: CommandArguments) { options = TrackerOptions(arguments) }

  func perform() throws(ToolFailure) {
    let name = try options.userName()
    let moment = try options.currentMoment()
    let running: EntryText? = try options.read { domain in
      let running = domain.user(named: Name(name)).flatMap { domain.runningEntry(of: $0) }
      return .success(running.map { EntryText($0.id, $0.entry, in: domain, at: moment) })
    }
    if options.json {
      Output.print(["user": .string(name), "running": running?.json ?? .null])
    } else {
      Output.print(running?.line ?? "Nothing is running for \(name).")
    }
  }
}
