import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Rules on names and places that keep two entities apart.
extension DomainState {
  /// Refuses the name and the client of a project if another one has them by a merge, because
  /// nothing would tell the two apart.
  func checkClient(of project: Project, _ id: ProjectID?) throws(ToolFailure) {
    let before = id.flatMap { projects[$0] }
    guard let client = project.client.flatMap({ clients.resolve($0) }),
      before?.name != project.name || before?.client != project.client
    else { return }
    var own = [NamedProject(name: project.name)]
    // A project that was merged gives its name to this one.
    projects.forEach { alias, entity in
      if entity.deleted == nil, entity.mergedInto != nil, projects.resolve(alias) == id {
        own.append(NamedProject(name: entity.name, isAlias: true))
      }
    }
    let others = namedProjects(of: client).filter { $0.id != id }
    let taken = own.first { project in others.contains { $0.isMistaken(for: project) } }
    if let taken { throw .taken(taken.name) }
  }

  /// Returns the names of the projects of a client, also of those that were merged into them.
  private func namedProjects(of client: ClientID) -> [NamedProject] {
    var found: [NamedProject] = []
    projects.forEach { id, project in
      guard project.deleted == nil, let end = projects.resolve(id),
        projects[end]?.client.flatMap({ clients.resolve($0) }) == client
      else { return }
      found.append(NamedProject(name: project.name, id: end, isAlias: id != end))
    }
    return found
  }

  /// Refuses to merge a project into another one if both have a task of one name, because nothing
  /// would tell these tasks apart.
  func checkTasks(of project: ProjectID, into other: ProjectID) throws(ToolFailure) {
    guard project != other, let name = projects[project].map({ qualifiedName(of: $0) }) else {
      return
    }
    var (own, others, names): ([Name], Set<Name>, Set<Name>) = ([], [], [])
    tasks.forEach { _, task in
      guard task.deleted == nil, task.mergedInto == nil else { return }
      names.insert(task.name)
      switch projects.resolve(task.project) {
      case project: own.append(task.name)
      case other: others.insert(task.name)
      default: break
      }
    }
    let shared = own.filter(others.contains)
    guard !shared.isEmpty else { return }
    let commands = shared.map { task in
      let words = [task.text, task.free(among: &names), "--project", name].map(commandWord)
      return "`track tasks rename \(words.joined(separator: " "))`"
    }
    throw .refused(
      "Both projects have a task of one name: "
        + shared.map(\.text).joined(separator: ", ") + ".",
      advice: "Give one of them another name first: \(commands.joined(separator: ", ")).")
  }

  /// Refuses the name of a task if another one of the project has it by a merge of projects.
  func checkName(of task: ProjectTask, _ id: TaskID?) throws(ToolFailure) {
    guard id.flatMap({ tasks[$0] })?.name != task.name else { return }
    var isTaken = false
    tasks.forEach { other, rival in
      if other != id, rival.deleted == nil, rival.name == task.name,
        projects.resolve(rival.project) == projects.resolve(task.project)
      {
        isTaken = true
      }
    }
    if isTaken { throw .taken(task.name) }
  }

  /// Refuses to merge a client into another one if both have a project of one name, because nothing
  /// would tell these projects apart.
  func checkMerge(
    of client: ClientID, into other: ClientID
  ) throws(ToolFailure) {
    guard client != other else { return }
    let (own, others) = (namedProjects(of: client), namedProjects(of: other))
    let pairs = own.compactMap { project in
      others.first { $0.isMistaken(for: project) }.map { (project, $0) }
    }
    guard !pairs.isEmpty, let target = clients[other]?.name.text else { return }
    var names: Set<Name> = []
    projects.forEach { names.insert($1.name) }
    func word(_ named: NamedProject) -> String {
      commandWord(named.id.flatMap { projects[$0] }.map { qualifiedName(of: $0) } ?? "")
    }
    let commands = pairs.flatMap { own, kept in
      let free = commandWord(own.name.free(among: &names))
      let workspace = own.id.flatMap { projects[$0]?.workspace }
      let place = name(of: workspace).map { " --workspace \(commandWord($0))" } ?? ""
      // The name of a project that was merged stays.
      let steps =
        own.isAlias || kept.isAlias
        ? ["rename \(word(own.isAlias ? kept : own)) \(free)"]
        : [
          "rename \(word(own)) \(free)", "set \(free) --client \(commandWord(target))",
          "merge \(free) \(word(kept))",
        ]
      return steps.map { "`track projects \($0)\(place)`" }
    }
    throw .refused(
      "Both clients have a project of one name: "
        + pairs.map(\.0.name.text).joined(separator: ", ") + ".",
      advice: "Merge or rename these projects first: \(commands.joined(separator: ", ")).")
  }
}

/// A name of a project: its own, or the name of a project that was merged into it.
private struct NamedProject {
  var name: Name
  /// The project after all merges.
  var id: ProjectID?
  var isAlias = false

  /// Returns whether both names are one, and it is the own name of a project: nothing else names
  /// that one.
  func isMistaken(for other: NamedProject) -> Bool {
    name == other.name && (id == nil || id != other.id) && !(isAlias && other.isAlias)
  }
}

extension Name {
  /// Returns the name with the first number after it that makes it a new one, which is added.
  fileprivate func free(among names: inout Set<Name>) -> String {
    let number = (2...).first { !names.contains(Name("\(text) \($0)")) } ?? 2
    names.insert(Name("\(text) \(number)"))
    return "\(text) \(number)"
  }
}

extension ToolFailure {
  /// Returns the refusal of a name that another entity of the same place has.
  fileprivate static func taken(_ name: Name) -> ToolFailure {
    ToolFailure.refused("The name \(name.text) is taken.", advice: "Choose another one.")
  }
}
