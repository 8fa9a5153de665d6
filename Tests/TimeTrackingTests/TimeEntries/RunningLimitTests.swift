import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Commands that would make an entry run since long ago, overlap another one, or begin in the
/// future.
@Suite struct RunningLimitTests {
  private static let anna = UserID(value: 0)
  private static let ended = TimeEntryID(value: 0)
  private static let running = TimeEntryID(value: 1)

  /// Returns a world at hour 20, with an entry of hour 1, and perhaps one that runs since hour 19.
  private static func world(isRunning: Bool) throws -> World {
    var world = World()
    let anna = try world.addUser()
    world.wait(hours: 20)
    try world.add("ended", anna, 1, 2)
    if isRunning { try world.start("running", anna, at: World.at(19)) }
    return world
  }

  private static func correction(
    _ edit: (inout TimeEntryChanges) -> Void
  ) -> TimeEntryCorrection {
    var correction = TimeEntryCorrection()
    edit(&correction.changes)
    return correction
  }

  /// A way to a running entry.
  private struct Way {
    /// Whether an entry runs before.
    var isRunning: Bool
    /// The hour at which the entry begins that runs after the command.
    var since: Double
    var command: (Policy, RuleSet) -> TimeEntryCommand
  }

  private static var ways: [Way] {
    [
      Way(isRunning: false, since: 3) {
        .start(
          TimeEntryDraft(user: .id(anna), description: "new", zone: .utc), at: World.at(3),
          policy: $0, rules: $1)
      },
      Way(isRunning: false, since: 3) {
        .resume(ended, at: World.at(3), zone: .utc, policy: $0, rules: $1)
      },
      Way(isRunning: false, since: 1) {
        let change = correction { $0.end = Change(from: World.at(2), to: nil) }
        return .correct(ended, change, policy: $0, rules: $1, reason: nil)
      },
      Way(isRunning: true, since: 3) {
        let change = correction { $0.start = Change(from: World.at(19), to: World.at(3)) }
        return .correct(running, change, policy: $0, rules: $1, reason: nil)
      },
      Way(isRunning: true, since: 1) {
        .join(running, ended, policy: $0, rules: $1, reason: nil)
      },
      Way(isRunning: true, since: 1) {
        .several([.join(ended, running, policy: $0, rules: $1, reason: nil)])
      },
    ]
  }

