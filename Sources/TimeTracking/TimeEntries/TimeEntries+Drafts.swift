import RetraceArchitecture
import RetraceState

extension TimeEntries {
  /// Returns the entry of a draft, and creates the entities that its names need.
  static func entry(
    _ draft: TimeEntryDraft, start: Moment, end: Moment?,
    in editor: inout EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) -> TimeEntry {
    guard draft.tags.count <= TimeEntry.listMax else { throw .invalid(field: "tags") }
    var entry: TimeEntry
    do throws(EntityRefusal) {
      let user: UserID =
        switch draft.user {
        case .id(let id): id
        case .name(let name): try Users.findOrCreate(User(name: name), in: &editor)
        }
      let owner = try Users.live(user, in: editor)
      let usual = owner.workspace.flatMap { id in
        editor.state.workspaces.live(id).map { _ in id }
      }
      entry = TimeEntry(
        user: user, workspace: draft.workspace ?? usual, description: draft.description,
        project: nil, task: nil, tags: [], start: start, end: end, zone: draft.zone,
        isBillable: draft.isBillable ?? false, rate: nil, annotations: draft.annotations,
        externalIDs: [], importRun: nil, modified: editor.moment, deleted: nil)
      switch draft.project {
      case nil: break
      case .id(let id): entry.project = editor.state.projects.resolve(id) ?? id
      case .name(let name): entry.project = try findProject(name, for: entry, in: &editor)
      }
      if let id = entry.project {
        let project = try Projects.live(id, in: editor)
        entry.workspace = draft.workspace ?? project.workspace
        if draft.isBillable == nil { entry.isBillable = project.isBillable }
      }
      switch draft.task {
      case nil: break
      case .id(let id): entry.task = id
      case .name(let name):
        guard let project = entry.project else { throw .invalid(field: "task") }
        entry.task = try Tasks.findOrCreate(ProjectTask(name: name, project: project), in: &editor)
      }
      for tag in draft.tags {
        switch tag {
        case .id(let id): entry.tags.append(id)
        case .name(let name):
          entry.tags.append(
            try Tags.findOrCreate(Tag(name: name, workspace: entry.workspace), in: &editor))
        }
      }
    } catch {
      throw .entity(error)
    }
    try check(&entry, in: editor)
    try setRate(of: &entry, in: editor)
    return entry
  }

  /// Returns the project with a name in the workspace of an entry, of any client, after all merges.
  ///
  /// Creates it without a client if needed.
  static func findProject(
    _ name: Name, for entry: TimeEntry, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) -> ProjectID {
    let found = editor.state.project(named: name, in: entry.workspace)
    if let found { return found }
    return try Projects.create(Project(name: name, workspace: entry.workspace), in: &editor)
  }

  /// Checks an entry and its references, follows merges, and sorts its tags.
  ///
  /// Only new references are checked, because the target of an old one may be deleted by now.
  static func check(
    _ entry: inout TimeEntry, since before: TimeEntry? = nil, _ rules: RuleSet = .first,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    try checkSizes(of: entry)
    do throws(EntityRefusal) {
      try Users.requireLive(entry.user, unless: before?.user, in: editor)
      try Workspaces.requireLive(entry.workspace, unless: before?.workspace, in: editor)
      let isMoved = before.map { $0.workspace != entry.workspace } ?? false
      if let project = entry.project, isMoved || project != before?.project {
        guard let id = editor.state.projects.resolve(project) else {
          throw .unknown(type: ProjectID.recordedName, id: project.value)
        }
        guard editor.state.projects[id]?.workspace == entry.workspace else {
          throw rules == .first
            ? .invalid(field: "project")
            : .inOtherWorkspace(type: ProjectID.recordedName, id: id.value)
        }
        entry.project = id
      }
      if let task = entry.task, task != before?.task || entry.project != before?.project {
        guard let id = editor.state.tasks.resolve(task) else {
          throw .unknown(type: TaskID.recordedName, id: task.value)
        }
        guard project(of: id, in: editor) == entry.project else {
          throw .invalid(field: "task")
        }
        entry.task = id
      }
      let old = Set(before?.tags ?? [])
      var tags: Set<TagID> = []
      for tag in entry.tags {
        guard let id = old.contains(tag) ? tag : editor.state.tags.resolve(tag) else {
          throw .unknown(type: TagID.recordedName, id: tag.value)
        }
        let isKept = old.contains(id) && !isMoved
        guard isKept || editor.state.tags[id]?.workspace == entry.workspace else {
          throw rules == .first
            ? .invalid(field: "tags")
            : .inOtherWorkspace(
              type: TagID.recordedName, id: (editor.state.tags.resolve(id) ?? id).value)
        }
        tags.insert(id)
      }
      entry.tags = tags.sorted()
    } catch {
      throw .entity(error)
    }
  }

