import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists and changes the tasks of projects.
struct TasksVerb: EntityVerb {
  static let name = "tasks"
  static let fields = [EntityVerbOptions.estimateOption]
  static let syntax = EntityVerbOptions.syntax(
    name, .task, "List the tasks of projects, or create, change, merge, archive and delete them.",
    """
      track tasks --project thesis
      track tasks create writing --project thesis --estimate 40h
      track tasks archive writing --project thesis
    """, [EntityVerbOptions.projectOption] + fields)

  static let noun = "task"
  static let durationOption: CommandOption? = EntityVerbOptions.estimateOption
  static let placeOption: CommandOption? = EntityVerbOptions.projectOption
  static let choosingOption = EntityVerbOptions.projectOption

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  private func project(in domain: DomainState) throws(ToolFailure) -> ProjectID? {
    guard let name = options.arguments[EntityVerbOptions.projectOption] else { return nil }
    return try ProjectsVerb(options).id(of: name, in: domain)
  }

  func table(in domain: DomainState) -> EntityTable<TaskID, ProjectTask> { domain.tasks }

  func domainCommand(_ command: EntityCommand<TaskID, ProjectTaskChanges>) -> DomainCommand {
    .task(command)
  }

  func entity(named name: Name, in domain: DomainState) throws(ToolFailure) -> ProjectTask {
    guard let project = try project(in: domain) else {
      let parts = name.text.split(separator: "/", maxSplits: 1).map { commandWord(String($0)) }
      throw .usage(
        "A task belongs to a project.",
        advice: "Name the project with --project"
          + (parts.count == 2
            ? ", as in `track tasks create \(parts[1]) --project \(parts[0])`." : "."))
    }
    return ProjectTask(name: name, project: project)
  }

  func setFields(of task: inout ProjectTask, in domain: DomainState) throws(ToolFailure) {
    if let estimate = try options.estimate() { task.estimate = estimate }
  }

  func details(
    of task: ProjectTask, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail] { domain.details(of: task, longNames) }

  func project(of task: ProjectTask) -> ProjectID? { task.project }

  func place(in domain: DomainState) throws(ToolFailure) -> (ProjectTask) -> Bool {
    let project = try project(in: domain)
    return { task in
      guard task.mergedInto == nil else { return false }
      return project.map { domain.projects.resolve(task.project) == $0 } ?? true
    }
  }

  func owners(of entry: TimeEntry, _ aliases: inout AliasResolver) -> [TaskID] {
    aliases.task(entry.task).map { [$0] } ?? []
  }

  func target(of id: TaskID, in domain: DomainState) -> TaskID? { domain.tasks.target(of: id) }
}
