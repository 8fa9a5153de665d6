import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists entries, or prints their totals.
struct LogCommand: TrackCommand {
  static let name = "log"
  static let userOption = CommandOption(
    "user", value: "name", "The entries of one user only.")
  static let limitOption = CommandOption(
    "limit", value: "count", "How many entries; the default is 30.")
  static let totalsOption = CommandOption("totals", "Print totals of all entries instead.")
  static let syntax = CommandSyntax(
    "track log", summary: "List the latest entries, or print totals of all entries.",
    discussion: """
      Without --user the entries of all users are listed. Nothing is written.

      EXAMPLES
        track log
        track log --user anna --limit 5
        track log --totals --user anna --json
      """,
    options: TrackerOptions.withClock + [userOption, limitOption, totalsOption])

  let options: TrackerOptions
  let user: String?
  let limit: Int?
  let totals: Bool

  init(_ arguments: CommandArguments) throws(ToolFailure) {
    options = TrackerOptions(arguments)
    user = arguments[Self.userOption]
    totals = arguments.has(Self.totalsOption)
    if let text = arguments[Self.limitOption] {
      guard let number = Int(text) else {
        throw .usage("--limit is no number: \(text).", advice: "Give a number such as 10.")
      }
      limit = number
    } else {
      limit = nil
    }
  }

  func perform() throws(ToolFailure) {
    guard !totals || limit == nil else {
      throw .usage("--totals counts all entries.", advice: "Leave out --limit.")
    }
    let limit = limit ?? 30
    guard limit >= 0 else {
      throw .usage("--limit is negative.", advice: "Give a number of at least 0.")
    }
    if totals {
      let totals = try options.read { domain in
        id(in: domain).map { domain.totals(of: $0) }
      }
      return printTotals(totals)
    }
    let moment = try options.currentMoment()
    let texts: [EntryText] = try options.read { domain in
      id(in: domain).map { user in
        domain.latestEntries(of: user, limit: limit).reversed()
          .map { EntryText($0.id, $0.entry, in: domain, at: moment) }
      }
    }
    if options.json {
      Output.print(.array(texts.map(\.json)))
    } else {
      if texts.isEmpty && limit > 0 {
        Output.print(user.map { "\($0) has no entries yet." } ?? "There are no entries yet.")
      }
      for text in texts { Output.print(text.line) }
    }
  }

  /// Returns the id of the user whose entries are wanted; `nil` for all users.
  private func id(in domain: DomainState) -> Result<UserID?, ToolFailure> {
    guard let user else { return .success(nil) }
    if let id = domain.user(named: Name(user)) { return .success(id) }
    return .failure(
      ToolFailure(
        what: "No entries were listed.", why: "There is no user \(user).",
        advice: "`track log` lists the entries of all users.", exitCode: ToolExit.refused))
  }

  private func printTotals(_ totals: EntryTotals) {
    if options.json {
      Output.print([
        "entries": .integer(Int64(totals.entries)), "running": .integer(Int64(totals.running)),
        "seconds": .integer(totals.time.seconds), "users": .integer(Int64(totals.users)),
        "projects": .integer(Int64(totals.projects)),
      ])
    } else {
      Output.print("entries   \(totals.entries), \(totals.running) running")
      Output.print("time      \(totals.time.clock)")
      Output.print("users     \(totals.users)")
      Output.print("projects  \(totals.projects)")
    }
  }
}
