import Retrace
package import TimeTracking

extension RestoredEntities {
  /// Finds the entities that the facts of a restore changed, each once; `nil` for none.
  ///
  /// An entry that was deleted or brought back is before those whose times made room for it.
  ///
  /// - Complexity: O(edits).
  init?(_ facts: [TrackerAction]) {
    var (main, entries, others): ([RestoredEntity], [RestoredEntity], [RestoredEntity])
    (main, entries, others) = ([], [], [])
    var seen: Set<RestoredEntity> = []
    for edit in facts.flatMap(TimeTracker.edits(of:)) {
      guard let entity = RestoredEntity(edit), seen.insert(entity).inserted else { continue }
      switch edit {
      case .entry(.changed(_, let changes)) where changes.deleted == nil: entries.append(entity)
      case .entry: main.append(entity)
      default: others.append(entity)
      }
    }
    let all = main + entries + others
    guard let first = all.first else { return nil }
    self.init(first: first, others: Int64(all.count - 1))
  }

  /// Returns a text such as ` for anna`, if the first entity is an entry of another user than the
  /// one whose entries are shown.
  ///
  /// An undo belongs to the login, whose changes may be about several users.
  func owner(in domain: DomainState, otherThan user: UserID?) -> String? {
    guard case .entry(let id) = first, let user, let owner = domain.timeEntries[id]?.user,
      owner != user
    else { return nil }
    return domain.users[owner].map { " for \(SafeText.line($0.name.text, bytesMax: 40))" }
  }

  /// Returns a text about the first entity, as it is now, and the number of the others; `nil` if
  /// the first one does not exist.
  ///
  /// It says that the entity is as shown now, because the undo of a deletion brings it back.
  ///
  /// - Parameters:
  ///   - domain: The state after the restore.
  ///   - rules: The rules of the zone in which times are shown; `nil` for the recorded offsets.
  func text(in domain: DomainState, by rules: ZoneRules?) -> String? {
    domain.text(ofRestored: first, by: rules).map { text, isDeleted in
      let text = "\(isDeleted ? "Now deleted" : "Now"): \(text)"
      return others == 0 ? text : "\(text); \(others) more changed"
    }
  }
}

extension RestoredEntity {
  /// Finds the entity of an edit; `nil` if it is internal.
  package init?(_ edit: DomainEdit) {
    switch edit {
    case .workspace(let edit): self = .workspace(edit.id)
    case .client(let edit): self = .client(edit.id)
    case .project(let edit): self = .project(edit.id)
    case .task(let edit): self = .task(edit.id)
    case .tag(let edit): self = .tag(edit.id)
    case .user(let edit): self = .user(edit.id)
    case .preferences(let edit): self = .preferences(edit.id)
    case .goal(let edit): self = .goal(edit.id)
    case .importRun(let edit): self = .importRun(edit.id)
    case .entry(let edit): self = .entry(edit.id)
    case .favorite(let edit): self = .favorite(edit.id)
    case .closing(let edit): self = .closing(edit.id)
    case .source: return nil
    }
  }
}

extension DomainState {
  /// Returns the kind and the name of an entity, or the text of an entry with its times, and
  /// whether it is deleted; `nil` if it does not exist.
  func text(
    ofRestored entity: RestoredEntity, by rules: ZoneRules?
  ) -> (String, isDeleted: Bool)? {
    func text<ID, Entity: NamedEntity>(
      _ kind: String, _ table: EntityTable<ID, Entity>, _ id: ID
    ) -> (String, isDeleted: Bool)? {
      table[id].map { ("\(kind) \($0.name.text)", $0.deleted != nil) }
    }
    return switch entity {
    case .workspace(let id): text("workspace", workspaces, id)
    case .client(let id): text("client", clients, id)
    case .project(let id): text("project", projects, id)
    case .task(let id): text("task", tasks, id)
    case .tag(let id): text("tag", tags, id)
    case .user(let id): text("user", users, id)
    case .goal(let id): text("goal", goals, id)
    case .favorite(let id): text("favorite", favorites, id)
    case .preferences: ("preferences", false)
    case .importRun(let id):
      importRuns[id].map {
        ("import of \($0.file)" + ($0.isActive ? "" : " (taken back)"), false)
      }
    case .entry(let id):
      timeEntries[id].map { (self.text(ofRestored: id, $0, by: rules), $0.deleted != nil) }
    case .closing(let id):
      closings[id].map { closing in
        let text =
          "closing of \(closing.periodText(by: rules ?? .utc)) \(closing.scope.text(in: self))"
        return (text + (closing.deleted == nil ? "" : " (reopened)"), false)
      }
    }
  }

  private func text(
    ofRestored id: TimeEntryID, _ entry: TimeEntry, by rules: ZoneRules?
  ) -> String {
    let (start, end) = entry.local(by: rules)
    let marks = rules?.offsetMarks(from: entry.start, to: entry.end ?? entry.start)
    var times = "\(start.date) \(start.clock)\(marks?.start ?? "") - "
    if let end {
      let day = end.date == start.date ? "" : "\(end.date) "
      times += "\(day)\(end.clock)\(marks?.end ?? "")"
    } else {
      times += "running"
    }
    let summary = summary(of: entry, longNames(ofAll: [entry.project].compactMap { $0 }))
    return "#\(id.value) \(times) \(SafeText.line(summary, bytesMax: 120))"
  }
}
