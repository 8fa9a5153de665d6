import ArgumentParser
import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Prints the running entry.
struct StatusCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
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
    let report = try options.read { state in
      let running = state.library.user(named: name).flatMap { state.timeline.running[$0] }
      return .success(running.flatMap { state.report(of: $0, at: moment) })
    }
    if options.json {
      let entry = report.map { EntryText(report: $0).json } ?? .null
      Output.print(["user": .string(name), "running": entry])
    } else if let report {
      Output.print(EntryText(report: report).line)
    } else {
      Output.print("Nothing is running for \(name).")
    }
  }
}

/// Lists entries, or prints their totals.
struct LogCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List the latest entries, or print totals of all entries.",
    discussion: """
      Without --user the entries of all users are listed. Nothing is written.

      EXAMPLES
        track log
        track log --user anna --limit 5
        track log --totals --json
      """)

  @OptionGroup var options: TrackerOptions

  @Option(name: .long, help: ArgumentHelp("The entries of one user only.", valueName: "name"))
  var user: String?

  @Option(
    name: .long,
    help: ArgumentHelp("How many entries; the default is 30.", valueName: "count"))
  var limit: Int?

  @Flag(name: .long, help: "Print totals of all entries of all users instead.")
  var totals = false

  func perform() throws(ToolFailure) {
    guard !totals || (user == nil && limit == nil) else {
      throw .usage(
        "--totals covers all entries of all users.", advice: "Leave out --user and --limit.")
    }
    let limit = limit ?? 30
    guard limit >= 0 else {
      throw .usage("--limit is negative.", advice: "Give a number of at least 0.")
    }
    if totals { return printTotals(try options.read { .success($0.totals) }) }
    let moment = try options.currentMoment()
    let texts = try options.read { self.texts(of: $0, at: moment, limit: limit) }
    if options.json {
      Output.print(.array(texts.map(\.json)))
    } else {
      if texts.isEmpty && limit > 0 {
        Output.print(user.map { "\($0) has no entries yet." } ?? "There are no entries yet.")
      }
      for text in texts { Output.print(text.line) }
    }
  }

  private func texts(
    of state: borrowing AppState, at moment: Moment, limit: Int
  ) -> Result<[EntryText], ToolFailure> {
    var id: UserID?
    if let user {
      id = state.library.user(named: user)
      guard id != nil else {
        return .failure(
          .refused(
            "No entries were listed.", .unknownUser,
            advice: "`track log` lists the entries of all users."))
      }
    }
    var texts: [EntryText] = []
    for (id, _) in state.recentEntries(of: id, limit: limit).reversed() {
      guard let report = state.report(of: id, at: moment) else { continue }
      texts.append(EntryText(report: report))
    }
    return .success(texts)
  }

  private func printTotals(_ totals: Totals) {
    if options.json {
      Output.print([
        "entries": .integer(Int64(totals.entries)), "running": .integer(Int64(totals.running)),
        "seconds": .integer(totals.seconds), "users": .integer(Int64(totals.users)),
        "projects": .integer(Int64(totals.projects)),
      ])
    } else {
      Output.print("entries   \(totals.entries), \(totals.running) running")
      Output.print("time      \(ElapsedTime.seconds(totals.seconds).clock)")
      Output.print("users     \(totals.users)")
      Output.print("projects  \(totals.projects)")
    }
  }
}
