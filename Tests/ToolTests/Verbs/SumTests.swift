import Foundation
import Testing
import ToolTestSupport

/// Times, rates and amounts as they are printed.
@Suite struct SumTests {
  @Test func `a change says at what rate an entry is billable`() throws {
    try withDesk { desk in
      try desk.fine("workspaces create w --currency EUR")
      try desk.fine("projects create web --workspace w --rate 60")
      let added = try desk.fine("add 8:00 - 9:00 a @web --workspace w")
      #expect(added.last?.hasSuffix("@web  billable at EUR 60.00") == true, "\(added)")
      let edited = try desk.fine("edit -1 --rate 85")
      #expect(edited.last?.hasSuffix("billable at EUR 85.00") == true, "\(edited)")
      let noted = try desk.fine("annotate -1 remark")
      #expect(noted.first?.hasSuffix("@web  billable") == true, "\(noted)")
      let plain = try desk.fine("add 9:00 - 10:00 b --billable")
      #expect(plain.last?.hasSuffix("  b  billable") == true, "\(plain)")
      let own = try desk.fine("edit -1 --billable --rate 85.5")
      #expect(own.last?.hasSuffix("  b  billable at 85.50") == true, "\(own)")
      let started = try desk.fine("start c @web --workspace w")
      #expect(started.last?.hasSuffix("@web  billable at EUR 60.00") == true, "\(started)")
    }
  }
}
