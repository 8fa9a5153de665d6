import RetraceState

extension DomainState {
  /// Returns the draft of a new entry that words and fields describe.
  ///
  /// The verbs of the command line and the form both use it, so the same words give equal drafts.
  /// The draft refers to tags and the task by name, because only the decision knows the workspace
  /// and the project in which to look them up.
  ///
  /// It depends on the Unicode tables of the toolchain, so it belongs at the edge.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - project: The text of the project, instead of the one in the words.
  ///   - task: The name of the task, instead of the one in the words.
  ///   - tags: The names of more tags.
  ///   - user: The user.
  ///   - workspace: The workspace that the user chose; `nil` for the one of the project or else of
  ///     the user, and `.some(nil)` for none.
  ///   - zone: The zone, with the offset at the start.
  /// - Complexity: O(projects + tasks + tags).
  /// - Throws: ``ProjectNameError``.
  public func draft(
    of words: EntryWords, project: String? = nil, task: String? = nil, tags: [String] = [],
    for user: Reference<UserID>, in workspace: WorkspaceID?? = nil, zone: RecordedZone
  ) throws(ProjectNameError) -> TimeEntryDraft {
    var draft = TimeEntryDraft(user: user, description: words.description, zone: zone)
    if let workspace { draft.workspace = workspace }
    if let text = project ?? words.project {
      draft.project = try self.project(
        typed: text, in: workspace ?? usualWorkspace(of: user), orElsewhere: workspace == nil)
    }
    draft.task = (task ?? words.task).map { .name(Name($0, in: tasks)) }
    for text in words.tags + tags {
      let tag = Reference<TagID>.name(Name(text, in: self.tags))
      if !draft.tags.contains(tag) { draft.tags.append(tag) }
    }
    return draft
  }

  /// Returns the workspace of the new entries of a user.
  private func usualWorkspace(of user: Reference<UserID>) -> WorkspaceID? {
    guard case .id(let id) = user, let usual = users.read(id, { $0.workspace }) ?? nil else {
      return nil
    }
    return workspaces.live(usual).map { _ in usual }
  }
}
