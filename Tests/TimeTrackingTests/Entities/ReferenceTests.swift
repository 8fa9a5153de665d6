import RetraceArchitecture
import RetraceAvro
import RetraceState
import Testing
import TimeTracking

/// What happens to entities that others refer to: merged, moved, deleted and brought back.
@Suite struct ReferenceTests {
  /// Performs a command, and returns the restore that takes it back, and the one that repeats it.
  private func undoable(
    _ world: inout World, _ command: DomainCommand
  ) throws(DomainRefusal) -> [DomainEdit] {
    try world.perform(command).flatMap(\.undoableEdits)
  }

  private func restore(_ world: inout World, _ edits: [DomainEdit]) throws(DomainRefusal) {
    let links = RestoreLinks(target: 0, isRedo: false, nextUndo: nil, nextRedo: nil)
    try world.perform(
      .restore(
        Restore(links: links, expectedCount: world.state.undoableFacts, edits: edits)))
  }

  private func undo(_ world: inout World, _ edits: [DomainEdit]) throws(DomainRefusal) {
    try restore(&world, edits.reversed().map(\.inverted))
  }

  private func addProject(_ world: inout World, _ name: String) throws(DomainRefusal) -> ProjectID {
    try world.perform(.project(.create(Project(name: Name(name)))))
    return ProjectID(value: world.state.projects.nextID.value - 1)
  }

  @Test func `an entry with a task of a merged project is corrected and resumed`() throws {
    var world = World()
    let anna = try world.addUser()
    let (a, b) = (try addProject(&world, "a"), try addProject(&world, "b"))
    try world.perform(.task(.create(ProjectTask(name: Name("t"), project: a))))
    let task = TaskID(value: 0)
    let entry = try world.start("x", anna) { ($0.project, $0.task) = (.id(a), .id(task)) }
    try world.perform(.project(.merge(a, into: b, reason: nil)))
    var correction = TimeEntryCorrection()
    correction.changes.description = Change(from: "x", to: "y")
    try world.perform(.entry(.correct(entry, correction, policy: .refuse, reason: nil)))
    world.wait(hours: 1)
    try world.perform(.entry(.resume(entry, at: nil, zone: .utc, policy: .refuse)))
    let copy = try #require(world.state.timeEntries[world.lastEntry])
    #expect(copy.project == b && copy.task == task)
    // A task that moves to another project is left out of a copy.
    var changes = ProjectTaskChanges()
    let c = try addProject(&world, "c")
    changes.project = Change(from: a, to: c)
    try world.perform(.task(.change(task, changes, reason: nil)))
    world.wait(hours: 1)
    try world.perform(.entry(.resume(entry, at: nil, zone: .utc, policy: .refuse)))
    #expect(world.state.timeEntries[world.lastEntry]?.task == nil)
  }