  @Test(arguments: [Policy.refuse, .adjust])
  func `no command makes an entry run since more than 12 hours ago`(policy: Policy) throws {
    for way in Self.ways {
      let world = try Self.world(isRunning: way.isRunning)
      var refused = world
      #expect(throws: DomainRefusal.entry(.runsSince(World.at(way.since)))) {
        try refused.perform(.entry(way.command(policy, .third)))
      }
      #expect(refused.state == world.state)
      // The policy allows it, the user confirms it, or the command has earlier rules.
      for command in [
        way.command(.allow, .third), way.command(policy, .third).withoutRunningLimit,
        way.command(policy, .second), way.command(policy, .first),
      ] {
        var accepted = world
        try accepted.perform(.entry(command))
        let entry = accepted.state.runningEntry(of: Self.anna)?.entry
        #expect(entry?.start == World.at(way.since), "\(command)")
      }
    }
  }

  @Test func `an entry may run since exactly 12 hours ago`() throws {
    var world = try Self.world(isRunning: false)
    try world.start("new", Self.anna, at: World.at(8))
    #expect(world.entries == ["ended 1.0-2.0", "new 8.0-now"])
  }

  @Test func `a confirmed start is still refused if it overlaps another entry`() throws {
    var world = try Self.world(isRunning: false)
    let draft = TimeEntryDraft(user: .id(Self.anna), description: "new", zone: .utc)
    let start = TimeEntryCommand.start(draft, at: World.at(0), policy: .refuse)
    #expect(throws: DomainRefusal.entry(.runsSince(World.at(0)))) {
      try world.perform(.entry(start))
    }
    #expect(throws: DomainRefusal.entry(.overlaps([Self.ended]))) {
      try world.perform(.entry(start.withoutRunningLimit))
    }
  }

  @Test(arguments: [Policy.refuse, .adjust])
  func `an entry that runs since long ago may begin later, and not earlier`(policy: Policy) throws {
    var world = try Self.world(isRunning: false)
    let entry = try world.start("long", Self.anna, at: World.at(3), .allow)
    func move(_ start: Double, _ end: Double) -> DomainCommand {
      let change = Self.correction { $0.start = Change(from: World.at(start), to: World.at(end)) }
      return .entry(.correct(entry, change, policy: policy, reason: nil))
    }
    let text = Self.correction { $0.description = Change(from: "long", to: "longer") }
    try world.perform(.entry(.correct(entry, text, policy: policy, reason: nil)))
    try world.perform(move(3, 5))
    #expect(throws: DomainRefusal.entry(.runsSince(World.at(4)))) { try world.perform(move(5, 4)) }
    #expect(world.entries == ["ended 1.0-2.0", "longer 5.0-now"])
  }

  @Test(arguments: [Policy.refuse, .adjust])
  func `a split ends no part of a running entry that is too long to be stopped`(policy: Policy)
    throws
  {
    var world = try Self.world(isRunning: false)
    let entry = try world.start("long", Self.anna, at: World.at(3), .allow)
    func split(_ hour: Double, _ policy: Policy) -> DomainCommand {
      .entry(.split(entry, at: World.at(hour), policy: policy, reason: nil))
    }
    #expect(throws: DomainRefusal.entry(.tooLong(.hours(13)))) {
      try world.perform(split(16, policy))
    }
    var allowed = world
    try allowed.perform(split(16, .allow))
    #expect(allowed.entries == ["ended 1.0-2.0", "long 3.0-16.0", "long 16.0-now"])
    try world.perform(split(5, policy))
    #expect(world.entries == ["ended 1.0-2.0", "long 3.0-5.0", "long 5.0-now"])
  }

  @Test func `no running entry that makes room ends when it is too long to be stopped`() throws {
    var world = try Self.world(isRunning: false)
    try world.start("long", Self.anna, at: World.at(3), .allow)
    try world.add("other", Self.anna, 0, 0.5)
    let other = world.lastEntry
    func add(_ start: Double, _ rules: RuleSet) -> TimeEntryCommand {
      let draft = TimeEntryDraft(user: .id(Self.anna), description: "new", zone: .utc)
      return .add(
        draft, start: World.at(start), end: World.at(start + 1), policy: .adjust, rules: rules)
    }
    func move(_ start: Double, _ rules: RuleSet) -> TimeEntryCommand {
      let change = Self.correction {
        $0.start = Change(from: World.at(0), to: World.at(start))
        $0.end = Change(from: World.at(0.5), to: World.at(start + 1))
      }
      return .correct(other, change, policy: .adjust, rules: rules, reason: nil)
    }
    for (command, name) in [(add, "new"), (move, "other")] {
      var refused = world
      #expect(throws: DomainRefusal.entry(.tooLong(.hours(14)))) {
        try refused.perform(.entry(command(17, .third)))
      }
      #expect(refused.state == world.state)
      for rules in [RuleSet.first, .second] {
        var accepted = world
        try accepted.perform(.entry(command(17, rules)))
        let expected = ["long 3.0-17.0", "\(name) 17.0-18.0", "long 18.0-now"]
        #expect(accepted.entries.suffix(3) == expected)
      }
      var early = world
      try early.perform(.entry(command(15, .third)))
      #expect(
        early.entries.suffix(3) == ["long 3.0-15.0", "\(name) 15.0-16.0", "long 16.0-now"])
    }
  }

  @Test func `no entry that makes room begins in the future`() throws {
    for (rules, refusal) in [
      (.third, .entry(.inFuture(World.at(22)))), (.second, nil),
    ] as [(RuleSet, DomainRefusal?)] {
      var world = try Self.world(isRunning: false)
      try world.start("running", Self.anna, at: World.at(18))
      let planned = try world.add("planned", Self.anna, 19, 22, .allow)
      let change = Self.correction { $0.start = Change(from: World.at(19), to: World.at(18.5)) }
      let command = DomainCommand.entry(
        .correct(planned, change, policy: .adjust, rules: rules, reason: nil))
      do throws(DomainRefusal) {
        try world.perform(command)
        #expect(refusal == nil)
      } catch {
        #expect(error == refusal)
      }
    }
  }
}

