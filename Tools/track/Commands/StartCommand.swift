import ArgumentParser
import CivilTime
import RetraceState
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Starts an entry.
struct StartCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", _superCommandName: "track",
    abstract: "Start an entry; a running one stops at the same instant.",
    discussion: """
      A user, project or tag that is not known yet is created. Write a description that begins \
      with a hyphen after --, at the end.

      EXAMPLES
        track start "write the report"
        track start review --project thesis --tag focus --tag reading --billable
        track start standup --at "10min ago"
        track start -- "-5 degrees: defrost the pump"
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption
  @OptionGroup var placing: PlacingOptions

  @Option(name: .long, help: ArgumentHelp("The project.", valueName: "name"))
  var project: String?

  @Option(
    name: .long, help: ArgumentHelp("A tag; repeat the option for several.", valueName: "name"))
  var tag: [String] = []

  @Flag(name: .long, help: "Mark the entry as billable.")
  var billable = false

  @Argument(help: "A description of the work.")
  var description: String

  func perform() throws(ToolFailure) {
    let name = try user.name()
    let runner = EntryCommandRunner(options: options, what: "The entry was not started.")
    try runner.run(for: name) { (context) throws(ToolFailure) in
      let at = try placing.moment(in: context)
      var draft = TimeEntryDraft(
        user: .name(Name(name)), description: description,
        zone: context.rules.recorded(at: at ?? context.now))
      draft.project = project.map { .name(Name($0)) }
      draft.tags = tag.map { .name(Name($0)) }
      // Without the option, the project says it.
      draft.isBillable = billable ? true : nil
      return .start(draft, at: at, policy: placing.policy)
    }
  }
}

/// Stops the running entry.
struct StopCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", _superCommandName: "track",
    abstract: "Stop the running entry.",
    discussion: """
      With nothing running, the stop is refused with exit code 1 and nothing is written.

      EXAMPLES
        track stop
        track stop --at 17:30
        track stop --policy allow        after more than 12 hours
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption
  @OptionGroup var placing: PlacingOptions

  func perform() throws(ToolFailure) {
    let runner = EntryCommandRunner(options: options, what: "Nothing was stopped.")
    try runner.run(for: try user.name()) { (context) throws(ToolFailure) in
      guard let user = context.user else {
        throw .refused(runner.what, .entry(.nothingRunning), in: context.domain)
      }
      return .stop(user, at: try placing.moment(in: context), policy: placing.policy)
    }
  }
}

/// Continues the latest entry.
struct ContinueCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "continue", _superCommandName: "track",
    abstract: "Start a new entry with the fields of the one that ended last.",
    discussion: """
      A running entry stops at the same instant.

      EXAMPLE
        track continue
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup var user: UserOption
  @OptionGroup var placing: PlacingOptions

  func perform() throws(ToolFailure) {
    let runner = EntryCommandRunner(options: options, what: "No entry was continued.")
    try runner.run(for: try user.name()) { (context) throws(ToolFailure) in
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
struct PlacingOptions: ParsableArguments {
  /// The policies by their names.
  enum Choice: String, ExpressibleByArgument, CaseIterable {
    case refuse, adjust, allow
  }

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The time, such as 9:00, \"10min ago\" or \"yesterday 17:30\"; the default is now.",
      valueName: "time"))
  var at: String?

  @Option(
    name: .customLong("policy"),
    help: ArgumentHelp(
      "What to do if the entry overlaps others, lies in the future or takes more than 12 hours: "
        + "refuse it, adjust the other entries, or allow it.",
      valueName: "policy"))
  var choice = Choice.refuse

  var policy: Policy {
    switch choice {
    case .refuse: .refuse
    case .adjust: .adjust
    case .allow: .allow
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
