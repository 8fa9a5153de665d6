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
  /// - Throws: The obstacle of a name of several projects.
  func project() throws(KeyObstacle) -> Reference<ProjectID>? {
    let name = Name(route.project.text)
    if name.isEmpty { return nil }
    if let seen = route.seen, let id = seen.project, Name(seen.projectText) == name {
      return .id(id)
    }
    return try project(route.project.text)
  }

  /// Returns the project of a text.
  func project(_ text: String) throws(KeyObstacle) -> Reference<ProjectID> {
    try reportingErrors { () throws(ProjectNameError) in
      try domain.project(typed: text, in: workspace, orElsewhere: true)
    }
  }

  /// Returns the draft of a new entry.
  ///
  /// - Throws: The obstacle of two projects, or of a name of several projects.
  func draft(of words: EntryWords, zone: RecordedZone) throws(KeyObstacle) -> TimeEntryDraft {
    let field = Name(route.project.text).isEmpty ? nil : route.project.text
    if let field, let project = words.project, try self.project(field) != self.project(project) {
      throw .projectInField(field, other: project)
    }
    return try reportingErrors { () throws(ProjectNameError) in
      try domain.draft(
        of: words, project: field, tags: TagNames.parse(route.tags.text).names,
        for: .id(route.user), zone: zone)
    }
  }

  private func reportingErrors<Value>(
    _ body: () throws(ProjectNameError) -> Value
  ) throws(KeyObstacle) -> Value {
    do throws(ProjectNameError) { return try body() } catch { throw .project(error) }
  }

  /// Returns the words of the description of a new entry.
  ///
  /// - Parameters:
  ///   - text: The description, without the times at its beginning.
  ///   - isAfterTime: Whether the form has a time.
  func words(in text: String, isAfterTime: Bool = false) throws(KeyObstacle) -> EntryWords {
    do throws(EntryWords.TwoProjects) {
      return try EntryWords(text: text, isAfterTime: isAfterTime, in: domain)
    } catch {
      throw .twoProjects(error.first, error.second)
    }
  }

  /// Returns the typed tags, each once.
  func tags() -> [Reference<TagID>] {
    var tags: [Reference<TagID>] = []
    for text in TagNames.parse(route.tags.text).names {
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