  @Test func `a project has the tasks of those that were merged into it`() throws {
    var world = World()
    let anna = try world.addUser()
    let (a, b) = (try addProject(&world, "a"), try addProject(&world, "b"))
    func task(_ name: String, _ project: ProjectID) throws(DomainRefusal) {
      try world.perform(.task(.create(ProjectTask(name: Name(name), project: project))))
    }
    try task("t", a)
    try task("u", b)
    try world.perform(.project(.merge(a, into: b, reason: nil)))
    world.wait(hours: 4)
    for (hour, project) in [a, b].enumerated() {
      let entry = try world.add("x", anna, Double(hour), Double(hour) + 0.5) {
        ($0.project, $0.task) = (.id(project), .name(Name("T")))
      }
      #expect(world.state.timeEntries[entry]?.task == TaskID(value: 0))
    }
    var row = ImportedRow(
      id: "1", user: Name("anna"), description: "x", start: World.at(3), end: World.at(4),
      zone: .utc)
    (row.project, row.task) = (Name("b"), Name("t"))
    let run = ImportRunID(value: 0)
    try world.perform(.importRun(.begin(source: Name("s"), file: "f", digest: .zero)))
    try world.perform(.importRun(.rows(run, ImportedRows(from: 0, [row]))))
    #expect(world.state.tasks.count == 2)
    #expect(throws: DomainRefusal.task(.nameTaken(Name("t")))) { try task("t", b) }
    var changes = ProjectTaskChanges()
    changes.name = Change(from: Name("u"), to: Name("t"))
    #expect(throws: DomainRefusal.task(.nameTaken(Name("t")))) {
      try world.perform(.task(.change(TaskID(value: 1), changes, reason: nil)))
    }
    try world.perform(.task(.merge(TaskID(value: 0), into: TaskID(value: 1), reason: nil)))
    #expect(world.state.tasks.resolve(TaskID(value: 0)) == TaskID(value: 1))
  }

  @Test func `an undo gives a task no name that another one of its project has`() throws {
    var world = World()
    let (a, b) = (try addProject(&world, "a"), try addProject(&world, "b"))
    try world.perform(.task(.create(ProjectTask(name: Name("t"), project: a))))
    var changes = ProjectTaskChanges()
    changes.name = Change(from: Name("t"), to: Name("u"))
    let rename = try undoable(&world, .task(.change(TaskID(value: 0), changes, reason: nil)))
    try world.perform(.project(.merge(a, into: b, reason: nil)))
    try world.perform(.task(.create(ProjectTask(name: Name("t"), project: b))))
    try undo(&world, rename)
    #expect(world.state.tasks[TaskID(value: 0)]?.name == Name("u"))
  }

  @Test func `redoing a merge makes no cycle`() throws {
    var world = World()
    let (a, b) = (try addProject(&world, "a"), try addProject(&world, "b"))
    let merge = try undoable(&world, .project(.merge(a, into: b, reason: nil)))
    try undo(&world, merge)
    try world.perform(.project(.merge(b, into: a, reason: nil)))
    try restore(&world, merge)
    #expect(world.state.projects.resolve(b) == a && world.state.projects.resolve(a) == a)
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `the names of aliases are free when what they stand for is deleted`() throws {
    var world = World()
    let (a, b) = (try addProject(&world, "a"), try addProject(&world, "b"))
    let c = try addProject(&world, "c")
    try world.perform(.project(.merge(a, into: b, reason: nil)))
    try world.perform(.project(.merge(b, into: c, reason: nil)))
    let deletion = try undoable(&world, .project(.delete(c, reason: nil)))
    #expect(try addProject(&world, "a") == ProjectID(value: 3))
    try undo(&world, deletion)
    // The alias stays deleted, because its name is taken by now.
    #expect(world.state.projects.live(a) == nil && world.state.projects.resolve(b) == c)
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `undo takes away nothing that another entity needs`() throws {
    var world = World()
    let anna = try world.addUser()
    let a = try addProject(&world, "a")
    let creation = try undoable(&world, .project(.create(Project(name: Name("b")))))
    let b = ProjectID(value: 1)
    try world.perform(.project(.merge(a, into: b, reason: nil)))
    try undo(&world, creation)
    #expect(world.state.projects.resolve(a) == b)
    let place = try undoable(&world, .workspace(.create(Workspace(name: Name("office")))))
    let office = WorkspaceID(value: 0)
    try world.perform(.project(.create(Project(name: Name("p"), workspace: office))))
    try undo(&world, place)
    #expect(world.state.workspaces.live(office) != nil)
    try world.start("x", anna) { $0.project = .id(ProjectID(value: 2)) }
    // A deletion of an entity with aliases is undone and redone whole.
    let deletion = try undoable(&world, .project(.delete(b, reason: nil)))
    try undo(&world, deletion)
    #expect(world.state.projects.resolve(a) == b)
    try restore(&world, deletion)
    #expect(world.state.projects.live(a) == nil && world.state.projects.live(b) == nil)
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `a new entry of a merged project belongs to the project that it was merged into`()
    throws
  {
    var world = World()
    let anna = try world.addUser()
    let a = try addProject(&world, "a")
    var billable = Project(name: Name("b"))
    (billable.isBillable, billable.rate) = (true, 5_000)
    try world.perform(.project(.create(billable)))
    let b = ProjectID(value: 1)
    try world.perform(.project(.merge(a, into: b, reason: nil)))
    for reference in [Reference.id(a), .name(Name("a")), .name(Name("b"))] {
      let entry = try world.start("x", anna) { draft in
        draft.project = reference
        draft.task = .name(Name("design"))
      }
      let started = try #require(world.state.timeEntries[entry])
      #expect(started.isBillable && started.rate == 5_000 && started.project == b)
      world.wait(hours: 1)
    }
    #expect(world.state.tasks.count == 1)
  }

  @Test func `no redo gives an id of another system to two entities`() throws {
    var world = World()
    try world.perform(.source(.create(ExternalSource(name: Name("toggl")))))
    let (a, b) = (try addProject(&world, "a"), try addProject(&world, "b"))
    let external = ExternalID(source: SourceID(value: 0), id: "1")
    let link = try undoable(&world, .project(.link(a, external)))
    try undo(&world, link)
    try world.perform(.project(.link(b, external)))
    try restore(&world, link)
    #expect(world.state.projects[a]?.externalIDs == [])
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `texts and lists have limits, so that every change can be undone`() throws {
    var world = World()
    let anna = try world.addUser()
    let text = String(repeating: "x", count: TimeEntry.textBytesMax / 2)
    for annotations in [[text, text, "x"], Array(repeating: "", count: TimeEntry.listMax + 1)] {
      #expect(throws: DomainRefusal.entry(.invalid(field: "annotations"))) {
        try world.start("x", anna) { $0.annotations = annotations }
      }
    }
    #expect(throws: DomainRefusal.entry(.invalid(field: "tags"))) {
      try world.start("x", anna) { draft in
        draft.tags = (0...TimeEntry.listMax).map { .name(Name("\($0)")) }
      }
    }
    try world.start("", anna) { $0.annotations = [text, text] }
  }

  @Test func `fields that have commands of their own cannot be changed`() throws {
    var world = World()
    let anna = try world.addUser()
    let (a, b) = (try addProject(&world, "a"), try addProject(&world, "b"))
    var changes = ProjectChanges()
    changes.mergedInto = Change(from: nil, to: b)
    #expect(throws: DomainRefusal.project(.invalid(field: "mergedInto"))) {
      try world.perform(.project(.change(a, changes, reason: nil)))
    }
    changes = ProjectChanges()
    changes.deleted = Change(from: nil, to: world.now)
    #expect(throws: DomainRefusal.project(.invalid(field: "deleted"))) {
      try world.perform(.project(.change(a, changes, reason: nil)))
    }
    let entry = try world.start("x", anna)
    var correction = TimeEntryCorrection()
    correction.changes.deleted = Change(from: nil, to: world.now)
    #expect(throws: DomainRefusal.entry(.entity(.invalid(field: "deleted")))) {
      try world.perform(.entry(.correct(entry, correction, policy: .allow, reason: nil)))
    }
    // A created entity is neither an alias nor has ids of another system.
    var project = Project(name: Name("c"))
    project.mergedInto = a
    project.externalIDs = [ExternalID(source: SourceID(value: 0), id: "1")]
    try world.perform(.project(.create(project)))
    let created = try #require(world.state.projects[ProjectID(value: 2)])
    #expect(created.mergedInto == nil && created.externalIDs.isEmpty)
  }

  @Test func `undo gives no user two sets of preferences, and takes none away in use`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.perform(.preferences(.create(PreferenceSet(user: anna))))
    let deletion = try undoable(
      &world, .preferences(.delete(PreferenceSetID(value: 0), reason: nil)))
    try world.perform(.preferences(.create(PreferenceSet(user: anna))))
    try undo(&world, deletion)
    #expect(world.state.preferenceSets.live(PreferenceSetID(value: 0)) == nil)
    let creation = try undoable(&world, .user(.create(User(name: Name("ben")))))
    try world.start("x", UserID(value: 1))
    try undo(&world, creation)
    #expect(world.state.users[UserID(value: 1)]?.name == Name("ben"))
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `a workspace in use is not deleted, and what belongs to another is refused`() throws {
    var world = World()
    let anna = try world.addUser()
    for name in ["home", "office"] {
      try world.perform(.workspace(.create(Workspace(name: Name(name)))))
    }
    let (home, office) = (WorkspaceID(value: 0), WorkspaceID(value: 1))
    var changes = UserChanges()
    changes.workspace = Change(from: nil, to: home)
    try world.perform(.user(.change(anna, changes, reason: nil)))
    #expect(throws: DomainRefusal.workspace(.inUse(type: "UserID", id: 0))) {
      try world.perform(.workspace(.delete(home, reason: nil)))
    }
    try world.perform(.project(.create(Project(name: Name("p"), workspace: office))))
    try world.perform(.tag(.create(Tag(name: Name("t"), workspace: office))))
    let (project, tag) = (ProjectID(value: 0), TagID(value: 0))
    #expect(throws: DomainRefusal.entry(.entity(.invalid(field: "tags")))) {
      try world.start("x", anna) { $0.tags = [.id(tag)] }
    }
    #expect(throws: DomainRefusal.entry(.entity(.invalid(field: "project")))) {
      try world.start("x", anna) { ($0.workspace, $0.project) = (home, .id(project)) }
    }
    let entry = try world.start("x", anna)
    #expect(world.state.timeEntries[entry]?.workspace == home)
    var correction = TimeEntryCorrection()
    correction.changes.project = Change(from: nil, to: project)
    correction.changes.tags = Change(from: [], to: [tag])
    try world.perform(.entry(.correct(entry, correction, policy: .refuse, reason: nil)))
    #expect(world.state.timeEntries[entry]?.workspace == office)
    #expect(world.state.timeEntries[entry]?.tags == [tag])
  }

  @Test func `a client that moves leaves its projects editable`() throws {
    var world = World()
    try world.perform(.workspace(.create(Workspace(name: Name("office")))))
    try world.perform(.client(.create(Client(name: Name("ada")))))
    let ada = ClientID(value: 0)
    try world.perform(.project(.create(Project(name: Name("p"), client: ada))))
    var move = ClientChanges()
    move.workspace = Change(from: nil, to: WorkspaceID(value: 0))
    try world.perform(.client(.change(ada, move, reason: nil)))
    var changes = ProjectChanges()
    changes.color = Change(from: 0x0b_83d9, to: 1)
    try world.perform(.project(.change(ProjectID(value: 0), changes, reason: nil)))
    #expect(world.state.projects[ProjectID(value: 0)]?.color == 1)
  }

  @Test func `a range has each entry once, also at the limits of time`() throws {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 9)
    try world.add("empty", anna, 2, 2)
    try world.start("running", anna, at: World.at(3))
    func found(_ from: Moment, _ to: Moment?) -> Int {
      var count = 0
      world.state.forEachEntry(from: from, to: to) { _, _ in count += 1 }
      return count
    }
    #expect(found(World.at(0), Moment(microseconds: .max)) == 2)
    #expect(found(World.at(2), World.at(3)) == 1 && found(World.at(1), World.at(2)) == 0)
    #expect(found(Moment(microseconds: .min), nil) == 2)
    #expect(found(Moment(microseconds: .max), nil) == 0)
  }
}
