import CivilTime
import Foundation
import RetraceCommandLine
import RetraceFilter
import Testing
import ToolTestSupport

@testable import TrackerCommandLine

/// The words of times, durations and ranges, in the verbs that take them.
@Suite struct TimeWordsTests {
  @Test(arguments: [
    ("9.30", "`9:30` or `21:30`"), ("1730", "`17:30`"), ("yesterday 9", "`yesterday 9:00`"),
    ("at 9", "`9:00` or `21:00`"), ("-30", "`-30m` or `-30h`"), ("10 ago", "`10m ago`"),
    ("3/4/2026 9:00", "`2026-03-04` or `2026-04-03`"),
    ("3.4. 9:00", "`2025-03-04` or `2025-04-03`"),
  ]) func `a time with several readings is refused, and text after two hyphens is not`(
    words: String, readings: String
  ) throws {
    try withDesk { desk in
      for verb in ["start", "switch", "continue"] {
        // Numbers are ids of the entry to continue.
        if verb == "continue", words.first?.isLetter != true { continue }
        try desk.fails("\(verb) \(words) foo", exit: 64, "could be misread", readings, "--")
      }
      try desk.fine("start -- \(words) foo")
      #expect(try desk.entries() == ["11:00-now \(words) foo"])
    }
  }

  @Test func `digits are a time of day in options, and in words that are only a time`() throws {
    try withDesk { desk in
      try desk.fine("add --from 700 --to 815 early")
      try desk.fine("add --from 0815 --for 15m late")
      try desk.fine("start --at 930 a")
      try desk.fine("stop --at 1045")
      try desk.fine("split -1 1000")
      #expect(
        try desk.entries() == [
          "06:00-07:15 early", "07:15-07:30 late", "08:30-09:00 a", "09:00-09:45 a",
        ])
      try desk.fails("start --at 9 b", exit: 64, "`9:00` or `21:00`")
      try desk.fails("start --at 960 a", exit: 64, "960")
    }
  }

  @Test func `a quoted time is text, and a note says so`() throws {
    try withDesk { desk in
      for text in ["10:00 standup", "9am standup", "yesterday standup", "10min ago standup"] {
        let note =
          "note     \"\(text)\" was read as text, because it was quoted; a time is a word of "
          + "its own"
        #expect(try desk.fine("start '\(text)' --dry-run").last == note)
        #expect(try desk.fine("add 8:00 - 8:30 '\(text)' --dry-run").count == 1)
      }
      #expect(try desk.fine("start '10 apples' --dry-run").count == 1)
      try desk.fine("start '10:00' standup")
      #expect(try desk.entries() == ["09:00-now standup"])
    }
  }

  @Test(arguments: [
    ("in 5 minutes", "in 5 minutes"), ("in 1h30 call", "in 1h30"),
    ("5min x", "5min"), ("1h30 x", "1h30"), ("04h30 a", "04h30"), ("2h x", "2h"),
    ("call 1 min ago", "1 min ago"), ("call 10min ago", "10min ago"),
    ("call 1 hour ago then", "1 hour ago"), ("5 min x", "5 min"), ("5 m", "5 m"),
    ("9 h x", "9 h"), ("1h 30min x", "1h 30min"), ("1 h 30 min x", "1 h 30 min"),
    ("call 1 h 30 min ago", "1 h 30 min ago"),
  ]) func `a duration that is text gets the note of a time that is text`(
    words: String, time: String
  ) throws {
    try withDesk { desk in
      let told = try desk.fine("start \(words)")
      #expect(
        told.last == "note     \(time) was read as text; write a time before the description",
        "\(told)")
      #expect(try desk.entries() == ["11:00-now \(words)"])
    }
  }

  @Test(arguments: [
    "5 apples", "in time", "in 5", "3d printing", "minutes of 5 may", "long ago", "4 a",
  ]) func `a text without a duration gets no note`(words: String) throws {
    try withDesk { desk in
      let told = try desk.fine("start \(words)")
      #expect(told.count == 1, "\(told)")
      #expect(try desk.entries() == ["11:00-now \(words)"])
    }
  }

  @Test func `dates are read with the name of a month, of a day and of timewarrior`() throws {
    try withDesk { desk in
      try desk.fine("add 24 feb 18:00 - 19:00 a")
      try desk.fine("add 'last monday 9:00 - 10:00' b")
      try desk.fine("add last friday 9:00 - 10:00 c")
      try desk.fine("add yesterday 9-17 d")
      try desk.fails("add yesterday 9-5 e", exit: 64, "`yesterday 9:00 - 17:00`", "21:00 - 5:00`")
      try desk.fine("add PT30M f")
      try desk.fine("add 1 march 2026 20:00 for PT1H g")
      func days(_ words: String) throws -> [String] {
        let found = try json(try desk.fine("log \(words) --json").joined()) as? [[String: Any]]
        return found?.compactMap { $0["description"] as? String } ?? []
      }
      #expect(try days(":all") == ["b", "a", "c", "d", "g", "f"])
      #expect(try days("24 feb") == ["a"])
      #expect(try days("24 February 2026") == ["a"])
      #expect(try days("last monday") == ["b"])
      #expect(try days(":monday") == ["f"])
      #expect(try days(":sunday") == ["d", "g"])
      #expect(try days("last 24 hours") == ["d", "g", "f"])
      #expect(try days("som - today") == ["d", "g", "f"])
      #expect(try days("soy - eow") == ["b", "a", "c", "d", "g", "f"])
      try desk.fails("add 31 feb 9:00 - 10:00 x", exit: 64, "no day `31 feb`")
    }
  }

  @Test func `an entry moves to the same time of another day, also over a change of clocks`() throws
  {
    try withDesk { desk in
      let now = ["--now", "2026-04-10T10:00:00Z"]
      func move(_ words: String) throws {
        try expectFine(
          ["track", "move", "0", "--store", desk.store] + now
            + words.split(separator: " ").map(String.init), environment: desk.environment,
          by: .inProcess)
      }
      func start() throws -> String? {
        let found = try json(desk.fine("log :all --json").joined()) as? [[String: Any]]
        return found?.first?["start"] as? String
      }
      try desk.fine("add 9:00 - 9:30 a")
      for (words, time) in [
        ("+1d", "2026-03-03T08:00:00Z"), ("2 weeks later", "2026-03-17T08:00:00Z"),
        ("1w earlier", "2026-03-10T08:00:00Z"), ("2026-03-28", "2026-03-28T08:00:00Z"),
        // Clocks go forward on 29 March.
        ("+1d", "2026-03-29T07:00:00Z"), ("yesterday", "2026-04-09T07:00:00Z"),
        ("24 feb", "2026-02-24T08:00:00Z"), ("+24h", "2026-02-25T08:00:00Z"),
      ] {
        try move(words)
        #expect(try start() == time, "\(words)")
      }
      try desk.fails("move 0 tomorrow", "future")
      try desk.fails("move 0 +1mo", exit: 64, "not equally long")
    }
  }

  @Test func `an entry after the last one ends now, and a joined break says what was in it`() throws
  {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a", "9:00")
      try desk.fine("add --after-last between", "9:30")
      try desk.fails("add --from 9:00 x", at: "10:00", exit: 64, "--from 9:00 --to now")
      try desk.fine("add 11:00 - 12:00 b")
      let told = try desk.fine("join 0 2 --policy adjust --dry-run")
      #expect(
        told.last
          == "note     the break of 2:00:00 between them is counted, of which other entries had "
          + "0:30:00", "\(told)")
      try desk.fine("delete 1")
      let alone = try desk.fine("join 0 2 --dry-run").last
      #expect(alone == "note     the break of 2:00:00 between them is counted")
      try desk.fine("start c", "13:00")
      try desk.fine("cancel :yes", "13:00")
      #expect(try desk.entries() == ["07:00-08:00 a", "10:00-11:00 b"])
    }
  }

  @Test func `hours without minutes are a range where they have one reading`() throws {
    try withDesk { desk in
      try desk.fine("9-10 standup", "18:00")
      try desk.fine("add 13-16 call", "18:00")
      // 21:00 to 22:00 is over as well, and the end of 10-2 may be at night.
      try desk.fails("9-10 a", at: "23:00", exit: 64, "`9:00 - 10:00` or `21:00 - 22:00`")
      try desk.fails("add 10-2 a", at: "23:00", exit: 64, "`10:00 - 14:00` or `22:00 - 2:00`")
      try desk.fails("start 9-10 a", at: "18:00", exit: 64, "`track add 9-10 a`")
      try desk.fails("add 9-17:30 a", at: "18:00", exit: 64, "could be misread")
      try desk.fine("pause 14-15", "18:00")
      #expect(
        try desk.entries() == ["08:00-09:00 standup", "12:00-13:00 call", "14:00-15:00 call"])
    }
  }

  @Test func `a duration alone ends now, and options may give one`() throws {
    try withDesk { desk in
      try desk.fine("add 1h30m bar", "10:00")
      try desk.fine("45 min baz", "11:00")
      try desk.fine("add --duration 15m now", "12:00")
      try desk.fine("add --to 14:00 --for 30m to", "15:00")
      try desk.fails("add --to 14:00 x", at: "15:00", exit: 64, "--for")
      try desk.fails("add --for 5m --duration 5m x", at: "15:00", exit: 64, "twice")
      try desk.fails("add --for 5 x", at: "15:00", exit: 64, "`5m` or `5h`")
      try desk.fails("add 1h 30 bar", at: "15:00", exit: 64, "could be misread")
      for words in ["1.5 x", "90 x", "1h30m ago x", "1:30 x"] {
        try desk.fails("add \(words)", at: "15:00", exit: 64)
      }
      #expect(
        try desk.entries() == [
          "07:30-09:00 bar", "09:15-10:00 baz", "10:45-11:00 now", "12:30-13:00 to",
        ])
    }
  }

  @Test func `an entry gets a duration`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("edit 0 --for 45m")
      try desk.fine("edit 0 --duration 30m --end 8:50")
      try desk.fine("edit 0 --for 20m --start 8:10 b")
      #expect(try desk.entries() == ["07:10-07:30 b"])
      try desk.fails("edit 0 --for 20m --start 8:10 --end 9:00", exit: 64, "duration")
      try desk.fails("edit 0 8:00 - 9:00 --for 20m", exit: 64, "twice")
      try desk.fails("edit 0 --for 20", exit: 64, "`20m` or `20h`")
      try desk.fails("edit 0 --for 20m --end ''", exit: 64, "no duration")
      try desk.fine("start c", "10:00")
      try desk.fine("edit --for 15m", "11:00")
      #expect(try desk.entries().last == "09:00-09:15 c")
    }
  }

  @Test func `an entry moves by a duration, and a duration needs a unit`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      try desk.fine("move 0 +15m")
      try desk.fine("move 0 1h 5m later")
      try desk.fine("move 0 10m earlier")
      #expect(try desk.entries() == ["08:10-09:10 a"])
      try desk.fails("move 0 -15m", exit: 64, "`15m earlier` or `15m ago`")
      try desk.fails("move 0 +15", exit: 64, "`15m` or `15h`")
      for verb in ["shorten", "lengthen"] {
        try desk.fails("\(verb) 0 15", exit: 64, "`15m` or `15h`")
      }
      try desk.fine("move 0 2h ago")
      #expect(try desk.entries() == ["09:00-10:00 a"])
    }
  }

  @Test func `a break from now on is planned, and a resume while running changes nothing`() throws {
    try withDesk { desk in
      try desk.fine("start a", "10:00")
      try desk.fails("pause for 10", at: "11:00", exit: 64, "`10m` or `10h`")
      try desk.fine("pause for 10min", "11:00")
      #expect(try desk.entries() == ["09:00-10:00 a", "10:10-now a"])
      #expect(try desk.fine("status", "11:05").element(0).contains("planned"))
      let note = try desk.fine("resume", "11:05")
      #expect(
        note == [
          "note     #1 is planned to begin at 2026-03-02 11:10:00; `track edit 1 --start now` "
            + "begins it"
        ])
      let told = try object(try desk.fine("resume 11:06 --json", "11:20").joined())
      #expect((told["entry"] as? [String: Any])?["id"] as? Int == 1)
      #expect((told["notes"] as? [String])?.first?.hasPrefix("#1 is running already") == true)
      #expect(try desk.fine("resume --dry-run", "11:20").count == 1)
      #expect(try desk.entries() == ["09:00-10:00 a", "10:10-now a"])
      let lines = try desk.run(
        "batch", at: "11:30", input: "resume\nstop\nresume")
      #expect(lines.status == 0, "\(lines.errors)")
    }
  }

  @Test func `a switch starts if nothing runs`() throws {
    try withDesk { desk in
      try desk.fine("switch a @p", "10:00")
      try desk.fine("switch b", "11:00")
      try desk.fine("stop", "11:30")
      #expect(try desk.fine("switch c", "12:00").count == 1)
      #expect(try desk.entries() == ["09:00-10:00 a @p", "10:00-10:30 b", "11:00-now c"])
    }
  }

  @Test func `only what begins later is planned, in every output`() throws {
    try withDesk { desk in
      try desk.fine("start now", "10:00")
      #expect(try desk.fine("status", "10:00").element(0).contains("running"))
      try desk.fine("cancel", "10:00")
      try desk.fine("start later --at 11:00 --policy allow", "10:00")
      #expect(try desk.fine("log", "10:00").element(1).contains("11:00 - planned"))
      #expect(try desk.fine("search later", "10:00").element(1).contains("11:00 - planned"))
      #expect(try desk.fine("status --format {state}", "10:00") == ["planned"])
      let json = try desk.fine("log --json", "10:00").joined()
      #expect(json.contains("\"running\":true,\"planned\":true"))
      #expect(try desk.fine("log", "11:00").element(1).contains("11:00 - now"))
      #expect(try desk.fine("status --format {state}", "11:00") == ["running"])
      #expect(try desk.fine("log --json", "11:00").joined().contains("\"planned\":false"))
    }
  }

  @Test func `starts within one second are running`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "start", "a"] + store)
      try expectFine(["track", "stop"] + store)
      for words in [
        ["start", "b"], ["switch", "c"], ["continue", "0"], ["switch", "d", "--json"],
      ] {
        let told = try expectFine(["track"] + words + store)
        #expect(!told.contains("planned ") && !told.contains("\"planned\":true"), "\(told)")
      }
    }
  }

  @Test func `a project twice is one, and a comma after a tag belongs to no tag`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 x @p --project p")
      try desk.fine("add 9:00 - 10:00 y @P, +a, '#b;' @p --project p --project p")
      try desk.fine("tasks create t --project p")
      try desk.fine("add 10:00 - 10:30 zz @p/t @p --task T")
      try desk.fails("add 10:30 - 11:00 zz @p @q", exit: 64, "two projects")
      try desk.fails("add 10:30 - 11:00 zz @p --project q", exit: 64, "two projects")
      try desk.fine("edit 0 @p, +c; @p")
      try desk.fine("tag 0 e, '#d,#k,+l,'")
      try desk.fine("untag 0 +e,")
      #expect(
        try desk.entries() == [
          "07:00-08:00 x @p #c #d #k #l", "08:00-09:00 y @p #a #b", "09:00-09:30 zz @p",
        ])
      try desk.fine("start w, +g, +h", "11:00")
      try desk.fine("stop +g,", "11:10")
      #expect(try desk.entries().suffix(2) == ["10:00-10:10 w, #g #h", "10:10-now w, #h"])
    }
  }

  @Test func `times without a day are of the day that begins as the preferences say`() throws {
    try withDesk { desk in
      try desk.fine("preferences --day-start 4:00")
      try desk.fine("add 16:45 - 18:00 x", "3:40")
      try desk.fine("add yesterday 0:30 - 1:00 w", "12:00")
      let yesterday = try desk.fine("log yesterday", "12:00")
      #expect(yesterday.contains { $0.contains("16:45 - 18:00") })
      #expect(yesterday.contains { $0.contains("00:30 - 01:00") })
      #expect(try desk.fine("log 'yesterday 0:15 - 1:15'", "12:00").count == 3)
      // On both sides of the border.
      try desk.fine("add 3:00 - 3:59 a", "3:59")
      try desk.fine("add 4:00 - 4:10 b", "4:20")
      try desk.fails("add 3:00 - 3:10 c", at: "4:20", "future", "2026-03-03")
      #expect(try desk.fine("log today", "12:00").contains { $0.contains("04:00 - 04:10") })
      // An entry of the night is on the day before it.
      try desk.fine("edit 1 --start 0:40", "12:00")
      try desk.fine("edit 1 0:35 - 0:55", "12:00")
      try desk.fine("split 1 0:45", "12:00")
      try desk.fine("move 1 0:30", "12:00")
      #expect(
        try desk.entries().prefix(3) == ["15:45-17:00 x", "23:30-23:40 w", "23:45-23:55 w"])
    }
    try withDesk { desk in
      try desk.fine("preferences --day-start 4:00")
      try desk.fine("start 22:00 late", "3:00")
      #expect(try desk.fine("stop 2:30 --dry-run", "3:00").element(0).contains("22:00:00"))
      try desk.fails("pause 3:30", at: "3:20", "future")
    }
  }

  @Test func `an entry is filled within the day that begins as the preferences say`() throws {
    try withDesk { desk in
      try desk.fine("preferences --day-start 4:00")
      try desk.fine("add yesterday 23:00 - 23:30 a")
      try desk.fine("add yesterday 1:00 - 1:30 b")
      try desk.fine("add 4:30 - 5:00 c")
      try desk.fine("fill 1")
      #expect(try desk.entries() == ["22:00-22:30 a", "22:30-00:30 b", "03:30-04:00 c"])
      // The entry before it is on another day.
      try desk.fails("fill 2", "no gap")
    }
  }

  @Test func `a date of --as-of is a day of the preferences`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      for (preferences, start) in [
        ("--day-start 0:00", "2199-01-14T23"), ("--day-start 4:00", "2199-01-15T03"),
        ("--zone UTC", "2199-01-15T04"),
      ] {
        try desk.fine("preferences \(preferences)")
        // Without --now, the last moment of the date is the present.
        let words = ["report", ":today", "--as-of", "2199-01-15", "--json", "--store", desk.store]
        let report = try run("track", words, environment: desk.environment).output
        #expect(report.contains("\"start\":\"\(start):00:00Z\""), "\(report)")
      }
    }
  }

  @Test func `a time of an entry over midnight is on the day on which the entry has it`() throws {
    func tried(_ words: String) throws -> [String] {
      var found: [String] = []
      try withDesk { desk in
        try desk.fine("add yesterday 23:30 - 2:00 night")
        let lines = try desk.fine(words)
        found = lines.filter { $0.hasPrefix("changed") }
          .map { $0.components(separatedBy: "  ")[2] }
      }
      return found
    }
    for (words, times) in [
      ("edit 0 0:30 - 2:30", "2026-03-02 00:30:00 - 02:30:00"),
      ("edit 0 23:00 - 1:00", "2026-03-01 23:00:00 - 2026-03-02 01:00:00"),
      ("edit 0 --start 0:30", "2026-03-02 00:30:00 - 02:00:00"),
      ("edit 0 --start 23:00", "2026-03-01 23:00:00 - 2026-03-02 02:00:00"),
      ("edit 0 --end 1:00", "2026-03-01 23:30:00 - 2026-03-02 01:00:00"),
      ("edit 0 --end 23:45", "2026-03-01 23:30:00 - 23:45:00"),
      ("edit 0 --start 0:30 --end 2:30", "2026-03-02 00:30:00 - 02:30:00"),
      ("move 0 0:30", "2026-03-02 00:30:00 - 03:00:00"),
      ("move 0 22:00", "2026-03-01 22:00:00 - 2026-03-02 00:30:00"),
      ("split 0 0:30", "2026-03-01 23:30:00 - 2026-03-02 00:30:00"),
      ("shorten 0 2h15m", "2026-03-01 23:30:00 - 23:45:00"),
      ("lengthen 0 1h", "2026-03-01 23:30:00 - 2026-03-02 03:00:00"),
    ] {
      let found = try tried(words)
      #expect(found.first?.hasPrefix(times) == true, "\(words): \(found)")
    }
  }

  @Test func `periods are named by their number, and by last and this`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-02-24 9:00 - 10:00 a")
      func heading(_ words: String) throws -> String { try desk.fine(words).element(0) }
      let week = "Mon 2026-02-23 - Sun 2026-03-01, Europe/Berlin"
      for words in [
        "week last", "week 9", "week 2026-W09", "report last week", "report week 9", "week 24.2.",
      ] {
        #expect(try heading(words) == week, "\(words)")
      }
      for words in ["month last", "month 2", "month 2026-02", "report month 2", "month february"] {
        #expect(try heading(words) == "February 2026, Europe/Berlin", "\(words)")
      }
      for words in ["day last", "day yesterday", "report yesterday", "day 2026-03-01"] {
        #expect(try heading(words) == "Sun 2026-03-01, Europe/Berlin", "\(words)")
      }
      let current = try heading("week")
      #expect(try heading("week this") == current)
      #expect(try desk.fine("log week 9").count == 3)
      #expect(try desk.fine("log month 2 -n 5").count == 3)
      let limited = try desk.fine("log --limit 1")
      #expect(try desk.fine("log -n1") == limited)
      #expect(try desk.fine("search a -n 1").count == 3)
      try desk.fails("week 54", exit: 64, "54")
      try desk.fails("day 54", exit: 64, "54")
    }
  }

  @Test(arguments: [
    ("log --fltr @a", "Did you mean --filter?"), ("log --lim 5", "Did you mean --limit?"),
    ("start a --duration 5m", "`track add`"), ("add 9:00 - 10:00 --untga b", "`track edit`"),
    ("start a --elephant", "after `--`"), ("start -n 5", "after `--`"),
  ]) func `an unknown option names the one that was meant`(words: String, advice: String) throws {
    try withDesk { desk in
      try desk.fails(words, exit: 64, advice)
      if !advice.contains("after") {
        let told = try desk.run(words).errors
        #expect(!told.contains("after `--`"), "\(told)")
      }
    }
  }

  @Test(arguments: ["filter": "filters", "time": "times", "sta": "start"])
  func `a page or a verb of help is suggested`(typed: String, meant: String) throws {
    let told = try run("track", ["help", typed], environment: [:])
    #expect(told.status == 64 && told.output == "")
    #expect(told.errors.contains("Did you mean \(meant)?"), "\(told.errors)")
  }

  @Test func `every example of the pages of help is read`() throws {
    let berlin = try ZoneFiles.load("Europe/Berlin")
    let context = ExpressionContext(
      zone: berlin, now: try ZoneFiles.moment("2026-11-23 15:39:01"), firstWeekday: 1)
    var counts: [String: Int] = [:]
    for page in HelpPage.all {
      let text = try expectFine(["track", "help", page.name])
      #expect(text == HelpText().page(page.source) && text.lines.allSatisfy { $0.count <= 80 })
      var section = ""
      for line in text.lines {
        let isHeading =
          !line.isEmpty && !line.hasPrefix(" ") && !line.contains(where: \.isLowercase)
        if isHeading { section = line }
        guard line.hasPrefix("  "), !line.hasPrefix("   ") else { continue }
        let examples =
          line.dropFirst(2).firstRange(of: "   ").map {
            line[..<$0.lowerBound]
          } ?? line[...]
        for example in examples.components(separatedBy: ", ").map({ $0.trimmed }) {
          counts[section, default: 0] += 1
          switch section {
          case "TIMES":
            #expect(throws: Never.self, "\(example)") { try TimeExpression(example, in: context) }
          case "DURATIONS":
            #expect(throws: Never.self, "\(example)") { try DurationExpression(example) }
          case "RANGES":
            #expect(throws: Never.self, "\(example)") { try RangeExpression(example, in: context) }
          default:
            #expect(throws: Never.self, "\(example)") { try FilterExpression(example) }
          }
        }
      }
    }
    #expect(counts["TIMES"] ?? 0 > 15 && counts["RANGES"] ?? 0 > 25, "\(counts)")
    #expect(counts["TERMS"] ?? 0 > 10 && counts["DURATIONS"] ?? 0 > 5, "\(counts)")
  }

  @Test func `a small z after a time is text`() throws {
    try withDesk { desk in
      try desk.fine("add yesterday 7:00 - 8:00 z")
      try desk.fine("start 8:00 z about it")
      #expect(try desk.entries() == ["06:00-07:00 z", "07:00-now z about it"])
      try desk.fails("add 7:00 - 8:00 Z", exit: 64, "could be misread")
      try desk.fine("stop '9:00 z'")
      #expect(try desk.entries().element(1) == "07:00-09:00 z about it")
    }
  }

  @Test func `a period is also named by how many periods ago it was`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 x")
      for (words, heading) in [
        ("week -1", "Mon 2026-02-23 - Sun 2026-03-01"),
        ("week -2", "Mon 2026-02-16 - Sun 2026-02-22"), ("day -1", "Sun 2026-03-01"),
        ("day -10", "Fri 2026-02-20"), ("month -1", "February 2026"),
        ("month -3", "December 2025"), ("week last", "Mon 2026-02-23 - Sun 2026-03-01"),
      ] {
        #expect(try desk.fine(words).element(0) == "\(heading), Europe/Berlin", "\(words)")
      }
      try desk.fails("week -1000", exit: 64, "Give a range")
      try desk.fails("log -1", exit: 64, "track log --limit 1")
    }
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
