import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking

/// Undo and redo of everything that the domain can do.
@Suite struct DomainUndoTests {
  private typealias Domain = Store<DomainApp>

  private func configuration(_ login: String) -> StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.origin.login = login
    return configuration
  }

  /// Performs a command, and returns its facts: none if it is refused.
  @discardableResult
  private func perform(_ command: DomainCommand, on store: Domain) throws -> [DomainFact] {
    do throws(CommandError<DomainApp>) {
      return try store.performBlocking(command).facts
    } catch {
      guard case .refused = error else { throw error }
      return []
    }
  }

  /// Returns what is left of facts without what can be undone: names that imports created.
  private func rest(of facts: [DomainFact]) -> DomainState {
    var state = DomainState()
    let undone = facts.flatMap(\.undoableEdits).reversed().map {
      DomainFact.bulkEdited($0.inverted)
    }
    for fact in facts + undone { _ = DomainReducer().reduce(&state, fact, at: World.begin) }
    return state
  }

  @Test(arguments: 0..<4)
  func `undo of everything gives the live entities of the start, and redo those of the end`(
    part: UInt64
  ) throws {
    let seed = withSeed { $0.next() } &+ part
    var commands = RandomCommands(seed: seed)
    let store = try Domain.inMemory(configuration: configuration("anna"))
    var facts: [DomainFact] = []
    for _ in 0..<repetitions(2_000, few: 150) {
      let command = commands.next(on: store.state, at: StoreConfiguration().clock())
      facts += try perform(command, on: store)
    }
    let kinds = Set(facts.flatMap(\.undoableEdits).map { "\($0)".prefix { $0 != "(" } })
    #expect(kinds.count > 5, "\(kinds)")
    let end = store.state.live
    var undone = 0
    while let done = try store.undoBlocking() {
      undone += 1
      let restored = try #require(DomainApp.restored(in: done.facts[0]))
      #expect(restored.unrestored.isEmpty, "undo \(undone), seed \(seed)")
      #expect(DomainEntities.violations(of: store.state).isEmpty)
    }
    let rest = rest(of: facts).live
    #expect(store.state.live == rest && undone > 20, "seed \(seed)")
    #expect(rest.allSatisfy { $0.contains("imported") }, "seed \(seed)")
    var redone = 0
    while try store.redoBlocking() != nil { redone += 1 }
    #expect(redone == undone && store.state.live == end, "seed \(seed)")
    // Undo k, then redo k, is the identity.
    let count = Int.random(in: 1...undone, using: &commands.random)
    for _ in 0..<count { try store.undoBlocking() }
    for _ in 0..<count { try store.redoBlocking() }
    #expect(store.state.live == end)
    try store.closeBlocking()
  }

  @Test func `undoing a creation keeps the name for what others recorded about it`() throws {
    let anna = try Domain.inMemory(configuration: configuration("anna"))
    try anna.performBlocking(.user(.create(User(name: Name("anna")))))
    try anna.performBlocking(.project(.create(Project(name: Name("acme")))))
    let id = ProjectID(value: 0)
    #expect(anna.state.projects.live(id)?.name == Name("acme"))
    try anna.undoBlocking()
    #expect(anna.state.projects.live(id) == nil && anna.state.projects[id]?.name == Name("acme"))
    // The name is free, and taken again by the next project; then the redo leaves it alone.
    try anna.redoBlocking()
    #expect(anna.state.projects.live(id)?.name == Name("acme"))
    try anna.undoBlocking()
    try anna.performBlocking(.project(.create(Project(name: Name("acme")))))
    #expect(try anna.redoBlocking() == nil)
    #expect(anna.state.projects.count == 2)
    try anna.closeBlocking()
  }

  @Test(arguments: 0..<4)
  func `undo and redo of two users keep all rules, and name what they leave`(part: UInt64) throws {
    let seed = withSeed { $0.next() } &+ part
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    var commands = RandomCommands(seed: seed)
    var undone = 0
    for round in 0..<repetitions(200, few: 40) {
      let store = try Domain.openBlocking(
        at: folder + "/store", configuration: configuration(round % 2 == 0 ? "anna" : "ben"))
      for _ in 0..<10 {
        switch Int.random(in: 0..<8, using: &commands.random) {
        case 0...2: undone += try store.undoBlocking() == nil ? 0 : 1
        case 3: try store.redoBlocking()
        default:
          try perform(
            commands.next(on: store.state, at: StoreConfiguration().clock()), on: store)
        }
        #expect(DomainEntities.violations(of: store.state).isEmpty, "seed \(seed), \(round)")
      }
      try store.closeBlocking()
    }
    #expect(undone > 0)
  }

  @Test func `undo does not run an entry across one that another user has ended`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-undo")
    defer { try? FileSystem.removeTree(folder) }
    let begin = World.begin
    func open(_ login: String, _ hours: Double) throws -> Domain {
      var configuration = configuration(login)
      configuration.clock = { begin.adding(.hours(hours)) }
      return try Domain.openBlocking(at: folder + "/store", configuration: configuration)
    }
    func draft(_ text: String) -> TimeEntryDraft {
      TimeEntryDraft(user: .name(Name("anna")), description: text, zone: .utc)
    }
    let first = try open("anna", 0)
    try first.performBlocking(.entry(.start(draft("a"), at: nil, policy: .refuse)))
    try first.closeBlocking()
    let second = try open("anna", 1)
    try second.performBlocking(.entry(.start(draft("b"), at: nil, policy: .refuse)))
    try second.closeBlocking()
    let other = try open("ben", 2)
    try other.performBlocking(.entry(.stop(UserID(value: 0), at: nil, policy: .refuse)))
    try other.closeBlocking()
    let again = try open("anna", 3)
    let done = try #require(try again.undoBlocking())
    let restored = try #require(DomainApp.restored(in: done.facts[0]))
    #expect(restored.edits.isEmpty && restored.unrestored.count == 2)
    #expect(again.state.timeEntries[TimeEntryID(value: 0)]?.end == World.at(1))
    #expect(DomainEntities.violations(of: again.state).isEmpty)
    try again.closeBlocking()
  }
}
