import Foundation
import Testing
import ToolTestSupport

/// The verbs of `track` that record and correct entries.
@Suite struct EntryVerbTests {
  @Test func `words are a time, a description, a project and tags`() throws {
    try withDesk { desk in
      let told = try desk.fine("start 9:00 write the report @thesis +focus #deep")
      #expect(
        told == [
          "started  #0  2026-03-02 09:00:00 - running  +01:00  3:00:00  write the report  "
            + "@thesis  #focus  #deep",
          "note     thesis is a new project", "note     focus is a new tag",
          "note     deep is a new tag",
        ])
      try desk.fine("start 10min ago 'about #12 for @bob' \\#7 +5 a@b #mail", "12:30")
      try desk.fine("start -- 9:00 @x #y", "12:40")
      #expect(
        try desk.entries() == [
          "08:00-11:20 write the report @thesis #focus #deep",
          "11:20-11:40 about #12 for @bob #7 +5 a@b #mail", "11:40-now 9:00 @x #y",
        ])
    }
  }

  @Test func `a quoted name is a known project or tag, otherwise text with a note`() throws {
    try withDesk { desk in
      let note = "note     \"@Big Bank\" was read as text; a new project is "
      let told = try desk.fine("add 7:00 - 8:00 '@Big Bank' '+deep work' '#1 is open'")
      #expect(
        told.dropFirst() == [
          note + "--project \"Big Bank\"",
          "note     \"+deep work\" was read as text; a new tag is --tag \"deep work\"",
        ])
      #expect(try desk.fine("add 6:00 - 7:00 '@Big Bank' --json").count == 1)
      let odd = try desk.fine("add 5:00 - 6:00 '@Big $HOME' --dry-run")
      #expect(odd.last?.hasSuffix("a new project is --project 'Big $HOME'") == true, "\(odd)")
      try desk.fine("edit 0 --description a --project 'Big Bank' --tag 'deep work'")
      let remark = try desk.fine("edit '@Big Bank' --end 7:59 --dry-run").last
      #expect(remark?.contains("--filter '@\"Big Bank\"' changes") == true)
      try desk.fine("edit 1 b '@big  bank'")
      try desk.fine("add 8:00 - 9:00 review '+deep work'")
      try desk.fine("continue 9:00 '@Big Bank'", "10:00")
      let edited = try desk.fine("edit '@Other Bank'", "10:00")
      #expect(edited.last == note.replacing("Big", with: "Other") + "--project \"Other Bank\"")
      try desk.fails("continue '@Small Bank'", "There is no @Small Bank.")
      let escaped = try desk.fine("edit '\\@Big Bank' '+no tag' --dry-run").element(0)
      #expect(escaped.contains("  @Big Bank +no tag  @Big Bank  #deep work"), "\(escaped)")
      #expect(
        try desk.entries() == [
          "05:00-06:00 b @Big Bank", "06:00-07:00 a @Big Bank #deep work",
          "07:00-08:00 review #deep work", "08:00-now @Other Bank @Big Bank #deep work",
        ])
    }
  }

  @Test func `a known project and its task are written with a slash`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a @p")
      let told = try desk.fine("add 9:00 - 10:00 b @p/T")
      #expect(told.count == 2 && told[0].hasSuffix("b  @p/T"))
      // The word may mean a project of a client.
      for words in ["add 10:00 - 10:30 c @q/T", "start c --project q/T", "edit 0 @q/T"] {
        try desk.fails(words, "no client q", "create T --client q`", "create q/T`")
      }
      #expect(
        try desk.fine("projects create q/T").last
          == "note      q/T is the whole name of the project; `track projects create T --client q` "
          + "creates T of the client q")
      try desk.fine("add 10:00 - 10:30 c @q/T")
      try desk.fine("edit 0 @p/t")
      try desk.fails("edit 0 @p/U", "no task U")
      try desk.fails("add 10:30 - 11:00 x @p/T --task U", exit: 64, "two tasks")
      #expect(try desk.fine("projects") == ["p", "q/T"])
      #expect(try desk.fine("tasks") == ["T  project p"])
      #expect(try desk.fine("continue @p/T --dry-run").element(0).contains("b  @p/T"))
      func found(_ filter: String) throws -> Int {
        try desk.fine("log --json --filter '\(filter)'").joined().components(separatedBy: "\"id\":")
          .count - 1
      }
      #expect(try [found("@p/T"), found("@p"), found("@q/T"), found("not @p/t")] == [2, 2, 1, 1])
      try desk.fails("log --filter @p/U", "no task")
      try desk.fine("projects create p/T")
      try desk.fine("add 10:30 - 11:00 d @p/T")
      #expect(try [found("@p/T"), found("@p")] == [1, 2])
    }
  }

  @Test func `search and filters ignore the case of all letters`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 'Straße in İstanbul' @Großmann")
      for word in ["STRASSE", "straße", "istanbul", "ISTANBUL", "GROSSMANN"] {
        #expect(try desk.fine("search \(word)").count == 3, "\(word)")
        #expect(try desk.fine("log --filter \(word)").count == 3, "\(word)")
      }
    }
  }

  @Test func `a limit is refused with its number`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      let tags = (0...100).map { "--tag t\($0)" }.joined(separator: " ")
      let notes = (0...100).map { "--note n\($0)" }.joined(separator: " ")
      try desk.fails("add 9:00 - 10:00 b \(tags)", "at most 100 tags")
      try desk.fails("add 9:00 - 10:00 b \(notes)", "at most 100 annotations")
      let long = String(repeating: "x", count: 65_537)
      try desk.fails("edit 0 \(long)", "65536 bytes")
      try desk.fails("annotate 0 \(long)", "65536 bytes")
    }
  }

  @Test func `options of the tracker may precede the command`() throws {
    try withDesk { desk in
      let options = ["track", "--store=\(desk.store)", "--now", Desk.now("12:00"), "--tz", "UTC"]
      try expectFine(options + ["start", "10:00", "a"])
      try expectFine(options + ["8:00", "-", "9:00", "b"])
      #expect(try desk.entries() == ["08:00-09:00 b", "10:00-now a"])
      let log = try expectFine(["track", "--store", desk.store, "--json", "log", "--limit", "1"])
      #expect(try (json(log) as? [Any])?.count == 1)
      #expect(
        try expectFine(options).lines.last == "`track help` lists the commands.")
      #expect(try expectFine(options + ["--json"]).contains("\"running\":{\"id\":0"))
      try expectFine(options + ["schema"])
      try expectFailure(["track", "--limit", "1", "log"], exit: 64, mentions: ["--limit"])
    }
  }

  @Test func `a time within the description is text, and a note says so`() throws {
    try withDesk { desk in
      func remark(_ time: String) -> String {
        "note     \(time) was read as text; write a time before the description"
      }
      #expect(try desk.fine("start at 9:00 standup").count == 1)
      #expect(try desk.fine("switch call 9:50").last == remark("9:50"))
      #expect(try desk.fine("stop at 12:30", "12:40").count == 1)
      #expect(try desk.fine("add 7:00 - 7:30 at 7:20:00").last == remark("7:20:00"))
      #expect(
        try desk.fine("add 8:00 - 8:30 1:1 '9:00 x' a:30 -- 9:50").dropFirst()
          == ["note     -1 is #1, whose end is later"])
      #expect(try desk.fine("start at home", "12:50").count == 1)
      try desk.fails("start at 9:70 x", exit: 64, "9:70")
      #expect(
        try desk.entries() == [
          "06:00-06:30 at 7:20:00", "07:00-07:30 1:1 9:00 x a:30 9:50", "08:00-11:00 standup",
          "11:00-11:30 call 9:50", "11:50-now at home",
        ])
    }
  }

  @Test func `times are given once and are readable`() throws {
    try withDesk { desk in
      try desk.fails("start 9:70 x", exit: 64, "9:70")
      try desk.fails("start 9:00 x --at 10:00", exit: 64, "given twice")
      try desk.fails("start x --after-last", "ended")
      try desk.fails("start @a @b", exit: 64, "two projects")
      // Times that clocks skip or show twice are no descriptions.
      try desk.fails("start 2025-03-30T02:30 x", exit: 64, "Clocks skipped")
      try desk.fails("start 2025-10-26 02:30 x", exit: 64, "twice")
      try desk.fails("start 2026-02-30 9:00 x", exit: 64, "no day")
      #expect(!FileManager.default.fileExists(atPath: desk.store))
      try desk.fine("start 9:00 a", "9:30")
      try desk.fine("stop 10:00", "10:10")
      try desk.fine("start --after-last b", "10:20")
      try desk.fine("stop 5min ago", "10:30")
      #expect(try desk.entries() == ["08:00-09:00 a", "09:00-09:25 b"])
    }
  }

  @Test(arguments: [
    "add 9:00 - 10:00 Z file", "add 9:00 for 1h 30 bugs", "add 9:00 - 10:00 am mail",
    "start 9:00 UTC", "add monday lunch", "add yesterday", "start yesterday 25:00 x",
    "add 2026-03-29 2:30 - 5:00 x", "add monday 9 - 10 x", "start 2026-03-29 2:30 x",
  ])
  func `words that could be a time or text are refused`(words: String) throws {
    try withDesk { desk in
      try desk.fails(words, exit: 64)
      #expect(!FileManager.default.fileExists(atPath: desk.store))
    }
  }

  @Test func `ids are taken as lists show them, and lists with commas are refused`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("add 9:00 - 10:00 b")
      try desk.fine("tag '#0' +x")
      try desk.fine("edit '#0' new text")
      for list in ["1-0", "0,1", "0..1"] {
        try desk.fails("edit \(list) --billable", exit: 64, "no id")
        try desk.fails("delete \(list)", exit: 64, "no id")
      }
      // A time of day that does not exist is an error.
      try desk.fails("move 0 25:00", exit: 64, "25:00")
      #expect(try desk.entries() == ["07:00-08:00 new text #x", "08:00-09:00 b"])
    }
  }

  @Test func `a break is reported once, and the history shows the end of a canceled entry`() throws
  {
    try withDesk { desk in
      try desk.fine("add 8:00 - 10:00 a")
      let preview = try desk.fine("pause 8:30 - 9:00 --dry-run")
      let told = try desk.fine("pause 8:30 - 9:00")
      func words(_ lines: [String]) -> [[Substring]] { lines.map { $0.split(separator: " ") } }
      #expect(words(preview) == words(told).map { ["would", "be"] + $0 })
      #expect(told.count == 2)
      try desk.fine("start 11:00 b")
      try desk.fine("cancel", "11:30")
      let last = try #require(try desk.timeless("history").last { $0.contains("#") })
      #expect(last.hasSuffix("deleted  #2  2026-03-02 11:00 - 11:30  b"), "\(last)")
    }
  }

  @Test func `a range of ids and a filter select several entries`() throws {
    try withDesk { desk in
      for hour in 6...9 { try desk.fine("add \(hour):00 - \(hour + 1):00 a\(hour) @app") }
      try desk.fine("add 10:00 - 11:00 b @web")
      try desk.fine("delete 1")
      try desk.fine("tag 0-2 +x")
      try desk.fine("edit 3-99 +y --dry-run")
      try desk.fails("edit 7-9 +y", "no entry from 7 to 9")
      try desk.fails("move 0-2 9:00", exit: 64, "no id")
      // In a pipe nothing is asked.
      try desk.fails("edit --filter @app --billable", "3 entries", "--yes")
      try desk.fails("delete --filter @nobody", "no project nobody")
      try desk.fails("delete --filter 'text:a6 @web'", "No entry matches")
      for words in ["0 --filter @app", "--filter @app -- 0"] {
        try desk.fails("delete \(words)", exit: 64, "Leave out one")
      }
      try desk.fails("delete 0 -- b", exit: 64, "b is no id")
      #expect(try desk.fine("delete 0 --dry-run -- 0").count == 1)
      try desk.fails("delete", exit: 64, "--filter")
      let before = try desk.entries()
      #expect(try desk.fine("tag --filter @app y --dry-run").filter { $0.contains("#") }.count == 3)
      #expect(try desk.entries() == before)
      try desk.fine("edit --filter '@app not #x' @web --yes")
      try desk.fine("untag --filter 'date:2026-03-02 #x' x :yes")
      let told = try desk.fine("edit @web --billable --dry-run")
      #expect(told.last?.contains("--filter @web changes all of its entries") == true, "\(told)")
      #expect(!(try desk.fine("edit @app --dry-run").joined().contains("--filter")))
      try desk.fine("annotate --filter @web see --yes")
      try desk.fine("delete --filter text:b --yes --reason twice")
      #expect(
        try desk.entries() == [
          "05:00-06:00 a6 @app", "07:00-08:00 a8 @app",
          "08:00-09:00 a9 @web (see)",
        ])
      // One change.
      try desk.fine("undo 2")
      #expect(try desk.entries().last == "09:00-10:00 b @web")
    }
  }

  @Test func `a yes to several entries cuts and deletes no others`() throws {
    try withDesk { desk in
      try desk.fine("add 6:00 - 7:00 a")
      try desk.fine("add 7:00 - 8:00 b @app")
      try desk.fine("add 8:00 - 9:00 c")
      let before = try desk.entries()
      for words in ["--filter @app --start 6:30", "1-2 --start 6:30", "1 2 --end 11:30"] {
        try desk.fails("edit \(words) --yes", "overlaps", "--policy adjust")
      }
      try desk.fails("edit --filter @app --end 23:00 --yes", "--policy allow")
      #expect(try desk.entries() == before)
      try desk.fails("edit --filter @app --start 6:30 --policy adjust", "--yes")
      try desk.fine("edit --filter @app --start 6:30 --policy adjust --yes")
      try desk.fine("edit 1 --end 8:30 --yes")
      #expect(
        try desk.entries() == ["05:00-05:30 a", "05:30-07:30 b @app", "07:30-08:00 c"])
    }
  }

  @Test func `a filter of more entries than one change may have is refused`() throws {
    try withDesk { desk in
      let rows = (0...1_000).map { number in
        let minute = number % 60
        return "2026-01-\(10 + number / 60) 09:\(minute < 10 ? "0" : "")\(minute),1,x"
      }
      try withTemporaryDirectory { folder in
        let file = "\(folder)/rows.csv"
        try ("Start,Minutes,What\n" + rows.joined(separator: "\n")).write(
          toFile: file, atomically: true, encoding: .utf8)
        try desk.timeless(
          "import \(file) --column start=Start --column duration=Minutes --duration-unit minutes "
            + "--column description=What --date-format 'yyyy-MM-dd HH:mm'")
      }
      try desk.fails("edit --filter text:x --billable --yes", exit: 64, "at most 1000", "narrower")
      let told = try desk.fine("edit --filter 'text:x date:2026-01-10' --billable --yes")
      #expect(told.count == 60)
    }
  }

  @Test func `@1 is the newest entry wherever entries are selected`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("add 9:00 - 10:00 b")
      try desk.fine("edit @1 c")
      #expect(try desk.entries() == ["07:00-08:00 a", "08:00-09:00 c"])
      #expect(try desk.fine("continue @2 --dry-run").element(0).hasSuffix("  a"))
      #expect(try desk.timeless("history @1") == desk.timeless("history 1"))
      #expect(try desk.timeless("history -2") == desk.timeless("history 0"))
      #expect(try desk.timeless("projects") == ["There are no projects."])
    }
  }

  @Test func `times in the words of edit are those of the entry, and never its description`()
    throws
  {
    try withDesk { desk in
      try desk.fine("add yesterday 9:00 - 9:30 a")
      try desk.fine("edit 0 9:15 - 9:45")
      #expect(try desk.entries() == ["08:15-08:45 a"])
      try desk.fine("edit 0 9:20-9:50 b +x")
      #expect(try desk.fine("log yesterday").contains { $0.contains("09:20 - 09:50") })
      for times in ["from 9:10 to 9:40", "9:10am - 9:40am", "from 9:10am for 30min"] {
        try desk.fine("edit 0 \(times)")
        #expect(try desk.entries() == ["08:10-08:40 b #x"])
        try desk.fine("undo")
      }
      #expect(
        try desk.fine("edit 0 today 9:20 - 9:50 --dry-run").element(0).contains("2026-03-02 09:20"))
      try desk.fails("edit 0 10:00 - 9:00", "The end is before the start", "2026-03-02 09:00.")
      try desk.fails("edit 0 10:00 - 2026-03-02 9:00", "more than 12 hours")
      try desk.fails("edit 0 9:15", exit: 64, "--start 9:15 or --end 9:15")
      try desk.fails("edit 0 from 9:15am", exit: 64, "--start 9:15am")
      try desk.fails("edit 0 yesterday 17:30 c", exit: 64, "--end 'yesterday 17:30'")
      try desk.fails("edit 0 9:15 - 9:70", exit: 64, "9:70")
      try desk.fails("edit 0 9:15 - 9:45 --end 9:50", exit: 64, "given twice")
      try desk.fine("edit 0 '5 - 10 users'")
      try desk.fine("edit 0 +y -- 9:15")
      #expect(try desk.entries() == ["08:20-08:50 9:15 #x #y"])
    }
  }

  @Test(arguments: [
    ("start @2 8:45", "`track edit @2 --start 8:45`"), ("1 end 8:45", "`track edit 1 --end 8:45`"),
    ("range @1 8:00 - 8:30", "`track edit @1 8:00 - 8:30`"),
    ("2026-03-01 - 2026-03-02 @acme --tag billed", "--filter date:2026-03-01..2026-03-02"),
    ("last week", "--filter 'date:\"last week\"'"), ("0 yesterday", "--start TIME or --end TIME"),
    ("0 for 45m", "`track lengthen`"), ("45m +x", "--for 45m"),
  ])
  func `words of edit that are only a time do not become the description`(
    words: String, advice: String
  ) throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("add 9:00 - 10:00 b")
      try desk.fails("edit \(words)", exit: 64, "is a time and no description", advice)
      let text = words.split(separator: " --")[0]
      #expect(try desk.fine("edit \(text) call --dry-run").element(0).contains("call"))
      #expect(try desk.entries() == ["07:00-08:00 a", "08:00-09:00 b"])
    }
  }

  @Test func `edit refuses two values, and one description for several entries without a yes`()
    throws
  {
    try withDesk { desk in
      for text in ["a", "b", "c"] {
        try desk.fine("add 8:00 - 9:00 \(text) @p --policy allow")
      }
      try desk.fails("edit 2 --project q @p", exit: 64, "two projects: q and p")
      try desk.fails("edit 2 --task t @p/u", exit: 64, "two tasks: t and u")
      try desk.fails("edit 2 x --description y", exit: 64, "two descriptions")
      try desk.fails(
        "edit 1 2 pages of text", "2 entries would get the description \"pages of text\"",
        "--yes", "--dry-run")
      try desk.fine("edit 1 2 --note n")
      try desk.fine("edit 1 2 --description d")
      #expect(try desk.fine("edit 1 2 pages --dry-run").count == 4)
      try desk.fine("edit 1 -- 2 pages of text")
      try desk.fine("edit 0 2 many --yes")
      #expect(
        try desk.entries() == [
          "07:00-08:00 many @p", "07:00-08:00 2 pages of text @p (n)", "07:00-08:00 many @p (n)",
        ])
    }
  }

  @Test func `an entry starts more than 12 hours ago only after a yes, under every policy`()
    throws
  {
    try withDesk { desk in
      try desk.fine("add yesterday 9:00 - 10:00 a")
      for policy in ["refuse", "adjust"] {
        try desk.fine("preferences --policy \(policy)")
        for verb in ["start", "continue 0"] {
          let words = "\(verb) yesterday 8:00"
          try desk.fails(
            words, "It would run since 2026-03-01 08:00, for more than 12 hours.", "--yes")
          // --yes confirms the early start only, not the deletion of another entry.
          try desk.fails("\(words) --yes", "#0 \"a\"", "--policy adjust")
          for option in ["yesterday 12:00 --yes", "yesterday 8:00 --policy allow"] {
            try desk.fine("\(verb) \(option)")
            try desk.fine("undo")
          }
          try desk.fine("\(words) --policy adjust --dry-run")
        }
        try desk.fails("start yesterday 23:59 x", "more than 12 hours")
        #expect(try desk.fine("start 0:01 x --dry-run").count == 1)
      }
      #expect(try desk.entries() == ["08:00-09:00 a"])
    }
  }

  @Test func `the policy of the preferences deletes whole entries only after a yes`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("add 9:00 - 10:00 b")
      try desk.fine("preferences --policy adjust")
      let before = try desk.entries()
      for words in ["start 8:30 x", "add 8:30 - 10:30 x", "edit 0 8:00 - 10:30"] {
        try desk.fails(
          words, "would delete #1 \"b\" (2026-03-02 09:00 - 10:00)", "--policy adjust")
        let dry = try desk.fine("\(words) --dry-run")
        #expect(dry == (try desk.fine("\(words) --dry-run --policy adjust")))
      }
      // For --filter, --yes answers only whether to change the entries that it selects.
      try desk.fails("edit --filter text:a --end 10:30 --yes", "would delete #1", "--policy")
      try desk.fails("start yesterday 20:00 x --policy refuse --yes", "overlaps #0")
      #expect(try desk.entries() == before)
      // The entry that a join removes does not count as deleted by the policy.
      try desk.fine("join 0 1")
      try desk.fine("undo")
      #expect(try desk.entries() == before)
      try desk.fine("add 8:30 - 9:30 y")
      try desk.fine("start 8:30 x --yes")
      #expect(try desk.entries() == ["07:00-07:30 a", "07:30-now x"])
    }
  }

  @Test func `a new task is noted as a new project is`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a @p --task coding")
      try desk.fine("add 9:00 - 10:00 a @q --task writing")
      #expect(try desk.fine("start @p/coding").count == 1)
      let told = try desk.fine("start @p/codng", "12:10")
      #expect(told.last == "note     codng is a new task, similar to coding")
      #expect(
        try desk.fine("start @q --task code", "12:20").last == "note     code is a new task")
    }
  }

  @Test func `words of timewarrior do not become text`() throws {
    try withDesk { desk in
      try desk.fails("add 9:00 - 9:40 call :fill", exit: 64, ":fill", "track fill")
      try desk.fails("start call :ids", exit: 64, "track log")
      try desk.fails("start call :week", exit: 64, "track report :week")
      try desk.fine("add 9:00 - 9:40 call :adjust :bug: -- :fill")
      try desk.fails("tag @1 x :quiet", exit: 64, ":quiet")
      try desk.fine("add 20260302T090000Z - 20260302T093000Z timer")
      try desk.fine("start half an hour ago standup")
      #expect(
        try desk.entries() == [
          "08:00-08:40 call :bug: :fill", "09:00-09:30 timer", "10:30-now standup",
        ])
      try desk.fine("stop an hour ago --dry-run", "13:00")
      let asked = try desk.fine("start at half an hour ago call --dry-run", "13:00")
      #expect(asked.last?.contains("12:30:00 - running") == true, "\(asked)")
      try desk.fails("start half an hour ago - now call", exit: 64, "is a range")
      for verb in ["start", "edit"] {
        #expect(try desk.fine("\(verb) ago --dry-run", "13:00").last?.hasSuffix("  ago") == true)
      }
      try desk.fails("add ago", exit: 64, "a range of two times")
      try desk.fine("start a day of rest", "13:00")
      #expect(try desk.entries().last == "12:00-now a day of rest")
    }
  }

  @Test func `after midnight a time is one of the entry that ran before it`() throws {
    try withDesk { desk in
      func track(_ words: String, exit: Int32 = 0, _ mentions: String...) throws {
        let all =
          ["track"] + words.split(separator: " ").map(String.init)
          + ["--store", desk.store, "--now", "2026-03-03T00:00:00Z"]
        if exit == 0 {
          let told = try expectFine(all, environment: desk.environment)
          for mention in mentions { #expect(told.contains(mention), "\(told)") }
        } else {
          try expectFailure(all, exit: exit, mentions: mentions, environment: desk.environment)
        }
      }
      try desk.fine("start a", "22:00")
      try track("stop 21:00", exit: 1, "in the future, at 2026-03-03 21:00")
      try track("stop 2:00", exit: 1, "in the future")
      for words in [
        "stop 23:00", "stop --at 23:00", "switch 23:00 b", "start 23:00 b",
        "pause 23:00", "pause 23:00 - 23:30",
      ] {
        try track(words + " --dry-run", "2026-03-02 22:00:00 - 23:00:00")
      }
      try track("stop 23:00")
      try track("continue 0 23:30", exit: 1, "in the future")
      try track("add 0:30 - 0:15 x", exit: 1, "The end is before the start")
      try track("add 0:30 - 0:15 x --policy allow --dry-run", "2026-03-04 00:15:00")
      try track("add 23:30 - 0:15 x", exit: 1, "in the future")
    }
  }

  @Test func `an entry in the past is added by a range, with or without the verb`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:30 a @p")
      try desk.fine("10:30 - 11:00 b")
      try desk.fine("add --from 'yesterday 17:00' --for 45min 'c d'")
      try desk.fails("add a b", exit: 64, "range")
      try desk.fails("add --from 9:00 x", exit: 64, "--to")
      try desk.fails("add 11:00 - 10:00 x --from 9:00", exit: 64)
      try desk.fails("add 10:00 - 10:45 x", "overlaps", "--policy adjust")
      #expect(
        try desk.entries() == ["16:00-16:45 c d", "08:00-09:30 a @p", "09:30-10:00 b"])
      try desk.fine("add 10:00 - 10:45 x --yes")
      #expect(
        try desk.entries() == [
          "16:00-16:45 c d", "08:00-09:00 a @p", "09:00-09:45 x", "09:45-10:00 b",
        ])
    }
  }

  @Test func `a dry run prints what would change and writes nothing`() throws {
    try withDesk { desk in
      try desk.fine("start 9:00 a", "9:30")
      let told = try desk.fine("stop 10:00 --dry-run", "10:10")
      #expect(
        told.count == 1 && told[0].hasPrefix("would be stopped #0  2026-03-02 09:00:00 - 10:00:00"))
      let json = try object(
        expectFine(desk.command("cancel --dry-run --json", "10:10"), environment: desk.environment))
      #expect(json["dryRun"] as? Bool == true)
      #expect(try desk.entries() == ["08:00-now a"])
    }
  }

  @Test func `fields of one or several entries are edited, and nothing else changes`() throws {
    try withDesk { desk in
      try desk.fine("9:00 - 10:00 a @p #x")
      try desk.fine("10:00 - 11:00 b #x")
      try desk.fine("edit 0 1 @q +y --untag x")
      try desk.fine("edit --end 11:10 --description 'b c'")
      try desk.fine("edit -2 write --start 8:30 --reason typo")
      #expect(try desk.entries() == ["07:30-09:00 write @q #y", "09:00-10:10 b c @q #y"])
      try desk.fails("edit 1 @q", "already")
      try desk.fails("edit 7 x", "no entry 7")
      try desk.fails("edit 0 --untag z", "z")
      try desk.fails("edit 0 --start 9:30 --end 9:20", "end before")
      try desk.fine("edit 0 --project ''")
      #expect(try desk.entries().element(0) == "07:30-09:00 write #y")
    }
  }

  @Test func `an entry is added where the last one ended, and split at the time of an option`()
    throws
  {
    try withDesk { desk in
      try desk.fails("add --after-last --for 10m x", "ended yet")
      try desk.fine("add 8:00 - 9:00:30 a")
      try desk.fine("add --after-last --for 10m tidy up @home")
      try desk.fine("add --after-last --to 9:30 b")
      try desk.fine("add --at 10:00 --for 1h c")
      try desk.fine("split 3 --at 10:15")
      #expect(
        try desk.entries() == [
          "07:00-08:00 a", "08:00-08:10 tidy up @home", "08:10-08:30 b", "09:00-09:15 c",
          "09:15-10:00 c",
        ])
      #expect(try desk.fine("log --json").joined().contains("T08:10:30Z"))
    }
  }

  @Test func `an entry without an end runs again`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("add 9:00 - 10:00 b")
      let lines = try desk.fine("edit 1 --end ''")
      #expect(lines == ["changed  #1  2026-03-02 09:00:00 - running  +01:00  3:00:00  b"])
      try desk.fails("edit 1 --end ''", "these values already")
      try desk.fails("edit 0 --end ''", "It overlaps #1")
      #expect(try desk.entries() == ["07:00-08:00 a", "08:00-now b"])
    }
  }

  @Test func `a project and a tag that were deleted give way to new ones of their names`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 x @web +t +u")
      try desk.fails("edit 0 --project web --tag t", "these values already")
      try desk.fine("projects delete web --yes")
      try desk.fine("tags delete t --yes")
      try desk.fine("edit 0 --project web")
      try desk.fine("edit 0 --tag t --untag u")
      try desk.fails("edit 0 @web +t", "these values already")
      try desk.fine("tags delete t --yes")
      try desk.fine("tag 0 t")
      try desk.fails("tag 0 t", "these tags already")
      #expect(try desk.entries() == ["07:00-08:00 x @web #t"])
      #expect(try desk.fine("projects") == ["web"])
      #expect(try desk.fine("tags") == ["t", "u"])
    }
  }

  @Test func `entries are tagged, annotated, moved, lengthened and shortened`() throws {
    try withDesk { desk in
      try desk.fine("9:00 - 10:00 a")
      try desk.fine("tag 0 x +y")
      try desk.fails("tag 0 x", "already")
      try desk.fine("untag -1 x")
      try desk.fine("annotate 0 see the minutes")
      try desk.fine("annotate -- 12 apples")
      try desk.fine("lengthen 0 30m")
      try desk.fine("shorten 0 15m")
      try desk.fine("move 0 9:30")
      #expect(try desk.entries() == ["08:30-09:45 a #y (see the minutes) (12 apples)"])
      try desk.fails("shorten 0 3h", "left")
      try desk.fails("lengthen 0 x", exit: 64, "x")
      try desk.fails("move x 9:00", exit: 64, "no id")
      try desk.fails("lengthen 0 5h", "future")
      try desk.fails("lengthen 0 0m", "already")
      try desk.fails("move 0 9:30", "already")
    }
  }

  @Test func `annotations are replaced and removed`() throws {
    try withDesk { desk in
      try desk.fine("9:00 - 10:00 a --note one --note two")
      try desk.fine("annotate 0 --replace three bugs")
      #expect(try desk.entries() == ["08:00-09:00 a (three bugs)"])
      try desk.fails("annotate 0 --replace three bugs", "already")
      try desk.fails("annotate 0 ''", exit: 64, "--replace")
      try desk.fine("annotate 0 --replace ''")
      #expect(try desk.entries() == ["08:00-09:00 a"])
    }
  }

  @Test func `users of timewarrior find what they are used to`() throws {
    try withDesk { desk in
      try desk.fails("export", exit: 64, "`track log :all --json`", "`track log :all --csv`")
      try desk.fine("9:00 - 10:00 a #x")
      try desk.fine("9:30 - 10:30 b #y :adjust")
      try desk.fine("tag @2 z")
      try desk.fine("shorten @1 10min")
      try desk.fine("lengthen @2 20min :yes")
      try desk.fine("annotate @1 see @2")
      #expect(try desk.entries() == ["08:00-08:50 a #x #z", "08:50-09:20 b #y (see @2)"])
      try desk.fails("delete @3", "only 2 entries")
      try desk.fails("delete @0", exit: 64, "no id")
      try desk.fails("start c @1 :adjust --policy allow", exit: 64, "--policy")
      try desk.fine("delete @1")
      try desk.fine("start --tag 'deep work'")
      try desk.fine("start")
      try desk.fine("undo 2")
      try desk.fails("summary", exit: 64, "track log")
      try desk.fine("add 10:00 - 11:00 -- :adjust")
      #expect(try desk.entries().last == "09:00-10:00 :adjust")
    }
  }

  @Test func `some of the tags of the running entry are stopped`() throws {
    try withDesk { desk in
      try desk.fine("start 9:00 a @p #x #y --note n")
      try desk.fails("stop 9:00", "at or after")
      try desk.fails("stop +z", "tag z")
      try desk.fine("stop 10:00 +x")
      try desk.fine("stop 10:30 #y")
      try desk.fine("stop 11:00")
      try desk.fine("start 11:00 #x")
      try desk.fine("stop 11:30 +x")
      #expect(
        try desk.entries() == [
          "08:00-09:00 a @p #x #y (n)", "09:00-09:30 a @p #y", "09:30-10:00 a @p",
          "10:00-10:30  #x",
        ])
    }
  }

  @Test func `entries are split and joined`() throws {
    try withDesk { desk in
      try desk.fine("9:00 - 11:00 a @p")
      try desk.fine("split 0 9:30")
      try desk.fine("split 1")
      #expect(try desk.entries() == ["08:00-08:30 a @p", "08:30-09:15 a @p", "09:15-10:00 a @p"])
      try desk.fails("split 0 11:00", "within")
      try desk.fine("join 0 1")
      try desk.fine("join -1 -2")
      #expect(try desk.entries() == ["08:00-10:00 a @p"])
      try desk.fails("join 0 0", "joined")
    }
  }

  @Test func `times of an entry that runs past midnight are on the day that has them`() throws {
    try withDesk { desk in
      try desk.fine("add yesterday 22:00 - 1:00 a")
      try desk.fine("edit 0 --end 0:30")
      #expect(try desk.entries() == ["21:00-23:30 a"])
      try desk.fine("edit 0 --end 23:30")
      #expect(try desk.entries() == ["21:00-22:30 a"])
      // The entry no longer runs past midnight.
      try desk.fails("edit 0 --end 0:30", "end before", "2026-03-01 00:30")
      try desk.fine("edit 0 --end '2026-03-02 1:00'")
      try desk.fails("edit 0 --start 22:30 --end 'yesterday 22:15'", "2026-03-01 22:15")
      try desk.fails("split 0 3:00", "not within", "2026-03-01")
      try desk.fine("split 0 0:15")
      try desk.fine("split 0 23:00")
      #expect(try desk.entries() == ["21:00-22:00 a", "22:00-23:15 a", "23:15-00:00 a"])
      try desk.fine("start 'yesterday 23:00' b --policy adjust", "1:30")
      try desk.fine("edit --end 0:20", "1:30")
      #expect(try desk.entries().last == "22:00-23:20 b")
    }
  }

  @Test func `everything is undone and redone, step by step`() throws {
    try withDesk { desk in
      try desk.fails("undo", "change of yours")
      try desk.fine("9:00 - 10:00 a")
      try desk.fine("edit 0 b")
      try desk.fine("delete 0")
      try desk.fine("projects create p")
      #expect(try desk.entries().isEmpty)
      try desk.fine("undo 2")
      #expect(try desk.entries() == ["08:00-09:00 b"])
      try desk.fine("undo")
      #expect(try desk.entries() == ["08:00-09:00 a"])
      try desk.fine("redo 2")
      #expect(try desk.entries().isEmpty)
      try desk.fine("redo")
      try desk.fails("redo", "redo")
      try desk.fails("undo 0", exit: 64, "0")
      // There are four changes, so nothing is undone.
      let before = try desk.timeless("history --json")
      try desk.fails("undo 5", "Nothing was undone", "only 4 changes of yours", "track undo 4")
      #expect(try desk.timeless("history --json") == before)
      try desk.fine("undo 4")
      #expect(try desk.entries().isEmpty)
    }
  }

  @Test func `an entry is continued by id, by text and by tag`() throws {
    try withDesk { desk in
      try desk.fine("9:00 - 10:00 write report @p #x")
      try desk.fine("10:00 - 11:00 call")
      try desk.fine("continue report", "11:10")
      try desk.fine("continue 1", "11:20")
      try desk.fine("continue '#x'", "11:30")
      try desk.fine("undo")
      try desk.fine("continue 11:30 #x", "11:35")
      try desk.fine("undo")
      try desk.fine("continue 0 11:30", "11:35")
      try desk.fails("continue nothing", at: "11:40")
      try desk.fine("cancel", "11:40")
      try desk.fails("cancel", "Nothing is running")
      #expect(try desk.fine("switch x --dry-run").count == 1)
      #expect(
        try desk.entries() == [
          "08:00-09:00 write report @p #x", "09:00-10:00 call", "10:10-10:20 write report @p #x",
          "10:20-10:30 call",
        ])
    }
  }

  @Test func `gaps are listed and filled`() throws {
    try withDesk { desk in
      try desk.fine("preferences --week-start monday")
      #expect(try desk.fine("gaps") == ["There are no gaps."])
      try desk.fine("8:00 - 9:00 a")
      try desk.fine("9:30 - 10:00 b")
      try desk.fine("10:15 - 11:00 c")
      #expect(
        try desk.fine("gaps") == [
          "Mon 2026-03-02  09:00 - 09:30  0:30", "Mon 2026-03-02  10:00 - 10:15  0:15",
          "Total                          0:45",
        ])
      #expect(try desk.fine("gaps :week --least 20m").count == 2)
      try desk.fine("fill 1")
      #expect(try desk.fine("gaps") == ["There are no gaps."])
      #expect(try desk.entries() == ["07:00-08:00 a", "08:00-09:15 b", "09:15-10:00 c"])
      try desk.fails("fill 1", "no gap")
      try desk.fails("gaps --least x", exit: 64, "--least")
    }
  }

  @Test func `a status is formatted for a prompt`() throws {
    try withDesk { desk in
      let format =
        "status --format '{project}: {description} {tags} {elapsed} {minutes} {start} {{'"
      // The store does not exist before the first entry.
      #expect(try desk.fine(format) == [])
      try desk.fails("status", exit: 6, "no such directory")
      try desk.fine("preferences --week-start monday")
      #expect(try desk.fine(format) == [])
      try desk.fine("start 10:55 write @thesis +a +b")
      #expect(try desk.fine(format) == ["thesis: write #a #b 1:05 65 10:55 {"])
      try desk.fails("status --format '{projekt}'", exit: 64, "Did you mean {project}?")
      try desk.fails("status --format '{'", exit: 64, "not closed")
    }
  }

  @Test func `entries that are changed together take no time of one another`() throws {
    try withDesk { desk in
      for entry in ["8:00 - 9:00 a @x", "9:00 - 10:00 b @x", "10:00 - 11:00 c"] {
        try desk.fine("add \(entry)")
      }
      let before = try desk.entries()
      func refuses(_ policy: String) throws {
        for (command, lost) in [
          ("--filter @x --start 7:00", "#0 \"a\" (2026-03-02 08:00 - 09:00)"),
          ("--filter @x --end 12:00", "#1 \"b\" (2026-03-02 09:00 - 10:00)"),
          ("0 1 --end 9:30", "#1 \"b\""), ("0 1 7:00 - 7:30", "#0 \"a\""),
        ] {
          try desk.fails("edit \(command) --yes \(policy)", "time of \(lost)", "--policy allow")
          try desk.fails("edit \(command) --dry-run \(policy)", lost)
          #expect(try desk.entries() == before, "\(command)")
        }
      }
      try refuses("--policy adjust")
      try desk.fine("preferences --policy adjust")
      try refuses("")
      // The policy allow, a field other than a time, and an edit of one entry are accepted.
      try desk.fine("edit 0 1 --end 9:30 --yes --policy allow")
      try desk.fine("undo")
      try desk.fine("edit --filter 'b or c' +late --yes")
      try desk.fine("edit 1 --end 10:30")
      #expect(
        try desk.entries() == [
          "07:00-08:00 a @x", "08:00-09:30 b @x #late", "09:30-10:00 c #late",
        ])
    }
  }

  @Test func `a store of another user says whose it is`() throws {
    try withDesk { desk in
      try desk.fine("start a --user anna")
      try desk.fails("stop --user bob", "bob", "anna")
    }
  }

  @Test func `projects, clients and tags are created, renamed, merged and archived`() throws {
    try withDesk { desk in
      try desk.fine("clients create ACME")
      try desk.fine("projects create thesis --rate 85.5")
      try desk.fine("start x @thesys", "12:10")
      try desk.fine("projects merge thesys thesis", "12:20")
      try desk.fine("projects rename thesis paper", "12:20")
      #expect(try desk.fine("projects") == ["paper  rate 85.50  billable yes"])
      #expect(try desk.entries() == ["11:10-now x @paper"])
      try desk.fine("projects archive paper")
      #expect(try desk.fine("projects") == ["There are no projects."])
      #expect(try desk.fine("projects --all") == ["paper  rate 85.50  billable yes  archived"])
      try desk.fine("projects restore paper")
      try desk.fine("projects create site --client acme")
      #expect(
        try desk.fine("projects") == [
          "paper               rate 85.50  billable yes", "site   client ACME",
        ])
      try desk.fails("projects merge site paper", "site is of the client ACME")
      try desk.fine("tags create Meeting")
      #expect(try desk.fine("tags") == ["Meeting"])
      try desk.fails("tags rename Meetin x", "Did you mean Meeting?")
      try desk.fails("tags create meeting", "taken")
      try desk.fails("tags merg a b", exit: 64, "Did you mean merge?")
      try desk.fails("projects create a b", exit: 64)
      try desk.fails("projects create a --rate 1.234", exit: 64, "--rate")
      try desk.fails("projects create a --client ACNE", "Did you mean ACME?")
    }
  }

  @Test func `clients that have a project of one name are merged after these projects`() throws {
    try withDesk { desk in
      for client in ["Old", "New"] {
        for project in ["web", "'big shop'"] {
          try desk.fine("projects create \(project) --client \(client)")
        }
      }
      try desk.fine("projects create 'web 2' --client Old")
      try desk.fine("projects create own --client Old")
      try desk.fine("add 9:00 - 9:30 x --project Old/web", "10:00")
      let commands = [
        "projects rename Old/web 'web 3'", "projects set 'web 3' --client New",
        "projects merge 'web 3' New/web", "projects rename 'Old/big shop' 'big shop 2'",
        "projects set 'big shop 2' --client New", "projects merge 'big shop 2' 'New/big shop'",
      ]
      let advice = commands.map { "`track \($0)`" }.joined(separator: ", ")
      try desk.fails("clients merge Old New", "a project of one name: web, big shop.", advice)
      for command in commands { try desk.fine(command) }
      try desk.fine("clients merge Old New")
      let projects = try desk.fine("projects")
      #expect(projects.allSatisfy { $0.contains("client New") } && projects.count == 4)
      #expect(try desk.entries() == ["08:00-08:30 x @web"])
      // The project belongs to the merged client, and its name is taken.
      try desk.fails("projects create own --client New", "The name own is taken.")
      try desk.fails("projects rename web own", "The name own is taken.")
      try desk.fine("projects create own")
      try desk.fails("projects set /own --client New", "The name own is taken.")
      try desk.fine("projects set New/own --client New --color teal")
    }
  }

  @Test func `the name of a merged project counts for the merge of clients`() throws {
    for (first, second) in [("Old", "New"), ("New", "Old")] {
      try withDesk { desk in
        for client in ["Old", "New"] { try desk.fine("clients create \(client)") }
        for name in ["web", "site"] { try desk.fine("projects create \(name) --client \(first)") }
        try desk.fine("projects merge web site")
        try desk.fine("projects create web --client \(second)")
        let command = "projects rename \(second)/web 'web 2'"
        try desk.fails("clients merge Old New", "a project of one name: web.", "`track \(command)`")
        try desk.fine(command)
        try desk.fine("clients merge Old New")
        try desk.fine("add 9:00 - 9:30 x --project New/web", "10:00")
        #expect(try desk.entries() == ["08:00-08:30 x @site"])
        try desk.fails("projects create web --client New", "The name web is taken.")
        // A project that moves to another client brings the names that were merged into it.
        try desk.fine("clients create Other")
        try desk.fine("projects create web --client Other")
        try desk.fails("projects set site --client Other", "The name web is taken.")
      }
    }
  }

  @Test func `projects that have a task of one name are merged after one got another`() throws {
    try withDesk { desk in
      for project in ["a", "b"] {
        try desk.fine("projects create \(project)")
        for task in ["x", "'big task'"] {
          try desk.fine("tasks create \(task) --project \(project)")
        }
      }
      try desk.fine("tasks create 'x 2' --project b")
      try desk.fine("tasks create y --project a")
      let commands = [
        "tasks rename x 'x 3' --project /a", "tasks rename 'big task' 'big task 2' --project /a",
      ]
      let advice = commands.map { "`track \($0)`" }.joined(separator: ", ")
      try desk.fails("projects merge a b", "a task of one name: x, big task.", advice)
      for command in commands { try desk.fine(command) }
      try desk.fine("projects merge a b")
      // The tasks of the merged project keep their names.
      for name in ["y", "'x 3'"] {
        try desk.fails("tasks create \(name) --project b", "is taken.")
        try desk.fails("tasks rename x \(name) --project b", "is taken.")
      }
      try desk.fine("tasks rename y z --project b")
      try desk.fine("tasks create y --project b")
      #expect(try desk.fine("tasks").count == 7)
    }
  }

  @Test func `a command that starts an entry refuses a range`() throws {
    try withDesk { desk in
      for range in ["9:00 - 10:00", "9:00-10:00", "9:00 for 30min", "at 9:00 - 10:00"] {
        try desk.fails("start \(range) foo", exit: 64, "`track add \(range.dropAt) foo`", "a range")
        try desk.fails("continue \(range) foo", exit: 64, "`track add")
      }
      try desk.fails("start 10:00 - 9:00 'a b' '#c'", exit: 64, "10:00 - 9:00 'a b' '#c'`")
      try desk.fine("start 9:00 for all")
      try desk.fails("switch 10:00 - 11:00 foo", exit: 64, "`track add 10:00 - 11:00 foo`")
      #expect(try desk.entries() == ["08:00-now for all"])
    }
  }

  @Test func `a day after the times of a range is refused`() throws {
    try withDesk { desk in
      for day in ["2026-03-01", "yesterday", "today"] {
        try desk.fails(
          "add 7:00 - 7:15 \(day) foo bar", exit: 64, "`track add \(day) 7:00 - 7:15 foo bar`")
      }
      try desk.fine("add 7:00 - 7:15 -- yesterday x")
      try desk.fine("add yesterday 7:00 - 7:15 2026-03-05 x")
      try desk.fine("add --from 8:00 --to 8:15 'yesterday x'")
      #expect(
        try desk.entries() == [
          "06:00-06:15 2026-03-05 x", "06:00-06:15 yesterday x", "07:00-07:15 yesterday x",
        ])
    }
  }

  @Test func `a first word that is probably a time, and a time ago, are noted`() throws {
    try withDesk { desk in
      func notes(_ words: String) throws -> [String] {
        try desk.fine("start --dry-run \(words)").dropFirst().map { $0 }
      }
      for word in ["9h", "30h", "930", "yesterday", "tomorrow", "Monday"] {
        let note = "note     \(word) was read as text; write a time before the description"
        #expect(try notes("\(word) x") == [note])
        #expect(try notes("x \(word)").isEmpty)
      }
      let ago = "note     10min ago was read as text; write a time before the description"
      #expect(try notes("x 10min ago y") == [ago])
      for word in ["3 bugs", "2026 planning", "999 x", "1.5 years", "1-2-3", "9:00 930"] {
        #expect(try notes(word).isEmpty, "\(word)")
      }
      try desk.fine("add 7:00 - 7:30 monday review", "10:00")
      #expect(try desk.fine("continue monday").last?.contains("monday was read as text") == true)
    }
  }

  @Test func `the notes on a change are in its JSON`() throws {
    try withDesk { desk in
      func notes(_ words: String) throws -> [String]? {
        let output = try #require(try desk.fine("\(words) --json").last)
        return try object(output)["notes"] as? [String]
      }
      let quoted = "\"@Big Bank\" was read as text; a new project is --project \"Big Bank\""
      #expect(try notes("add 7:00 - 8:00 a @p '@Big Bank'") == ["p is a new project", quoted])
      #expect(try notes("add 8:00 - 9:00 a @p") == nil)
      let time = "930 was read as text; write a time before the description"
      #expect(try notes("start --dry-run 930 x") == [time])
      // Notes on the words concern the whole command.
      try desk.fine("edit 0 1 '@Big Bank' b --dry-run --json")
      #expect(try notes("edit 0 1 '@Big Bank' b --yes") == [quoted])
      let lines = try desk.fine("edit 0 1 '@Big Bank' c --yes --json")
      #expect(lines.filter { $0.contains("notes") }.count == 1)
      #expect(try notes("tag 1 new") == ["new is a new tag"])
      let made = try desk.timeless("projects create q --client ACME --json")
      #expect(try object(made.element(0))["notes"] as? [String] == ["ACME is a new client"])
    }
  }

  @Test func `a backslash before a time at the beginning makes it text`() throws {
    try withDesk { desk in
      let words = [
        "\\9:00 call": "9:00 call", "\\yesterday x": "yesterday x", "\\-5 degrees": "-5 degrees",
        "call \\9:50": "call 9:50", "10:00 \\9:00 call": "9:00 call", "x \\5": "x \\5",
        "'\\1 is open'": "\\1 is open", "-- \\9:00": "\\9:00",
      ]
      for (typed, description) in words {
        let lines = try desk.fine("start --dry-run --json \(typed)")
        let change = try object(try #require(lines.first))
        let entry = try #require(change["entry"] as? [String: Any])
        #expect(entry["description"] as? String == description)
        #expect(change["notes"] == nil, "\(typed)")
      }
    }
  }

  @Test func `before the start of the day, the names of days count from the one before`() throws {
    try withDesk { desk in
      try desk.fine("preferences --day-start 4:00")
      try desk.fine("add yesterday 9:00 - 10:00 x", "1:00")
      try desk.fine("add today 12:00 - 13:00 y", "1:00")
      try desk.fine("add sat 11:00 - 11:30 s", "1:00")
      try desk.fine("add today 0:10 - 0:20 -- z", "1:00")
      try desk.fine("add yesterday 14:00 - 15:00 later", "5:00")
      #expect(try desk.fine("log yesterday", "1:00").element(0).contains("2026-02-28       1:30"))
      #expect(try desk.fine("log today", "1:00").element(0).contains("2026-03-01       2:10"))
      #expect(try desk.fine("log yesterday 9:00 - 10:00", "1:00").count == 3)
      for (range, filter) in [
        ("yesterday", "date:yesterday"), ("today", "date:today"), ("from sun", "date>=sun"),
        ("2026-02", "month:last"), ("0:05 - now", "'date:\"0:05 - now\"'"),
      ] {
        let lines = try desk.fine("log \(range)", "1:00")
        #expect(try desk.fine("log --filter \(filter)", "1:00") == lines, "\(filter)")
      }
      try desk.fine("start 0:30 w", "1:00")
      try desk.fine("stop today 0:40", "1:00")
      let starts = try desk.entries()
      #expect(starts.contains("08:00-09:00 x") && starts.contains("23:30-23:40 w"), "\(starts)")
    }
    try withDesk { desk in
      try desk.fine("preferences --day-start 4:00")
      // An end is on the calendar day if the other reading is before the start of the entry.
      try expectFine(
        ["track", "start", "--store", desk.store, "--now", "2026-03-01T20:00:00Z", "late"],
        environment: desk.environment)
      let stopped = try desk.fine("stop yesterday 23:30", "1:00")
      #expect(try stopped.element(0).contains("2026-03-01 21:00:00 - 23:30:00"), "\(stopped)")
    }
  }

  @Test func `an ended entry that overlaps a planned one is noted`() throws {
    try withDesk { desk in
      try desk.fine("add 11:00 - 11:30 dentist --policy allow", "10:00")
      try desk.fine("start work", "10:10")
      let note = "note     it overlaps #0 \"dentist\" (2026-03-02 11:00 - 11:30)"
      let start = try desk.fine("start more --dry-run", "11:40")
      #expect(start.count == 3 && start[1] == note, "\(start)")
      #expect(try desk.fine("stop --dry-run", "10:50").count == 1)
      let json = try object(try desk.fine("stop --json --dry-run", "11:20").joined())
      #expect(json["notes"] as? [String] == [String(note.dropFirst(9))])
      #expect(try desk.fine("stop", "11:20").dropFirst() == [note])
    }
  }

  @Test func `an overlap is reported with its seconds if they are not zero`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 11:00:30 a")
      try desk.fails("add 11:00 - 11:30 b", "(2026-03-02 09:00 - 11:00:30)")
    }
  }

  @Test func `a start that would end too long an entry says how to stop that`() throws {
    try withDesk { desk in
      try desk.fine("start yesterday 17:00 a --policy allow")
      for command in ["start b", "switch b"] {
        try desk.fails(command, "`track stop \"2026-03-01 17:30\"`", "--policy allow")
      }
      try desk.fine("cancel")
      try desk.fine("start '2026-01-05 9:00' a --policy allow")
      try desk.fails("start b", "the most is 999 hours", "`track stop \"2026-01-05 17:30\"`")
      try desk.fails("stop", "the most is 999 hours", "`track stop \"2026-01-05 17:30\"`")
    }
  }

  @Test func `a stop that is too late says which day was read, and a command that works`() throws {
    try withDesk { desk in
      try desk.fine("start '2026-02-27 13:00' report --policy allow")
      try desk.fails(
        "stop 17:30",
        "An entry would take 52:30:00, more than 12 hours: from 2026-02-27 13:00 to 2026-03-01 "
          + "17:30.", "`track stop \"2026-02-27 17:30\"`", "--policy allow")
      try desk.fails("stop 16:15", "`track stop \"2026-02-27 16:15\"`")
      for words in ["stop", "start standup"] {
        try desk.fails(words, "`track stop \"2026-02-27 17:30\"`")
      }
      try desk.fine("stop '2026-02-27 17:30'")
      // In the evening, and where 17:30 would be too late or has not come.
      for (start, end) in [
        ("2026-02-27 19:00", "2026-02-27 20:00"),
        ("2026-02-28 5:00", "2026-02-28 06:00"), ("2026-02-28 23:00", "2026-03-01 00:00"),
      ] {
        try desk.fine("start '\(start)' late --policy allow")
        try desk.fails("stop", "`track stop \"\(end)\"`")
        try desk.fine("stop '\(end)'")
      }
    }
  }

  @Test func `an entry of an archived project is noted`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a @old")
      try desk.fine("projects archive old")
      #expect(try desk.fine("start b @old").last == "note     old is archived")
      #expect(try desk.fine("edit 0 c").count == 1)
    }
  }

  @Test func `words with a key are terms of the filter`() throws {
    try withDesk { desk in
      try desk.fine("clients create 'ACME Inc'")
      try desk.fine("projects create p --client 'ACME Inc'")
      try desk.fine("add 9:00 - 10:00 a @p")
      try desk.fine("add 10:00 - 11:00 b --billable")
      for words in ["'client:ACME Inc'", "today project:p", "Billable:no :week"] {
        let lines = try desk.fine("log \(words)")
        #expect(lines.count { $0.contains("#") } == 1, "\(lines)")
        #expect(lines.contains { $0.contains("@p") }, "\(lines)")
      }
      try desk.fails("log client:ACNE", "no client ACNE")
      try desk.fails(
        "log foo 'big client'", exit: 64, "`track search foo 'big client'`",
        "--filter 'foo \"big client\"'.")
      try desk.fails("log foo", exit: 64, "--filter \"foo\".")
    }
  }

  @Test func `commas separate tags, unless a tag has the whole name`() throws {
    try withDesk { desk in
      try desk.fine("tags create x,y")
      try desk.fine("add 7:00 - 8:00 one --tag a,b --tag x,y")
      try desk.fine("add 8:00 - 9:00 two +a,c")
      try desk.fine("tag 1 d,,e f,")
      #expect(
        try desk.entries() == ["06:00-07:00 one #x,y #a #b", "07:00-08:00 two #a #c #d #e #f"])
      try desk.fine("edit 0 --tag c,d --untag a,b")
      try desk.fine("untag 1 a,c")
      #expect(try desk.entries() == ["06:00-07:00 one #x,y #c #d", "07:00-08:00 two #d #e #f"])
    }
  }
}

extension String {
  /// The words without `at` before them.
  fileprivate var dropAt: String { hasPrefix("at ") ? String(dropFirst(3)) : self }
}
