import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

extension TimeEntryCorrection {
  /// Changes the project of an entry to the one that a text names.
  mutating func setProject(
    _ text: String, of entry: TimeEntry, in domain: DomainState
  ) throws(ToolFailure) {
    let workspace = changes.workspace.map(\.after) ?? entry.workspace
    let found = try ToolFailure.naming("Nothing was changed.", in: domain) {
      () throws(ProjectNameError) in
      try domain.project(typed: text, in: workspace, orElsewhere: changes.workspace == nil)
    }
    switch found {
    case .id(entry.project): break
    case .id(let id): changes.project = Change(from: entry.project, to: id)
    case .name(let name): project = name
    }
  }

  /// Returns the workspace of an entry after the correction.
  ///
  /// An entry that gets another project moves to its workspace.
  func workspace(of entry: TimeEntry, in domain: DomainState) -> WorkspaceID? {
    if let workspace = changes.workspace { return workspace.after }
    guard let project = changes.project?.after.flatMap({ domain.projects.resolve($0) }) else {
      return entry.workspace
    }
    return domain.projects[project]?.workspace
  }

  /// Adds the tags that an entry does not have.
  ///
  /// Each replaces a deleted tag of the same name.
  mutating func addTags(_ names: [Name], to entry: TimeEntry, in domain: DomainState) {
    let isMoved = workspace(of: entry, in: domain) != entry.workspace
    var known: Set<Name> = []
    var deleted: Set<TagID> = []
    for id in entry.tags {
      if let name = domain.tags.resolve(id).flatMap({ domain.tags.read($0) { $0.name } }) {
        // Another workspace has other tags with the same names.
        if !isMoved { known.insert(name) }
      } else if let name = domain.tags.read(id, { $0.name }), names.contains(name) {
        deleted.insert(id)
      }
    }
    addedTags = names.filter { !known.contains($0) }
    guard !deleted.isEmpty else { return }
    changes.tags = Change(from: entry.tags, to: entry.tags.filter { !deleted.contains($0) })
  }

  /// Returns the project of an entry after the correction.
  func project(of entry: TimeEntry) -> Reference<ProjectID>? {
    if let project { return .name(project) }
    return (changes.project.map(\.after) ?? entry.project).map { .id($0) }
  }

  /// Changes both times of an entry.
  mutating func setTimes(of entry: TimeEntry, to range: RangeExpression) {
    let (start, end) = (range.start.moment, range.end?.moment)
    if start != entry.start { changes.start = Change(from: entry.start, to: start) }
    if end != entry.end { changes.end = Change(from: entry.end, to: end) }
  }

  /// Makes an entry billable or not as its new project is, unless it differed from its old one.
  mutating func followProject(of entry: TimeEntry, in domain: DomainState) {
    let new = domain.isBillable(entry.isBillable, from: entry.project, to: project(of: entry))
    if new != entry.isBillable {
      changes.isBillable = Change(from: entry.isBillable, to: new)
    }
  }
}

extension TimeEntry {
  /// Returns the tags of an entry by their names.
  ///
  /// - Throws: A refusal that names a tag that the entry does not have.
  func tagIDs(named names: [String], in domain: DomainState) throws(ToolFailure) -> [TagID] {
    var found: [TagID] = []
    for text in names {
      let name = Name(text, in: domain.tags)
      let ids = tags.filter { id in
        let own = domain.tags.read(id) { $0.name }
        let resolved = domain.tags.resolve(id).flatMap { domain.tags.read($0) { $0.name } }
        return own == name || resolved == name
      }
      guard !ids.isEmpty else {
        throw .noEntry("The entry does not have the tag \(text).")
      }
      found += ids
    }
    return found
  }
}
