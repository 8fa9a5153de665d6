import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking

/// Random commands, imports, undos and restores around closed periods.
@Suite struct RandomClosingTests {
  /// What happened in all rounds.
  private struct Told {
    /// The kinds of commands that were accepted while something was closed.
    var accepted: Set<String> = []
    /// The kinds of commands that were refused because they would change a closed period.
    var refused: [String: Int] = [:]
    /// The number of comparisons of a closed period that has time.
    var compared = 0
  }

  @Test func `nothing changes in a closed period, whatever is done`() throws {
    try withSeed { random in
      var told = Told()
      let count = repetitions(1_000_000, few: 10_000)
      var done = 0
      while done < count {
        done += try perform(200, seed: random.next(), &told)
      }
      // Each kind of command that a log records was tried.
      #expect(told.accepted == Set(try caseNames(of: DomainCommand.schema)), "\(told.accepted)")
      let kinds = ["entry", "importRun", "restore"]
      for kind in kinds { #expect(told.refused[kind] != nil, "\(told.refused)") }
      #expect(told.compared > count / 10, "\(told.compared)")
      print("\(done) commands, \(told.compared) comparisons, refused: \(told.refused)")
    }
  }

  /// Performs random commands on a new store in memory, and returns their number.
  private func perform(_ count: Int, seed: UInt64, _ told: inout Told) throws -> Int {
    let clock = Lock(World.begin)
    var configuration = StoreConfiguration()
    configuration.origin.login = "anna"
    configuration.clock = { clock.withLock { $0 } }
    let store = try Store<DomainApp>.inMemory(configuration: configuration)
    var commands = RandomCommands(seed: seed)
    commands.closesPeriods = true
    var changes: [UInt64] = []
    for number in 0..<count {
      let before = store.state
      let step = ElapsedTime.seconds(commands.number(0..<1_800))
      let now = clock.withLock { now in
        now = now.adding(step)
        return now
      }
      var kind = "restore"
      do throws(CommandError<DomainApp>) {
        if changes.count > 4, commands.chance(6) {
          try restore(store, changes, &commands)
        } else {
          let command = commands.next(on: before, at: now)
          kind = Mirror(reflecting: command).children.first?.label ?? "?"
          changes.append(try store.performBlocking(command).receipt.sequences.lowerBound)
        }
        if !before.closings.isEmpty || kind == "closing" { told.accepted.insert(kind) }
      } catch {
        guard case .refused(let refusal, _) = error else { throw error }
        if case .closing(.closed) = refusal { told.refused[kind, default: 0] += 1 }
        #expect(store.state == before)
        continue
      }
      told.compared += expectSameClosed(before, store.state, "seed \(seed), \(number) \(kind)")
    }
    #expect(DomainEntities.violations(of: store.state).isEmpty, "seed \(seed)")
    try store.closeBlocking()
    return count
  }

  /// Undoes, redoes or restores: the newest change, or any one, also over later changes.
  private func restore(
    _ store: Store<DomainApp>, _ changes: [UInt64], _ commands: inout RandomCommands
  ) throws(CommandError<DomainApp>) {
    let change = changes[Int(commands.number(0..<Int64(changes.count)))]
    switch commands.number(0..<6) {
    case 0: try store.undoBlocking()
    case 1: try store.redoBlocking()
    case 2, 3: try store.undoBlocking(change, taking: commands.chance(2))
    default: try store.restoreBlocking(change, taking: commands.chance(2))
    }
  }

  /// Expects that the periods that stay closed have what they had, and returns their number.
  private func expectSameClosed(
    _ before: DomainState, _ after: DomainState, _ comment: String
  ) -> Int {
    var count = 0
    before.closings.forEach { id, closing in
      guard closing.deleted == nil, after.closings[id]?.deleted == nil else { return }
      let (old, new) = (contents(of: closing, in: before), contents(of: closing, in: after))
      #expect(old == new, "\(comment), closing \(id.value)")
      if !old.isEmpty { count += 1 }
    }
    return count
  }

  /// Returns what a period has of each entry: its time inside, and all fields that are time, money
  /// or text.
  private func contents(of closing: Closing, in state: DomainState) -> [String] {
    var found: [String] = []
    state.timeEntries.forEach { id, entry in
      let end = entry.end ?? Moment(microseconds: .max)
      let (start, last) = (max(entry.start, closing.start), min(end, closing.end))
      let isEmpty = entry.start == end && start == entry.start && start < closing.end
      guard start < last || isEmpty, state.isVisible(entry), isOf(closing.scope, entry, state)
      else { return }
      found.append(
        """
        #\(id.value) \(start.microseconds)-\(last.microseconds) \(entry.user) \
        \(String(describing: entry.workspace)) \(entry.description) \
        \(String(describing: entry.project)) \(String(describing: entry.task)) \(entry.tags) \
        \(entry.isBillable) \(String(describing: entry.rate)) \(entry.annotations) \
        \(String(describing: client(of: entry, state)))
        """)
    }
    return found
  }

  private func isOf(_ scope: ClosingScope, _ entry: TimeEntry, _ state: DomainState) -> Bool {
    switch scope {
    case .all: return true
    case .user(let user): return entry.user == user
    case .client(let id): return client(of: entry, state) == end(of: id, state)
    }
  }

  /// Returns the client of an entry after all merges.
  private func client(of entry: TimeEntry, _ state: DomainState) -> ClientID? {
    var project = entry.project
    while let next = project.flatMap({ state.projects[$0]?.mergedInto }) { project = next }
    return end(of: project.flatMap { state.projects[$0]?.client }, state)
  }

  private func end(of client: ClientID?, _ state: DomainState) -> ClientID? {
    var client = client
    while let next = client.flatMap({ state.clients[$0]?.mergedInto }) { client = next }
    return client
  }
}