/// Random commands about the times of entries.
@Suite struct RandomTimeTests {
  @Test func `commands that allow nothing add no long or double time, and none in the future`()
    throws
  {
    let told = try told(by: .third, commands: repetitions(100_000, few: 4_000))
    #expect(told.added == [])
    // All kinds of commands that there are were checked, and many refused.
    #expect(told.accepted.values.allSatisfy { $0 >= 10 }, "\(told.accepted)")
    #expect(Set(told.accepted.keys) == Set(RandomTimes.kinds) && told.refused > 100)
  }

  @Test func `commands about all entities add no such time`() throws {
    let seed = withSeed { $0.next() }
    var (world, accepted) = (World(), Set<String>())
    var commands = RandomCommands(seed: seed)
    commands.allowsEverything = false
    commands.closesPeriods = true
    for number in 0..<repetitions(50_000, few: 4_000) {
      if number % 100 == 0 { world = World() }
      let command = commands.next(on: world.state, at: world.now)
      let before = world.state
      do throws(DomainRefusal) {
        try world.perform(command)
      } catch {
        continue
      }
      let kind = try #require(Mirror(reflecting: command).children.first?.label)
      accepted.insert(kind)
      // An import adds the time of its file, whatever there is.
      if kind != "importRun" {
        let added = AddedTime(from: before, to: world.state, at: world.now).texts
        #expect(added == [], "by \(command)")
      }
      world.wait(hours: Double(commands.number(0..<60)) / 60)
    }
    // An undo brings back time that another command had added.
    #expect(accepted.union(["restore"]) == Set(try caseNames(of: DomainCommand.schema)))
  }

  @Test func `earlier rules added such time`() throws {
    let told = try told(by: .second, commands: 2_000)
    for kind in ["long", "ended"] {
      #expect(told.added.contains { $0.hasPrefix(kind) }, "\(kind)")
    }
    #expect(told.refused == 0)
  }

  /// What random commands did that allow nothing.
  private struct Told {
    var added: [String] = []
    var accepted: [String: Int] = [:]
    var refused = 0
  }

  private func told(by rules: RuleSet, commands count: Int) throws -> Told {
    try withSeed { random in
      var told = Told()
      var world = World()
      var commands = RandomTimes(random: random, rules: rules)
      for number in 0..<count {
        if number % 40 == 0 {
          world = World()
          for name in ["anna", "ben"] { _ = try world.addUser(name) }
        }
        let policy = commands.policy()
        let kind = commands.kind()
        let next = commands.next(kind, on: world.state, at: world.now, policy)
        let command = try #require(next, "no random \(kind)")
        let before = world.state
        do throws(DomainRefusal) {
          try world.perform(.entry(command))
          if policy != .allow {
            told.accepted[kind, default: 0] += 1
            let added = AddedTime(from: before, to: world.state, at: world.now).texts
            told.added += added.map { "\($0) by \(command)" }
          }
        } catch {
          if case .entry(.runsSince) = error { told.refused += 1 }
        }
        world.wait(hours: Double(commands.number(0...60)) / 60)
      }
      random = commands.random
      return told
    }
  }
}

