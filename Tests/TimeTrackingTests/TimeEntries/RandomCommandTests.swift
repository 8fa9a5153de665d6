import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTestSupport
import Testing

@testable import TimeTracking

/// Random commands, alone and of two processes.
@Suite(.serialized) struct RandomCommandTests {
  @Test func `random commands keep the rules, and no time overlaps unless that is allowed [M2]`()
    throws
  {
    let seed = withSeed { $0.next() }
    for (round, allowsEverything) in [true, false].enumerated() {
      var world = World()
      var commands = RandomCommands(seed: seed &+ UInt64(round))
      commands.allowsEverything = allowsEverything
      var refused = 0
      let count = repetitions(50_000, few: 3_000)
      for number in 0..<count {
        let command = commands.next(on: world.state, at: world.now)
        let before = number % 16 == 0 ? world.state : nil
        do {
          try world.perform(command)
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
    #expect(decisions.firstDivergence == nil && decisions.notComparable == 0)
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
    print("\(replayer.last) records, \(replayer.state.timeEntries.count) entries")
  }
}
