import Foundation
import Testing
import ToolTestSupport

/// The currency of rates without a workspace.
@Suite struct CurrencyTests {
  @Test func `a currency is a preference, and a workspace has its own`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --rate 60")
      try desk.fine("add 8:00 - 9:00 a @web")
      #expect(try desk.fine("report today").contains { $0.contains(" 60.00 ") })
      try desk.fails("preferences --currency euro", exit: 64, "three letters")
      let lines = try desk.fine("preferences --currency EUR")
      #expect(lines.contains("currency       EUR"), "\(lines)")
      #expect(try desk.fine("report today").contains { $0.contains(" EUR 60.00 ") })
      #expect(try desk.fine("add 9:00 - 9:30 b @web").last?.hasSuffix("at EUR 60.00") == true)
      #expect(try desk.fine("report today --csv").element(0).hasSuffix(",amount_EUR"))
      #expect(try desk.fine("log --csv").element(1).contains(",60.00,EUR,60.00,"))
      let entry = try #require(
        (try json(desk.fine("log --json").joined()) as? [[String: Any]])?.first)
      #expect(entry["currency"] as? String == "EUR")
      let set = try #require(
        try json(desk.fine("preferences --json").joined()) as? [String: Any])
      #expect(set["currency"] as? String == "EUR")
      // The preference is of one user, and a workspace comes before it.
      try desk.fine("add 10:00 - 11:00 c @web --user ben")
      try desk.fine("workspaces create studio --currency USD --rate 50")
      try desk.fine("add 11:00 - 12:00 d --workspace studio --billable")
      #expect(
        try desk.fine("report today --csv --by user").element(0)
          .hasSuffix(",amount,amount_EUR,amount_USD"))
    }
  }

  @Test func `a currency of rates changes only with yes, and undo brings it back`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --rate 60")
      try desk.fine("add 8:00 - 9:00 a @web")
      try desk.fine("preferences --currency EUR")
      try desk.fails("preferences --currency USD", "1 entry has a rate in EUR", "--yes")
      try desk.fails("preferences --currency ''", "without a currency", "--yes")
      try desk.fine("preferences --currency USD --yes")
      #expect(try desk.fine("report today").contains { $0.contains(" USD 60.00 ") })
      try desk.fine("undo")
      #expect(try desk.fine("report today").contains { $0.contains(" EUR 60.00 ") })
      try desk.fine("workspaces create studio --currency USD")
      let me = try #require(
        (try json(desk.fine("log --json").joined()) as? [[String: Any]])?.first?["user"] as? String)
      try desk.fails("users set '\(me)' --workspace studio", "1 entry has a rate in EUR", "--yes")
      let history = try desk.timeless("history").joined(separator: "\n")
      #expect(history.contains("currency EUR"), "\(history)")
    }
  }

  @Test func `a rate may name its currency, and only that`() throws {
    try withDesk { desk in
      try desk.fails("projects create web --rate 85\u{20AC}", exit: 64, "no currency is set")
      #expect(try desk.fine("preferences --currency eur").contains("currency       EUR"))
      #expect(try desk.fine("preferences --currency \u{20AC}").contains("currency       EUR"))
      try desk.fine("workspaces create studio --currency usd --rate '90 USD'")
      #expect(try desk.fine("workspaces") == ["studio  currency USD  rate 90.00"])
      try desk.fine("add 8:00 - 9:00 x @web --billable")
      for (rate, amount) in [
        ("85\u{20AC}", "85.00"), ("'60 EUR'", "60.00"), ("'\u{20AC} 61,5'", "61.50"),
        ("eur62", "62.00"), ("'63.20 eur'", "63.20"), ("64", "64.00"),
      ] {
        try desk.fine("projects set web --rate \(rate)")
        #expect(try desk.fine("projects").element(0).contains("rate \(amount)"), "\(rate)")
        try desk.fine("edit 0 --rate \(rate) --policy allow")
        #expect(
          try desk.fine("log --csv").element(1).contains(",\(amount),EUR,\(amount),"), "\(rate)")
      }
      for rate in ["60 USD", "$60", "6 0", "60EURO", "EUR 60 EUR", "EUR", "-5"] {
        for words in ["projects set web", "edit 0"] {
          try desk.fails("\(words) '--rate=\(rate)'", exit: 64, "--rate is")
        }
      }
    }
  }
}
