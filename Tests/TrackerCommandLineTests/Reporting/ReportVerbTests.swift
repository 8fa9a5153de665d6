import CivilTime
import Foundation
import RetraceRecording
import RetraceState
import TimeTracking
import ToolTestSupport
import Testing
import TrackerApp
import TrackerFeatures

/// The output of `log`, `day`, `week`, `month` and `report`.
@Suite struct ReportVerbTests {
  @Test func `words with a sign are terms of the filter`() throws {
    try withDesk { desk in
      try desk.fine("projects create p")
      try desk.fine("add 7:00 - 8:00 a @p +x")
      try desk.fine("add 8:00 - 10:00 b @p")
      try desk.fine("add 10:00 - 11:00 c --tag 'deep work'")
      func count(_ words: String) throws -> Int {
        try (json(desk.fine("log --json \(words)").joined()) as? [Any])?.count ?? -1
      }
      #expect(try count("@p") == 2 && count(":week @p +x") == 1 && count("#x '#deep work'") == 0)
      #expect(try count("@p --filter 'text:b or #x'") == 2 && count("@p --filter 'not #x'") == 1)
      #expect(try count("2026-03-02T08:00 +01:00 - 2026-03-02T09:00 @p") == 1)
      let totals = try ["report @p", "day '#deep work' today", "week +x :week"].map {
        try desk.fine($0).last?.split(separator: " ").dropFirst().first
      }
      #expect(totals == ["3:00", "1:00", "1:00"])
      try desk.fails("log @q", "no project q")
      try desk.fails("report --goals @p", exit: 64, "--goals")
      try desk.fails("gaps @p", exit: 64, "take no filter")
      try desk.fails("log -- @p", exit: 64, "not a range")
      try desk.fails("week meeting", exit: 64, "track search meeting", "--filter \"meeting\"")
    }
  }

