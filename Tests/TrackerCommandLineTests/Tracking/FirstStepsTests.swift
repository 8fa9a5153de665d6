import Foundation
import Testing
import ToolTestSupport

/// What a new user tries: goals, preferences, and the words of other tools.
@Suite struct FirstStepsTests {
  @Test func `goals of a range have a line for each of their periods in it`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-24 8:00 - 10:00 a")
      try desk.fine("add 9:00 - 10:00 b")
      try desk.fine("goals create work --target 40h")
      try desk.fine("goals create some --target 10h --period month")
      func spent(_ words: String) throws -> [Int?] {
        let output = try expectFine(
          desk.command("report --goals --json \(words)"), environment: desk.environment)
        let goals = try #require(try json(output) as? [String: Any])["goals"] as? [[String: Any]]
        return try #require(goals).map { ($0["seconds"] as? Int).map { $0 / 3_600 } }
      }
      #expect(try spent("") == [1, 1])
      #expect(try spent(":lastweek") == [2, 2, 1])
      #expect(try spent("2026-02-24") == [2, 2])
      // A range that is not over, or has no end.
      #expect(try spent(":month") == [2, 1, 1])
      #expect(try spent("from 2026-02-24") == [2, 1, 2, 1])
      #expect(try spent(":all") == [2, 1, 2, 1])
      // A range that has not begun, and one before the first entry.
      for (range, why) in [
        ("2027", "The range has not begun: Fri 2027-01-01 - Fri 2027-12-31, Europe/Berlin."),
        ("2026-01", "has no entries up to the end of the range: January 2026, Europe/Berlin."),
      ] {
        #expect(try spent(range) == [])
        let lines = try desk.fine("report --goals \(range)")
        #expect(lines.count == 1 && lines[0].hasSuffix(why), "\(lines)")
      }
      // A range that begins long before the first entry.
      #expect(try spent("1990-01-01 - today") == [2, 1, 2, 1])
      let lines = try desk.fine("report --goals :lastweek")
      #expect(try lines.element(0) == "Mon 2026-02-23 - Sun 2026-03-01, Europe/Berlin")
      #expect(
        lines.contains { $0.hasPrefix("work  week of 2026-02-23   2:00") },
        "\(lines)")
      #expect(
        lines.contains { $0.hasPrefix("some  March 2026           1:00") },
        "\(lines)")
      try desk.fails("report --goals :lastweek --by tag", exit: 64, "a range")
    }
  }

  @Test func `goals of several periods have a balance of those that have ended`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-10 8:00 - 9:00:30 a")
      try desk.fine("add 2026-02-17 8:00 - 11:00:30 b")
      try desk.fine("add 8:00 - 9:00 c")
      try desk.fine("goals create work --target 2h")
      try desk.fine("goals create =most --target 5h --period month --at-most")
      let range = "from 2026-02-10"
      #expect(
        try desk.fine("report --goals \(range)").dropFirst(3).map { $0.prefix { $0 != "█" } }
          == [
            "work            week of 2026-02-09   1:00    2:00  1:00         50%  ",
            "work            week of 2026-02-16   3:00    2:00        1:00  150%  ",
            "work            week of 2026-02-23   0:00    2:00  2:00          0%",
            "work            week of 2026-03-02   1:00    2:00  1:00         50%  ",
            "work            balance of 3 weeks   4:01    6:00  1:59         66%",
            "=most  at most  February 2026        4:01    5:00  0:59         80%  ",
            "=most  at most  March 2026           1:00    5:00  4:00         20%  ",
            "=most  at most  balance of 1 month   4:01    5:00  0:59         80%",
            "", "A balance counts periods that have ended.",
            "Times are cut to minutes; --seconds shows all.",
          ])
      let told = try object(desk.fine("report --goals --json \(range)").joined())
      #expect((told["goals"] as? [Any])?.count == 6)
      let balances = try #require(told["balances"] as? [[String: Any]])
      #expect(balances.map { $0["periods"] as? Int } == [3, 1])
      #expect(balances.map { $0["balanceSeconds"] as? Int } == [-7_140, -3_540])
      #expect(try balances.element(0)["start"] as? String == "2026-02-08T23:00:00Z")
      #expect(try balances.element(0)["end"] as? String == "2026-03-01T23:00:00Z")
      #expect(
        try desk.fine("report --goals --csv 2026-02-17 - today") == [
          "goal,period,first_day,last_day,at_most,ended,seconds,target_seconds,balance_seconds",
          "work,week,2026-02-16,2026-02-22,no,yes,10830,7200,3630",
          "work,week,2026-02-23,2026-03-01,no,yes,0,7200,-7200",
          "work,week,2026-03-02,2026-03-08,no,no,3600,7200,-3600",
          "'=most,month,2026-02-01,2026-02-28,yes,yes,14460,18000,-3540",
          "'=most,month,2026-03-01,2026-03-31,yes,no,3600,18000,-14400",
        ])
      // A single period has no balance.
      for range in ["", ":lastweek"] {
        let lines = try desk.fine("report --goals \(range)")
        #expect(!lines.contains { $0.contains("work") && $0.contains("balance") }, "\(lines)")
      }
    }
  }

  @Test func `a goal with a duration among its names says which option takes it`() throws {
    try withDesk { desk in
      try desk.fails("goals create weekly 40h", exit: 64, "--target 40h")
      try desk.fails("projects create web 40h", exit: 64, "--estimate 40h")
      try desk.fails("goals create a week", exit: 64, "Quote")
    }
  }

  @Test func `months and periods without a colon are ranges, and text of entries`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-25 8:00 - 9:00 march planning week")
      try desk.fine("add 9:00 - 10:00 march")
      #expect(try desk.entries() == ["07:00-08:00 march planning week", "08:00-09:00 march"])
      for (range, heading) in [
        ("week", "Mon 2026-03-02 - Sun 2026-03-08"), ("march", "March 2026"),
        ("lastmonth", "February 2026"), ("april", "April 2025"), ("sept 2011", "September 2011"),
        ("last 2 weeks", "Tue 2026-02-17 - Mon 2026-03-02"),
        ("since monday", "from Mon 2026-03-02 00:00"),
      ] {
        #expect(try desk.fine("report \(range)").element(0) == "\(heading), Europe/Berlin")
      }
      #expect(try desk.fine("log february").last == "Total                1:00")
      #expect(try desk.fine("log :all").last == "Total                2:00")
      #expect(try desk.fine("report :all").element(0) == "All entries, Europe/Berlin")
      #expect(try desk.fine("gaps :all").count == 1)
    }
  }

  @Test func `charts of all entries begin with the first one`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-01-12 8:00 - 9:00 plan @thesis")
      try desk.fine("add 9:00 - 10:00 write")
      #expect(
        try desk.fine("month :all").element(0) == "Thu 2026-01-01 - Tue 2026-03-31, Europe/Berlin")
      #expect(
        try desk.fine("month :all").dropFirst(2).prefix(3).map { $0.split(separator: " ")[2] }
          == ["1:00", "-", "1:00"])
      #expect(try desk.fine("week :all @thesis").element(0).hasPrefix("Mon 2026-01-12"))
    }
  }

  @Test func `preferences make the store and the user`() throws {
    try withDesk { desk in
      try desk.fails("preferences --zone Nowhere", exit: 64, "Nowhere")
      #expect(!FileManager.default.fileExists(atPath: desk.store))
      let set = try desk.fine("preferences --policy adjust --user ada")
      #expect(set.contains("policy         adjust"), "\(set)")
      try desk.fails("preferences --policy allow --user bob", "no user bob", "ada")
      try desk.fine("undo")
      #expect(try desk.fine("preferences --user ada").contains("policy         refuse"))
    }
  }

  @Test(arguments: ["project", "client", "task", "tag", "workspace", "goal"])
  func `forms of other tools are refused with the right form`(noun: String) throws {
    try withDesk { desk in
      try desk.fails("\(noun)s list", exit: 64, "`track \(noun)s` without a word")
      for word in ["add", "new"] {
        try desk.fails("\(noun)s \(word) x", exit: 64, "`track \(noun)s create NAME`")
      }
      for word in ["remove", "rm"] {
        try desk.fails("\(noun)s \(word) x", exit: 64, "`track \(noun)s delete NAME`")
      }
    }
  }

  @Test func `the help of the tool's own name is the main help`() throws {
    let main = try expectFine(["track", "help"]).lines
    #expect(try expectFine(["track", "help", "track"]).lines == main)
    let add = try expectFine(["track", "help", "add"]).lines
    #expect(try expectFine(["track", "help", "track", "add"]).lines == add)
    for words in [
      "--json help add", "help --json add", "help --store s --explain add", "--help add",
      "help add --json", "--store s -h --json add",
    ] {
      let words = words.split(separator: " ").map(String.init)
      #expect(try expectFine(["track"] + words).lines == add, "\(words)")
    }
    for words in ["help --json", "help --help", "--json -h"] {
      let words = words.split(separator: " ").map(String.init)
      #expect(try expectFine(["track"] + words).lines == main, "\(words)")
    }
    try expectFailure(
      ["track", "help", "--csv", "log"], exit: 64,
      mentions: ["no option --csv", "`track help log`"])
    try expectFailure(["track", "times"], exit: 64, mentions: ["`track help times`"])
  }

  @Test func `without a store, a name is refused as in an empty one`() throws {
    try withTemporaryDirectory { home in
      let environment = ["XDG_DATA_HOME": home, "HOME": home]
      for (noun, field) in [
        ("project", "--rate 90"), ("client", ""), ("task", "--estimate 4h"), ("tag", ""),
        ("workspace", "--rate 90"), ("user", "--rate 90"), ("goal", "--target 4h"),
      ] {
        var changes = ["rename x y", "archive x", "restore x", "delete x"]
        if !field.isEmpty { changes.append("set x \(field)") }
        for change in changes {
          try expectFailure(
            ["track", "\(noun)s"] + change.split(separator: " ").map(String.init), exit: 1,
            mentions: ["There is no \(noun) x.", "`track \(noun)s` lists them"],
            environment: environment)
        }
      }
      #expect(try filesInTree(home).isEmpty)
      // The path of an option is probably misspelled.
      try expectFailure(
        ["track", "projects", "delete", "x", "--store", "\(home)/none"], exit: 6,
        mentions: ["There is no such directory."], environment: environment)
    }
  }
}
