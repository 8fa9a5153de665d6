import RetraceCommandLine
import RetraceState
import RetraceToolSupport
import TimeTracking

/// Lists and changes the tasks of projects.
struct TasksVerb: Verb {
  static let name = "tasks"
  private static let fields = [EntityVerbOptions.estimateOption]
  static let syntax = EntityVerbOptions.syntax(
    name, .task, "List the tasks of projects, or create, change, merge, archive and delete them.",
    """
      track tasks --project thesis
      track tasks create writing --project thesis --estimate 40h
      track tasks archive writing --project thesis
    """, [EntityVerbOptions.projectOption] + fields)

  let options: EntityVerbOptions

  init(_ arguments: CommandArguments, in context: VerbContext) {
    options = EntityVerbOptions(arguments, in: context)
  }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The tasks that options are about.
  static func kind(_ options: EntityVerbOptions) -> EntityKind<TaskID, ProjectTaskChanges> {
    func project(_ domain: DomainState) throws(ToolFailure) -> ProjectID? {
      guard let name = options.arguments[EntityVerbOptions.projectOption] else { return nil }
      return try ProjectsVerb.kind(options).id(of: name, in: domain)
    }
    return EntityKind(
      noun: "task", table: { $0.tasks }, command: DomainCommand.task,
      make: { (name, domain) throws(ToolFailure) in
        guard let project = try project(domain) else {
          throw .usage(
            "A task belongs to a project.", advice: "Name the project with --project.")
        }
        return ProjectTask(name: name, project: project)
      },
      place: { (domain) throws(ToolFailure) in
        let project = try project(domain)
        return { task in
          guard task.mergedInto == nil else { return false }
          return project.map { domain.projects.resolve(task.project) == $0 } ?? true
        }
      },
      placeOption: options.given([EntityVerbOptions.projectOption]).first?.name,
      choosingOption: EntityVerbOptions.projectOption,
      given: options.given(fields),
      set: { (task, _) throws(ToolFailure) in
        if let estimate = try options.estimate() { task.estimate = estimate }
      },
      details: { task, domain, longNames in
        var details: [EntityDetail] = []
        if let project = domain.projects.resolve(task.project),
          let name = domain.projects.read(project, { $0.name.text })
        {
          let shown = domain.shownName(of: project, longNames) ?? name
          details.append(EntityDetail("project", name, shown: "project \(shown)"))
        }
        if let estimate = task.estimate {
          details.append(EntityDetail(estimate: estimate))
        }
        return details
      }, project: { $0.project }, duration: EntityVerbOptions.estimateOption.name,
      owners: { entry, aliases in aliases.task(entry.task).map { [$0] } ?? [] },
      target: { $1.tasks.target(of: $0) },
      check: { (task, id, domain) throws(ToolFailure) in
        try domain.checkName(of: task, id)
      })
  }
}
