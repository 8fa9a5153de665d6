import RetraceState

/// A suggestion for a description that is being typed.
public enum AutocompleteSuggestion: Hashable, Sendable {
  /// The fields of an entry, its description included.
  case entry(TimeEntryID)
  /// A project, with a task or without.
  case project(ProjectID, task: TaskID?)
  /// A tag.
  case tag(TagID)
  /// A new project.
  case createProject(Name)
  /// A new tag.
  case createTag(Name)
}

/// The suggestions for a token of a description.
public struct Autocomplete: Hashable, Sendable {
  /// The token at the cursor.
  public var token: AutocompleteToken
  /// The suggestions, best first.
  public var suggestions: [AutocompleteSuggestion]
}

extension DomainState {
  /// Returns suggestions for a description that is being typed.
  ///
  /// A suggestion contains every word of the token:
  ///
  /// - an entry in its description, its annotations, or the names of its project, client, task and
  ///   tags;
  /// - a project in its name or its client's;
  /// - a task in its name or the names of its project and client, and at least one word in its
  ///   name;
  /// - a tag in its name.
  ///
  /// Archived entities are not offered. For a merged entity, its target is offered. The order:
  ///
  /// - Entries are in order of recording, newest first. Of entries with equal ``EntryContents``,
  ///   only the newest is offered.
  /// - Projects and tasks of the workspace come before all others. In each of these two parts,
  ///   a name that equals the token comes first, then names that begin with it, then the others,
  ///   each in order of the bytes of the names.
  /// - Tags are tags of the workspace, in the same order.
  /// - A new project or tag comes last, so that the first suggestion creates nothing unless it is
  ///   the only one. It is offered if the workspace has none with an equal name, archived or not,
  ///   and if the text names no known project in another way, such as with its client.
  /// - If several words follow a sign and nothing contains all of them, entries that contain the
  ///   words of the whole text are offered too: `met @anna about the plan` may be plain text.
  ///
  /// It depends on the Unicode tables of the toolchain, so it belongs at the edge.
  ///
  /// - Parameters:
  ///   - text: The description.
  ///   - cursor: The UTF-8 offset of the cursor.
  ///   - user: The user whose entries are offered.
  ///   - workspace: The workspace of the edited entry.
  ///   - limit: The maximum number of suggestions, without a new project or tag.
  ///   - visits: The maximum number of entries to look at, newest first.
  /// - Complexity: O(visits + projects + tasks + tags), times the bytes of the texts.
  public func autocomplete(
    _ text: String, at cursor: Int, for user: UserID, in workspace: WorkspaceID?,
    limit: Int = 10, visits: Int = 4_096
  ) -> Autocomplete {
    var contents = RecentContents(of: user, self, visits: visits)
    let token = AutocompleteToken(in: text, at: cursor)
    let found = suggestions(for: token, of: text, in: workspace, limit: limit) { query in
      contents.matching(query, limit: limit).map { .entry($0.newest.id) }
    }
    return Autocomplete(token: token, suggestions: found)
  }

  /// Returns suggestions for a token, as ``autocomplete(_:at:for:in:limit:visits:)`` does.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - text: The text in which it was found.
  ///   - workspace: The workspace of the edited entry.
  ///   - limit: The maximum number of projects, tasks or tags.
  ///   - entries: Returns the suggested entries that have the words of a query.
  /// - Complexity: O(projects + tasks + tags), times the bytes of the names, and one call of
  ///   `entries` at most.
  package func suggestions(
    for token: AutocompleteToken, of text: String, in workspace: WorkspaceID?, limit: Int,
    entries: (WordQuery) -> [AutocompleteSuggestion]
  ) -> [AutocompleteSuggestion] {
    let query = WordQuery(token.query)
    var found: [AutocompleteSuggestion]
    switch token.kind {
    case .entry: return query.isEmpty ? [] : entries(query)
    case .project: found = projectSuggestions(query, token, in: workspace, limit)
    case .tag: found = tagSuggestions(query, token, in: workspace, limit)
    }
    if found.isEmpty, query.words.count > 1 { found = entries(WordQuery(text)) }
    let name = name(of: token)
    guard !name.isEmpty, name.text.utf8.count <= Name.bytesMax else { return found }
    let isQualified = name.text.utf8.contains(UInt8(ascii: "/"))
    if token.kind == .project, !hasProject(named: name, in: workspace),
      !isQualified || project(in: name.text) == nil
    {
      found.append(.createProject(name))
    }
    if token.kind == .tag, tags.rival(of: Tag(name: name, workspace: workspace)) == nil {
      found.append(.createTag(name))
    }
    return found
  }

  private func projectSuggestions(
    _ query: WordQuery, _ token: AutocompleteToken, in workspace: WorkspaceID?, _ limit: Int
  ) -> [AutocompleteSuggestion] {
    var ranking = NameRanking<AutocompleteSuggestion>(name(of: token))
    /// The names by which each offered project is found: its own and its client's.
    var texts: [ProjectID: [String]] = [:]
    projects.forEach { id, project in
      guard project.deleted == nil, let end = projects.resolve(id), let target = projects[end],
        !target.isArchived
      else { return }
      var names = [project.name.key, target.name.key]
      if let client = target.client.flatMap({ clients.resolve($0) }),
        let name = clients.read(client, { $0.name.key })
      {
        names += [name, "\(name)/\(target.name.key)"]
      }
      texts[end, default: []] += names
      if query.matches(names) {
        ranking.add(
          .project(end, task: nil), id: end.value, name: target.name, foundBy: project.name,
          isNear: target.workspace == workspace)
      }
    }
    if query.isEmpty { return ranking.best(limit) }
    tasks.forEach { id, task in
      guard task.deleted == nil, let end = tasks.resolve(id), let target = tasks[end],
        !target.isArchived, let project = projects.resolve(target.project),
        let names = texts[project], let owner = projects[project]
      else { return }
      let own = [task.name.key, target.name.key]
      let whole = "\(owner.name.key)/\(target.name.key)"
      let isNamed = query.words.contains { word in
        own.contains { word.occurs(in: $0) } || word.hasSlash && word.occurs(in: whole)
      }
      guard isNamed, query.matches(own + names + [whole]) else { return }
      ranking.add(
        .project(project, task: end), id: end.value, name: target.name, foundBy: task.name,
        isNear: owner.workspace == workspace)
    }
    return ranking.best(limit)
  }

  private func tagSuggestions(
    _ query: WordQuery, _ token: AutocompleteToken, in workspace: WorkspaceID?, _ limit: Int
  ) -> [AutocompleteSuggestion] {
    var ranking = NameRanking<AutocompleteSuggestion>(name(of: token))
    tags.forEach { id, tag in
      guard tag.deleted == nil, tag.workspace == workspace, let end = tags.resolve(id),
        let target = tags[end], !target.isArchived,
        query.matches([tag.name.key, target.name.key])
      else { return }
      ranking.add(
        .tag(end), id: end.value, name: target.name, foundBy: tag.name)
    }
    return ranking.best(limit)
  }

  /// Returns the name in a token, in the letters of a known one if there is one.
  private func name(of token: AutocompleteToken) -> Name {
    switch token.kind {
    case .project: Name(token.query, in: projects)
    case .tag: Name(token.query, in: tags)
    case .entry: Name(token.query)
    }
  }

  /// Returns whether a workspace has a project with a name, of any client.
  private func hasProject(named name: Name, in workspace: WorkspaceID?) -> Bool {
    var isTaken = false
    projects.forEach { _, project in
      if project.deleted == nil, project.workspace == workspace, project.name == name {
        isTaken = true
      }
    }
    return isTaken
  }
}
