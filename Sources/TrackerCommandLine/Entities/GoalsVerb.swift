import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists and changes the goals of a user.
struct GoalsVerb: EntityVerb {
  static let name = "goals"
  static let targetOption = CommandOption(
    "target", value: "duration", "The time to spend in each period, such as 32h.")
  static let periodOption = CommandOption(
    "period", value: "period", choices: ["day", "week", "month"],
    "How often; the default is each week.")
  static let limitOption = CommandOption("at-most", "The time is the most, and not the least.")
  static let projectOption = CommandOption(
    "project", value: "name", kind: .tracker(.project),
    "The project that counts; an empty name for all.")
  static let tagOption = CommandOption(
    "tag", value: "name", kind: .tracker(.tag), "The tag that counts; an empty name for all.")
  static let fields = [
    targetOption, periodOption, limitOption, projectOption, tagOption,
  ]
  static let syntax = CommandSyntax(
    "track goals", summary: "List goals, or create, change, archive and delete them.",
    discussion: """
      A goal is a time to spend in each day, week or month. Without words the goals are listed; \
      `track report --goals` says how far they are, and with a range also their balance. The \
      target of a day is that of 24 hours: when the clocks change, a day of 23 hours has 23/24 of \
      it, and one of 25 hours 25/24, such as 8:20 for 8h. So a goal or a limit of a whole day fits \
      each day. A week and a month keep their target.

      EXAMPLES
        track goals
        track goals create "a good week" --target 32h
        track goals create mail --target 1h --period day --at-most --tag focus
      """,
    operands: EntityVerbOptions.operands(.goal, canMerge: canMerge),
    options: TrackerOptions.ofUser + [EntityVerbOptions.allOption, EntryTimeOptions.dryRunOption]
      + fields)

  static let noun = "goal"
  static let canMerge = false
  static let durationOption: CommandOption? = targetOption
  static let placeOption: CommandOption? = TrackerOptions.userOption

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  /// Returns the name of the user whose goals they are.
  private func userName() throws(ToolFailure) -> String { try options.shared.userName() }

  func table(in domain: DomainState) -> EntityTable<GoalID, Goal> { domain.goals }

  func domainCommand(_ command: EntityCommand<GoalID, GoalChanges>) -> DomainCommand {
    .goal(command)
  }

  func entity(named name: Name, in domain: DomainState) throws(ToolFailure) -> Goal {
    let userName = try userName()
    guard let user = domain.user(named: userName) else { throw .noEntity("user", userName) }
    guard options.arguments.has(Self.targetOption) else {
      throw .usage("A goal has a target.", advice: "Give it, as in --target 32h.")
    }
    var goal = Goal(name: name, user: user, target: .zero)
    goal.period = .week
    return goal
  }

  func setFields(of goal: inout Goal, in domain: DomainState) throws(ToolFailure) {
    let arguments = options.arguments
    if let target = try arguments.duration(Self.targetOption, such: "32h or 1h30") {
      goal.target = target
    }
    switch arguments[Self.periodOption] {
    case "day": goal.period = .day
    case "week": goal.period = .week
    case "month": goal.period = .month
    default: break
    }
    if arguments.has(Self.limitOption) { goal.isLimit = true }
    if let name = arguments[Self.projectOption] {
      goal.project = try name.isEmpty ? nil : ProjectsVerb(options).id(of: name, in: domain)
    }
    if let name = arguments[Self.tagOption] {
      goal.tag = try name.isEmpty ? nil : TagsVerb(options).id(of: name, in: domain)
    }
  }

  func details(
    of goal: Goal, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail] { domain.details(of: goal, longNames) }

  func project(of goal: Goal) -> ProjectID? { goal.project }

  func place(in domain: DomainState) throws(ToolFailure) -> (Goal) -> Bool {
    let user = domain.user(named: try userName())
    return { $0.user == user }
  }

  func needed(
    for operation: EntityOperation, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand? {
    let userName = try userName()
    guard operation.creates, domain.user(named: userName) == nil else { return nil }
    return .user(.create(User(name: Name(userName))))
  }
}
