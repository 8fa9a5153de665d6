import ExampleTestSupport
import Foundation
import Testing
import ToolTestSupport

/// The log of each app gives the same in every process: no reducer and no decider reads a clock, a
/// zone, the seed of hash tables or anything else outside of the log.
@Suite struct PureAppTests {
  @Test(arguments: RecordedApp.allCases)
  func `the log of each app has one state, and its effects and decisions, in every process [R8]`(
    app: RecordedApp
  ) async throws {
    let folder = try TemporaryDirectory()
    let store = try await app.record(in: folder)
    let verified = try object(try expectOneFold(of: store, by: app.tool)[0])
    let effects = try #require(verified["effects"] as? [String: Any])
    let decisions = verified["decisions"] as? [String: Any]
    #expect(verified["compared"] as? Int ?? 0 > 0)
    #expect(effects["actions"] as? Int ?? 0 > 0)
    switch app {
    case .coachTimer, .starter: #expect(decisions?["decided"] as? Int ?? 0 > 4)
    case .counter, .form, .poke: break
    }
  }
}
