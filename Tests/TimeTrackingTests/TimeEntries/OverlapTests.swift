import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// What happens to entries where another one takes their time.
@Suite struct OverlapTests {
  @Test(arguments: [
    (1.0, 3.0, ["old 2.0-4.0", "new 1.0-3.0"], ["new 1.0-3.0", "old 3.0-4.0"]),
    (3, 5, ["old 2.0-4.0", "new 3.0-5.0"], ["old 2.0-3.0", "new 3.0-5.0"]),
    (1, 5, ["old 2.0-4.0", "new 1.0-5.0"], ["new 1.0-5.0"]),
    (2, 4, ["old 2.0-4.0", "new 2.0-4.0"], ["new 2.0-4.0"]),
    (2.5, 3, ["old 2.0-4.0", "new 2.5-3.0"], ["old 2.0-2.5", "new 2.5-3.0", "old 3.0-4.0"]),
  ])
  func `an overlap is refused, adjusted or allowed, by the policy`(
    start: Double, end: Double, allowed: [String], adjusted: [String]
  ) throws {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 6)
    let old = try world.add("old", anna, 2, 4)
    let before = world.state
    #expect(throws: DomainRefusal.entry(.overlaps([old]))) {
      try world.add("new", anna, start, end)
    }
    #expect(world.state == before)
    var other = world
    try other.add("new", anna, start, end, .allow)
    #expect(Set(other.entries) == Set(allowed))
    try world.add("new", anna, start, end, .adjust)
    #expect(world.entries == adjusted)
  }

  @Test func `entries that touch do not overlap, nor do those of other users`() throws {
    var world = World()
    let (anna, ben) = (try world.addUser("anna"), try world.addUser("ben"))
    world.wait(hours: 6)
    try world.add("middle", anna, 2, 4)
    try world.add("before", anna, 1, 2)
    try world.add("after", anna, 4, 5)
    try world.add("other", ben, 1, 5)
    try world.add("empty", anna, 3, 3)
    #expect(world.entries.count == 5)
  }

  @Test(arguments: [Policy.refuse, .adjust])
  func `an allowed overlap is not checked again, and takes no time from an entry`(policy: Policy)
    throws
  {
    var world = World()
    let anna = try world.addUser()
    try world.start("running", anna)
    world.wait(hours: 1)
    try world.add("inside", anna, 0.25, 0.5, .allow)
    try world.perform(.entry(.stop(anna, at: nil, policy: policy)))
    #expect(Set(world.entries) == ["running 0.0-1.0", "inside 0.25-0.5"])
    var correction = TimeEntryCorrection()
    correction.changes.end = Change(from: World.at(1), to: World.at(0.75))
    try world.perform(
      .entry(.correct(TimeEntryID(value: 0), correction, policy: policy, reason: nil)))
    #expect(Set(world.entries) == ["running 0.0-0.75", "inside 0.25-0.5"])
    // A long entry can be made shorter, and not longer.
    world.wait(hours: 20)
    let long = try world.add("long", anna, 2, 16, .allow)
    correction.changes.end = Change(from: World.at(16), to: World.at(15))
    try world.perform(.entry(.correct(long, correction, policy: policy, reason: nil)))
    correction.changes.end = Change(from: World.at(15), to: World.at(15.5))
    #expect(throws: DomainRefusal.entry(.tooLong(.hours(13.5)))) {
      try world.perform(.entry(.correct(long, correction, policy: policy, reason: nil)))
    }
  }

  @Test func `a long entry is found by one that begins weeks later`() throws {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 1_000)
    let long = try world.add("long", anna, 0, 990, .allow)
    #expect(throws: DomainRefusal.entry(.overlaps([long]))) {
      try world.add("new", anna, 980, 981)
    }
    try world.add("old", anna, -10, -9)
    #expect(throws: DomainRefusal.entry(.overlaps([long]))) { try world.add("x", anna, 5, 6) }
  }

  @Test func `the adjustment leaves exactly the time that the new entry does not take`() {
    withSeed { random in
      for _ in 0..<10_000 {
        let times = (0..<4).map { _ in Int64.random(in: 0...6, using: &random) }
        let (start, end) = (min(times[0], times[1]), max(times[0], times[1]) + 1)
        let (newStart, newEnd) = (min(times[2], times[3]), max(times[2], times[3]) + 1)
        let isOpen = Int.random(in: 0..<4, using: &random) == 0
        let isNewOpen = Int.random(in: 0..<4, using: &random) == 0
        let adjustment = OverlapAdjustment.of(
          start: Moment(microseconds: start), end: isOpen ? nil : Moment(microseconds: end),
          takenFrom: Moment(microseconds: newStart),
          to: isNewOpen ? nil : Moment(microseconds: newEnd))
        // An open end is later than all of these.
        let old = Set(start..<(isOpen ? 20 : end))
        let rest = old.subtracting(newStart..<(isNewOpen ? 20 : newEnd))
        let left: Set<Int64> =
          switch adjustment {
          case nil: old
          case .endsEarlier(let moment): Set(start..<moment.microseconds)
          case .startsLater(let moment): Set(moment.microseconds..<(isOpen ? 20 : end))
          case .deleted: []
          case .split(let first, let second):
            Set(start..<first.microseconds).union(second.microseconds..<(isOpen ? 20 : end))
          }
        #expect(left == rest)
        #expect((adjustment == nil) == (rest == old))
      }
    }
  }
}