  /// Returns the project of a task, after all merges.
  private static func project(
    of task: TaskID, in editor: borrowing EntityEditor<DomainEdit>
  ) -> ProjectID? {
    editor.state.tasks.live(task).flatMap { editor.state.projects.resolve($0.project) }
  }

  private static func checkSizes(of entry: TimeEntry) throws(TimeEntryRefusal) {
    guard TimeEntry.moments.contains(entry.start) else { throw .invalid(field: "start") }
    if let end = entry.end, !TimeEntry.moments.contains(end) { throw .invalid(field: "end") }
    guard entry.description.utf8.count <= TimeEntry.textBytesMax else {
      throw .invalid(field: "description")
    }
    let bytes = entry.annotations.reduce(entry.description.utf8.count) { $0 + $1.utf8.count }
    guard entry.annotations.count <= TimeEntry.listMax, bytes <= TimeEntry.textBytesMax else {
      throw .invalid(field: "annotations")
    }
    guard entry.zone.id.utf8.count <= Name.bytesMax else { throw .invalid(field: "zone") }
    guard entry.tags.count <= TimeEntry.listMax else { throw .invalid(field: "tags") }
    if let rate = entry.rate, rate < 0 { throw .invalid(field: "rate") }
  }

  /// Removes references to deleted entities from the copy of an entry, and follows merges.
  static func keepLive(
    _ entry: inout TimeEntry, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    entry.project = entry.project.flatMap { editor.state.projects.resolve($0) }
    entry.task = entry.task.flatMap { editor.state.tasks.resolve($0) }
    if let task = entry.task,
      entry.project == nil || project(of: task, in: editor) != entry.project
    {
      entry.task = nil
    }
    let workspaces = editor.state.workspaces
    entry.workspace =
      entry.project.map { editor.state.projects[$0]?.workspace }
      ?? entry.workspace.flatMap { id in workspaces.live(id).map { _ in id } }
    let workspace = entry.workspace
    entry.tags = entry.tags.compactMap { editor.state.tags.resolve($0) }
      .filter { editor.state.tags[$0]?.workspace == workspace }
    try check(&entry, in: editor)
  }

  /// Sets the rate of an entry to its present rate, or to `nil` if it is not billable.
  static func setRate(
    of entry: inout TimeEntry, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(TimeEntryRefusal) {
    guard entry.isBillable else { return entry.rate = nil }
    entry.rate = editor.state.presentRate(of: entry)
  }
}

extension DomainState {
  /// Returns the present rate of a billable entry: the first one set among its project, user and
  /// workspace.
  public func presentRate(of entry: TimeEntry) -> Int64? {
    entry.project.flatMap { projects[projects.resolve($0) ?? $0]?.rate }
      ?? users[entry.user]?.rate
      ?? entry.workspace.flatMap { workspaces[$0]?.rate }
  }

  /// Returns whether an entry is billable once it has another project: as the new project is,
  /// unless the entry differed from its old one.
  ///
  /// - Parameters:
  ///   - wasBillable: Whether it is billable until then.
  ///   - old: The project that it has.
  ///   - new: The project that it gets; one that a name creates is not billable.
  package func isBillable(
    _ wasBillable: Bool, from old: ProjectID?, to new: Reference<ProjectID>?
  ) -> Bool {
    func isUsual(_ id: ProjectID?) -> Bool {
      id.flatMap { projects.resolve($0) }.flatMap { projects.read($0) { $0.isBillable } } ?? false
    }
    guard wasBillable == isUsual(old) else { return wasBillable }
    if case .id(let id)? = new { return isUsual(id) }
    return false
  }
}
