import CivilTime
package import RetraceState

/// The names of the groups of a report, as they are shown.
///
/// Projects whose name another project has are shown as `client/project`, tasks as `project/task`,
/// and deleted entities with a mark, where that tells them apart.
package struct ReportLabels: Sendable {
  /// The names of the groups.
  private let names: [ReportKey: [String]]
  /// The names of entities whose names are not unique among the groups.
  private let longNames: [ReportKey: [String]]
  /// The groups of deleted entities.
  private let deleted: Set<ReportKey>
  /// The colors of the projects among the groups.
  private let colors: [ReportKey: Int32]
  private let style: TimeStyle

  /// Collects the names.
  ///
  /// - Complexity: O(groups), and O(projects) if the report groups by projects or tasks.
  package init(_ report: Report, in domain: DomainState) {
    var names: [ReportKey: [String]] = [:]
    var colors: [ReportKey: Int32] = [:]
    func add(_ groups: [ReportGroup]) {
      for group in groups {
        if names[group.key] == nil {
          names[group.key] = domain.names(of: group.key)
          if case .project(let project) = group.key {
            colors[group.key] = domain.color(of: project)
          }
        }
        add(group.groups)
      }
    }
    add(report.groups)
    self.names = names
    let deleted = Set(names.keys.filter { domain.isDeleted($0) })
    self.deleted = deleted
    longNames = Self.marked(
      Self.longNames(of: names.keys, by: report.query.grouping, in: domain).mapValues { [$0] },
      names, deleted, in: domain)
    self.colors = colors
    style = report.query.calendar.style
  }

  private static func longNames(
    of keys: some Sequence<ReportKey>, by grouping: [ReportGrouping], in domain: DomainState
  ) -> [ReportKey: String] {
    var projects: Set<ProjectID> = []
    var tasks: [TaskID: ProjectID] = [:]
    for key in keys {
      switch key {
      case .project(let id?): projects.insert(id)
      case .task(let id?):
        tasks[id] = domain.tasks.read(id) { $0.project }
          .map { domain.projects.resolve($0) ?? $0 }
      default: break
      }
    }
    var names: [ReportKey: String] = [:]
    if !grouping.contains(.client) {
      for (id, name) in domain.longNames(of: projects) { names[.project(id)] = name }
    }
    if !grouping.contains(.project) {
      let owners = domain.longNames(of: Set(tasks.values))
      let known = Dictionary(grouping: tasks.keys) { id in domain.tasks.read(id) { $0.name } }
      for (name, ids) in known where ids.count > 1 {
        guard let name else { continue }
        for id in ids {
          guard let owner = tasks[id] else { continue }
          let project = owners[owner] ?? domain.projects.read(owner) { $0.name.text } ?? ""
          names[.task(id)] = "\(project)/\(name.text)"
        }
      }
    }
    return names
  }

  /// Returns display names; marks deleted entities whose name another group has.
  ///
  /// Tasks of one name are told apart by the group of their project.
  private static func marked(
    _ longNames: [ReportKey: [String]], _ names: [ReportKey: [String]],
    _ deleted: Set<ReportKey>, in domain: DomainState
  ) -> [ReportKey: [String]] {
    struct Shown: Hashable {
      var kind: String
      var names: [String]
      var project: ProjectID?
    }
    guard !deleted.isEmpty else { return longNames }
    let same = Dictionary(grouping: names.keys) { key in
      var shown = Shown(kind: key.kind, names: longNames[key] ?? names[key] ?? [])
      if case .task(let id?) = key { shown.project = domain.tasks.read(id) { $0.project } }
      return shown
    }
    var marked = longNames
    for (shown, keys) in same where keys.count > 1 {
      let gone = keys.filter(deleted.contains)
      for key in gone {
        marked[key] =
          if case .tags(let ids) = key {
            zip(ids, shown.names).map { id, name in
              domain.isDeleted(.eachTag(id)) ? DomainState.deletedName(name, id: nil) : name
            }
          } else {
            shown.names.map { DomainState.deletedName($0, id: gone.count > 1 ? key.id : nil) }
          }
      }
    }
    return marked
  }

  /// Returns whether the names of a group were collected.
  package func hasNames(of key: ReportKey) -> Bool { names[key] != nil }

  /// Returns the names of a group, which may be several for a set of tags; empty for none.
  package func names(of key: ReportKey) -> [String] { names[key] ?? [] }

  /// Returns the same with long names and marks.
  package func shownNames(of key: ReportKey) -> [String] { longNames[key] ?? names(of: key) }

  /// Returns whether the entity of a group, or one of its tags, is deleted.
  package func isDeleted(_ key: ReportKey) -> Bool { deleted.contains(key) }

  /// Returns the color of a group of a project; `nil` for other groups.
  package func color(of key: ReportKey) -> Int32? { colors[key] }

  /// Returns the name of a group, or a placeholder without one.
  package func label(of key: ReportKey) -> String {
    let found = shownNames(of: key)
    switch key {
    case .tags(let ids):
      return ids.isEmpty ? "(no tags)" : found.map { "#\($0)" }.joined(separator: " ")
    case .eachTag: return found.first.map { "#\($0)" } ?? "(no tags)"
    case .day(let date): return style.withWeekday(date)
    case .week(let date): return "week of \(style.text(date))"
    case .month(let date): return date.monthText
    default: return found.first ?? "(no \(key.kind))"
    }
  }
}

