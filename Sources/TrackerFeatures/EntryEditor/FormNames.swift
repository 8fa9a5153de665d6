import RetraceScreen
import RetraceState
import TimeTracking

/// The entities that the names in a form mean.
struct FormNames {
  private let route: EntryEditorRoute
  private let domain: DomainState
  private let workspace: WorkspaceID?

  init(_ route: EntryEditorRoute, in domain: DomainState) {
    self.route = route
    self.domain = domain
    workspace = route.workspace(in: domain)
  }

  /// Returns the project that is typed; `nil` for none.
  ///
  /// The name that the form showed means the project that it showed.
  func project() -> Reference<ProjectID>? {
    let name = Name(route.project.text)
    if name.isEmpty { return nil }
    if let seen = route.seen, let id = seen.project, Name(seen.projectText) == name {
      return .id(id)
    }
    return domain.project(named: name, in: workspace).map { .id($0) } ?? .name(name)
  }

  /// Returns the tags that are typed, each once.
  func tags() -> [Reference<TagID>] {
    var tags: [Reference<TagID>] = []
    for text in TagNames.parse(route.tags.text).names {
      let tag = tag(named: Name(text))
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
