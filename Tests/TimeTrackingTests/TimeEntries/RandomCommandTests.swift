import CivilTime
import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@testable import TimeTracking

/// Random commands, alone and of two processes.
@Suite(.serialized) struct RandomCommandTests {
  @Test func `random commands keep the rules, and no time overlaps unless that is allowed [M2]`()
    throws
  {
    let seed = withSeed { $0.next() }
    var accepted: Set<String> = []
    for (round, allowsEverything) in [true, false].enumerated() {
      var world = World()
      var commands = RandomCommands(seed: seed &+ UInt64(round))
      commands.allowsEverything = allowsEverything
      commands.closesPeriods = true
      var refused = 0
      let count = repetitions(50_000, few: 6_000)
      for number in 0..<count {
        let command = commands.next(on: world.state, at: world.now)
        let before = number % 16 == 0 ? world.state : nil
        do {
          try world.perform(command)
          accepted.insert(Self.words(of: command))
        } catch {
          refused += 1
          if let before { #expect(world.state == before) }
        }
        if number % 16 == 0 {
          #expect(DomainEntities.violations(of: world.state).isEmpty, "after \(command)")
          if !allowsEverything {
            #expect(world.state.conflicts.isEmpty, "after \(command)")
          }
        }
        world.wait(hours: Double.random(in: 0...0.5, using: &commands.random))
      }
      #expect(refused > count / 10 && refused < count * 9 / 10)
    }
    #expect(Self.expectedWords.subtracting(accepted) == [])
  }

  /// The kind and the verb of each command that has to be accepted at least once.
  private static let expectedWords: Set<String> = {
    let kinds = [
      "workspace", "client", "project", "task", "tag", "user", "preferences", "goal", "source",
      "favorite",
    ]
    let verbs = [
      "entry": [
        "start", "stop", "add", "resume", "correct", "delete", "split", "join", "several",
      ],
      "importRun": ["begin", "rows", "finish", "cancel"], "client": ["merge"],
      "closing": ["close", "reopen"],
      "project": ["merge"], "task": ["merge"], "tag": ["merge"],
    ]
    let common = kinds.flatMap { kind in
      ["create", "change", "delete", "link"].map { "\(kind) \($0)" }
    }
    return Set(common + verbs.flatMap { kind, verbs in verbs.map { "\(kind) \($0)" } })
  }()

  /// Returns the kind and the verb of a command, such as `project merge`.
  private static func words(of command: DomainCommand) -> String {
    let match = "\(command)".prefixMatch(of: /(\w+)\(.*?\.(\w+)\(/)
    return match.map { "\($0.output.1) \($0.output.2)" } ?? "\(command)"
  }

  /// Performs random commands that allow nothing, and writes the refused ones to a file.
  private static func send(_ count: Int, seed: UInt64, to path: String) throws {
    var commands = RandomCommands(seed: seed)
    commands.allowsEverything = false
    let store = try Store<DomainApp>.openBlocking(at: path, configuration: StoreConfiguration())
    for _ in 0..<count {
      let command = commands.next(on: store.state, at: StoreConfiguration().clock())
      do throws(CommandError<DomainApp>) {
        try store.performBlocking(command, from: .program)
      } catch {
        guard case .refused = error else { throw error }
      }
    }
    try store.closeBlocking()
  }

  @Test func `two processes keep the rules at every record, and decide the same again`()
    async throws
  {
    let count = repetitions(10_000, few: 500)
    let seed = withSeed { $0.next() }
    let folder = try FileSystem.makeTemporaryDirectory("retrace-domain")
    defer { try? FileSystem.removeTree(folder) }
    let path = folder + "/store"
    try LogStorage.open(at: path, access: .create).close()
    await withTaskGroup { group in
      for process in 0..<2 as Range<UInt64> {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [count = count as Int, seed = (seed &+ process) as UInt64, path = path as String] in
            try RandomCommandTests.send(count, seed: seed, to: path)
          }
        }
      }
    }
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    let verification = try Verifier<DomainApp>.verify(storage, decidingCommands: true)
    let decisions = try #require(verification.decisions)
    // The rows of imports are not in the log.
    #expect(decisions.firstDivergence == nil && decisions.decided > 5 * decisions.notComparable)
    var replayer = try Replayer<DomainApp>(storage)
    var running: Set<UserID> = []
    repeat {
      running = []
      let state = replayer.state
      state.forEachRunningEntry { id, entry in
        #expect(running.insert(entry.user).inserted, "after record \(replayer.sequence)")
      }
    } while try replayer.stepForward()
    #expect(DomainEntities.violations(of: replayer.state).isEmpty)
    #expect(replayer.state.conflicts.isEmpty)
    #expect(replayer.state.timeEntries.count > count / 10)
    withSeed("the reports") { expectReports(of: replayer.state, &$0) }
    print("\(replayer.last) records, \(replayer.state.timeEntries.count) entries")
  }

  /// Expects that the totals of the days and the groups of reports add up.
  private func expectReports(of state: DomainState, _ random: inout SeededGenerator) {
    let now = StoreConfiguration().clock()
    var counted = 0
    for _ in 0..<20 {
      // Ranges begin and end at whole seconds, as in the programs.
      let start = now.wholeSecond.adding(
        .seconds(-Int64.random(in: 0..<120_000, using: &random)))
      let range = start..<start.adding(.seconds(Int64.random(in: 1..<120_000, using: &random)))
      let dayStart = ElapsedTime.seconds(Int64.random(in: 0..<86_400, using: &random))
      let query = ReportQuery(range, in: ReportCalendar(.utc, dayStart: dayStart))
      expectDayTotals(of: state, query, at: now, "\(range)")
      counted += expectPartition(of: state, in: range, at: now, &random).entries
    }
    #expect(counted > 20)
  }
}
