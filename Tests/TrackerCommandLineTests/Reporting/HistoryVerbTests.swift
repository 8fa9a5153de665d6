import Foundation
import RetraceRecording
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// Breaks, undo to a time, the history of changes, and search.
@Suite struct HistoryVerbTests {
  /// Returns a line of the history with single blanks, without the name of the change.
  private static func withoutName(_ line: String) -> String {
    line.split(separator: " ").filter { word in
      word.first != "c" || UInt64(word.dropFirst()) == nil
    }
    .joined(separator: " ")
  }

  /// The beginning of the remark on the clock of the desk.
  private static let remark = "fixed clock, "

  /// Returns the lines of the history without the remark, which each change of a desk has.
  private static func history(_ words: String, _ desk: Desk) throws -> [String] {
    try desk.timeless(words).filter { !$0.contains("  \(remark)") }
  }

  /// Creates a tag in a session whose clock shows a number of hours after 2026-03-02 09:00 UTC.
  private static func createTag(_ name: String, hours: Int64, in store: String) throws {
    var configuration = StoreConfiguration()
    configuration.clock = { Moment(microseconds: 1_772_442_000_000_000 + hours * 3_600_000_000) }
    let store = try Store<TimeTracker>.openBlocking(at: store, configuration: configuration)
    try store.performBlocking(.tag(.create(Tag(name: Name(name)))))
    try store.closeBlocking()
  }

