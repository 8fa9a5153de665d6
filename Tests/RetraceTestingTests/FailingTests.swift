import RetraceFixtures
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing
import XCTest

/// Whether the tests that fail are run.
private var runsFailingTests: Bool { ThisProcess.environment("RETRACE_FAILING_TESTS") == "1" }

/// Tests that fail, one under each framework; ``IssueTests`` runs them in a process of their own.
@Suite(.enabled(if: runsFailingTests)) struct FailingTests {
  /// The lines at which they fail.
  static let line = #line + 5
  static let caseLines = [#line + 16, #line + 22]

  @Test func `a change is not expected`() {
    var store = TestStore<HouseApp>()
    store.send(.noted("one"))
    store.send(.noted("two")) { $0.done = ["one", "two"] }
    store.finish()
  }
}

/// The tests of XCTest that fail.
final class FailingCase: XCTestCase {
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
