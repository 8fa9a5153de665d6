import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// Corrections of entries.
@Suite struct CorrectionTests {
  private func correct(
    _ world: inout World, _ id: TimeEntryID, _ policy: Policy = .refuse,
    _ change: (inout TimeEntryCorrection) -> Void
  ) throws(DomainRefusal) {
    var correction = TimeEntryCorrection()
    change(&correction)
    try world.perform(.entry(.correct(id, correction, policy: policy, reason: "typed wrongly")))
  }

  @Test func `a correction keeps what was changed elsewhere [M5]`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("task", anna)
    world.wait(hours: 1)
    try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    world.wait(hours: 1)
    try correct(&world, entry) { $0.changes.description = Change(from: "task", to: "task v2") }
    #expect(world.entries == ["task v2 0.0-1.0"])
  }

  @Test func `a field that somebody else changed is a conflict, and nothing is written`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("task", anna) { $0.project = .name(Name("acme")) }
    try world.perform(.project(.create(Project(name: Name("beta")))))
    let (acme, beta) = (ProjectID(value: 0), ProjectID(value: 1))
    try correct(&world, entry) { $0.changes.project = Change(from: acme, to: beta) }
    #expect(throws: DomainRefusal.entry(.entity(.changedMeanwhile(["project"])))) {
      try correct(&world, entry) {
        $0.changes.description = Change(from: "task", to: "other")
        $0.changes.project = Change(from: acme, to: nil)
      }
    }
    #expect(world.state.timeEntries[entry]?.project == beta)
    #expect(world.entries == ["task 0.0-now"])
    // The value is there already: no conflict, and no fact.
    #expect(
      try world.perform(
        .entry(
          .correct(
            entry,
            { () -> TimeEntryCorrection in
              var correction = TimeEntryCorrection()
              correction.changes.project = Change(from: acme, to: beta)
              return correction
            }(), policy: .refuse, reason: nil))
      ).isEmpty)
  }

  @Test func `a text with marks and blanks is a description`() throws {
    var world = World()
    let anna = try world.addUser()
    let text = "fix #1234 for @bob,  a  b "
    let entry = try world.start(text, anna)
    try correct(&world, entry) { $0.changes.isBillable = Change(from: false, to: true) }
    let after = try #require(world.state.timeEntries[entry])
    #expect(after.description == text && after.isBillable && after.tags.isEmpty)
    #expect(world.state.tags.isEmpty && world.state.projects.isEmpty)
  }

  @Test func `optional fields can be cleared [M9]`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("task", anna) { draft in
      draft.project = .name(Name("acme"))
      draft.tags = [.name(Name("a"))]
    }
    try correct(&world, entry) {
      $0.changes.project = Change(from: ProjectID(value: 0), to: nil)
      $0.changes.tags = Change(from: [TagID(value: 0)], to: [])
    }
    let after = try #require(world.state.timeEntries[entry])
    #expect(after.project == nil && after.tags.isEmpty)
  }

  @Test func `an entry of a deleted project can be corrected, and keeps it`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("task", anna) { draft in
      draft.project = .name(Name("acme"))
      draft.task = .name(Name("design"))
      draft.tags = [.name(Name("a"))]
    }
    try world.perform(.project(.delete(ProjectID(value: 0), reason: nil)))
    try world.perform(.tag(.delete(TagID(value: 0), reason: nil)))
    try correct(&world, entry) { $0.changes.description = Change(from: "task", to: "other") }
    let after = try #require(world.state.timeEntries[entry])
    #expect(after.description == "other" && after.project == ProjectID(value: 0))
    #expect(after.task == TaskID(value: 0) && after.tags == [TagID(value: 0)])
    // A new reference to a deleted entity is refused.
    let gone = EntityRefusal.unknown(type: "ProjectID", id: 0)
    try correct(&world, entry) {
      $0.changes.project = Change(from: ProjectID(value: 0), to: nil)
    }
    #expect(throws: DomainRefusal.entry(.entity(gone))) {
      try correct(&world, entry) {
        $0.changes.project = Change(from: nil, to: ProjectID(value: 0))
      }
    }
  }

  @Test func `a new project or tag is created by name, in the same batch`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("task", anna)
    try correct(&world, entry) {
      $0.project = Name("acme")
      $0.addedTags = [Name("a"), Name("A")]
    }
    let after = try #require(world.state.timeEntries[entry])
    #expect(after.project == ProjectID(value: 0) && after.tags == [TagID(value: 0)])
  }

  @Test func `an end that overlaps the next entry follows the policy`() throws {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 6)
    let first = try world.add("first", anna, 0, 1)
    let second = try world.add("second", anna, 2, 4)
    #expect(throws: DomainRefusal.entry(.overlaps([second]))) {
      try correct(&world, first) {
        $0.changes.end = Change(from: World.at(1), to: World.at(3))
      }
    }
    try correct(&world, first, .adjust) {
      $0.changes.end = Change(from: World.at(1), to: World.at(3))
    }
    #expect(world.entries == ["first 0.0-3.0", "second 3.0-4.0"])
  }

  @Test func `reopening an ended entry is refused while another runs`() throws {
    var world = World()
    let anna = try world.addUser()
    let first = try world.start("first", anna)
    world.wait(hours: 1)
    let second = try world.start("second", anna)
    for policy in [Policy.refuse, .allow] {
      #expect(throws: DomainRefusal.self) {
        try correct(&world, first, policy) {
          $0.changes.end = Change(from: World.at(1), to: nil)
        }
      }
    }
    #expect(world.state.runningEntry(of: anna)?.id == second)
  }

  @Test func `the rate is frozen when an entry is made, and follows its project only then`() throws
  {
    var world = World()
    let anna = try world.addUser()
    var project = Project(name: Name("acme"))
    (project.rate, project.isBillable) = (10_000, true)
    try world.perform(.project(.create(project)))
    let acme = ProjectID(value: 0)
    let entry = try world.start("task", anna) { $0.project = .id(acme) }
    #expect(world.state.timeEntries[entry]?.rate == 10_000)
    var changes = ProjectChanges()
    changes.rate = Change(from: 10_000, to: 12_000)
    try world.perform(.project(.change(acme, changes, reason: nil)))
    #expect(world.state.timeEntries[entry]?.rate == 10_000)
    try correct(&world, entry) { $0.changes.isBillable = Change(from: true, to: false) }
    #expect(world.state.timeEntries[entry]?.rate == nil)
    try correct(&world, entry) { $0.changes.isBillable = Change(from: false, to: true) }
    #expect(world.state.timeEntries[entry]?.rate == 12_000)
  }

  @Test func `an entry that moves to another workspace gets the rate of that one`() throws {
    var world = World()
    let anna = try world.addUser()
    var ids: [WorkspaceID] = []
    for (name, rate) in [("a", Int64(10_000)), ("b", 1_000)] {
      var workspace = Workspace(name: Name(name))
      workspace.rate = rate
      try world.perform(.workspace(.create(workspace)))
      ids.append(WorkspaceID(value: world.state.workspaces.nextID.value - 1))
    }
    let entry = try world.start("task", anna) { ($0.workspace, $0.isBillable) = (ids[0], true) }
    #expect(world.state.timeEntries[entry]?.rate == 10_000)
    try correct(&world, entry) { $0.changes.workspace = Change(from: ids[0], to: ids[1]) }
    #expect(world.state.timeEntries[entry]?.rate == 1_000)
    try correct(&world, entry) {
      $0.changes.workspace = Change(from: ids[1], to: ids[0])
      $0.changes.rate = Change(from: 1_000, to: 2_000)
    }
    #expect(world.state.timeEntries[entry]?.rate == 2_000)
  }
}