  @Test func `a change whose time is not known to be real is marked`() throws {
    try withDesk { desk in
      for (name, hours) in [("first", Int64(0)), ("ahead", 48), ("back", 1), ("after", 2)] {
        try Self.createTag(name, hours: hours, in: desk.store)
      }
      try desk.fine("tags create fixed", "9:00")
      let changes = try #require(
        try json(desk.timeless("history --json").joined()) as? [[String: Any]])
      // The last record before the end of the session with the clock that was ahead.
      let ahead = try #require(changes[1]["sequence"] as? Int) + 1
      #expect(changes.map { $0["earlierThan"] as? Int } == [nil, nil, ahead, nil, nil])
      #expect(changes.map { $0["isClockFixed"] as? Bool } == [false, false, false, false, true])
      let lines = try desk.timeless("history").map { $0.trimmingCharacters(in: .whitespaces) }
      for (name, remark) in [("back", "earlier than record \(ahead)"), ("fixed", Self.remark)] {
        let index = try #require(lines.firstIndex { $0.hasSuffix("created  tag \(name)") })
        #expect(lines[index + 1].hasPrefix(remark))
      }
      let remarks = lines.filter { $0.contains("earlier than") || $0.hasPrefix(Self.remark) }
      #expect(remarks.count == 2)
    }
  }

  @Test func `projects of one name are told apart by their clients`() throws {
    try withDesk { desk in
      try desk.fine("projects create X --client C1")
      try desk.fine("projects create X --client C2")
      try desk.fine("projects set C1/X --rate 5")
      let lines = try desk.timeless("history").filter { $0.contains(" project ") }
      let change = "project C1/X: rate none -> 5.00, billable no -> yes"
      #expect(lines.count == 3 && lines[2].hasSuffix(change), "\(lines)")
      #expect(lines[1].contains("project C2/X"), "\(lines)")
      let undone = "project C1/X: rate 5.00 -> none, billable yes -> no"
      #expect(try desk.fine("undo") == ["undone   \(undone)"])
    }
  }

  @Test func `the history of an imported entry begins with its import`() throws {
    try withDesk { desk in
      let file = desk.store + ".json"
      try #"""
      [{"id":2,"start":"20260301T080000Z","end":"20260301T090000Z","tags":["a"]},
      {"id":1,"start":"20260301T100000Z","end":"20260301T110000Z","tags":["b"]}]
      """#.write(toFile: file, atomically: true, encoding: .utf8)
      try desk.fine("import \(file)")
      func verbs(_ words: String) throws -> [String] {
        let changes = try #require(
          try json(desk.timeless("history \(words) --json").joined()) as? [[String: Any]])
        return changes.map { change in
          let edits = change["edits"] as? [[String: Any]] ?? []
          return edits.map { "\($0["verb"] ?? "") \($0["kind"] ?? "")" }.joined(separator: ", ")
        }
      }
      for word in ["0", "1", "-1"] { #expect(try verbs(word) == ["finished import"], "\(word)") }
      let lines = try desk.timeless("history 0")
      #expect(lines.contains { $0.contains("finished  import of s.json, 2 entries") }, "\(lines)")
      try desk.fine("edit 0 --description work")
      try desk.fine("add 8:00 - 9:00 own")
      #expect(try verbs("0") == ["finished import", "changed entry"])
      #expect(try verbs("1") == ["finished import"])
      #expect(try verbs("2") == ["added entry"])
      try desk.fails("history 3", "No changes were listed", "There is no entry 3, and there was")
    }
  }

  @Test func `a pause stops, a resume goes on with the same fields`() throws {
    try withDesk { desk in
      try desk.fails("pause", "Nothing is running")
      try desk.fails("resume", "has ended")
      try desk.fine("start 9:00 write @thesis +focus", "9:00")
      #expect(
        try desk.fine("resume", "9:10") == [
          "note     #0 is running already, since 2026-03-02 09:00:00; an earlier entry goes on "
            + "with `track continue ID`"
        ])
      try desk.fine("pause 10min ago", "10:10")
      try desk.fine("resume", "10:30")
      #expect(
        try desk.entries() == [
          "08:00-09:00 write @thesis #focus", "09:30-now write @thesis #focus",
        ])
      try desk.fine("pause 11:00 for 15min", "12:00")
      #expect(
        try desk.entries().suffix(2) == [
          "09:30-10:00 write @thesis #focus", "10:15-now write @thesis #focus",
        ])
      try desk.fine("undo", "12:01")
      #expect(try desk.entries().last == "09:30-now write @thesis #focus")
      try desk.fails("pause 11:30 - 11:00", "future")
      try desk.fails("pause 9:00 - 9:10")
      #expect(try desk.entries().count == 2)
    }
  }

  @Test func `an entry that is planned to run is not ended before it begins`() throws {
    try withDesk { desk in
      try desk.fine("start planned --at 14:00 --policy allow", "12:40")
      for words in ["start work", "stop", "pause", "switch work --policy adjust", "continue 0"] {
        try desk.fails(
          words, at: "12:45", "#0 is planned to begin at 2026-03-02 14:00:00",
          "track edit 0 --start TIME", "track cancel")
      }
      #expect(try desk.entries() == ["13:00-now planned"])
      #expect(try desk.fine("status", "12:45").element(0).contains("0:00:00  planned"))
      try desk.fine("edit 0 --start 12:42", "12:45")
      try desk.fine("start work", "12:45")
      #expect(try desk.entries() == ["11:42-11:45 planned", "11:45-now work"])
    }
  }

  @Test func `a break is cut out of an entry that has ended`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 12:00 write @thesis +focus --note draft", "12:30")
      let lines = try desk.fine("pause 10:00 - 10:15", "12:31")
      // An entry that is first cut and then shortened is listed once.
      #expect(
        lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix(11) } == ["added    #1", "changed  #0"])
      #expect(
        try desk.entries() == [
          "08:00-09:00 write @thesis #focus (draft)", "09:15-11:00 write @thesis #focus (draft)",
        ])
      for (range, entry) in [
        ("9:50 - 10:05", "#0"), ("9:00 - 9:10", "#0"), ("9:50 - 10:00", "#0"),
        ("10:00 - 10:05", "#0"), ("8:50 - 9:00", "#0"), ("9:50 - 10:20", "#1"),
        ("12:00 - 12:30", "#1"),
      ] {
        try desk.fails(
          "pause \(range)", at: "12:32", "is not inside the entry \(entry)", "write",
          "track edit \(entry.dropFirst()) --start")
      }
      try desk.fails("pause 12:01 - 12:30", at: "12:32", "no entry around the break")
      try desk.fine("start 12:20 read", "12:32")
      try desk.fails("pause 12:00 - 12:10", at: "12:33", "is not inside the entry #1")
      try desk.fails("pause 12:05 - 12:10", at: "12:33", "is not inside the entry #2", "which runs")
      try desk.fails("pause 12:15 - 12:30", at: "12:33", "is not inside the entry #2", "read")
      try desk.fine("undo", "12:33")
      try desk.fine("undo", "12:33")
      #expect(try desk.entries() == ["08:00-11:00 write @thesis #focus (draft)"])
    }
  }

  @Test func `the changes of one command to several entries are one change`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a", "12:30")
      try desk.fine("add 10:00 - 11:00 b", "12:30")
      let before = try desk.entries()
      let lines = try desk.fine("tag 0 1 +deep", "12:31")
      #expect(lines.filter { $0.hasPrefix("changed") }.count == 2)
      #expect(try desk.timeless("history").filter { $0.contains("12:31") }.count == 1)
      try desk.fails("edit 0 9 --description new", at: "12:33", "no entry 9")
      #expect(try desk.fine("undo", "12:34").count == 3)
      #expect(try desk.entries() == before)
    }
  }

  @Test func `a join says that it counts the break`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 write", "12:30")
      try desk.fine("add 10:20 - 11:00 write", "12:30")
      try desk.fine("add 11:00 - 11:30 write", "12:30")
      #expect(
        try desk.fine("join 0 1").last == "note     the break of 0:20:00 between them is counted")
      #expect(try desk.fine("join 0 2").contains { $0.hasPrefix("note") } == false)
    }
  }

  @Test func `a join of what was split has its annotations once`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 11:00 write", "12:30")
      try desk.fine("annotate 0 hello", "12:30")
      try desk.fine("split 0 10:30", "12:31")
      try desk.fine("annotate 1 other", "12:31")
      try desk.fine("join 0 1", "12:32")
      #expect(try desk.entries() == ["08:00-10:00 write (hello) (other)"])
    }
  }

  @Test func `an undo to a time takes back what was made since then`() throws {
    try withDesk { desk in
      try desk.fails("undo --to 9:00", "to undo since 9:00")
      try desk.fine("add 7:00 - 7:30 a", "9:00")
      try desk.fine("add 7:30 - 8:00 b", "10:00")
      try desk.fine("add 8:00 - 8:30 c", "11:00")
      try desk.fails("undo 2 --to 9:30", exit: 64, "count")
      try desk.fails("undo --to 25:00", exit: 64, "--to")
      try desk.fails("undo --to 11:01", "since 11:01")
      // A change that was undone and redone is as old as it was.
      try desk.fine("undo 2", "11:30")
      try desk.fine("redo 2", "11:31")
      try desk.fails("undo --to 11:20", at: "11:40", "since 11:20")
      let told = try desk.fine("undo --to 10:00 --json", "12:00").joined()
      #expect(try (json(told) as? [String: Any])?["changes"] as? Int == 2)
      #expect(try desk.entries() == ["06:00-06:30 a"])
      try desk.fine("redo 2", "12:10")
      #expect(try desk.entries().count == 3)
    }
  }

  @Test func `a dry run prints what would be taken back, and writes nothing`() throws {
    try withDesk { desk in
      func records() throws -> Int {
        try expectFine(["replay", "show", "--store", desk.store]).lines.count
      }
      /// Checks that a dry run says what the command then does.
      func expectSame(_ words: String) throws {
        let before = try records()
        let told = try desk.fine("\(words) --dry-run")
        #expect(try records() == before)
        let done = try desk.fine(words)
        #expect(
          told
            == done.map { line in
              line.replacing("undone   ", with: "would be undone ")
                .replacing("redone   ", with: "would be redone ")
            })
      }
      try desk.fails("undo --dry-run", "Nothing was undone", "no change of yours")
      #expect(!FileManager.default.fileExists(atPath: desk.store))
      try desk.fine("add 7:00 - 7:30 a @web +x", "9:00")
      try desk.fine("edit 0 b", "10:00")
      try desk.fine("projects set web --rate 80", "10:30")
      try desk.fine("add 8:00 - 8:30 c", "11:00")
      try desk.fails("redo --dry-run", "to redo")
      try expectSame("undo")
      try expectSame("redo")
      try expectSame("undo 3")
      try expectSame("redo 2")
      try expectSame("undo --to 10:15")
      try expectSame("redo 2")
      // An undo of a redo, then of what was before.
      try expectSame("undo 3")
      try expectSame("redo 3")
      let before = try records()
      try desk.fails("undo --to 11:01 --dry-run", "since 11:01")
      let tooMany = try desk.run("undo 5 --dry-run")
      #expect(tooMany.status == 1 && tooMany.errors.contains("only 4"))
      let json = try json(desk.fine("undo 2 --dry-run --json").joined()) as? [String: Any]
      #expect(json?["changes"] as? Int == 2 && json?["dryRun"] as? Bool == true)
      let lines = try desk.run("batch", input: "add 8:30 - 9:00 d\nundo --dry-run\nundo 2").output
      #expect(lines.contains("would be undone #2") && lines.contains("\nundone   #1"))
      #expect(try records() > before)
    }
  }

  @Test func `the history lists changes with what they did, and marks what is undone`() throws {
    try withDesk { desk in
      let missing = try expectFine(
        ["track", "history"], environment: ["RETRACE_STORE": desk.store])
      #expect(missing == "There are no changes yet.\n")
      try desk.fine("projects create web", "8:50")
      try desk.fine("start 8:00 mail @web", "9:00")
      try desk.fine("edit 0 post --start 8:05 +quick", "9:30")
      try desk.fine("stop 9:40", "9:45")
      try desk.fine("undo", "9:50")
      let listed = try Self.history("history --limit 4 --wide", desk).map { line in
        line.split(separator: " ").joined(separator: " ")
      }
      #expect(
        listed
          == [
            "Mon 2026-03-02", "09:00 c6 created user root",
            "started #0 2026-03-02 08:00 - now mail @web", "09:30 c11 created tag quick",
            "changed #0 description \"mail\" -> \"post\"", "tags none -> #quick",
            "start 2026-03-02 08:00 -> 2026-03-02 08:05",
            "09:45 c16 stopped undone #0 at 09:40 post @web #quick",
            "09:50 c16 undo: changed #0 end 2026-03-02 09:40 -> running",
          ].map { $0.replacing("user root", with: "user \(NSUserName())") })
      let json = try json(desk.timeless("history 0 --json").joined()) as? [[String: Any]]
      #expect(json?.map { $0["undone"] as? Bool } == [false, false, true, false])
      #expect(json?.map { $0["origin"] as? String }.last == "undo")
      try expectFailure(
        ["track", "history", "--store", desk.store, "99"], exit: 1, mentions: ["99"])
      try expectFailure(
        ["track", "history", "--store", desk.store, "x"], exit: 64, mentions: ["no id"])
    }
  }

  @Test func `the history has the reason of each correction`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fine("add 10:30 - 11:00 b")
      try desk.fine("start 11:30 c")
      let corrections = [
        "move 0 8:30", "lengthen 0 5m", "shorten 0 5m", "fill 0", "tag 0 1 x", "untag 1 x",
        "annotate 0 text", "edit 0 more", "split 1", "join 1 3", "delete 1", "cancel",
      ]
      for words in corrections { try desk.fine("\(words) --reason '\(words), as told'") }
      let shown = try desk.timeless("history").filter { $0.contains("reason: ") }
      #expect(
        shown.map { $0.drop { $0 == " " } } == corrections.map { "reason: \($0), as told" })
      let json = try json(desk.timeless("history 0 --json").joined()) as? [[String: Any]]
      #expect(json?.first?["reason"] is NSNull)
      #expect(json?.last?["reason"] as? String == "edit 0 more, as told")
    }
  }

  @Test func `the history names what a change made, and lists its entry by itself`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 8:30 write @web +a +b +c +d +e +f", "9:00")
      try desk.fine("edit 0 --end 8:31:05", "9:01")
      try desk.fine("goals create 'a good week' --target 20h", "9:02")
      let listed = try Self.history("history", desk).map(Self.withoutName)
      #expect(
        listed.dropFirst()
          == [
            "09:00 created user \(NSUserName())", "created project web",
            "created tags a, b, c, d and 2 more",
            "added #0 2026-03-02 08:00 - 08:30 write @web #a #b #c #d #e #f",
            "09:01 changed #0 end 2026-03-02 08:30:00 -> 2026-03-02 08:31:05",
            "09:02 created goal a good week: target 20:00, period week",
          ], "\(listed)")
      let changes = try json(desk.timeless("history --json").joined()) as? [[String: Any]]
      let edits = changes?[1]["edits"] as? [[String: Any]]
      #expect(
        edits?.first?["fields"] as? [[String: String]] == [
          ["name": "end", "before": "2026-03-02T07:30:00Z", "after": "2026-03-02T07:31:05Z"]
        ])
    }
  }

  @Test func `the history has the values and names of the time, and a line for a text`() throws {
    try withDesk { desk in
      try desk.fine("preferences --week-start sunday", "9:00")
      try desk.fine("add 8:00 - 8:30 'a\nb' @web", "9:01")
      try desk.fine("edit 0 'c\nd'", "9:02")
      try desk.fine("projects rename web ops", "9:03")
      try desk.fine("add 8:30 - 8:40 e @ops", "9:04")
      func listed(_ words: String) throws -> [String] {
        try Self.history(words, desk).map(Self.withoutName)
      }
      #expect(
        try listed("history").dropFirst(2) == [
          "09:00 created preferences: week-start sunday, day-start 0:00, policy refuse",
          "09:01 created project web", "added #0 2026-03-02 08:00 - 08:30 a\\u{A}b @web",
          "09:02 changed #0 description \"a\\u{A}b\" -> \"c\\u{A}d\"",
          "09:03 changed project ops: name web -> ops",
          "09:04 added #1 2026-03-02 08:30 - 08:40 e @ops",
        ])
      #expect(try listed("history 0").first { $0.contains("added") }?.hasSuffix("@web") == true)
      let changes = try json(desk.timeless("history --limit 9 --json").joined())
      let edits = (changes as? [[String: Any]])?[1]["edits"] as? [[String: Any]]
      let fields = edits?.first?["fields"] as? [[String: String]]
      #expect(fields?.first == ["name": "firstWeekday", "before": "none", "after": "sunday"])
    }
  }

  @Test func `an entry that ends on another day has the date of its end`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-03-01 22:00 - 2026-03-02 1:00 late", "12:00")
      let history = try desk.timeless("history").joined()
      #expect(history.contains("2026-03-01 22:00 - 2026-03-02 01:00  late"), "\(history)")
    }
  }

  @Test func `a continued entry says which deleted project and tags it has not`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 8:30 write @web +x +y", "9:00")
      try desk.fine("projects delete web --yes", "9:01")
      try desk.fine("tags delete y --yes", "9:01")
      let notes = [
        "note     the project web is deleted, so it is left out",
        "note     the tag y is deleted, so it is left out",
      ]
      #expect(try desk.fine("continue 0 --dry-run", "9:02").suffix(2) == notes)
      #expect(try desk.fine("continue 0", "9:02").suffix(2) == notes)
      #expect(try desk.fine("continue 0 --user zoe", "9:03").suffix(2) == notes)
      try desk.fine("stop", "9:03")
      #expect(try desk.fine("continue", "9:04").count == 1)
    }
  }

  @Test func `projects of one name are told apart in reports`() throws {
    try withDesk { desk in
      func report(_ options: String = "") throws -> [String] {
        try desk.fine("report today --by project \(options)")
      }
      for hour in 8...10 {
        try desk.fine("add \(hour):00 - \(hour):30 write @web")
        #expect(try report("--csv").filter { $0.hasPrefix("web,") }.count == 1)
        let sums = try json(report("--json").joined()) as? [String: Any]
        let groups = sums?["groups"] as? [[String: Any]]
        #expect(groups?.filter { $0["deleted"] as? Bool == true }.count == hour - 8)
        try desk.fine("projects delete web --yes")
      }
      let names = try report("--csv").dropFirst().map { $0.split(separator: ",1,")[0] }
      #expect(
        names == ["\"web (deleted, 0)\"", "\"web (deleted, 1)\"", "\"web (deleted, 2)\""])
      try desk.fine("undo")
      try desk.fine("edit 1 --project 'other'")
      #expect(try report().contains { $0.hasPrefix("web (deleted)") })
      #expect(try report().contains { $0.hasPrefix("web  ") })
    }
  }

  @Test func `undo and redo print records as they leave them`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 8:30 write", "9:00")
      for (command, undone, redone) in [
        ("projects create ops --billable", "project ops (deleted)", "project ops"),
        (
          "projects set ops --rate 80", "project ops: rate 80.00 -> none",
          "project ops: rate none -> 80.00"
        ),
        ("projects delete ops", "project ops", "project ops (deleted)"),
        ("goals create week --target 20h", "goal week (deleted)", "goal week"),
        (
          "goals set week --at-most", "goal week: at most yes -> no",
          "goal week: at most no -> yes"
        ),
        (
          "preferences --week-start sunday", "preferences: week-start sunday -> monday",
          "preferences: week-start sunday, day-start 0:00, policy refuse"
        ),
      ] {
        try desk.fine(command, "9:10")
        #expect(try desk.fine("undo", "9:11") == ["undone   \(undone)"])
        #expect(try desk.fine("redo", "9:12") == ["redone   \(redone)"])
      }
    }
  }

  @Test func `search finds words in all texts of entries of any age`() throws {
    try withDesk { desk in
      try desk.fine("add 2020-05-04 7:00 - 2020-05-04 8:00 'Plan the garden'", "9:00")
      try desk.fine("add 7:00 - 8:00 work @garden --note 'buy 20 ROSES'", "9:00")
      try desk.fine("add 8:00 - 8:30 other +plan", "9:00")
      func found(_ words: String) throws -> [String] {
        let output = try desk.fine("search \(words) --json").joined()
        return (try json(output) as? [[String: Any]])?.compactMap { $0["description"] as? String }
          ?? []
      }
      #expect(try found("garden") == ["Plan the garden", "work"])
      #expect(try found("GARD plan") == ["Plan the garden"])
      #expect(try found("roses") == ["work"])
      #expect(try found("plan --limit 1") == ["other"])
      #expect(try found("plan --filter 'not #plan'") == ["Plan the garden"])
      #expect(try desk.fine("search nothing") == ["No entry has all of these words: nothing."])
    }
  }

  @Test func `the undo of preferences names the values`() throws {
    try withDesk { desk in
      try desk.fine("start x", "9:00")
      try desk.fine("preferences --currency EUR")
      #expect(try desk.fine("undo") == ["undone   preferences: currency EUR -> none"])
      let history = try desk.timeless("history")
      #expect(
        history.contains { $0.contains("undo: changed") && $0.hasSuffix("currency EUR -> none") },
        "\(history)")
    }
  }
}
