import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// One process after another writes a store, saves its state often and is killed at random.
@Suite(.serialized) struct SingleKillTests {
  /// The notes of one batch.
  private static let size = 3
  /// The kills on one store.
  private static let killsPerStore = 10
  private static let environment = ["TESTAPP_REDUCER": "one", "TESTAPP_SNAPSHOTS": "15"]

  @Test
  func `after each kill everything acknowledged is there, once and in whole batches [L8]`() throws {
    let kills = cycles(500)
    try withSeed("SingleKillTests") { random in
      var (killed, acknowledged, batches, crashes) = (0, 0, 0, 0)
      while killed < kills {
        try withTemporaryDirectory { folder in
          let store = "\(folder)/store"
          var victims: [Victim] = []
          for number in 0..<Self.killsPerStore {
            let victim = try Victim(
              "p\(number)", store, size: Self.size, environment: Self.environment)
            let target = Int.random(in: 0..<12, using: &random)
            while victim.acknowledged < target { try #require(try victim.next()) }
            usleep(UInt32.random(in: 0..<5_000, using: &random))
            _ = try victim.kill()
            killed += 1
            acknowledged += victim.acknowledged
            victims.append(victim)
          }
          let (kept, crashed) = try KilledStore(path: store).check(victims, size: Self.size)
          batches += kept
          crashes += crashed
          try expectEqualAnswers(store)
        }
      }
      print(
        "\(killed) kills: \(acknowledged) batches acknowledged, \(batches) kept, "
          + "\(crashes) recorded as crashed")
      #expect(acknowledged > 0 && batches >= acknowledged)
    }
  }

  /// Checks that the state opened from a snapshot equals a fold from zero, and that deleting the
  /// snapshots changes no answer.
  private func expectEqualAnswers(_ store: String) throws {
    let folded = try StoreReport(store: store).hash()
    let saved = try SenderProcess(store, environment: Self.environment)
    let words = try saved.ask("snapshot").split(separator: " ")
    #expect(words.dropFirst(2) == ["fine"], "\(words)")
    #expect(try saved.hash() == folded)
    saved.close()
    try FileManager.default.removeItem(atPath: store + "/derived")
    let plain = try SenderProcess(store, environment: Self.environment)
    #expect(try plain.ask("snapshot") == "snapshot 0 fine")
    #expect(try plain.hash() == folded)
    plain.close()
  }
}
