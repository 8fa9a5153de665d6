import RetraceArchitecture
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
    // All kinds of commands were checked, and many refused.
    #expect(told.accepted.values.allSatisfy { $0 >= 10 }, "\(told.accepted)")
    #expect(told.accepted.count == 8 && told.refused > 100)
  }

  @Test func `earlier rules added such time`() throws {
    let told = try told(by: .second, commands: 2_000)
    #expect(told.added.contains { $0.hasPrefix("long") } && told.refused == 0)
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
        let (kind, command) = commands.next(on: world.state, at: world.now, policy)
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

/// Random commands about the times of few entries of two users.
private struct RandomTimes {
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

  /// Returns a command of a policy, and its kind.
  mutating func next(
    on state: DomainState, at now: Moment, _ policy: Policy
  ) -> (String, TimeEntryCommand) {
    let (one, other) = (entry(in: state), entry(in: state))
    let draft = TimeEntryDraft(user: .id(user()), description: "work", zone: .utc)
    switch number(0...11) {
    case 0...1:
      let at = chance(4) ? nil : moment(now)
      return ("start", .start(draft, at: at, policy: policy, rules: rules))
    case 2: return ("stop", .stop(user(), at: chance(2) ? nil : moment(now), policy: policy))
    case 3...4:
      let start = moment(now)
      let most = pick(90, 900)
      let end = start.adding(.seconds(60 * number(0...most)))
      return ("add", .add(draft, start: start, end: end, policy: policy))
    case 5:
      return (
        "resume",
        .resume(
          one, at: chance(2) ? nil : moment(now), zone: .utc, policy: policy, rules: rules)
      )
    case 6...8:
      return ("correct", correction(of: one, in: state, at: now, policy, movesUser: true))
    case 9:
      let start = state.timeEntries[one]?.start ?? now
      let most = pick(60, 900)
      let at = start.adding(.seconds(60 * number(1...most)))
      return ("split", .split(one, at: at, policy: policy, reason: nil))
    case 10: return ("join", .join(one, other, policy: policy, rules: rules, reason: nil))
    default:
      let commands = [one, other].map { id in
        correction(of: id, in: state, at: now, policy, movesUser: false)
      }
      return ("several", .several(commands))
    }
  }
}

/// The time that a command added against the rules that hold without an allowing policy.
private struct AddedTime {
  private typealias Found = (id: TimeEntryID, entry: TimeEntry)
  private let before: [Found]
  private let after: [Found]
  private let now: Moment

  init(from before: DomainState, to after: DomainState, at now: Moment) {
    func visible(in state: DomainState) -> [Found] {
      var found: [Found] = []
      state.timeEntries.forEach { id, entry in
        if state.isVisible(entry) { found.append((id, entry)) }
      }
      return found
    }
    self.before = visible(in: before)
    self.after = visible(in: after)
    self.now = now
  }

  /// Each added time, with its kind as the first word.
  var texts: [String] { long + future + double }

  /// The entries that run since more than 12 hours ago, without those that are a part of an entry
  /// that already had this time.
  private var long: [String] {
    after.filter { id, entry in
      guard entry.isRunning, now.elapsed(since: entry.start) > .hours(12) else { return false }
      return !before.contains { known in
        (known.id == id || known.entry.user == entry.user) && known.entry.start <= entry.start
          && (known.entry.end ?? now) >= now
      }
    }.map { "long #\($0.id.value)" }
  }

  /// The entries that begin more than a minute after now, without those that were planned.
  private var future: [String] {
    after.filter { id, entry in
      guard entry.start > now.adding(.seconds(60)) else { return false }
      return !before.contains { known in
        if known.id == id, known.entry.start >= entry.start { return true }
        let end = known.entry.end ?? now
        return known.entry.user == entry.user && known.entry.start <= entry.start
          && end > entry.start
      }
    }.map { "future #\($0.id.value)" }
  }

  /// The moments from which a user has more entries at once than before, and more than one.
  private var double: [String] {
    let users = Set(after.map(\.entry.user))
    return users.sorted().flatMap { user in
      let (old, new) = (spans(before, of: user), spans(after, of: user))
      let moments = Set((old + new).flatMap { [$0.lowerBound, $0.upperBound] })
      return moments.filter { moment in
        new.count { $0.contains(moment) } > max(1, old.count { $0.contains(moment) })
      }.map { "double \($0.hours)" }
    }
  }

  /// The times of a user, until now where an entry runs.
  private func spans(_ entries: [Found], of user: UserID) -> [Range<Moment>] {
    entries.filter { $0.entry.user == user }.map { _, entry in
      entry.start..<max(entry.start, entry.end ?? now)
    }
  }
}
