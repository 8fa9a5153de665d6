import CivilTime
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Starts an entry.
struct StartCommand: TrackCommand {
  static let name = "start"
  static let projectOption = CommandOption("project", value: "name", "The project.")
  static let tagOption = CommandOption(
    "tag", value: "name", repeats: true, "A tag; repeat the option for several.")
  static let billableOption = CommandOption("billable", "Mark the entry as billable.")
  static let syntax = CommandSyntax(
    "track start", summary: "Start an entry; a running one stops at the same instant.",
    discussion: """
      A user, project or tag that is not known yet is created. Write a description that begins \
      with a hyphen after --, at the end.

      EXAMPLES
        track start "write the report"
        track start review --project thesis --tag focus --tag reading --billable
        track start standup --at "10min ago"
        track start -- "-5 degrees: defrost the pump"
      """,
    operands: [CommandOperand("description", "A description of the work.")],
    options: TrackerOptions.ofUser + PlacingOptions.all + [
      projectOption, tagOption, billableOption,
    ])

  let options: TrackerOptions
  let placing: PlacingOptions
  let description: String
  let project: String?
  let tags: [String]
  let isBillable: Bool

  init(_ arguments: CommandArguments) {
    options = TrackerOptions(arguments)
    placing = PlacingOptions(arguments)
    description = arguments.operands[0]
    project = arguments[Self.projectOption]
    tags = arguments.all(Self.tagOption)
    isBillable = arguments.has(Self.billableOption)
  }

  func perform() throws(ToolFailure) {
    let name = try options.userName()
    let runner = EntryCommandRunner(options: options, what: "The entry was not started.")
    try runner.run(for: name) { (context) throws(ToolFailure) in
      let at = try placing.moment(in: context)
      var draft = TimeEntryDraft(
        user: .name(Name(name)), description: description,
        zone: context.rules.recorded(at: at ?? context.now))
      draft.project = project.map { .name(Name($0)) }
      draft.tags = tags.map { .name(Name($0)) }
      // Without the option, the project says it.
      draft.isBillable = isBillable ? true : nil
      return .start(draft, at: at, policy: placing.policy)
    }
  }
}

/// Stops the running entry.
struct StopCommand: TrackCommand {
  static let name = "stop"
  static let syntax = CommandSyntax(
    "track stop", summary: "Stop the running entry.",
    discussion: """
      With nothing running, the stop is refused with exit code 1 and nothing is written.

      EXAMPLES
        track stop
        track stop --at 17:30
        track stop --policy allow        after more than 12 hours
      """,
    options: TrackerOptions.ofUser + PlacingOptions.all)

  let options: TrackerOptions
  let placing: PlacingOptions

  init(_ arguments: CommandArguments) {
    options = TrackerOptions(arguments)
    placing = PlacingOptions(arguments)
  }

  func perform() throws(ToolFailure) {
    let runner = EntryCommandRunner(options: options, what: "Nothing was stopped.")
    try runner.run(for: try options.userName()) { (context) throws(ToolFailure) in
      guard let user = context.user else {
        throw .refused(runner.what, .entry(.nothingRunning), in: context.domain)
      }
      return .stop(user, at: try placing.moment(in: context), policy: placing.policy)
    }
  }
}

/// Continues the latest entry.
struct ContinueCommand: TrackCommand {
  static let name = "continue"
  static let syntax = CommandSyntax(
    "track continue", summary: "Start a new entry with the fields of the one that ended last.",
    discussion: """
      A running entry stops at the same instant.

      EXAMPLE
        track continue
      """,
    options: TrackerOptions.ofUser + PlacingOptions.all)

  let options: TrackerOptions
  let placing: PlacingOptions

  init(_ arguments: CommandArguments) {
    options = TrackerOptions(arguments)
    placing = PlacingOptions(arguments)
  }

  func perform() throws(ToolFailure) {
    let runner = EntryCommandRunner(options: options, what: "No entry was continued.")
    try runner.run(for: try options.userName()) { (context) throws(ToolFailure) in
      let at = try placing.moment(in: context)
      let last = context.user.flatMap {
        context.domain.lastEntry(of: $0, endedBy: at ?? context.now)
      }
      guard let last else {
        throw ToolFailure(
          what: runner.what, why: "There is no entry that has ended.",
          advice: "Start an entry: `track start DESCRIPTION`.", exitCode: ToolExit.refused)
      }
      return .resume(
        last.id, at: at, zone: context.rules.recorded(at: at ?? context.now),
        policy: placing.policy)
    }
  }
}

/// The options that say when an entry begins or ends, and what happens to entries in its way.
struct PlacingOptions {
  static let atOption = CommandOption(
    "at", value: "time",
    "The time, such as 9:00, \"10min ago\" or \"yesterday 17:30\"; the default is now.")
  static let policyOption = CommandOption(
    "policy", value: "policy", choices: ["refuse", "adjust", "allow"],
    "What to do if the entry overlaps others, lies in the future or takes more than 12 hours: "
      + "refuse it, adjust the other entries, or allow it; the default is to refuse it.")
  static let all = [atOption, policyOption]

  let policy: Policy
  private let at: String?

  init(_ arguments: CommandArguments) {
    at = arguments[Self.atOption]
    policy =
      switch arguments[Self.policyOption] {
      case "adjust": .adjust
      case "allow": .allow
      default: .refuse
      }
  }

  /// Returns the given moment; `nil` for now.
  func moment(in context: EntryContext) throws(ToolFailure) -> Moment? {
    guard let at else { return nil }
    let zone = ExpressionContext(zone: context.rules, now: context.now, firstWeekday: 1)
    do throws(ExpressionError) {
      return try TimeExpression(at, in: zone).moment
    } catch {
      throw .usage("--at: \(error)", advice: "Give a time such as 9:00 or \"yesterday 17:30\".")
    }
  }
}
