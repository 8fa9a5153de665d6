import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// Starting, stopping and resuming entries.
@Suite struct RunningTests {
  @Test func `a start ends the running entry at the same instant [M3]`() throws {
    var world = World()
    let anna = try world.addUser()
    let first = try world.start("first", anna)
    world.wait(hours: 1)
    let second = try world.start("second", anna)
    #expect(world.state.timeEntries[first]?.end == world.now)
    #expect(world.state.timeEntries[second]?.start == world.now)
    #expect(world.state.runningEntry(of: anna)?.id == second)
    #expect(world.entries == ["first 0.0-1.0", "second 1.0-now"])
  }

  @Test func `a start in the past ends the running entry there`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.start("first", anna)
    world.wait(hours: 2)
    try world.start("second", anna, at: World.at(1.5))
    #expect(world.entries == ["first 0.0-1.5", "second 1.5-now"])
  }

  @Test func `backdating over the running entry erases nothing silently`()
    throws
  {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 2)
    let running = try world.start("running", anna)
    world.wait(hours: 2)
    #expect(throws: DomainRefusal.entry(.overlaps([running]))) {
      try world.start("earlier", anna, at: World.at(1))
    }
    #expect(world.entries == ["running 2.0-now"])
    #expect(throws: DomainRefusal.entry(.anotherRuns(running))) {
      try world.start("earlier", anna, at: World.at(1), .allow)
    }
    try world.start("earlier", anna, at: World.at(1), .adjust)
    #expect(world.entries == ["earlier 1.0-now"])
    #expect(world.state.timeEntries[running]?.deleted == world.now)
  }

  @Test func `a start or an end in the future is refused`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.start("running", anna)
    for policy in [Policy.refuse, .adjust] {
      #expect(throws: DomainRefusal.entry(.inFuture(World.at(15)))) {
        try world.start("later", anna, at: World.at(15), policy)
      }
      #expect(throws: DomainRefusal.entry(.inFuture(World.at(1)))) {
        try world.perform(.entry(.stop(anna, at: World.at(1), policy: policy)))
      }
    }
    #expect(world.entries == ["running 0.0-now"])
  }

  @Test func `an end before the start is refused, and no entry gets a length of zero by it`()
    throws
  {
    var world = World()
    let anna = try world.addUser()
    try world.start("running", anna)
    for policy in Policy.allCases {
      #expect(throws: DomainRefusal.entry(.endsBeforeStart)) {
        try world.perform(.entry(.stop(anna, at: World.at(-1), policy: policy)))
      }
    }
    #expect(world.entries == ["running 0.0-now"])
  }

  @Test func `a stop ends the running entry, and is refused if nothing runs [M5]`() throws {
    var world = World()
    let anna = try world.addUser()
    #expect(throws: DomainRefusal.entry(.nothingRunning)) {
      try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    }
    try world.start("work", anna)
    world.wait(hours: 0.5)
    try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    #expect(world.entries == ["work 0.0-0.5"])
  }

  @Test func `an entry that has run for long is stopped only if the policy allows it`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.start("forgotten", anna)
    world.wait(hours: 46)
    let refusal = DomainRefusal.entry(.tooLong(.hours(46)))
    #expect(throws: refusal) {
      try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    }
    #expect(throws: refusal) { try world.start("next", anna) }
    try world.perform(.entry(.stop(anna, at: World.at(8), policy: .refuse)))
    #expect(world.entries == ["forgotten 0.0-8.0"])
    try world.start("long", anna, at: World.at(40), .allow)
    world.wait(hours: 20)
    try world.perform(.entry(.stop(anna, at: nil, policy: .allow)))
    #expect(world.entries == ["forgotten 0.0-8.0", "long 40.0-66.0"])
  }

  @Test func `no entry is longer than 999 hours [M9]`() throws {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 1_000)
    #expect(throws: DomainRefusal.entry(.tooLong(.hours(999.5)))) {
      try world.add("long", anna, 0, 999.5, .allow)
    }
    try world.add("long", anna, 0, 999, .allow)
    #expect(world.entries == ["long 0.0-999.0"])
  }

  @Test func `resuming copies all fields [M4]`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.perform(.workspace(.create(Workspace(name: Name("office")))))
    let office = WorkspaceID(value: 0)
    var project = Project(name: Name("engine"), workspace: office)
    project.rate = 9_000
    try world.perform(.project(.create(project)))
    let first = try world.start("work", anna) { draft in
      draft.workspace = office
      draft.project = .id(ProjectID(value: 0))
      draft.task = .name(Name("design"))
      draft.tags = [.name(Name("b")), .name(Name("a"))]
      draft.isBillable = true
      draft.annotations = ["a remark"]
    }
    world.wait(hours: 1)
    try world.start("other", anna)
    world.wait(hours: 1)
    let zone = RecordedZone(id: "Asia/Tokyo", offsetSeconds: 32_400)
    try world.perform(.entry(.resume(first, at: nil, zone: zone, policy: .refuse)))
    let copy = try #require(world.state.timeEntries[world.lastEntry])
    var expected = try #require(world.state.timeEntries[first])
    (expected.start, expected.end, expected.modified) = (world.now, nil, world.now)
    expected.zone = zone
    #expect(copy == expected && copy.rate == 9_000 && copy.tags.count == 2)
    #expect(world.entries == ["work 0.0-1.0", "other 1.0-2.0", "work 2.0-now"])
  }

  @Test func `resuming leaves out what has been deleted since`() throws {
    var world = World()
    let anna = try world.addUser()
    let first = try world.start("work", anna) { draft in
      draft.project = .name(Name("engine"))
      draft.task = .name(Name("design"))
      draft.tags = [.name(Name("a")), .name(Name("b"))]
    }
    try world.perform(.project(.delete(ProjectID(value: 0), reason: nil)))
    try world.perform(.tag(.delete(TagID(value: 0), reason: nil)))
    world.wait(hours: 1)
    try world.perform(.entry(.resume(first, at: nil, zone: .utc, policy: .refuse)))
    let copy = try #require(world.state.timeEntries[world.lastEntry])
    #expect(copy.project == nil && copy.task == nil && copy.tags == [TagID(value: 1)])
  }

  @Test func `each user has a running entry of their own [M2]`() throws {
    var world = World()
    let (anna, ben) = (try world.addUser("anna"), try world.addUser("ben"))
    let first = try world.start("a", anna)
    let second = try world.start("b", ben)
    #expect(world.state.runningEntry(of: anna)?.id == first)
    #expect(world.state.runningEntry(of: ben)?.id == second)
  }

  @Test func `a deleted entry stays in the state and counts nowhere [M5]`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("work", anna)
    try world.perform(.entry(.delete(entry, reason: "by mistake")))
    #expect(world.state.timeEntries[entry]?.deleted == world.now)
    #expect(world.entries == [] && world.state.runningEntry(of: anna) == nil)
    #expect(throws: DomainRefusal.self) {
      try world.perform(.entry(.delete(entry, reason: nil)))
    }
    try world.start("again", anna)
    #expect(world.entries == ["again 0.0-now"])
  }

  @Test func `a clock that went back stops and starts entries without a gap`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.start("first", anna)
    world.wait(hours: -1.0 / 60)
    try world.start("second", anna)
    #expect(world.entries == ["first 0.0-0.0", "second 0.0-now"])
    try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    #expect(world.state.runningEntry(of: anna) == nil)
  }

  @Test func `an entry that begins later does not end now, which would lose the time till then`()
    throws
  {
    var world = World()
    let anna = try world.addUser()
    let planned = try world.start("planned", anna, at: World.at(5), .allow)
    world.wait(hours: 1)
    let draft = TimeEntryDraft(user: .id(anna), description: "work", zone: .utc)
    let early = DomainRefusal.entry(.endsBeforeStart)
    for policy in Policy.allCases {
      for command: TimeEntryCommand in [
        .start(draft, at: nil, policy: policy), .stop(anna, at: nil, policy: policy),
        .resume(planned, at: nil, zone: .utc, policy: policy),
      ] {
        #expect(throws: early) { try world.perform(.entry(command)) }
      }
    }
    #expect(world.entries == ["planned 5.0-now"])
    world.wait(hours: 5)
    try world.start("work", anna)
    #expect(world.entries == ["planned 5.0-6.0", "work 6.0-now"])
  }

  @Test func `a command without a time keeps the moment of its decision if the clock went back`()
    throws
  {
    var world = World()
    let anna = try world.addUser()
    try world.start("first", anna)
    world.wait(hours: -1)
    let moment = world.now.adding(ElapsedTime(microseconds: 300_000))
    let commands: [TimeEntryCommand] = [
      .stop(anna, at: nil, policy: .refuse),
      .start(
        TimeEntryDraft(user: .id(anna), description: "second", zone: .utc), at: nil,
        policy: .adjust),
    ]
    for command in commands {
      #expect(command.inWholeSeconds(at: moment, in: world.state) == command)
    }
    // Ahead of the running entry's start, they take the whole second.
    let later = moment.adding(ElapsedTime(microseconds: 7_200_000_000))
    for command in commands {
      #expect(command.inWholeSeconds(at: later, in: world.state) != command)
    }
  }

  @Test func `a start at the start of the running entry is an overlap`() throws {
    var world = World()
    let anna = try world.addUser()
    let first = try world.start("first", anna)
    world.wait(hours: 2)
    #expect(throws: DomainRefusal.entry(.overlaps([first]))) {
      try world.start("second", anna, at: World.at(0))
    }
    #expect(world.entries == ["first 0.0-now"])
  }

  @Test func `moments outside the years 1 to 9999 are refused`() throws {
    var world = World()
    let anna = try world.addUser()
    for moment in [Moment(microseconds: .max), Moment(microseconds: .min)] {
      #expect(throws: DomainRefusal.entry(.invalid(field: "start"))) {
        try world.start("x", anna, at: moment, .allow)
      }
    }
  }

  @Test func `a user with a running entry is not deleted`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.start("x", anna)
    #expect(throws: DomainRefusal.user(.inUse(type: "TimeEntryID", id: 0))) {
      try world.perform(.user(.delete(anna, reason: nil)))
    }
    try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    try world.perform(.user(.delete(anna, reason: nil)))
    #expect(world.state.users.live(anna) == nil)
  }

  @Test func `a resumed entry follows its project to another workspace`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.perform(.workspace(.create(Workspace(name: Name("office")))))
    let office = WorkspaceID(value: 0)
    let first = try world.start("x", anna) { draft in
      draft.project = .name(Name("p"))
      draft.tags = [.name(Name("t"))]
    }
    var changes = ProjectChanges()
    changes.workspace = Change(from: nil, to: office)
    try world.perform(.project(.change(ProjectID(value: 0), changes, reason: nil)))
    world.wait(hours: 1)
    try world.perform(.entry(.resume(first, at: nil, zone: .utc, policy: .refuse)))
    let copy = try #require(world.state.timeEntries[world.lastEntry])
    #expect(copy.workspace == office && copy.project == ProjectID(value: 0) && copy.tags.isEmpty)
  }

  @Test func `a planned entry keeps no other entry from running, and may overlap it`() throws {
    var world = World()
    let anna = try world.addUser()
    try world.add("done", anna, -2, -1)
    let plan = try world.add("plan", anna, 2, 3, .allow)
    for policy in [Policy.refuse, .adjust] {
      var copy = world
      try copy.start("now", anna, at: nil, policy)
      #expect(copy.entries == ["done -2.0--1.0", "now 0.0-now", "plan 2.0-3.0"])
      copy.wait(hours: 1)
      // The plan has not ended, so it is not what was done last.
      #expect(copy.state.lastEntry(of: anna, endedBy: copy.now)?.entry.description == "done")
      copy.wait(hours: 1.5)
      try copy.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
      #expect(copy.entries == ["done -2.0--1.0", "now 0.0-2.5", "plan 2.0-3.0"])
      #expect(DomainEntities.violations(of: copy.state).isEmpty)
    }
    // Once the planned entry has begun, it is an overlap.
    world.wait(hours: 2.5)
    #expect(throws: DomainRefusal.entry(.overlaps([plan]))) { try world.start("late", anna) }
  }
}
