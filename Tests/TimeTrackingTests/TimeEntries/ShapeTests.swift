import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// Entries that are split and joined.
@Suite struct ShapeTests {
  @Test func `a split leaves no gap and copies all fields`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("task", anna) {
      $0.project = .name(Name("acme"))
      $0.tags = [.name(Name("x"))]
      $0.annotations = ["note"]
    }
    world.wait(hours: 2)
    let middle = World.begin.adding(.seconds(3_600))
    try world.perform(.entry(.split(entry, at: middle, reason: "a break")))
    #expect(world.entries == ["task 0.0-1.0", "task 1.0-now"])
    let (first, second) = (
      world.state.timeEntries[entry], world.state.timeEntries[TimeEntryID(value: 1)]
    )
    #expect(first?.end == second?.start && second?.isRunning == true)
    #expect(first?.project == second?.project && first?.tags == second?.tags)
    #expect(second?.annotations == ["note"])
    for outside in [World.begin, middle, world.now, world.now.adding(.seconds(1))] {
      #expect(throws: DomainRefusal.entry(.outside(outside))) {
        try world.perform(.entry(.split(entry, at: outside, reason: nil)))
      }
    }
  }

  @Test func `a running entry is not cut to more than the longest one`() throws {
    var world = World()
    let anna = try world.addUser()
    let entry = try world.start("task", anna)
    world.wait(hours: 3_000)
    let refusal = DomainRefusal.entry(.tooLong(.hours(1_500)))
    #expect(throws: refusal) {
      try world.perform(.entry(.split(entry, at: World.at(1_500), reason: nil)))
    }
    #expect(throws: refusal) { try world.add("call", anna, 1_500, 1_501, .adjust) }
    #expect(world.entries == ["task 0.0-now"])
    var earlier = world
    let draft = TimeEntryDraft(user: .id(anna), description: "call", zone: .utc)
    try earlier.perform(
      .entry(
        .add(
          draft, start: World.at(999), end: World.at(1_000), policy: .adjust, rules: .second)))
    #expect(earlier.entries == ["task 0.0-999.0", "call 999.0-1000.0", "task 1000.0-now"])
    try world.add("call", anna, 12, 13, .adjust)
    #expect(world.entries == ["task 0.0-12.0", "call 12.0-13.0", "task 13.0-now"])
  }

  @Test func `a join takes the time and the texts of both, in either order`() throws {
    for isReversed in [false, true] {
      var world = World()
      let anna = try world.addUser()
      let first = try world.start("report", anna) { $0.tags = [.name(Name("x"))] }
      world.wait(hours: 1)
      try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
      world.wait(hours: 1)
      let second = try world.start("figures", anna) {
        $0.project = .name(Name("acme"))
        $0.tags = [.name(Name("y"))]
        $0.annotations = ["note"]
      }
      world.wait(hours: 1)
      try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
      let (one, other) = isReversed ? (second, first) : (first, second)
      try world.perform(.entry(.join(one, other, policy: .refuse, reason: nil)))
      #expect(world.entries == ["report 0.0-3.0"])
      let joined = try #require(world.state.timeEntries[first])
      #expect(joined.tags.count == 2 && joined.project != nil)
      #expect(joined.annotations == ["figures", "note"])
      #expect(world.state.timeEntries[second]?.deleted != nil)
    }
  }

  @Test func `a join that takes the time of a third entry follows the policy`() throws {
    var world = World()
    let anna = try world.addUser()
    var ids: [TimeEntryID] = []
    for text in ["a", "between", "b"] {
      ids.append(try world.start(text, anna))
      world.wait(hours: 1)
      try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    }
    #expect(throws: DomainRefusal.entry(.overlaps([ids[1]]))) {
      try world.perform(.entry(.join(ids[0], ids[2], policy: .refuse, reason: nil)))
    }
    try world.perform(.entry(.join(ids[0], ids[2], policy: .adjust, reason: nil)))
    #expect(world.entries == ["a 0.0-3.0"])
  }

  @Test func `an entry does not run again beside one that is planned to run`() throws {
    var world = World()
    let anna = try world.addUser()
    let done = try world.start("done", anna)
    world.wait(hours: 1)
    try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
    let end = world.now
    world.wait(hours: 1)
    let draft = TimeEntryDraft(user: .id(anna), description: "planned", zone: .utc)
    let later = world.now.adding(.seconds(3_600))
    try world.perform(.entry(.start(draft, at: later, policy: .allow)))
    var correction = TimeEntryCorrection()
    correction.changes.end = Change(from: end, to: nil)
    for policy in [Policy.refuse, .allow] {
      #expect(throws: DomainRefusal.self) {
        try world.perform(.entry(.correct(done, correction, policy: policy, reason: nil)))
      }
    }
    #expect(world.entries == ["done 0.0-1.0", "planned 3.0-now"])
  }

  @Test func `entries of two users or two projects, and one with itself, are not joined`() throws {
    var world = World()
    let anna = try world.addUser()
    let a = try world.start("a", anna) { $0.project = .name(Name("p")) }
    world.wait(hours: 1)
    let b = try world.start("b", anna) { $0.project = .name(Name("q")) }
    for (one, other, refusal) in [
      (a, b, TimeEntryRefusal.apart(a, b, .project)), (a, a, .cannotJoin),
    ] {
      #expect(throws: DomainRefusal.entry(refusal)) {
        try world.perform(.entry(.join(one, other, policy: .allow, reason: nil)))
      }
    }
  }

  @Test func `entries that are billed at two rates, or of which one is billed, are not joined`()
    throws
  {
    var world = World()
    let anna = try world.addUser()
    var ids: [TimeEntryID] = []
    for (rate, isBillable) in [(8_000, true), (10_000, true), (nil, false), (8_000, true)]
      as [(Int64?, Bool)]
    {
      let id = try world.start("work", anna) { $0.isBillable = isBillable }
      ids.append(id)
      world.wait(hours: 1)
      try world.perform(.entry(.stop(anna, at: nil, policy: .refuse)))
      guard let rate else { continue }
      var correction = TimeEntryCorrection()
      correction.changes.rate = Change(from: world.state.timeEntries[id]?.rate, to: rate)
      try world.perform(.entry(.correct(id, correction, policy: .refuse, reason: nil)))
    }
    for (one, other, obstacle) in [
      (0, 1, JoinObstacle.rate), (0, 2, .billable), (2, 1, .billable),
    ] {
      #expect(throws: DomainRefusal.entry(.apart(ids[one], ids[other], obstacle))) {
        try world.perform(.entry(.join(ids[one], ids[other], policy: .allow, reason: nil)))
      }
    }
    try world.perform(.entry(.join(ids[0], ids[3], policy: .allow, reason: nil)))
    #expect(world.state.timeEntries[ids[0]]?.rate == 8_000)
  }
}
