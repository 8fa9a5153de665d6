import Foundation
import Testing
import ToolTestSupport

/// Printed times and amounts add up, or a note says why they do not.
@Suite struct SumTests {
  private static let timeNote = "Times are cut to minutes; --seconds shows all."
  private static let amountNote =
    "Totals are exact; (rounding) is the rest. --total-of lines adds lines up."

  /// Calls `body` with three entries of 0:20:40.
  private func withEntries(_ body: (Desk) throws -> Void) throws {
    try withDesk { desk in
      for (number, hour) in [8, 9, 10].enumerated() {
        try desk.fine("add '\(hour):00:00 - \(hour):20:40' '\(number + 1)th part' @p")
      }
      try body(desk)
    }
  }

  @Test func `times that do not add up have a note, and seconds on demand`() throws {
    try withEntries { desk in
      for verb in ["log", "search part", "report today --by description"] {
        #expect(try desk.fine(verb).last == Self.timeNote, "\(verb)")
        #expect(try desk.fine(verb).contains { $0.contains(" 1:02") }, "\(verb)")
        let lines = try desk.fine("\(verb) --seconds")
        #expect(lines.filter { $0.contains(" 0:20:40") }.count == 3, "\(lines)")
        #expect(lines.contains { $0.contains(" 1:02:00") } && !lines.contains(Self.timeNote))
      }
      for verb in ["day", "week", "month"] {
        #expect(try desk.fine("\(verb) --by description").last == Self.timeNote, "\(verb)")
        // The sums of one project add up.
        #expect(!(try desk.fine(verb).contains(Self.timeNote)), "\(verb)")
        let lines = try desk.fine("\(verb) --by description --seconds")
        #expect(lines.last == "Total     1:02:00", "\(lines)")
      }
      #expect(!(try desk.fine("report today").contains(Self.timeNote)))
      #expect(try desk.fine("log --seconds").element(1).contains("08:00:00 - 08:20:40  0:20:40"))
      let gaps = try desk.fine("gaps --seconds")
      #expect(gaps.last == "Total                                1:18:40", "\(gaps)")
      #expect(
        try desk.fine("gaps").suffix(3) == [
          "Total                          1:18", "", Self.timeNote,
        ])
    }
  }

  @Test func `the duration of a line is cut to minutes, and sums count the seconds`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00:40 - 8:30:20 a")
      try desk.fine("add 9:00:20 - 10:10:50 b")
      let log = try desk.fine("log today")
      #expect(try log.element(0).hasSuffix("  1:40"), "\(log)")
      // Of 0:29:40 the times show half an hour.
      #expect(try log.element(1).contains("  08:00 - 08:30  0:29  a"), "\(log)")
      #expect(try log.element(2).contains("  09:00 - 10:10  1:10  b"), "\(log)")
      #expect(log.last == Self.timeNote)
      #expect(
        try desk.fine("gaps").first == "Mon 2026-03-02  08:30 - 09:00  0:30")
      try desk.fine("edit 1 --start 9:00:40 --end 10:11:10")
      let found = try desk.fine("search b")
      #expect(try found.element(0).hasSuffix("  1:10"), "\(found)")
      #expect(try found.element(1).contains("  09:00 - 10:11  1:10  b"), "\(found)")
      #expect(found.last == Self.timeNote)
      let exact = try desk.fine("search b --seconds")
      #expect(exact[1].contains("  09:00:40 - 10:11:10  1:10:30  b"), "\(exact)")
      #expect(!exact.contains(Self.timeNote))
    }
  }

  @Test func `lines, days and reports show the same durations`() throws {
    for (times, shown) in [
      (["9:00:59 - 9:01:02"], "0:00"), (["9:17:41 - 11:48:05"], "2:30"),
      (["9:00:50 - 9:10:10", "10:00:50 - 10:10:10", "11:00:50 - 11:10:10"], "0:09"),
    ] {
      try withDesk { desk in
        for (number, words) in times.enumerated() {
          try desk.fine("add '\(words)' n\(number)")
        }
        let log = try desk.fine("log today").filter { $0.contains("#") }
        #expect(log.allSatisfy { $0.contains("  \(shown)  n") }, "\(log)")
        #expect(try desk.fine("log today").last == Self.timeNote)
        let report = try desk.fine("report today --by description").filter { $0.hasPrefix("n") }
        #expect(report.allSatisfy { $0.contains("  \(shown) ") }, "\(report)")
        #expect(log.count == times.count && report.count == times.count)
      }
    }
  }

  @Test func `the sum of a day says how much of it is on that day`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-03-01 0:00 - 12:00 a")
      try desk.fine("add 2026-03-01 12:00 - 22:30 b")
      try desk.fine("add 2026-03-01 22:30 - 2026-03-02 6:30 night")
      let lines = try desk.fine("log 2026-03-01")
      #expect(try lines.element(0).hasSuffix("  30:30, 24:00 on this day"), "\(lines)")
      let last = try #require(lines.last)
      #expect(last.hasPrefix("In the range") && last.hasSuffix("  24:00"), "\(lines)")
      #expect(!(try desk.fine("log --filter text:a").contains { $0.contains("on this day") }))
    }
  }

  @Test func `totals are of the range and the filter`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-27 9:00 - 10:00 a @p")
      try desk.fine("add 2026-02-28 23:00 - 2026-03-01 1:30 b @q")
      try desk.fine("add 8:00 - 9:15 c @p +deep")
      try desk.fine("start 11:00 d @p")
      #expect(
        try desk.fine("log :month --totals") == [
          "entries   3, 1 running", "time      3:45:00, of ended entries",
          "in range  2:45:00, of ended entries", "users     1", "projects  2",
        ])
      #expect(
        try desk.fine("log :month --totals --filter #deep").prefix(2)
          == ["entries   1, 0 running", "time      1:15:00"])
      #expect(
        try desk.fine("log --totals --json @p")
          == [#"{"entries":3,"running":1,"seconds":8100,"users":1,"projects":1}"#])
      let february = try object(desk.fine("log february --totals --json").joined())
      #expect(february["seconds"] as? Int == 12_600 && february["secondsInRange"] as? Int == 7_200)
      #expect(try desk.fine("log 2020 --totals").first == "entries   0, 0 running")
      try desk.fails("log :month --totals --limit 1", exit: 64, "Leave out --limit")
    }
  }

  @Test func `the rest of a goal is its target less the time spent`() throws {
    try withEntries { desk in
      try desk.fine("add '11:00:00 - 11:20:40' d @p")
      try desk.fine("goals create work --target 32h")
      #expect(try desk.fine("report --goals").last?.contains(" 1:22   32:00  30:38 ") == true)
      let seconds = try desk.fine("report --goals --seconds").last
      #expect(seconds?.contains(" 1:22:40  32:00:00  30:37:20 ") == true, "\(seconds ?? "")")
      try desk.fine("goals set work --target 1h")
      #expect(try desk.fine("report --goals").last?.contains(" 1:22    1:00        0:22 ") == true)
    }
  }

  @Test func `amounts that do not add up have a note`() throws {
    try withDesk { desk in
      try desk.fine("projects create p --rate 60")
      for number in 0..<9 {
        try desk.fine("add '8:0\(number):00 - 8:0\(number):11' d\(number) @p")
      }
      // Eleven seconds cost 18 and a third.
      let lines = try desk.fine("report today --by description --seconds")
      #expect(lines.filter { $0.contains(" 0.18 ") }.count == 9, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("Total") && $0.contains(" 1.65 ") }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("(rounding)") && $0.hasSuffix(" 0.03") }, "\(lines)")
      #expect(lines.last == Self.amountNote)
      let sums = try desk.fine("report today --by description --seconds --total-of lines")
      #expect(sums.contains { $0.hasPrefix("Total") && $0.contains(" 1.62 ") }, "\(sums)")
      #expect(!sums.contains { $0.hasPrefix("(rounding)") })
      #expect(
        sums.last == "Totals are the sums of the lines; --total-of exact gives exact ones.")
      #expect(!(try desk.fine("report today").contains(Self.amountNote)))
    }
  }

  @Test func `amounts of CSV that do not add up to those of a report have a note`() throws {
    try withDesk { desk in
      try desk.fine("projects create p --rate 85")
      for day in 21...23 { try desk.fine("add '2026-02-\(day) 9:17:41 - 11:48:05' x @p") }
      let result = try desk.run("log february --csv")
      #expect(
        result.errors
          == "note     each amount is rounded, so amounts add up to 639.21 instead of 639.20, the "
          + "total of a report\n")
      #expect(result.output.lines.filter { $0.contains(",213.07,") }.count == 3)
      #expect(try desk.fine("report february").contains { $0.contains("639.20") })
      #expect(try desk.fine("log 2026-02-21 --csv").count == 2)
    }
  }

  @Test func `a total of lines is the same in a table and for programs`() throws {
    try withEntries { desk in
      try desk.fine("projects set p --rate 95")
      try desk.fine("edit --filter @p --billable --yes")
      for verb in ["report today", "day", "week", "month"] {
        for by in ["description", "each-tag"] {
          let words = "\(verb) --by \(by) --total-of lines"
          let lines = try desk.fine(words)
          let total = try #require(lines.last { $0.hasPrefix("Total ") })
          #expect(total.contains(" 1:02:00"), "\(words): \(lines)")
          let report = try object(desk.fine("\(words) --json").joined())
          let json = try #require(report["total"] as? [String: Any])
          #expect(json["seconds"] as? Int == 3_720, "\(words)")
        }
      }
      // The time of a line times the rate is its amount: 1,240 seconds at 95 an hour.
      let lines = try desk.fine("report today --by description --total-of lines")
      #expect(
        lines.filter { $0.contains(" 0:20:40 ") && $0.contains(" 32.72 ") }.count == 3, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("Total") && $0.contains(" 98.16 ") }, "\(lines)")
    }
  }

  @Test func `hours alone make no line of the rest in CSV`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 8:10 x @a")
      try desk.fine("add 9:00 - 9:10 x @b")
      #expect(
        try desk.fine("report --csv").dropFirst()
          == ["a,1,0.1667,600,0,0.00", "b,1,0.1667,600,0,0.00"])
      let rounded = try desk.fine("report --csv --round 15m --round-level day")
      #expect(rounded.last == "b,1,0.1667,0.2500,600,900,0,0,0.00,0.00", "\(rounded)")
    }
  }

  @Test func `a tag with a comma is quoted in a field with several tags`() throws {
    try withDesk { desk in
      for name in ["oooo", "neu", "a,b"] { try desk.fine("tags create \(name)") }
      try desk.fine("add 8:00 - 9:00 x --tag oooo --tag neu --tag a,b")
      let cell = #""oooo, neu, ""a,b""""#
      let log = try desk.fine("log --csv").element(1)
      #expect(log.contains(",\(cell),x,"), "\(log)")
      let report = try desk.fine("report --by tag --csv").element(1)
      #expect(report.hasPrefix("\(cell),1,"), "\(report)")
      let each = try desk.fine("report --by each-tag --csv").dropFirst()
      #expect(each.contains { $0.hasPrefix(#""a,b",1,"#) }, "\(each)")
    }
  }

  @Test func `a clock with fractions makes entries of whole seconds`() throws {
    try withDesk { desk in
      func track(_ words: String, _ now: String) throws -> String {
        try expectFine(
          ["track"] + words.split(separator: " ").map(String.init)
            + ["--store", desk.store, "--now", now])
      }
      try desk.fine("projects create p --rate 110")
      _ = try track("start a @p", "2026-03-02T08:00:00.9Z")
      _ = try track("stop", "2026-03-02T08:10:00.314Z")
      _ = try track("add 10min ago - now b @p", "2026-03-02T08:20:00.7Z")
      let log = try track("log --json", "2026-03-02T09:00:00Z")
      let entries = try #require(try json(log) as? [[String: Any]])
      #expect(entries.map { $0["seconds"] as? Int } == [600, 600])
      #expect(entries.map { $0["start"] as? String }.first == "2026-03-02T08:00:00Z")
      #expect(entries.map { $0["end"] as? String }.last == "2026-03-02T08:20:00Z")
      #expect(
        try track("report --by description --csv", "2026-03-02T09:00:00Z").lines.dropFirst()
          == [
            "a,1,0.1667,600,600,18.33", "b,1,0.1667,600,600,18.33", "(rounding),0,0.0000,0,0,0.01",
          ])
      // The moment of the record comes from the clock.
      let history = try desk.timeless("history --json").joined()
      #expect(history.contains("\"moment\":\"2026-03-02T08:10:00.314000Z\""), "\(history)")
    }
  }

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

  @Test func `texts in CSV are exact, apart from an apostrophe that --exact leaves out`() throws {
    try withDesk { desk in
      // The flag of England has tags, which a terminal gets as escapes.
      let texts = [
        "flag \u{1F3F4}\u{E0067}\u{E007F} zero\u{200B}width", "'tis", "=1+1", "-\u{202E}",
      ]
      for (index, text) in texts.enumerated() {
        try expectFine([
          "track", "add", "2026-03-02 08:0\(index) - 08:0\(index + 1)", "--project", text,
          "--store", desk.store, "--now", "2026-03-02T12:00:00Z", "--tz", "UTC", "--", text,
        ])
      }
      for (option, marks) in [("", ["", "'", "'", "'"]), (" --exact", ["", "", "", ""])] {
        let marked = zip(marks, texts).map { $0 + $1 }
        let log = try desk.fine("log :all --csv" + option).dropFirst()
        for (line, text) in zip(log, marked) {
          #expect(line.contains(",\(text),,,\(text),"), "\(line)")
        }
        let report = try desk.fine("report :all --csv" + option).dropFirst()
        for text in marked {
          #expect(report.contains { $0.hasPrefix("\(text),1,") }, "\(report)")
        }
      }
      try desk.fails("log --exact", exit: 64, "--csv")
      try desk.fails("report --exact", exit: 64, "--csv")
    }
  }

  @Test func `entries are lines of CSV with their times, rates and amounts`() throws {
    try withDesk { desk in
      try desk.fine("workspaces create w --currency EUR")
      try desk.fine("clients create Big --workspace w")
      try desk.fine("projects create web --workspace w --client Big --rate 85.5")
      try desk.fine(
        "add 8:00 - 9:30 'the logo, again' @web --workspace w --user ann --tag b --tag a")
      try desk.fine("add 9:30:00 - 9:30:01 --user ann -- =1+1")
      try desk.fine("start c --at 10:00 --user ann --billable")
      let lines = try desk.fine("log --csv")
      #expect(
        lines == [
          "id,user,start,end,hours,seconds,client,project,task,tags,description,billable,rate,"
            + "currency,amount,seconds_in_range,amount_in_range",
          "0,ann,2026-03-02T08:00:00+01:00,2026-03-02T09:30:00+01:00,1.5000,5400,Big,web,,"
            + "\"b, a\",\"the logo, again\",yes,85.50,EUR,128.25,5400,128.25",
          "1,ann,2026-03-02T09:30:00+01:00,2026-03-02T09:30:01+01:00,0.0003,1,,,,,'=1+1,no,,,,1,",
          "2,ann,2026-03-02T10:00:00+01:00,,2.0000,7200,,,,,c,yes,,,,7200,",
        ])
      // An entry that the range cuts is listed whole, with its part.
      let cut = try desk.fine("log '2026-03-02 9:00 - 11:00' --csv")
      let parts = cut.dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).suffix(3)
          .joined(separator: " ")
      }
      #expect(
        parts == ["128.25 1800 42.75", " 1 ", " 3600 "] && cut[1].contains(",5400,Big,"), "\(cut)")
      let inUTC = try desk.fine("log today --csv --filter text:logo --tz UTC")
      #expect(inUTC[1].contains(",2026-03-02T07:00:00+00:00,"), "\(inUTC)")
      #expect(try desk.fine("log 2020 --csv") == [lines[0]])
      try desk.fine("projects create =2")
      try desk.fine("edit 1 @=2")
      #expect(try desk.fine("report --csv").contains { $0.hasPrefix("'=2,1,") })
      #expect(try desk.run("log --csv --json").status == 64)
      try desk.fails("log --csv --totals", exit: 64, "--csv")
    }
  }
}
