import RetraceFixtures
import RetraceState
import RetraceTesting
import XCTest

/// A test of XCTest that fails; ``IssueTests`` runs it in a process of its own.
///
/// The file does not import Swift Testing.
final class FailingCase: XCTestCase {
  /// The lines at which it fails.
  static let lines = [#line + 6, #line + 12]

  func testUnexpectedChange() async throws {
    try XCTSkipUnless(runsFailingTests)
    var store = TestStore<HouseApp>(environment: HouseDesk())
    store.send(.started(Errand("tea"), after: .zero, id: ""))
    await store.receive(.noted("done tea")) {
      $0.done = ["done coffee"]
    }
    store.send(.noted("two")) { $0.done = ["done tea", "two"] }
    await assert(
      initialValue: HouseState(), reducer: HouseApp.reducer, environment: HouseDesk(),
      steps: .send(.noted("three")))
    store.finish()
  }
}