  @Test func `as of a record or an instant, reports show what was recorded by then`() throws {
    try withDesk { desk in
      try desk.fine("add 7:00 - 8:00 a")
      let first = try json(desk.timeless("history --json").joined()) as? [[String: Any]]
      let sequence = try #require(first?.last?["sequence"] as? Int)
      try desk.fine("edit 0 --end 10:00")
      #expect(try desk.fine("report").last?.contains("3:00") == true)
      for verb in ["report", "log"] {
        let past = try run(
          "track",
          [verb, "--as-of", "\(sequence)", "--store", desk.store, "--now", Desk.now("12:00")])
        #expect(past.status == 0 && past.output.contains("1:00") && !past.output.contains("3:00"))
        #expect(past.errors.hasPrefix("note: as of record "))
      }
      try desk.fails("report --as-of yesterdayish", exit: 64, "--as-of")
    }
    try withTemporaryDirectory { folder in
      // On the real clock, which is after 2020.
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "real"] + store)
      try expectFine(
        ["track", "start", "x", "--now", "2020-03-01T10:00:00Z", "--user", "u"] + store)
      func count(_ point: String) throws -> Int {
        let past = try run("track", ["log", ":all", "--json", "--as-of", point] + store)
        #expect(past.status == 0 && past.errors.hasPrefix("note: as of "))
        return try #require(json(past.output) as? [Any]).count
      }
      #expect(try count("2020-03-02") == 0)
      #expect(try count("2020-03-02T00:00:00Z") == 0)
      #expect(try count("2199-01-01") == 2)
    }
  }

  /// Adds an entry of anna in a session whose clock shows an instant.
  private func add(_ number: Int64, at instant: String, in path: String) throws {
    let moment = try #require(Moment(timestamp: instant))
    let configuration = StoreConfiguration(clock: { moment })
    let store = try Store<TimeTracker>.openBlocking(at: path, configuration: configuration)
    let start = Moment(microseconds: number * 3_600_000_000)
    try store.performBlocking(
      .entry(
        .add(
          TimeEntryDraft(user: .name(Name("anna")), zone: .utc), start: start,
          end: start.adding(.seconds(60)), policy: .refuse)))
    try store.closeBlocking()
  }

  @Test func `as of a day or a month means its end, and words of times are read`() throws {
    try withDesk { desk in
      let recorded = [
        "2026-02-27T10:00:00Z", "2026-03-02T09:00:00Z", "2026-03-02T22:59:59Z",
        "2026-03-03T09:00:00Z",
      ]
      for (number, instant) in recorded.enumerated() {
        try add(Int64(number), at: instant, in: desk.store)
      }
      func count(_ point: String, zone: String = "Europe/Berlin") throws -> Int {
        let result = try run(
          "track",
          [
            "log", ":all", "--json", "--store", desk.store, "--as-of", point, "--now",
            "2026-03-03T12:00:00Z",
          ], environment: ["TZ": zone, "RETRACE_USER": "anna"])
        #expect(result.status == 0 && result.errors.hasPrefix("note: as of "), "\(result.errors)")
        return try #require(json(result.output) as? [Any]).count
      }
      for (point, expected) in [
        ("2026-02-26", 0), ("2026-02-27", 1), ("2026-02", 1), ("february", 1), ("2026-03-01", 1),
        ("2026-03-02", 3), ("yesterday", 3), ("monday", 3), ("last week", 1), ("week 10", 4),
        ("today", 4), ("2026-03", 4), ("now", 4), ("2026-03-02 9:59", 1),
        ("2026-03-02 10:00", 2), ("yesterday 23:59", 2), ("10h ago", 3), ("3h30 ago", 3),
        ("2h ago", 4), ("2026-03-02T22:59:59Z", 3), ("2199-01-01", 4),
      ] { #expect(try count(point) == expected, "\(point)") }
      // The preferred zone says when a day ends, as in a report.
      #expect(try count("2026-03-02", zone: "UTC") == 3)
      #expect(try count("2026-03-02", zone: "Asia/Tokyo") == 2)
      try desk.fine("preferences --zone Asia/Tokyo --user anna")
      #expect(try count("2026-03-02") == 2)
      for word in ["9:00 - 10:00", "soon", "@web", ":all"] {
        try desk.fails("log --as-of '\(word)'", exit: 64, "--as-of", "2026-03-02")
      }
    }
  }

  @Test(arguments: ["sunday", "monday", "saturday"])
  func `a week with a number has seven days, and the same in all verbs`(start: String) throws {
    try withDesk { desk in
      // The Saturday before the ISO week 9, its Sunday, and its Thursday.
      for day in ["2026-02-21", "2026-02-22", "2026-02-26", "2026-03-01"] {
        try desk.fine("add '\(day) 9:00 - 10:00' x")
      }
      try desk.fine("preferences --week-start \(start)")
      let expected = [
        "sunday": "Sun 2026-02-22 - Sat 2026-02-28", "monday": "Mon 2026-02-23 - Sun 2026-03-01",
        "saturday": "Sat 2026-02-21 - Fri 2026-02-27",
      ]
      let heading = try #require(expected[start])
      for words in [
        "week 9", "week week 9", "week 2026-W09", "report week 9", "report 2026-W09",
        "week 2026-02-26",
      ] {
        let lines = try desk.fine(words)
        #expect(lines[0].hasPrefix(heading), "\(words): \(lines[0])")
      }
      let found = try desk.fine("log date:2026-W09 --totals").element(0)
      #expect(found.hasPrefix("entries   \(start == "saturday" ? 3 : 2),"), "\(found)")
    }
  }

  @Test func `an option that filters means what the term of its name means`() throws {
    try withDesk { desk in
      let words = "@web +t --user anna"
      try desk.fine("add 7:00 - 8:00 x \(words)")
      try desk.fine("projects set web --client ACME")
      let pairs = [
        ("@web", "--project web"), ("+t", "--tag t"), ("user:anna", "--user anna"),
        ("client:ACME", "--client ACME"),
      ]
      func expectSame(_ time: String) throws {
        for (term, option) in pairs {
          for words in [term, option] {
            let total = try desk.fine("report :all \(words)").last
            #expect(total?.hasSuffix("  \(time)   100%") == true, "\(words)")
            #expect(try desk.fine("log \(words)").last?.hasSuffix(time) == true)
          }
        }
      }
      try expectSame("1:00")
      for kind in ["projects delete web", "clients delete ACME", "tags delete t"] {
        try desk.fine("\(kind) --yes")
      }
      try desk.fine("users delete anna --yes")
      try expectSame("1:00")
      try desk.fails("report --project wob", "There is no project wob.")
      try desk.fine("add 8:00 - 9:00 y \(words)")
      try desk.fine("projects set web --client ACME")
      try expectSame("2:00")
      #expect(try desk.timeless("log --totals --user anna").first == "entries   2, 0 running")
      try desk.fine("start z", "10:00")
      let totals = try desk.fine("log --totals", "12:00")
      #expect(try totals.element(1).hasSuffix(":00, of ended entries"), "\(totals)")
    }
  }

  @Test func `a filter with dates and no range searches all entries`() throws {
    try withDesk { desk in
      try desk.fine("add '2026-01-05 9:00 - 10:00' a")
      try desk.fine("add 8:00 - 9:00 b")
      for filter in ["month:2026-01", "date<2026-02-01", "--filter 'not day:today'"] {
        #expect(try desk.fine("report \(filter)").last == "Total         1:00   100%")
        #expect(try desk.fine("log \(filter)").last?.hasSuffix("1:00") == true)
        #expect(try desk.fine("month \(filter)").last?.contains("1:00") == true)
      }
      #expect(try desk.fine("report month:2026-01 :week").last == "No entries match.")
      #expect(try desk.fine("report 'duration>30m'").last == "Total         1:00   100%")
    }
  }

  @Test func `projects of one name are listed with their clients`() throws {
    try withDesk { desk in
      for client in ["ACME", "Zeta"] {
        try desk.fine("clients create \(client)")
        try desk.fine("projects create web --client \(client)")
        try desk.fine("tasks create code --project \(client)/web")
      }
      try desk.fine("projects create web")
      try desk.fine("add 6:00 - 7:00 a @ACME/web --task code")
      try desk.fine("add 7:00 - 8:00 b @Zeta/web --task code")
      try desk.fine("add 8:00 - 9:00 c @other --task code")
      func names(_ words: String) throws -> [String] {
        try desk.fine(words).dropFirst(2).map { String($0.prefix { $0 != " " }) }
      }
      #expect(try names("report") == ["", "ACME/web", "Zeta/web", "other", "Total"])
      #expect(try names("day") == ["ACME/web", "Zeta/web", "other", "Total"])
      #expect(
        try names("report --by task").dropFirst() == [
          "ACME/web/code", "Zeta/web/code", "other/code", "Total",
        ])
      let csv = try desk.fine("report --csv").dropFirst().map { $0.prefix { $0 != "," } }
      #expect(csv == ["ACME/web", "Zeta/web", "other"])
      #expect(try !desk.fine("report --by client,project").joined().contains("ACME/web"))
      #expect(try !desk.fine("report --by project,task").joined().contains("web/code"))
      #expect(try !desk.fine("report --json").joined().contains("ACME/web"))
      let log = try desk.fine("log")
      #expect(
        try log.element(1).hasSuffix("a  @ACME/web/code")
          && log.element(2).hasSuffix("b  @Zeta/web/code"))
      // The client is shown even if no entry of the other project is listed.
      #expect(try desk.fine("log @Zeta/web").element(1).hasSuffix("b  @Zeta/web/code"))
      #expect(try desk.fine("start d @ACME/web").last?.hasSuffix("d  @ACME/web") == true)
      #expect(try desk.fine("status").element(0).hasSuffix("d  @ACME/web"))
      #expect(try desk.fine("stop").last?.hasSuffix("d  @ACME/web") == true)
      try desk.fine("edit 3 @Zeta/web")
      let history = try desk.timeless("history 3").joined(separator: "\n")
      #expect(history.contains("project ACME/web -> Zeta/web"), "\(history)")
      #expect(history.contains("at 12:00  d  @ACME/web"), "\(history)")
      let tasks = try desk.fine("tasks")
      #expect(tasks.count { $0.contains("project ACME/web") } == 1, "\(tasks)")
      // A project of another name, and a project whose name is unique.
      #expect(try desk.fine("log @other").element(1).hasSuffix("c  @other/code"))
    }
  }

  @Test func `projects beside a range are alternatives, and other terms must all match`() throws {
    try withDesk { desk in
      try desk.fine("add 4:00 - 7:00 a @p +x")
      try desk.fine("add 7:00 - 8:00 b @q +y")
      try desk.fine("add 8:00 - 9:00 c @r +x +y --billable")
      try desk.timeless("clients create ACME")
      try desk.timeless("projects set q --client ACME")
      func found(_ words: String) throws -> String {
        let entries = try json(desk.fine("log --json \(words)").joined()) as? [[String: Any]]
        return entries?.compactMap { $0["description"] as? String }.joined() ?? "?"
      }
      #expect(try found("@p @q") == "ab" && found("project:p @q :week") == "ab")
      #expect(try found("@p @q +y") == "b" && found("+x +y") == "c")
      #expect(try found("not @p") == "bc" && found(":week not +x @p @q") == "b")
      #expect(try found("'duration>2h'") == "a" && found("--filter '@p @q'") == "")
      let totals = try ["report @p @q", "report --client ACME", "day --client ACME --client ACME"]
        .map { try desk.fine($0).last?.split(separator: " ").dropFirst().first }
      #expect(totals == ["4:00", "1:00", "1:00"])
      // `log` has the options of `report`.
      #expect(try found("--tag x --tag y") == "abc" && found("--tag x --not-billable") == "a")
      #expect(try found("--project p --project r :week") == "ac" && found("--client ACME") == "b")
      #expect(
        try desk.fine("search b --project p") == [
          "No entry has all of these words and matches the filter: b."
        ])
      try desk.timeless("users create anna")
      #expect(
        try desk.fine("search a --user anna") == ["No entry of anna has all of these words: a."])
      let told = try desk.fine("search a --filter billable").element(0)
      #expect(
        told.hasSuffix(
          "matches the filter: a. The word billable was searched as a text; the key "
            + "is written billable:yes."), "\(told)")
      try desk.fails("log --tag z", "There is no tag z", "track tags")
      try desk.fails("report --client z", "There is no client z")
      try desk.fails("report --goals --client ACME", exit: 64, "--goals")
      try desk.fails("log --totals --tag z", "There is no tag z")
      try desk.fails("log saved:z", exit: 64, "no saved filter `z`")
      try desk.fails("log not", exit: 64, "not a range")
      try desk.fails(
        "log --filter 'date:2026-03-02 - 2026-03-03'", exit: 64, "`date:2026-03-02..2026-03-03`")
    }
  }

  @Test func `a report by each tag counts an entry for each of its tags, and once in all`() throws {
    try withDesk { desk in
      try desk.fine("add 7:00 - 8:00 a @p +x +y")
      try desk.fine("add 8:00 - 8:30 b @p +x")
      try desk.fine("add 9:00 - 9:15 c")
      let note = "An entry counts for each of its tags, and once in the total."
      #expect(
        try desk.fine("report today --by each-tag") == [
          "Mon 2026-03-02, Europe/Berlin", "", "           Time  Share",
          "#x         1:30    86%  ████████████████████████████████████████",
          "#y         1:00    57%  ██████████████████████████▋",
          "(no tags)  0:15    14%  ██████▋",
          "Total      1:45   100%", "", note,
        ])
      #expect(
        try desk.fine("report today --by project,each-tag,day --csv") == [
          "project,each-tag,day,entries,hours,seconds,billable_seconds,amount",
          "p,x,2026-03-02,2,1.5000,5400,0,0.00", "p,y,2026-03-02,1,1.0000,3600,0,0.00",
          ",,2026-03-02,1,0.2500,900,0,0.00",
        ])
      let told = try object(desk.fine("report today --by each-tag --json").joined())
      #expect((told["total"] as? [String: Any])?["seconds"] as? Int == 6_300)
      let groups = try #require(told["groups"] as? [[String: Any]])
      #expect(groups.map { $0["by"] as? String } == ["each-tag", "each-tag", "each-tag"])
      #expect(groups.map { $0["name"] as? String } == ["x", "y", nil])
      #expect(groups.map { $0["id"] as? Int } == [0, 1, nil])
      #expect(groups.map { $0["seconds"] as? Int } == [5_400, 3_600, 900])
      #expect(try desk.fine("day --by each-tag").last == note)
      // Nothing counts twice.
      #expect(try desk.fine("report 8:00 - 10:00 --by each-tag").last == "Total      0:45   100%")
      #expect(try desk.fine("report today --by tag").last == "Total      1:45   100%")
    }
  }

  static let now = ["--now", "2026-03-05T09:20:00Z"]

  /// Records an entry from one instant to another; it runs on if there is no end.
  private func record(
    _ description: String, _ start: String, _ end: String?, _ options: [String] = [],
    in store: [String], environment: [String: String] = [:]
  ) throws {
    try expectFine(
      ["track", "start", description, "--now", start] + options + store, environment: environment)
    guard let end else { return }
    let user = options.firstIndex(of: "--user").map { ["--user", options[$0 + 1]] } ?? []
    try expectFine(["track", "stop", "--now", end] + user + store, environment: environment)
  }

  /// Calls `body` with the options of a store with some days of one user.
  private func withDays(_ body: ([String]) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try record(
        "write the report", "2026-03-02T09:00:00Z", "2026-03-02T10:30:00Z",
        ["--project", "thesis", "--tag", "writing", "--tag", "focus"], in: store)
      try record(
        "standup with a rather long description that does not fit", "2026-03-02T10:30:00Z",
        "2026-03-02T11:10:00Z", ["--project", "a project with a long name", "--tag", "meeting"],
        in: store)
      try record(
        "night shift", "2026-03-02T22:30:00Z", "2026-03-03T00:30:00Z",
        ["--project", "ops", "--billable"], in: store)
      try record("", "2026-03-04T08:00:00Z", "2026-03-04T09:00:00Z", in: store)
      try record(
        "読書", "2026-03-05T08:00:00Z", nil, ["--project", "thesis", "--tag", "focus"], in: store)
      try body(store)
    }
  }

  private func expectText(
    _ command: [String], _ expected: String, columns: Int = 80,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let text = try expectFine(
      ["track"] + command, environment: ["COLUMNS": "\(columns)"], location: location)
    #expect(text == expected + "\n", "\(text)", sourceLocation: location)
  }

  @Test func `a filter by a key without a value says how the key is written`() throws {
    try withDays { store in
      for command in [["log"], ["report", "2026-03-02"], ["day", "2026-03-02"]] {
        let output = try expectFine(
          ["track"] + command + ["--filter", "billable and @ops"] + store + Self.now)
        #expect(output.contains("the key is written billable:yes"), "\(output)")
      }
      let output = try expectFine(
        ["track", "log", "--filter", "duration > 1h and billable:yes"] + store + Self.now)
      #expect(output.contains("night shift"))
    }
  }

  @Test func `the log lists entries by day, in 80 columns`() throws {
    try withDays { store in
      try expectText(
        ["log"] + store + Self.now,
        """
        Mon 2026-03-02                  4:10, 3:40 on this day
          #0  09:00 - 10:30             1:30     write the r…  @thesis       #writing #…
          #1  10:30 - 11:10             0:40     standup wit…  @a project …  #meeting
          #2  22:30 - 2026-03-03 00:30  2:00  $  night shift   @ops
        Wed 2026-03-04                  1:00
          #3  08:00 - 09:00             1:00     (no descrip…
        Thu 2026-03-05                  1:20
          #4  08:00 - now               1:20     読書          @thesis       #focus
        Total                           6:30
        """)
      // A pipe gets whole lines, unless COLUMNS is set.
      for (option, columns) in [([], ""), (["--wide"], ""), (["--wide"], "80")] {
        let wide = try expectFine(
          ["track", "log"] + option + store + Self.now, environment: ["COLUMNS": columns])
        #expect(wide.contains("  standup with a rather long description that does not fit  "))
        #expect(wide.contains("  #writing #focus\n"))
      }
      // Lines are as wide as the terminal.
      let options = (store + Self.now).joined(separator: " ")
      for columns in [40, 100] {
        let text = try shell(
          "export TERM=xterm; "
            + "script -qec 'stty rows 24 cols \(columns); track log \(options)' /dev/null"
        )
        let plain = text.output.replacing(#/\x{1B}\[[0-9;]*m/#, with: "")
        let most = plain.split(whereSeparator: \.isNewline).map(\.count).max() ?? 0
        #expect(most <= columns && most > columns - 12, "\(text.output)")
      }
    }
  }

  /// Returns the note on billable time of the project ops, which has no rate.
  private static func unrated(_ time: String) -> String {
    "\n\n\(time) of billable time have no rate; `track projects set ops --rate AMOUNT` sets\n"
      + "  one, and says how to give it to earlier entries."
  }

  @Test func `a narrow report cuts names and never times`() throws {
    try withDays { store in
      try expectText(
        ["report", "2026-03-02", "--by", "project,day", "--round", "15m"] + store + Self.now,
        """
        Mon 2026-03-02, UTC

                         Time  Rounded
            Billable  Share
        thesis           1:30     1:30
                0:00    41%
          Mon 2026-03-…  1:30     1:30
                0:00    41%
        ops              1:30     1:30
                1:30    41%
          Mon 2026-03-…  1:30     1:30
                1:30    41%
        a project with…  0:40     0:45
                0:00    18%
          Mon 2026-03-…  0:40     0:45
                0:00    18%
        Total            3:40     3:45
                1:30   100%

        1:30 of billable time have no
          rate; `track projects set
          ops --rate AMOUNT` sets one,
          and says how to give it to
          earlier entries.
        """, columns: 30)
    }
  }

  @Test func `rows that are too wide break between columns, and notes at blanks`() throws {
    try withDesk { desk in
      try desk.fine("preferences --currency EUR")
      try desk.fine("projects create shop --client Bank --rate 9000")
      try desk.fine("add yesterday 9:00 - 10:00 'some long description' @shop +t")
      try desk.fine("add yesterday 23:00 - 0:30 night @shop +t")
      try desk.fine("add 9:00 - 9:20 other --billable")
      func lines(_ words: String, columns: Int) throws -> [String] {
        let environment = desk.environment.merging(["COLUMNS": "\(columns)"]) { $1 }
        let lines = try expectFine(desk.command(words), environment: environment).lines
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
        return lines
      }
      #expect(
        try lines("log", columns: 40) == [
          "Sun 2026-03-01                  2:30,",
          "    2:00 on this day",
          "  #0  09:00 - 10:00             1:00  $",
          "    some long description  @shop  #t",
          "  #1  23:00 - 2026-03-02 00:30  1:30  $",
          "    night                  @shop  #t",
          "Mon 2026-03-02                  0:20",
          "  #2  09:00 - 09:20             0:20  $",
          "    other",
          "Total                           2:50",
        ])
      #expect(
        try lines("report :all --round 15m", columns: 40) == [
          "All entries, Europe/Berlin",
          "",
          "              Time  Rounded  Billable",
          "          Amount  Share",
          "shop          2:30     2:30      2:30",
          "    EUR 22500.00    88%",
          "(no project)  0:20     0:15      0:15",
          "                    12%",
          "Total         2:50     2:45      2:45",
          "    EUR 22500.00   100%",
          "",
          "0:20 of billable time have no rate;",
          "  `track edit --filter 'billable:yes",
          "  rate:none' --rate AMOUNT` sets one.",
        ])
    }
  }

  @Test func `headings are bold on a terminal, unless NO_COLOR is set`() throws {
    try withDays { store in
      let options = (store + Self.now).joined(separator: " ")
      for (variables, isBold) in [("TERM=xterm", true), ("TERM=xterm NO_COLOR=1", false)] {
        let text = try shell(
          "unset NO_COLOR; export \(variables); script -qec 'track log \(options)' /dev/null"
        ).output
        #expect(text.contains("\u{1B}[1mTotal ") == isBold, "\(text)")
      }
    }
  }

  @Test func `the log of a range has the entries that reach into it, whole`() throws {
    try withDays { store in
      let one = """
        Mon 2026-03-02                  2:00, 1:30 on this day
          #2  22:30 - 2026-03-03 00:30  2:00  $  night shift  @ops
        Total                           2:00
        """
      for (range, inside) in [
        (["2026-03-03"], "0:30"), (["tuesday"], "0:30"),
        (["2026-03-03", "0:00", "-", "0:10"], "0:10"),
      ] {
        try expectText(
          ["log"] + range + store + Self.now,
          "\(one)\nIn the range                    \(inside)")
      }
      // The limit counts from the end.
      try expectText(
        ["log", ":week", "--limit", "1"] + store + ["--now", "2026-03-05T08:30:00Z"],
        """
        Thu 2026-03-05     0:30
          #4  08:00 - now  0:30  読書  @thesis  #focus
        Total              0:30
        """)
      let json = try json(expectFine(["track", "log", "monday", "--json"] + store + Self.now))
      let entries = try #require(json as? [[String: Any]])
      #expect(entries.map { $0["id"] as? Int } == [0, 1, 2])
      #expect(entries.first?["tags"] as? [String] == ["writing", "focus"])
      try expectText(
        ["log", "2020"] + store + Self.now,
        "There are no entries in this range: Wed 2020-01-01 - Thu 2020-12-31.")
      #expect(try expectFine(["track", "log", "2020", "--json"] + store) == "[]\n")
      try expectFine(["track", "log", "from", "monday"] + store + Self.now)
    }
  }

  @Test func `the log tells users apart if there are several`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      for user in ["anna", "bo"] {
        try record(
          "a", "2026-03-02T09:00:00Z", "2026-03-02T09:30:00Z", ["--user", user], in: store)
      }
      try expectText(
        ["log"] + store + Self.now,
        """
        Mon 2026-03-02       1:00
          #0  09:00 - 09:30  0:30  a  anna
          #1  09:00 - 09:30  0:30  a  bo
        Total                1:00
        """)
      let anna = try expectFine(["track", "log", "--user", "anna"] + store + Self.now)
      #expect(anna.entryLines == ["  #0  09:00 - 09:30  0:30  a"])
      let days = try expectFine(["track", "day", "monday", "--by", "user"] + store + Self.now)
      #expect(days.contains("anna   0:30  50%"))
      let one = ["track", "day", "monday", "--by", "user", "--user", "bo"]
      #expect(try expectFine(one + store + Self.now).contains("bo     0:30  100%"))
      try expectFailure(
        ["track", "week", "--user", "ana"] + store, exit: 1, mentions: ["Did you mean anna?"])
    }
  }

  @Test func `a day has a chart of its projects`() throws {
    try withDays { store in
      let expected = """
        Mon 2026-03-02, UTC

        thesis                      1:30  41%  ████████████████████████████████████████
        ops                         1:30  41%  ████████████████████████████████████████
        a project with a long name  0:40  18%  █████████████████▊
        Total                       3:40
        """ + Self.unrated("1:30")
      try expectText(["day", "2026-03-02"] + store + Self.now, expected)
      try expectText(["day", "monday", "9:00", "-", "9:10"] + store + Self.now, expected)
      // An entry that crosses midnight counts on both days.
      try expectText(
        ["day", "2026-03-03", "--by", "tag"] + store + Self.now,
        """
        Tue 2026-03-03, UTC

        (no tags)  0:30  100%  ████████████████████████████████████████
        Total      0:30
        """ + Self.unrated("0:30"))
      let several = try expectFine(
        ["track", "day", "2026-03-02", "-", "2026-03-04"] + store + Self.now)
      #expect(
        several.lines.prefix(5) == [
          "Mon 2026-03-02 - Wed 2026-03-04, UTC", "",
          "Mon 2026-03-02  3:40  ████████████████████████████████████████",
          "Tue 2026-03-03  0:30  █████▌", "Wed 2026-03-04  1:00  ██████████▉",
        ])
    }
  }

  @Test func `a week has the sum of each day, several weeks that of each week`() throws {
    try withDays { store in
      let week = """
        Mon 2026-03-02 - Sun 2026-03-08, UTC

        Mon 2026-03-02  3:40  ████████████████████████████████████████
        Tue 2026-03-03  0:30  █████▌
        Wed 2026-03-04  1:00  ██████████▉
        Thu 2026-03-05  1:20  ██████████████▌
        Fri 2026-03-06     -
        Sat 2026-03-07     -
        Sun 2026-03-08     -

        thesis                      2:50  44%  ████████████████████████████████████████
        ops                         2:00  31%  ████████████████████████████▎
        (no project)                1:00  15%  ██████████████▏
        a project with a long name  0:40  10%  █████████▍
        Total                       6:30
        """ + Self.unrated("2:00")
      for range in [[], [":week"], ["2026-03-04"], ["from", "today"], ["2026-W10"]] {
        try expectText(["week"] + range + store + Self.now, week)
      }
      let several = try expectFine(
        ["track", "week", "2026-03-01", "-", "2026-03-02"] + store + Self.now)
      #expect(
        several.lines.prefix(4) == [
          "Mon 2026-02-23 - Sun 2026-03-08, UTC", "", "week of 2026-02-23     -",
          "week of 2026-03-02  6:30  ████████████████████████████████████████",
        ])
      let told = try object(expectFine(["track", "week", "--json"] + store + Self.now))
      #expect(told["version"] as? Int == 1)
      #expect(told["period"] as? String == "week")
      let parts = try #require(told["parts"] as? [[String: Any]])
      #expect(parts.map { $0["name"] as? String } == (2...5).map { "2026-03-0\($0)" })
      #expect(parts.map { $0["seconds"] as? Int } == [13_200, 1_800, 3_600, 4_800])
    }
  }

  @Test func `a month has the sum of each day, a year that of each month`() throws {
    try withDays { store in
      let month = try expectFine(["track", "month", "2026-03-31"] + store + Self.now).lines
      #expect(try month.element(0) == "March 2026, UTC")
      #expect(try month.element(2) == "Sun 2026-03-01     -")
      #expect(
        try month.element(3) == "Mon 2026-03-02  3:40  ████████████████████████████████████████")
      #expect(try month.element(32) == "Tue 2026-03-31     -")
      #expect(month.dropLast(2).last == "Total                       6:30")
      let year = try expectFine(["track", "month", "2026"] + store + Self.now).lines
      #expect(
        try year.element(2) == "January 2026       -" && year.element(13) == "December 2026      -")
      #expect(
        try year.element(4) == "March 2026      6:30  ████████████████████████████████████████")
      try expectText(
        ["month", "2020-02"] + store + Self.now, "February 2020, UTC\nNo entries match.")
    }
  }

  @Test func `a report has nested groups, rounded times and shares`() throws {
    try withDays { store in
      try expectText(
        ["report"] + store + Self.now,
        """
        Mon 2026-03-02 - Sun 2026-03-08, UTC

                                    Time  Billable  Share
        thesis                      2:50      0:00    44%  █████████████████████████████
        ops                         2:00      2:00    31%  ████████████████████▌
        (no project)                1:00      0:00    15%  ██████████▎
        a project with a long name  0:40      0:00    10%  ██████▉
        Total                       6:30      2:00   100%
        """ + Self.unrated("2:00"))
      try expectText(
        [
          "report", "2026-03-02", "-", "2026-03-03", "--by", "day,project,tag", "--round", "15m",
          "--round-mode", "up",
        ] + store + Self.now,
        """
        Mon 2026-03-02 - Tue 2026-03-03, UTC

                                      Time  Rounded  Billable  Share
        Mon 2026-03-02                3:40     3:45      1:30    88%  ██████████████████
          thesis                      1:30     1:30      0:00    36%  ███████▍
            #writing #focus           1:30     1:30      0:00    36%  ███████▍
          ops                         1:30     1:30      1:30    36%  ███████▍
            (no tags)                 1:30     1:30      1:30    36%  ███████▍
          a project with a long name  0:40     0:45      0:00    16%  ███▎
            #meeting                  0:40     0:45      0:00    16%  ███▎
        Tue 2026-03-03                0:30     0:30      0:30    12%  ██▌
          ops                         0:30     0:30      0:30    12%  ██▌
            (no tags)                 0:30     0:30      0:30    12%  ██▌
        Total                         4:10     4:15      2:00   100%
        """ + Self.unrated("2:00"))
      func total(_ options: [String]) throws -> [String: Any] {
        let command = ["track", "report", "2026-03", "--json"] + options
        let told = try object(expectFine(command + store + Self.now))
        return try #require(told["total"] as? [String: Any])
      }
      for (options, seconds) in [
        (["--billable"], 7_200), (["--not-billable"], 16_200), (["--project", "OPS"], 7_200),
        (["--project", "ops", "--project", "thesis"], 17_400), (["--tag", "focus"], 10_200),
        (["--tag", "focus", "--tag", "meeting"], 12_600), (["--tag", "writing"], 5_400),
      ] { #expect(try total(options)["seconds"] as? Int == seconds, "\(options)") }
      for (options, seconds) in [
        (["--round-level", "entry"], 25_200), (["--round-level", "group"], 25_200),
        (["--round-mode", "up"], 28_800),
        (["--round-mode", "down", "--round-level", "day"], 14_400),
      ] {
        let rounded = try total(["--round", "1h"] + options)["rounded"] as? [String: Any]
        #expect(rounded?["seconds"] as? Int == seconds, "\(options)")
      }
    }
  }

  @Test func `a report for programs has the range, the total and the groups`() throws {
    try withDays { store in
      let command = ["track", "report", "2026-03-02", "--by", "project,tag", "--project", "thesis"]
      #expect(
        try expectFine(command + ["--json"] + store + Self.now)
          == #"{"version":1,"range":{"start":"2026-03-02T00:00:00Z","end":"2026-03-03T00:00:00Z","#
          + #""zone":"UTC"},"totalOf":"exact","total":{"entries":1,"seconds":5400,"#
          + #""billableSeconds":0,"amounts":[],"#
          + #""rounded":null},"overlapSeconds":0,"groups":[{"by":"project","id":0,"#
          + #""name":"thesis","entries":1,"seconds":5400,"billableSeconds":0,"amounts":[],"#
          + #""rounded":null,"percent":100,"groups":[{"by":"tag","id":null,"#
          + #""names":["writing","focus"],"entries":1,"seconds":5400,"billableSeconds":0,"#
          + #""amounts":[],"rounded":null,"percent":100,"groups":[]}]}]}"# + "\n")
      let open = try object(
        expectFine(["track", "report", "from", "monday", "--json"] + store + Self.now))
      #expect((open["range"] as? [String: Any])?["end"] is NSNull)
      try expectText(
        ["report", ":week", "--by", "project,tag", "--round", "15m", "--csv"] + store + Self.now,
        """
        project,tag,entries,hours,rounded_hours,seconds,rounded_seconds,billable_seconds,\
        rounded_billable_seconds,amount,rounded_amount
        thesis,"writing, focus",1,1.5000,1.5000,5400,5400,0,0,0.00,0.00
        thesis,focus,1,1.3333,1.2500,4800,4500,0,0,0.00,0.00
        ops,,1,2.0000,2.0000,7200,7200,7200,7200,0.00,0.00
        ,,1,1.0000,1.0000,3600,3600,0,0,0.00,0.00
        a project with a long name,meeting,1,0.6667,0.7500,2400,2700,0,0,0.00,0.00
        """)
    }
  }

  @Test func `the log lists whole days, or says that a day has more`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-27 9:00 - 10:00 before")
      for minute in 10..<45 {
        try desk.fine("add 2026-03-01 9:\(minute) - 9:\(minute + 1) x +\(["a", "b"][minute % 2])")
      }
      let plain = try desk.fine("log")
      #expect(plain.first?.hasSuffix("   0:35") == true && plain.count == 37, "\(plain)")
      let limited = try desk.fine("log --limit 3")
      #expect(limited.first == "Sun 2026-03-01        0:03 of 0:35", "\(limited)")
      #expect(limited.last == "Total                 0:03" && limited.count == 5)
      let whole = try desk.fine("log --limit 36")
      #expect(whole.allSatisfy { !$0.contains(" of ") }, "\(whole)")
      // The sum of a filter is the sum of the matching entries.
      let filtered = try desk.fine("log --limit 3 --filter #b")
      #expect(filtered.first?.hasSuffix("0:03 of 0:17") == true, "\(filtered)")
      let range = try desk.fine("log 2026-03-01 --limit 3")
      #expect(range.first == limited.first)
      #expect(try desk.fine("log 2026-03-01 --filter #b").first?.hasSuffix(" 0:17") == true)
    }
  }

  @Test func `the times of each level are those of the help`() throws {
    try withDesk { desk in
      for (day, hour) in [(2, 8), (2, 9), (3, 8), (3, 9)] {
        try desk.fine("add 2026-02-0\(day) \(hour):00 - \(hour):20 x @a")
      }
      for (level, time) in [("entry", "1:00"), ("day", "1:30"), ("group", "1:15")] {
        let lines = try desk.fine("report 2026-02 --round 15m --round-level \(level)")
        #expect(lines.last?.contains(" 1:20     \(time) ") == true, "\(level): \(lines)")
      }
      // Billable time is a multiple of the increment by itself.
      try desk.fine("add 2026-02-02 10:00 - 10:10 x @a --billable")
      let day = try desk.fine("report 2026-02-02 --round 15m --round-level day")
      #expect(day.dropLast(2).last?.contains("0:50     1:00      0:15 ") == true, "\(day)")
    }
  }

  @Test func `hours times the rate is the amount, with and without rounding`() throws {
    try withDesk { desk in
      try desk.fine("projects create a --rate 85.50 --billable")
      for day in 3...6 { try desk.fine("add 2026-02-0\(day) 9:00 - 9:15 x @a") }
      for options in ["", "--round 15m", "--round 15m --round-level day"] {
        let lines = try desk.fine("report 2026-02 \(options)")
        #expect(lines.filter { $0.contains("85.50") }.count == 2, "\(lines)")
      }
      // Each line of a day is 21.375.
      let days = try desk.fine("report 2026-02 --by day --round 15m")
      #expect(days.filter { $0.contains(" 21.38") }.count == 4, "\(days)")
      #expect(days.suffix(3).first?.contains(" 85.50") == true, "\(days)")
      #expect(
        days.last == "Totals are exact; (rounding) is the rest. --total-of lines adds lines up.")
    }
  }

  @Test func `names with commas, quotes and line ends are one field of CSV`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      let long = String(repeating: "x", count: 480)
      let tags = (0..<12).flatMap { ["--tag", "\($0)\(long)"] }
      try record(
        "a", "2026-03-02T09:00:00Z", "2026-03-02T09:30:00Z",
        ["--project", "a \"b\", c\nd"] + tags, in: store)
      let text = try expectFine(
        ["track", "report", "--by", "month,project,tag", "--csv"] + store + Self.now)
      #expect(text.lines.count == 2)
      #expect(text.contains("\n2026-03,\"a \"\"b\"\", c d\",\"0xxx"))
      // A line for programs is never cut.
      #expect(text.hasSuffix("x\",1,0.5000,1800,0,0.00\n"))
    }
  }

  @Test func `a report without entries says so`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "preferences", "--week-start", "monday"] + store)
      try expectText(
        ["report", "2026-03-02"] + store, "Mon 2026-03-02, UTC\nNo entries match.")
      #expect(
        try expectFine(["track", "report", "2026-03-02", "--json"] + store)
          == #"{"version":1,"range":{"start":"2026-03-02T00:00:00Z","end":"2026-03-03T00:00:00Z","#
          + #""zone":"UTC"},"totalOf":"exact","total":{"entries":0,"seconds":0,"#
          + #""billableSeconds":0,"amounts":[],"rounded":null},"overlapSeconds":0,"groups":[]}"#
          + "\n")
      try expectText(
        ["report", "2026-03-02", "--by", "user,day", "--csv"] + store,
        "user,day,entries,hours,seconds,billable_seconds,amount")
      for period in ["day", "week", "month"] {
        #expect(try expectFine(["track", period] + store).hasSuffix(", UTC\nNo entries match.\n"))
      }
      #expect(try expectFine(["track", "report", "--goals"] + store).hasSuffix("has no goals.\n"))
    }
  }

  @Test func `an invalid range exits with 64 and writes nothing`() throws {
    try withDays { store in
      let before = try filesInTree(store[1])
      for command in ["log", "day", "week", "month", "report"] {
        for (range, word) in [
          (["wek"], "wek"), (["2026-02-30"], "2026-02-30"), (["friday", "-"], "friday"),
          ([":weak"], ":weak"), (["9:00"], "9:00"), (["2026-03-05", "-", "2026-03-01"], "later"),
          ([""], "empty"),
        ] {
          try expectFailure(
            ["track", command] + range + store + Self.now, exit: 64, mentions: [word])
        }
      }
      for (options, word) in [
        (["--by", "projct"], "Did you mean project?"), (["--by", "day,day"], "twice"),
        (["--by", ""], "--by"), (["--round", "15"], "15m"), (["--round", "0m"], "zero"),
        (["--round-mode", "up"], "--round"), (["--round", "15m", "--round-mode", "x"], "up"),
        (["--billable", "--not-billable"], "--billable"), (["--goals", ":weak"], ":weak"),
        (["--goals", "--by", "tag"], "--goals"), (["--goals", "--tag", "focus"], "--goals"),
      ] {
        try expectFailure(["track", "report"] + options + store, exit: 64, mentions: [word])
      }
      #expect(try run("track", ["report", "--csv", "--json"] + store).status == 64)
      for option in ["--project", "--tag", "--user"] {
        try expectFailure(
          ["track", "report", option, "nothing"] + store, exit: 1, mentions: ["nothing"])
      }
      let after = try filesInTree(store[1])
      #expect(after["data.mdb"] == before["data.mdb"])
    }
  }

  @Test func `a day that begins after a change of clocks is not the one that it makes longer`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      let berlin = ["TZ": "Europe/Berlin"]
      try record(
        "night", "2026-10-24T20:00:00Z", "2026-10-25T07:00:00Z", in: store, environment: berlin)
      let preferences = ["track", "preferences", "--day-start", "4:00"]
      try expectFine(
        preferences + store + ["--now", "2026-10-26T09:00:00Z"], environment: berlin)
      let first = try expectFine(["track", "report", "2026-10-24"] + store, environment: berlin)
      #expect(first.contains("Total         7:00"), "\(first)")
      #expect(
        first.hasSuffix("\n2026-10-24 has 25 hours: clocks go back from 03:00 to 02:00.\n"))
      let second = try expectFine(["track", "report", "2026-10-25"] + store, environment: berlin)
      #expect(second.contains("Total         4:00") && !second.contains("hours"), "\(second)")
    }
  }

  @Test func `a day on which clocks go back has 25 hours`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      let berlin = ["TZ": "Europe/Berlin"]
      // From 00:00 to 12:00 twice, over the hour that clocks repeat and after it.
      try record(
        "night", "2026-10-24T22:00:00Z", "2026-10-25T09:00:00Z", in: store, environment: berlin)
      try record(
        "day", "2026-10-25T11:30:00Z", "2026-10-25T23:00:00Z", in: store, environment: berlin)
      let now = ["--now", "2026-10-26T09:00:00Z"]
      #expect(
        try expectFine(["track", "log", "yesterday"] + store + now, environment: berlin) == """
          Sun 2026-10-25                     22:30
            #0  00:00 +02:00 - 10:00 +01:00  11:00  night
            #1  12:30 - 2026-10-26 00:00     11:30  day
          Total                              22:30

          """)
      let day = try expectFine(["track", "day", "yesterday"] + store + now, environment: berlin)
      #expect(
        day == """
          Sun 2026-10-25, Europe/Berlin

          (no project)  22:30  100%  ████████████████████████████████████████
          Total         22:30

          2026-10-25 has 25 hours: clocks go back from 03:00 to 02:00.

          """)
      let told = try object(
        expectFine(
          ["track", "report", "yesterday", "--by", "day", "--json"] + store + now,
          environment: berlin))
      let range = try #require(told["range"] as? [String: Any])
      #expect(range["start"] as? String == "2026-10-24T22:00:00Z")
      #expect(range["end"] as? String == "2026-10-25T23:00:00Z")
      #expect(range["zone"] as? String == "Europe/Berlin")
      #expect((told["total"] as? [String: Any])?["seconds"] as? Int == 81_000)
      let text = try expectFine(
        ["track", "report", "yesterday"] + store + now, environment: berlin)
      #expect(text.hasSuffix("\n2026-10-25 has 25 hours: clocks go back from 03:00 to 02:00.\n"))
      // The note appears only for an entry across the change of clocks.
      for words in [
        ["report", "2026-10", "--filter", "day"], ["week", "yesterday", "--filter", "text:day"],
      ] {
        let other = try expectFine(["track"] + words + store + now, environment: berlin)
        #expect(other.contains("11:30") && !other.contains("25 hours"), "\(other)")
      }
    }
  }

  /// Performs commands that have no verb of the tool.
  private func perform(_ commands: [DomainCommand], in folder: String, at now: String) throws {
    for command in commands {
      let store = try TrackerStore.open(
        at: "\(folder)/s", zone: .utc, now: Moment(timestamp: now))
      _ = try store.perform(command, closing: true)
    }
  }

  @Test func `a report has the amounts of each currency`() throws {
    try withTemporaryDirectory { folder in
      var (home, away) = (Workspace(name: Name("home")), Workspace(name: Name("away")))
      (home.currency, away.currency) = ("EUR", "NOK")
      (home.rate, away.rate) = (6_000, 90_000)
      let (euros, crowns) = (WorkspaceID(value: 0), WorkspaceID(value: 1))
      var commands: [DomainCommand] = [
        .workspace(.create(home)), .workspace(.create(away)),
        .user(.create(User(name: Name("anna")))),
      ]
      let start = try #require(Moment(timestamp: "2026-03-02T09:00:00Z"))
      for (index, workspace) in [euros, crowns].enumerated() {
        var draft = TimeEntryDraft(
          user: .id(UserID(value: 0)), description: "a", zone: .utc)
        draft.workspace = workspace
        draft.isBillable = true
        draft.annotations = ["first remark", "second\nremark"]
        let begin = start.adding(.seconds(Int64(index) * 3_600))
        commands.append(
          .entry(.add(draft, start: begin, end: begin.adding(.seconds(1_500)), policy: .refuse)))
      }
      try perform(commands, in: folder, at: "2026-03-03T09:00:00Z")
      let store = ["--store", "\(folder)/s"] + Self.now
      try expectText(
        ["report", "--by", "workspace"] + store,
        """
        Mon 2026-03-02 - Sun 2026-03-08, UTC

               Time  Billable                 Amount  Share
        home   0:25      0:25              EUR 25.00    50%  ███████████████████████████
        away   0:25      0:25             NOK 375.00    50%  ███████████████████████████
        Total  0:50      0:50  EUR 25.00, NOK 375.00   100%
        """)
      try expectText(
        ["report", "--by", "workspace", "--round", "1h", "--round-mode", "up", "--csv"] + store,
        """
        workspace,entries,hours,rounded_hours,seconds,rounded_seconds,billable_seconds,\
        rounded_billable_seconds,amount_EUR,rounded_amount_EUR,amount_NOK,rounded_amount_NOK
        home,1,0.4167,1.0000,1500,3600,1500,3600,25.00,60.00,0.00,0.00
        away,1,0.4167,1.0000,1500,3600,1500,3600,0.00,0.00,375.00,900.00
        """)
      try expectText(
        ["log"] + store,
        """
        Mon 2026-03-02       0:50
          #0  09:00 - 09:25  0:25  $  a
                                      first remark
                                      second
                                      remark
          #1  10:00 - 10:25  0:25  $  a
                                      first remark
                                      second
                                      remark
        Total                0:50
        """)
    }
  }

  @Test func `goals are listed with what is left and what is over`() throws {
    try withTemporaryDirectory { folder in
      let anna = UserID(value: 0)
      var week = Goal(name: Name("thesis"), user: anna, target: .seconds(8 * 3_600))
      week.period = .week
      var limit = Goal(name: Name("no overtime"), user: anna, target: .seconds(3_600))
      limit.isLimit = true
      try perform(
        [.user(.create(User(name: Name("anna")))), .goal(.create(week)), .goal(.create(limit))],
        in: folder, at: "2026-03-01T09:00:00Z")
      let store = ["--store", "\(folder)/s"]
      let user = ["--user", "anna"]
      try record("a", "2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z", user, in: store)
      try record("b", "2026-03-03T09:00:00Z", nil, user, in: store)
      let now = ["--now", "2026-03-03T10:30:00Z"]
      try expectText(
        ["report", "--goals"] + user + store + now,
        """
                                       Spent  Target  Left  Over  Done
        thesis       each week          2:30    8:00  5:30         31%  █████
        no overtime  at most each day   1:30    1:00        0:30  150%  ████████████████
        """)
      let told = try object(
        expectFine(["track", "report", "--goals", "--json"] + user + store + now))
      let goals = try #require(told["goals"] as? [[String: Any]])
      #expect(goals.map { $0["leftSeconds"] as? Int } == [19_800, 0])
      #expect(goals.map { $0["overSeconds"] as? Int } == [0, 1_800])
      #expect(goals.map { $0["limit"] as? Bool } == [false, true])
    }
  }

  @Test func `weeks, days and the zone are those of the user's preferences`() throws {
    try withTemporaryDirectory { folder in
      let anna = UserID(value: 0)
      var preferences = PreferenceSet(user: anna)
      preferences.firstWeekday = 0
      preferences.dayStart = .seconds(4 * 3_600)
      preferences.zone = "Asia/Kolkata"
      try perform(
        [.user(.create(User(name: Name("anna")))), .preferences(.create(preferences))],
        in: folder, at: "2026-03-01T00:00:00Z")
      let store = ["--store", "\(folder)/s", "--user", "anna"]
      // From 02:30 to 05:30 in Kolkata.
      try expectFine(["track", "start", "a", "--now", "2026-03-01T21:00:00Z"] + store)
      try expectFine(["track", "stop", "--now", "2026-03-02T00:00:00Z"] + store)
      // At 01:30 it is still Monday.
      let now = ["--now", "2026-03-02T20:00:00Z"]
      let week = try expectFine(["track", "week", "today"] + store + now).lines
      #expect(
        try week.element(0) == "Sun 2026-03-01 - Sat 2026-03-07, Asia/Kolkata, days from 4:00")
      #expect(
        try week.element(2).hasPrefix("Sun 2026-03-01  1:30  ")
          && week.element(3).hasPrefix("Mon 2026-03-02  1:30"))
      let day = try expectFine(["track", "report", "today"] + store + now).lines
      #expect(try day.element(0) == "Mon 2026-03-02, Asia/Kolkata, days from 4:00")
      #expect(day.last == "Total         1:30   100%")
    }
  }
}
