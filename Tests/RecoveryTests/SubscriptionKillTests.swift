import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceFixtures
import Testing
import ToolTestSupport

/// Processes that share a store and a subscription, of which the one that runs it is killed.
@Suite struct SubscriptionKillTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { try body("\($0)/store") }
  }

  /// The numbers of the prices that the log has as facts, in its order, and their sessions.
  private func announced(_ store: String) throws -> (numbers: [Int64], sessions: Set<UInt64>) {
    let storage = try LogStorage.open(at: store, access: .read)
    defer { storage.close() }
    var numbers: [Int64] = []
    var sessions: Set<UInt64> = []
    try storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        guard envelope.kind == .action, let action = try? KioskAction(encoded: payload),
          case .fact(.announced(_, _, let number)) = action
        else { return }
        numbers.append(number.after)
        sessions.insert(envelope.session)
      }
    }
    return (numbers, sessions)
  }

  private func number(_ process: RunningTool) throws -> Int64 {
    process.send("number")
    let answer = try #require(process.readLine())
    return try #require(Int64(answer.dropFirst("number ".count)), "\(answer)")
  }

  @Test func `each event is recorded once, also when its process is killed or ends [E10]`() throws {
    try withStore { store in
      let source = store + ".prices"
      var count = 0
      // The supplier announces more prices; without a last line, it goes on.
      func announce(_ more: Int, isLast: Bool = false) throws {
        count += more
        let lines = (1...count).map { "\($0) \(100 + $0 % 7)\n" }.joined()
        let text = lines + (isLast ? "end\n" : "")
        try text.write(toFile: source, atomically: true, encoding: .utf8)
      }
      try announce(400)
      func start() throws -> RunningTool {
        let process = try RunningTool("testapp", ["feed", "--store", store, source])
        #expect(process.readLine()?.hasPrefix("open") == true)
        return process
      }
      var holder = try start()
      // Two windows: the second one does not start the subscription a second time.
      var waiting = try start()
      holder.send("follow")
      #expect(holder.readLine()?.hasPrefix("ok") == true)
      for round in 0..<3 {
        let target = count - 200
        while try number(waiting) < target { usleep(500) }
        if round == 1 {
          #expect(holder.finish().status == 0)
        } else {
          holder.kill()
          _ = holder.finish()
        }
        // The process that waits takes the subscription over, before another one comes.
        let taken = count
        try announce(400)
        while try number(waiting) <= taken { usleep(500) }
        (holder, waiting) = (waiting, try start())
      }
      try announce(100, isLast: true)
      while try number(waiting) < count { usleep(500) }
      #expect(holder.finish().status == 0 && waiting.finish().status == 0)
      let (numbers, sessions) = try announced(store)
      #expect(numbers == (1...Int64(count)).map { $0 })
      #expect(sessions.count == 4)
      #expect(!FileManager.default.fileExists(atPath: source + ".twice"))
      let storage = try LogStorage.open(at: store, access: .read)
      defer { storage.close() }
      // The source has ended, and so has its subscription. Every command is decided the same again.
      var replayer = try Replayer<KioskApp>(storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.effectsInFlight.isEmpty)
      let found = try Verifier<KioskApp>.verify(storage, decidingCommands: true)
      #expect(found.decisions?.divergences == 0 && (found.decisions?.decided ?? 0) > count)
      #expect(found.effects.divergences == 0 && found.effects.actions > 0)
    }
  }
}