extension DomainState {
  /// Returns whether the entity of a group, or one of its tags, is deleted.
  fileprivate func isDeleted(_ key: ReportKey) -> Bool {
    func isGone<ID, Entity: TrackedEntity>(_ id: ID?, _ table: EntityTable<ID, Entity>) -> Bool {
      guard let id else { return false }
      return table.read(id) { $0.deleted != nil } ?? false
    }
    return switch key {
    case .workspace(let id): isGone(id, workspaces)
    case .client(let id): isGone(id, clients)
    case .project(let id): isGone(id, projects)
    case .task(let id): isGone(id, tasks)
    case .tags(let ids): ids.contains { isGone($0, tags) }
    case .eachTag(let id): isGone(id, tags)
    case .user(let id): isGone(id, users)
    case .description, .day, .week, .month: false
    }
  }
}

extension DomainState {
  /// Returns the color of a project, or of the one that it was merged into; `nil` if it is deleted.
  package func color(of project: ProjectID?) -> Int32? {
    project.flatMap { projects.resolve($0) }.flatMap { projects.read($0) { $0.color } }
  }
}

extension ReportKey {
  /// The word for the grouping of the group, as `--by` takes it.
  package var kind: String { grouping.word }

  /// The grouping of the group.
  private var grouping: ReportGrouping {
    switch self {
    case .workspace: .workspace
    case .client: .client
    case .project: .project
    case .task: .task
    case .tags: .tags
    case .eachTag: .eachTag
    case .user: .user
    case .description: .description
    case .day: .day
    case .week: .week
    case .month: .month
    }
  }

  /// The id of the entity; `nil` for none, for sets of tags, for descriptions, and for days, weeks
  /// and months.
  package var id: Int64? {
    switch self {
    case .workspace(let id): id?.value
    case .client(let id): id?.value
    case .project(let id): id?.value
    case .task(let id): id?.value
    case .eachTag(let id): id?.value
    case .user(let id): id.value
    case .tags, .description, .day, .week, .month: nil
    }
  }
}

extension ReportGrouping {
  /// The word for the grouping, as `--by` takes it.
  package var word: String {
    switch self {
    case .workspace: "workspace"
    case .client: "client"
    case .project: "project"
    case .task: "task"
    case .tags: "tag"
    case .eachTag: "each-tag"
    case .user: "user"
    case .description: "description"
    case .day: "day"
    case .week: "week"
    case .month: "month"
    }
  }

  /// Creates the grouping of a word of `--by`; `nil` for another word.
  package init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }
}

extension Report {
  /// Returns the percents that a time is of the whole, rounded to the nearest.
  package func percent(of time: ElapsedTime) -> Int64 {
    let whole = Int128(total.exact.time.microseconds)
    guard whole > 0 else { return 0 }
    return Int64(clamping: (Int128(time.microseconds) * 200 + whole) / (whole * 2))
  }
}

extension CivilDate {
  /// The month of the date: `March 2026`.
  package var monthText: String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(names[month - 1]) \(padded(year, to: 4))"
  }
}
