import RetraceFixtures
import RetraceSystem
import RetraceTesting
import Testing

/// Whether the tests that fail are run.
var runsFailingTests: Bool { ThisProcess.environment("RETRACE_FAILING_TESTS") == "1" }

/// A test that fails; ``IssueTests`` runs it in a process of its own.
@Suite(.enabled(if: runsFailingTests)) struct FailingTests {
  /// The line at which it fails.
  static let line = #line + 4

  @Test func `a change is not expected`() {
    var store = TestStore<HouseApp>()
    store.send(.noted("one"))
    store.send(.noted("two")) { $0.done = ["one", "two"] }
    store.finish()
  }
}
