import Retrace
import TimeTracking

/// A reader of the names in a form.
struct FormNames {
  private let route: EntryEditorRoute
  private let domain: DomainState
  private let workspace: WorkspaceID?

  init(_ route: EntryEditorRoute, in domain: DomainState) {
    self.route = route
    self.domain = domain
    workspace = route.workspace(in: domain)
  }

  /// Returns the typed project, if any.
  ///
  /// An unchanged name means the project that the form showed.
  ///
  /// - Throws: The problem of a name of several projects.
  func project() throws(KeyProblem) -> Reference<ProjectID>? {
    let name = Name(route.project.text)
    if name.isEmpty { return nil }
    if let seen = route.seen, let id = seen.project, Name(seen.projectText) == name {
      return .id(id)
    }
    return try project(route.project.text)
  }

  /// Returns the project of a text.
  func project(_ text: String) throws(KeyProblem) -> Reference<ProjectID> {
    do throws(ProjectNameError) {
      return try domain.project(for: text, in: workspace, orElsewhere: true)
    } catch {
      let advice =
        switch error {
        case .ambiguous(_, let names, areDistinct: true):
          "Type one with its client: \(names.joined(separator: ", "))."
        case .ambiguous: "Start the entry with `track start --workspace NAME`."
        case .unknown:
          "Type the name of one that it has, or create it with `track projects create`."
        }
      throw .unavailable("\(error.reason) \(advice)")
    }
  }

  /// Returns the words of the description of a new entry.
  func words(in text: String) throws(KeyProblem) -> EntryWords {
    do throws(EntryWords.TwoProjects) {
      return try EntryWords(text: text, in: domain)
    } catch {
      throw .unavailable("\(error.reason) Put a backslash before the one that is text.")
    }
  }

  /// Returns the task of a text.
  func task(_ text: String) -> Reference<TaskID> { .name(Name(text, in: domain.tasks)) }

  /// Returns the typed tags, each once.
  func tags() -> [Reference<TagID>] { tags(TagNames.parse(route.tags.text).names) }

  /// Returns the tags with some names, each once.
  func tags(_ names: [String]) -> [Reference<TagID>] {
    var tags: [Reference<TagID>] = []
    for text in names {
      let tag = tag(named: Name(text, in: domain.tags))
      if !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }

  private func tag(named name: Name) -> Reference<TagID> {
    for id in route.seen?.tags ?? [] where domain.tags[id]?.name == name { return .id(id) }
    let found = domain.tags.rival(of: Tag(name: name, workspace: workspace))
    return found.map { .id($0) } ?? .name(name)
  }
}
