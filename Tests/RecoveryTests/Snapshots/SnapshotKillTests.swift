import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// Processes that save their state often are killed at random moments.
@Suite(.serialized) struct SnapshotKillTests {
  private static let environment = ["TESTAPP_REDUCER": "one", "TESTAPP_SNAPSHOTS": "15"]

  @Test func `whenever a process is killed, its snapshots give the state of a fold from zero`()
    throws
  {
    let kills = cycles(300)
    try withSeed("SnapshotKillTests") { random in
      try withTemporaryDirectory { folder in
        let store = "\(folder)/store"
        var used = 0
        var done = 0
        while done < kills {
          let count = Int.random(in: 1...2, using: &random)
          let senders = try (0..<count).map { _ in
            try SenderProcess(store, environment: Self.environment)
          }
          for (index, sender) in senders.enumerated() {
            sender.process.send("stream 1000000 3 k\(done).\(index)")
          }
          for sender in senders {
            for _ in 0..<Int.random(in: 0..<20, using: &random) { _ = try sender.line() }
            usleep(UInt32.random(in: 0..<4_000, using: &random))
            sender.process.kill()
            done += 1
          }
          guard done % 3 == 0 else { continue }
          used += try Self.check(store)
        }
        print("\(done) kills, \(used) opens from a snapshot")
        #expect(used > 0)
        try StoreReport(store: store).verify()
      }
    }
  }

  /// Compares the state that is opened from a snapshot with a fold from zero, by a process whose
  /// reducer has no fingerprint and which therefore has no snapshots.
  private static func check(_ store: String) throws -> Int {
    let opened = try SenderProcess(store, environment: environment)
    let words = try opened.ask("snapshot").split(separator: " ")
    #expect(words.dropFirst(2) == ["fine"], "\(words)")
    let hash = try opened.hash()
    opened.close()
    #expect(try StoreReport(store: store).hash() == hash)
    return words[1] == "0" ? 0 : 1
  }
}
