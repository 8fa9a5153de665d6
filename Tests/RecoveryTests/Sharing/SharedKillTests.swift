import Foundation
import RetracePlatform
import RetraceTestSupport
import Testing
import ToolTestSupport

/// Several processes write one store and are killed one after another, at random moments.
@Suite(.serialized) struct SharedKillTests {
  /// The notes of one batch.
  private static let size = 3

  /// A process that sends batches until it is killed.
  private final class Victim {
    let name: String
    let sender: SenderProcess
    /// The batches acknowledged, and the time of the last acknowledgement.
    private(set) var acknowledged = 0
    private(set) var last: Int64 = 0

    init(_ name: String, _ store: String) throws {
      self.name = name
      sender = try SenderProcess(store)
      sender.process.send("stream 1000000 \(size) \(name)")
    }

    /// Reads one acknowledgement; `false` at the end of the output.
    func next() throws -> Bool {
      guard let line = sender.process.readLine() else { return false }
      let words = line.split(separator: " ")
      // A line that the signal cut off acknowledges nothing.
      guard words.count == 4, words[0] == "ack" else { return false }
      try #require(words[1] == "\(acknowledged)", "\(line)")
      acknowledged += 1
      last = Int64(words[3]) ?? last
      return true
    }

    /// Kills the process; answers when.
    func kill() throws -> Int64 {
      let time = MonotonicClock.nanoseconds()
      #expect(sender.process.kill())
      while try next() {}
      return time
    }
  }

  @Test func `whoever is killed, nothing acknowledged is lost, and the others go on`() throws {
    let kills = cycles(200)
    try withSeed("SharedKillTests") { random in
      var (killed, batches, crashes, longest) = (0, 0, 0, Int64(0))
      while killed < kills {
        try withTemporaryDirectory { folder in
          let store = "\(folder)/store"
          var alive = try (0..<Int.random(in: 2...4, using: &random)).map {
            try Victim("p\($0)", store)
          }
          let all = alive
          while !alive.isEmpty {
            let victim = alive.remove(at: Int.random(in: 0..<alive.count, using: &random))
            let target = victim.acknowledged + Int.random(in: 0..<12, using: &random)
            while victim.acknowledged < target { try #require(try victim.next()) }
            usleep(UInt32.random(in: 0..<5_000, using: &random))
            let time = try victim.kill()
            killed += 1
            for survivor in alive {
              while survivor.last <= time { try #require(try survivor.next()) }
              longest = max(longest, survivor.last - time)
            }
          }
          let (kept, crashed) = try check(store, all)
          batches += kept
          crashes += crashed
        }
      }
      print(
        "\(killed) kills: \(batches) batches kept, \(crashes) recorded as crashed, the others were "
          + "held up for at most \(longest / 1000) us")
      #expect(longest < StoppedWriterTests.limit)
      #expect(batches > 0)
    }
  }

  /// Opens the store again, and compares what is there with what was acknowledged.
  private func check(_ store: String, _ victims: [Victim]) throws -> (kept: Int, crashed: Int) {
    let finder = try SenderProcess(store)
    #expect(finder.recovered.count <= victims.count)
    let second = try SenderProcess(store)
    #expect(second.recovered == [])
    finder.close()
    second.close()
    let report = StoreReport(store: store)
    try report.verify()
    let crashed = try report.crashed()
    // A survivor whose session got the number of a dead one recorded that one's crash before.
    #expect(Set(finder.recovered).isSubset(of: crashed.map(\.sequence)))
    let notes = try Notes(report.notes())
    notes.expectWhole(size: Self.size)
    var kept = 0
    for victim in victims {
      let batches = notes.batches(of: victim.name)
      // One batch may have been durable when its sender was killed before it could say so.
      #expect(batches == victim.acknowledged || batches == victim.acknowledged + 1)
      kept += batches
      // What crashed is the batch after the last one kept, and no batch crashed twice.
      let own = crashed.filter { $0.actions.contains { $0.contains("\"\(victim.name).") } }
      #expect(own.count <= 1)
      for record in own {
        #expect(record.actions.count == Self.size)
        #expect(record.actions[0].contains("\"\(victim.name).\(batches).0\""))
      }
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: store)
      .filter { $0.hasPrefix("attempt.") }
    #expect(left == [])
    return (kept, crashed.count)
  }
}
