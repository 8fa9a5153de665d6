public import Retrace
public import TimeTracking

extension TimeTracker {
  /// Returns a text about an undo or a redo; `nil` if no named entity was changed.
  ///
  /// It describes the first changed entry, or else the first other entity, as it is after the undo,
  /// and counts the others.
  ///
  /// - Parameters:
  ///   - facts: The facts of the restore.
  ///   - domain: The state after them.
  ///   - rules: The rules of the zone in which times are shown.
  /// - Complexity: O(edits^2) at most.
  public static func text(
    ofRestore facts: [TrackerAction], in domain: DomainState, by rules: ZoneRules
  ) -> String? {
    var (entries, others): ([String], [String]) = ([], [])
    for edit in facts.flatMap(edits(of:)) {
      if case .entry(let edit) = edit {
        guard let text = domain.text(ofRestored: edit.id, by: rules) else { continue }
        if !entries.contains(text) { entries.append(text) }
      } else if let text = domain.text(ofRestored: edit), !others.contains(text) {
        others.append(text)
      }
    }
    let texts = entries + others
    guard let first = texts.first else { return nil }
    return texts.count == 1 ? first : "\(first) and \(texts.count - 1) more"
  }
}

extension DomainState {
  /// Returns the text of an entry with its times, if it exists.
  fileprivate func text(ofRestored id: TimeEntryID, by rules: ZoneRules) -> String? {
    guard let entry = timeEntries[id] else { return nil }
    let (start, end) = entry.local(by: rules)
    let marks = rules.offsetMarks(from: entry.start, to: entry.end ?? entry.start)
    var times = "\(start)\(marks.start) - "
    if let end {
      times += "\(end.date == start.date ? end.clockWithSeconds : "\(end)")\(marks.end)"
    } else {
      times += "running"
    }
    let summary = summary(of: entry, longNames(ofAll: [entry.project].compactMap { $0 }))
    return "#\(id.value) \(times) \(summary)" + Self.mark(entry)
  }

  /// Returns the kind and the name of another entity; `nil` for an internal one.
  fileprivate func text(ofRestored edit: DomainEdit) -> String? {
    func text<ID, Entity: NamedEntity>(
      _ kind: String, _ table: EntityTable<ID, Entity>, _ id: ID
    ) -> String? {
      table[id].map { "\(kind) \($0.name.text)" + Self.mark($0) }
    }
    return switch edit {
    case .workspace(let edit): text("workspace", workspaces, edit.id)
    case .client(let edit): text("client", clients, edit.id)
    case .project(let edit): text("project", projects, edit.id)
    case .task(let edit): text("task", tasks, edit.id)
    case .tag(let edit): text("tag", tags, edit.id)
    case .user(let edit): text("user", users, edit.id)
    case .goal(let edit): text("goal", goals, edit.id)
    case .favorite(let edit): text("favorite", favorites, edit.id)
    case .preferences: "preferences"
    case .importRun(let edit):
      importRuns[edit.id].map { "import of \($0.file)" + ($0.isActive ? "" : " (taken back)") }
    // Sources of imports, and entries, which are handled above.
    case .source, .entry: nil
    }
  }

  private static func mark(_ entity: some TrackedEntity) -> String {
    entity.deleted == nil ? "" : " (deleted)"
  }
}
