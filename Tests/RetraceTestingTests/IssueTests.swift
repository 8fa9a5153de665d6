import RetraceFixtures
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

/// Where and how issues are recorded.
@Suite struct IssueTests {
  @Test func `an issue has the line of its call, and names what differs by path [D7]`() {
    let found = Lock([(line: Int?, text: String)]())
    var line = 0
    withKnownIssue {
      var store = TestStore<KioskApp>()
      line = #line + 1
      store.perform(.add(name: "tea", price: 3), facts: [Self.jam]) {
        $0.items.insert(KioskItem(name: "tea", price: 4))
        $0.factCount = 1
      }
    } matching: { issue in
      found.withLock {
        $0.append((issue.sourceLocation?.line, issue.comments.first?.rawValue ?? ""))
      }
      return true
    }
    let issues = found.withLock { $0 }
    #expect(issues.map(\.line) == [line])
    #expect(
      issues.first?.text == """
        the facts of add(name: "tea", price: 3) are not as expected:
        fact 1, fact.added, is not as expected:
          fact._0.added._1.entity.name  is "tea", but "jam" was expected
        after add(name: "tea", price: 3) the state is not as expected:
          items[0].price  is 3, but 4 was expected
        """)
  }

  private static let jam = KioskAction.fact(
    .added(KioskItemID(value: 0), Insertion(KioskItem(name: "jam", price: 3))))

  @Test func `a test of Swift Testing fails at the line of the call [D8]`() throws {
    let result = try runProgram(
      CommandLine.arguments[0],
      ["--testing-library", "swift-testing", "--filter", "RetraceTestingTests.FailingTests"],
      environment: ["RETRACE_FAILING_TESTS": "1"])
    let text = result.output + result.errors
    #expect(result.status != 0, "\(text)")
    #expect(text.contains("FailingTests.swift:\(FailingTests.line):"), "\(text)")
    #expect(text.contains(#"done[0]  is "one", but absent was expected"#), "\(text)")
    #expect(text.contains("with 1 issue"), "\(text)")
  }

  @Test func `a test of XCTest fails at the lines of the calls [D8]`() throws {
    let result = try runProgram(
      CommandLine.arguments[0], ["RetraceTestingTests.FailingCase"],
      environment: ["RETRACE_FAILING_TESTS": "1"])
    let text = result.output + result.errors
    #expect(result.status != 0, "\(text)")
    for line in FailingCase.lines {
      #expect(text.contains("FailingCase.swift:\(line): error: FailingCase."), "\(text)")
    }
    #expect(text.contains(#"done[0]  is "done tea", but "done coffee" was expected"#), "\(text)")
    #expect(text.contains("with 2 failures"), "\(text)")
  }
}
