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

  /// Returns whether a recorded entry is billable once the form is saved: as the user said, or else
  /// as it was, unless the user chose another project; see `DomainState.isBillable(_:from:to:)`.
  ///
  /// - Parameter base: The values that the user saw of the entry.
  func isBillable(changing base: SeenEntry) throws(KeyObstacle) -> Bool {
    if let isBillable = route.isBillable { return isBillable }
    guard hasOtherProject else { return base.isBillable }
    return domain.isBillable(base.isBillable, from: base.project, to: try project())
  }

  /// Returns whether all recorded entries of the form are billable once it is saved; `nil` where
  /// they differ.
  ///
  /// - Complexity: O(entries) if the user chose another project, else O(1).
  func isBillable(changingAllOf seen: SeenEntry) -> Bool? {
    if let isBillable = route.isBillable { return isBillable }
    guard hasOtherProject, let first = route.entry else { return seen.shownBillable }
    let bases =
      route.others.isEmpty
      ? [seen]
      : ([first] + route.others).map {
        seen.values(of: $0, in: domain)
      }
    let all = bases.map { (try? isBillable(changing: $0)) ?? $0.isBillable }
    return all.allSatisfy { $0 == all[0] } ? all[0] : nil
  }

  /// Whether the user changed the text of the project of a recorded entry.
  private var hasOtherProject: Bool {
    route.seen.map { !route.project.text.hasBytes(of: $0.projectText) } ?? false
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
