import ArgumentParser
import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Prints the running entry.
struct StatusCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: "track",
    abstract: "Print the running entry and its duration.",
    discussion: """
      Nothing is written. If nothing is running, the exit code is still 0.

      EXAMPLE
        track status --json
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption

  func perform() throws(ToolFailure) {
    let name = try user.name()
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