/// Returns the names of the cases in the schema of an enum.
func caseNames(of schema: Schema) throws -> [String] {
  let names = try SchemaCodec(schema).caseNames.map { name in String(name.prefix { $0 != "." }) }
  return Set(names).sorted()
}

/// Random commands about the times of few entries of two users.
private struct RandomTimes {
  /// The kinds of commands about entries, as a log records them.
  static let kinds = (try? caseNames(of: TimeEntryCommand.schema)) ?? []

  var random: SeededGenerator
  /// The rules of commands that have some.
  let rules: RuleSet

  mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  private mutating func chance(_ count: Int64) -> Bool { number(1...count) == 1 }

  private mutating func pick(_ values: Int64...) -> Int64 {
    values[Int(number(0...Int64(values.count - 1)))]
  }

  /// Seldom allows everything, so that there are entries that break the rules.
  mutating func policy() -> Policy { chance(10) ? .allow : chance(2) ? .refuse : .adjust }

  /// Returns a whole minute up to two days before now, and seldom one after now.
  private mutating func moment(_ now: Moment) -> Moment {
    let (most, least) = (pick(2_880, 900, 120), pick(0, 0, 0, 240))
    return now.adding(.seconds(60 * number(-most...least)))
  }

  private mutating func user() -> UserID { UserID(value: number(0...1)) }

  private mutating func entry(in state: DomainState) -> TimeEntryID {
    let last = max(0, state.timeEntries.nextID.value - 1)
    return TimeEntryID(value: number(max(0, last - 7)...last))
  }

  private mutating func correction(
    of id: TimeEntryID, in state: DomainState, at now: Moment, _ policy: Policy, movesUser: Bool
  ) -> TimeEntryCommand {
    var correction = TimeEntryCorrection()
    if let entry = state.timeEntries[id] {
      var after = entry
      if chance(2) { after.start = moment(now) }
      if chance(3) { after.end = chance(2) ? nil : moment(now) }
      if chance(6) { after.start = after.start.adding(.seconds(60 * number(-90...90))) }
      if movesUser, chance(5) { after.user = user() }
      correction.changes = TimeEntryChanges(from: entry, to: after)
    }
    return .correct(id, correction, policy: policy, rules: rules, reason: nil)
  }

  /// Returns a kind; corrections are more frequent.
  mutating func kind() -> String {
    if chance(4) { return "correct" }
    return Self.kinds[Int(number(0...Int64(Self.kinds.count - 1)))]
  }

  /// Returns a command of a kind and a policy; `nil` for a kind that is not known here.
  mutating func next(
    _ kind: String, on state: DomainState, at now: Moment, _ policy: Policy
  ) -> TimeEntryCommand? {
    let (one, other) = (entry(in: state), entry(in: state))
    let draft = TimeEntryDraft(user: .id(user()), description: "work", zone: .utc)
    switch kind {
    case "start":
      return .start(draft, at: chance(4) ? nil : moment(now), policy: policy, rules: rules)
    case "stop": return .stop(user(), at: chance(2) ? nil : moment(now), policy: policy)
    case "add":
      let start = moment(now)
      let most = pick(90, 900)
      let end = start.adding(.seconds(60 * number(0...most)))
      return .add(draft, start: start, end: end, policy: policy, rules: rules)
    case "resume":
      return .resume(
        one, at: chance(2) ? nil : moment(now), zone: .utc, policy: policy, rules: rules)
    case "correct": return correction(of: one, in: state, at: now, policy, movesUser: true)
    case "delete": return .delete(one, reason: nil)
    case "split":
      let start = state.timeEntries[one]?.start ?? now
      let most = pick(60, 900)
      let at = start.adding(.seconds(60 * number(1...most)))
      return .split(one, at: at, policy: policy, reason: nil)
    case "join": return .join(one, other, policy: policy, rules: rules, reason: nil)
    case "several":
      let commands = [one, other].map { id in
        correction(of: id, in: state, at: now, policy, movesUser: false)
      }
      return .several(commands)
    default: return nil
    }
  }
}
