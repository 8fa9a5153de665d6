import Testing
import ToolTestSupport

/// A log gives the same in each process, zone and tz database; in each build, too, because the
/// hashes, effects and decisions in the log are compared.
@Suite struct PureFoldTests {
  @Test(arguments: ["tracker-6", "tracker-12"])
  func `a log has one state, and its effects and decisions, in every process [R8]`(
    log: String
  ) throws {
    try GoldenLog(name: log).withCopy { store in
      let said = try expectOneFold(of: store, by: ["replay"])
      let verified = try object(said[0])
      #expect(verified["records"] as? Int ?? 0 > 400)
      let decisions = try #require(verified["decisions"] as? [String: Any])
      #expect(decisions["decided"] as? Int ?? 0 > 100)
      #expect(said[1].count > 1_000 && said[2].count > 1_000)
    }
  }
}
