import Foundation
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

/// Several processes write one store and are killed one after another, at random moments.
@Suite(.serialized) struct SharedKillTests {
  /// The notes of one batch.
  private static let size = 3

  @Test func `whichever process is killed, nothing acknowledged is lost, and the others go on`()
    throws
  {
    let kills = cycles(200)
    try withSeed("SharedKillTests") { random in
      var (killed, batches, crashes, longest) = (0, 0, 0, Int64(0))
      while killed < kills {
        try withTemporaryDirectory { folder in
          let store = "\(folder)/store"
          var alive = try (0..<Int.random(in: 2...4, using: &random)).map {
            try Victim("p\($0)", store, size: Self.size)
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
          let (kept, crashed) = try KilledStore(path: store).check(all, size: Self.size)
          batches += kept
          crashes += crashed
        }
      }
      print(
        "\(killed) kills: \(batches) batches kept, \(crashes) recorded as crashed, the others were "
          + "held up for at most \(longest / 1000) us")
      #expect(batches > 0)
    }
  }
}
