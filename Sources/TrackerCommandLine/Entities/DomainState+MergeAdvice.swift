import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Advice on merges that are refused because both entities have parts of the same name.
extension DomainState {
  /// Returns how to rename the tasks whose names two projects share; `nil` if they share none.
  func advice(onTasksOf project: ProjectID, and other: ProjectID) -> String? {
    let shared = sharedTasks(of: project, and: other)
    guard !shared.isEmpty, let name = projects[project].map({ qualifiedName(of: $0) }) else {
      return nil
    }
    var names: Set<Name> = []
    tasks.forEach { _, task in
      if task.deleted == nil, task.mergedInto == nil { names.insert(task.name) }
    }
    let commands = shared.map { task in
      let words = [task.text, task.free(among: &names), "--project", name].map(commandWord)
      return "`track tasks rename \(words.joined(separator: " "))`"
    }
    return "Give one of them another name first: \(commands.joined(separator: ", "))."
  }

  /// Returns how to merge or rename the projects that two clients both have; `nil` if they have
  /// none.
  func advice(onProjectsOf client: ClientID, and other: ClientID) -> String? {
    let pairs = sharedProjects(of: client, and: other)
    guard !pairs.isEmpty, let target = clients[other]?.name.text else { return nil }
    var names: Set<Name> = []
    projects.forEach { names.insert($1.name) }
    func word(_ named: NamedProject) -> String {
      commandWord(named.id.flatMap { projects[$0] }.map { qualifiedName(of: $0) } ?? "")
    }
    let commands = pairs.flatMap { own, kept in
      let free = commandWord(own.name.free(among: &names))
      let workspace = own.id.flatMap { projects[$0]?.workspace }
      let place = name(of: workspace).map { " --workspace \(commandWord($0))" } ?? ""
      // A merged project keeps its name, so the other one is renamed.
      let steps =
        own.isAlias || kept.isAlias
        ? ["rename \(word(own.isAlias ? kept : own)) \(free)"]
        : [
          "rename \(word(own)) \(free)", "set \(free) --client \(commandWord(target))",
          "merge \(free) \(word(kept))",
        ]
      return steps.map { "`track projects \($0)\(place)`" }
    }
    return "Merge or rename these projects first: \(commands.joined(separator: ", "))."
  }
}

extension Name {
  /// Returns the name with the first number that makes it unique, and adds the result to the names.
  fileprivate func free(among names: inout Set<Name>) -> String {
    let number = (2...).first { !names.contains(Name("\(text) \($0)")) } ?? 2
    names.insert(Name("\(text) \(number)"))
    return "\(text) \(number)"
  }
}
