import CivilTime
import RetraceArchitecture
import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking

/// Lists and changes the goals of a user.
struct GoalsVerb: Verb {
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
  private static let fields = [
    targetOption, periodOption, limitOption, projectOption, tagOption,
  ]
  static let syntax = CommandSyntax(
    "track goals", summary: "List goals, or create, change, archive and delete them.",
    discussion: """
      A goal is a time to spend in each day, week or month. Without words the goals are listed; \
      `track report --goals` says how far they are, and with a range also their balance.

      EXAMPLES
        track goals
        track goals create "a good week" --target 32h
        track goals create mail --target 1h --period day --at-most --tag focus
      """,
    operands: EntityVerbOptions.operandsWithoutMerge(nil),
    options: TrackerOptions.ofUser + [EntityVerbOptions.allOption, EntryTimeOptions.dryRunOption]
      + fields)

  let options: EntityVerbOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = EntityVerbOptions(arguments, in: context)
  }

  func perform() throws(ToolFailure) { try options.perform(try Self.kind(options)) }

  /// The goals of the user that options name.
  private static func kind(
    _ options: EntityVerbOptions
  ) throws(ToolFailure) -> EntityKind<GoalID, GoalChanges> {
    let arguments = options.arguments
    let name = try options.shared.userName()
    return EntityKind(
      noun: "goal", table: { $0.goals }, command: DomainCommand.goal,
      make: { (goal, domain) throws(ToolFailure) in
        guard let user = domain.user(named: name) else { throw .noRecord("user", name) }
        guard arguments.has(targetOption) else {
          throw .usage("A goal has a target.", advice: "Give it, as in --target 32h.")
        }
        var made = Goal(name: goal, user: user, target: .zero)
        made.period = .week
        return made
      },
      place: { domain in
        let user = domain.user(named: name)
        return { $0.user == user }
      },
      placeOption: options.given([TrackerOptions.userOption]).first?.name, canMerge: false,
      given: options.given(fields),
      set: { (goal, domain) throws(ToolFailure) in
        if let text = arguments[targetOption] {
          do throws(ExpressionError) {
            goal.target = try DurationExpression(text).time
          } catch {
            throw .usage("--target: \(error)", advice: "Give a duration such as 32h or 1h30.")
          }
        }
        switch arguments[periodOption] {
        case "day": goal.period = .day
        case "week": goal.period = .week
        case "month": goal.period = .month
        default: break
        }
        if arguments.has(limitOption) { goal.isLimit = true }
        if let name = arguments[projectOption] {
          goal.project =
            try name.isEmpty ? nil : ProjectsVerb.kind(options).id(of: name, in: domain)
        }
        if let name = arguments[tagOption] {
          goal.tag = try name.isEmpty ? nil : TagsVerb.kind(options).id(of: name, in: domain)
        }
      },
      details: { goal, domain, longNames in
        var details = [EntityDetail("target", goal.target.hoursAndMinutes)]
        let each = (goal.isLimit ? "at most each " : "each ") + "\(goal.period)"
        details.append(EntityDetail("each", "\(goal.period)", shown: each))
        if goal.isLimit { details.append(EntityDetail("limit", "yes", shown: "")) }
        if let project = goal.project, let name = domain.projects.read(project, { $0.name.text }) {
          let shown = domain.shownName(of: project, longNames) ?? name
          details.append(EntityDetail("project", name, shown: "project \(shown)"))
        }
        if let name = goal.tag.flatMap({ domain.tags.read($0) { $0.name.text } }) {
          details.append(EntityDetail("tag", name))
        }
        return details
      }, project: { $0.project }, duration: targetOption.name,
      needed: { change, domain in
        guard case .create = change, domain.user(named: name) == nil else { return nil }
        return .user(.create(User(name: Name(name))))
      })
  }
}
