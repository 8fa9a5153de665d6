import Foundation
import RetraceLog
import RetraceRecording
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// Undo of any change by its name, and bringing it back.
@Suite struct UndoVerbTests {
  /// Returns the names of the changes in the history, oldest first, without undos and redos.
  private func names(_ desk: Desk) throws -> [String] {
    let changes = try json(desk.timeless("history --json").joined()) as? [[String: Any]]
    return try #require(changes).compactMap { change in
      guard change["restores"] is NSNull, let sequence = change["change"] as? Int else {
        return nil
      }
      return "c\(sequence)"
    }
  }

  private func isUndone(_ name: String, _ desk: Desk) throws -> Bool {
    let changes = try json(desk.timeless("history --json").joined()) as? [[String: Any]]
    let change = changes?.first { "c\($0["sequence"] as? Int ?? 0)" == name }
    return try #require(change?["undone"] as? Bool)
  }

  /// Changes the description of an entry as another login.
  private func overwrite(_ id: Int64, _ text: String, _ desk: Desk) throws {
    var configuration = StoreConfiguration()
    configuration.origin.login = "someone else"
    // 2026-03-02 11:00 UTC.
    configuration.clock = { Moment(microseconds: 1_772_449_200_000_000) }
    let store = try Store<TimeTracker>.openBlocking(at: desk.store, configuration: configuration)
    let id = TimeEntryID(value: id)
    let entry = try #require(store.state.domain.timeEntries[id])
    var (after, correction) = (entry, TimeEntryCorrection())
    after.description = text
    correction.changes = TimeEntryChanges(from: entry, to: after)
    try store.performBlocking(
      .entry(.correct(id, correction, policy: .allow, rules: .latest, reason: nil)))
    try store.closeBlocking()
  }

  @Test func `what was undone before another change is restored`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 important")
      try desk.fine("add 10:00 - 11:00 more")
      try desk.fine("undo 2")
      try desk.fine("add 11:00 - 11:30 other")
      try desk.fails("redo", "no change of yours to redo", "track restore c12")
      #expect(try desk.entries() == ["10:00-10:30 other"])
      let names = try names(desk)
      try #require(names.count == 3, "\(names)")
      #expect(try names.map { try isUndone($0, desk) } == [true, true, false])
      #expect(try desk.fine("restore \(names[0])").first?.hasPrefix("restored #0") == true)
      #expect(try desk.fine("restore").element(0).hasPrefix("restored #1"))
      #expect(
        try desk.entries() == ["08:00-09:00 important", "09:00-10:00 more", "10:00-10:30 other"])
      try desk.fails("restore", "None of the latest changes is undone")
    }
  }

  @Test(arguments: [
    ("undo 2", [" - running ", "  (deleted)", "  (deleted)"]),
    ("redo 2", [" - 09:00:00 ", " - 10:00:00 ", " - running "]),
  ])
  func `an entry of several changes is printed once, as it is then`(
    verb: String, states: [String]
  ) throws {
    try withDesk { desk in
      try desk.fine("start 8:00 a")
      try desk.fine("pause 9:00 - 9:30")
      try desk.fine("pause 10:00 - 10:15")
      if verb.hasPrefix("redo") { try desk.fine("undo 2") }
      let planned = try desk.fine("\(verb) --dry-run")
      let told = try object(desk.fine("\(verb) --dry-run --json").joined())
      let lines = try desk.fine(verb)
      #expect(lines.count == 3 && planned.count == 3, "\(lines)")
      for (id, state) in states.enumerated() {
        let own = lines.filter { $0.contains(" #\(id)  ") }
        #expect(own.count == 1 && own[0].contains(state), "\(lines)")
      }
      let entries = try #require(told["entries"] as? [[String: Any]])
      #expect(entries.compactMap { $0["id"] as? Int }.sorted() == [0, 1, 2])
    }
  }

  @Test func `the user that came with the first entry goes without a line`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a @p")
      let lines = try desk.fine("undo")
      #expect(lines.count == 2 && !lines.contains { $0.contains("user") }, "\(lines)")
      #expect(!(try desk.fine("redo").contains { $0.contains("user") }))
      // A user that was created by a command of its own has a line.
      try desk.fine("users create zoe")
      #expect(try desk.fine("undo") == ["undone   user zoe (deleted)"])
    }
  }

  @Test func `one change is undone and restored by its name, in any order`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fine("edit 0 --project web")
      try desk.fine("tag 0 deep")
      let before = try desk.entries()
      let names = try names(desk)
      try #require(names.count == 3, "\(names)")
      #expect(try desk.fine("undo \(names[1]) --dry-run").element(0).hasPrefix("would be undone"))
      #expect(try desk.entries() == before)
      try desk.fine("undo \(names[1])")
      #expect(try desk.entries() == ["08:00-09:00 a #deep"])
      try desk.fails("undo \(names[1])", "\(names[1]) is undone already", "track restore")
      try desk.fine("undo \(names[2])")
      #expect(try desk.entries() == ["08:00-09:00 a"])
      let line = try desk.timeless("history").first { $0.contains(" \(names[1]) ") }
      #expect(line?.contains("undone") == true, "\(String(describing: line))")
      #expect(
        try desk.fine("restore \(names[1]) --dry-run").element(0).hasPrefix("would be restored"))
      try desk.fine("restore \(names[1])")
      #expect(try desk.entries() == ["08:00-09:00 a @web"])
      try desk.fails("restore \(names[1])", "\(names[1]) is not undone")
      try desk.fine("redo")
      #expect(try desk.entries() == before)
      let told = try json(desk.fine("undo \(names[2]) --json").joined()) as? [String: Any]
      #expect(told?["changes"] as? Int == 1)
    }
  }

  @Test func `a field that was changed since keeps its value and is named, or is taken`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fine("edit 0 b --project web")
      try desk.fine("edit 0 c")
      let name = try names(desk).element(1)
      let lines = try desk.fine("undo \(name)")
      #expect(
        lines.last
          == "note     #0 keeps its description, because it was changed since; "
          + "`track undo \(name) --take` sets it", "\(lines)")
      #expect(try desk.entries() == ["08:00-09:00 c"])
      #expect(
        try desk.timeless("history").contains {
          $0.contains(" \(name) ") && $0.contains("undone in part")
        })
      try desk.fails("undo \(name)", "undone, but for what was changed since", "--take")
      try desk.fine("undo \(name) --take")
      #expect(try desk.entries() == ["08:00-09:00 a"])
      try desk.fine("restore \(name) --take")
      #expect(try desk.entries() == ["08:00-09:00 b @web"])
      try desk.fails("undo 2 --take", exit: 64, "--take")
    }
  }

  @Test func `an undo or a restore that changes nothing is refused, and not recorded`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fine("edit 0 b")
      try desk.fine("edit 0 c")
      let name = try names(desk).element(1)
      func refuses(_ verb: String, _ participle: String) throws {
        let history = try desk.timeless("history")
        for words in ["\(verb) \(name)", "\(verb) \(name) --dry-run"] {
          try desk.fails(
            words, "Nothing was \(participle).",
            "#0 keeps its description, because it was changed since.",
            "`track \(verb) \(name) --take` sets what was changed since.")
        }
        #expect(try desk.timeless("history") == history)
      }
      try refuses("undo", "undone")
      try desk.fine("undo \(name) --take")
      #expect(try desk.entries() == ["08:00-09:00 a"])
      try desk.fine("edit 0 d")
      try refuses("restore", "restored")
      try desk.fine("restore \(name) --take")
      #expect(try desk.entries() == ["08:00-09:00 b"])
      // With the value from before it is undone all the same, so that its value can come back.
      try desk.fine("edit 0 a")
      try refuses("undo", "undone")
      #expect(try desk.fine("undo \(name) --take") == ["undone   \(name), and all was so already"])
      try desk.fine("restore \(name) --take")
      #expect(try desk.entries() == ["08:00-09:00 b"])
    }
  }

  @Test func `an undo or a redo of what another login overwrote is refused, or goes on`() throws {
    try withDesk { desk in
      try desk.fine("add 9:00 - 10:00 a")
      try desk.fine("tag 0 deep")
      try desk.fine("edit 0 b")
      try overwrite(0, "other", desk)
      let names = try names(desk)
      try #require(names.count == 4, "\(names)")
      let history = try desk.timeless("history")
      for words in ["undo", "undo --dry-run", "undo --yes", "undo 1"] {
        try desk.fails(
          words, "Nothing was undone.", "#0 keeps its description, because it was changed since.",
          "`track undo \(names[2]) --take` sets what was changed since. `track undo 2` goes on")
      }
      #expect(try desk.timeless("history") == history)
      let lines = try desk.fine("undo 2")
      let note = "note     #0 keeps its description, because it was changed since; "
      #expect(lines.contains("\(note)`track undo \(names[2]) --take` sets it"), "\(lines)")
      #expect(try desk.entries() == ["08:00-09:00 other"])
      try desk.fine("redo")
      try desk.fine("edit 0 c")
      try desk.fine("undo")
      try overwrite(0, "another", desk)
      let last = try self.names(desk).element(4)
      try desk.fails(
        "redo", "Nothing was redone.", "#0 keeps its description, because it was changed since.",
        "`track restore \(last) --take` sets what was changed since. `track redo 2` goes on")
      #expect(try desk.entries() == ["08:00-09:00 another #deep"])
    }
  }

  @Test func `an entry that would run for a deleted user is left, with that reason`() throws {
    try withDesk { desk in
      try desk.fine("users create ben")
      try desk.fine("start 8:00 a --user ben")
      try desk.fine("stop 9:00 --user ben")
      try desk.fine("start 9:00 b @web --user ben")
      try desk.fine("undo")
      try desk.fine("users delete ben --yes")
      let names = try names(desk)
      try #require(names.count == 5, "\(names)")
      let why = "because no entry of the deleted user ben can run"
      for option in ["", " --take"] {
        try desk.fails(
          "undo \(names[2])\(option)", "Nothing was undone.", "#0 keeps its end, \(why).",
          "Undo first the deletion of the user")
      }
      let lines = try desk.fine("restore \(names[3])")
      #expect(lines.last == "note     #1 stays deleted, \(why)", "\(lines)")
      #expect(try desk.fine("projects") == ["web"])
    }
  }

  @Test func `an undo leaves what other entries use, and says so`() throws {
    try withDesk { desk in
      try desk.fine("add 7:00 - 8:00 mail @Web +x")
      try desk.fine("preferences --currency EUR")
      try desk.fine("add 8:00 - 9:00 a @Web +x --billable")
      try desk.fine("add 9:00 - 10:00 b @Web")
      let name = try names(desk).element(0)
      for verb in ["undo \(name) --dry-run", "undo \(name)"] {
        let lines = try desk.fine(verb)
        #expect(lines.contains("note     tag x stays, because 1 entry uses it"), "\(lines)")
        #expect(lines.contains("note     project Web stays, because 2 entries use it"), "\(lines)")
        let last = try #require(lines.last)
        #expect(
          last.hasPrefix("note     user ")
            && last.hasSuffix(" stays, because 2 entries and preferences use it"), "\(lines)")
      }
      #expect(try desk.entries() == ["07:00-08:00 a @Web #x", "08:00-09:00 b @Web"])
      try desk.fails("undo \(name)", "undone, but for what was changed since, is in use or would")
      try desk.fails(
        "undo \(name) --take", "Nothing was undone.",
        "project Web stays, because 2 entries use it;", "Undo first what uses it")
      try desk.fine("restore \(name)")
      #expect(try desk.entries().count == 3)
    }
  }

  @Test func `a name that is none of a change that can be taken back is refused`() throws {
    try withDesk { desk in
      try desk.fails("undo c3", "no change of yours")
      try desk.fine("add 9:00 - 10:00 a")
      let name = try names(desk).element(0)
      try desk.fails("undo c999", "There is no change c999", "track history")
      try desk.fails("restore c999 --dry-run", "There is no change c999")
      try desk.fails("undo c12x", exit: 64, "c12x")
      try desk.fails("restore 2", exit: 64, "c12")
      try desk.fails("redo c2", exit: 64, "c2")
      try desk.fails("undo \(name) --to 9:00", exit: 64, "--to")
      try desk.fine("undo")
      let history = try json(desk.timeless("history --json").joined()) as? [[String: Any]]
      let undo = try #require(history?.last?["sequence"] as? Int)
      try desk.fails("restore c\(undo)", "c\(undo) is no change", "track restore \(name)")
    }
  }

  @Test func `the time of undo --to is read in the zone and the days of the preferences`() throws {
    try withDesk { desk in
      // Noon of the desk is 20:00 in Tokyo.
      try desk.fine("add 7:00 - 8:00 a")
      try desk.fine("preferences --zone Asia/Tokyo --day-start 4:00")
      try desk.fine("add 10:00 - 10:30 b", "13:00")
      try desk.fine("add 10:30 - 11:00 c", "18:30")
      #expect(try desk.fine("undo --to 20:30 --dry-run", "19:00").count == 2)
      // 02:30 in Tokyo is of the day before.
      let last = try desk.fine("undo --to 2:20 --dry-run", "19:00")
      #expect(last.count == 1 && last[0].contains("  c"), "\(last)")
      #expect(try desk.fine("undo --to 'yesterday 2:20' --dry-run", "21:30").count == 1)
      try desk.fails("undo --to 2:40", at: "19:00", "no change of yours to undo since 2:40")
      #expect(try desk.fine("undo --to 17:20 --tz UTC --dry-run", "23:00").count == 1)
    }
  }

  @Test func `undo shows times in the zone of the preferences`() throws {
    try withDesk { desk in
      try desk.fine("add 2026-01-31 9:00 - 10:00 a")
      try desk.fine("preferences --zone Asia/Tokyo")
      try desk.fine("close 2026-01")
      #expect(try desk.fine("undo --dry-run") == ["would be undone 2026-01 for all (reopened)"])
      try desk.fails("undo", "It would open a closed period again: 2026-01 for all.")
      let names = try names(desk)
      try desk.fails("undo \(names[0])", "The period 2026-01 for all is closed")
      #expect(try desk.fine("undo --yes") == ["undone   2026-01 for all (reopened)"])
    }
  }

  @Test func `an import comes back after other changes`() throws {
    try withDesk { desk in
      let rows = (0..<5).map { "A-\($0),2026-03-01 0\($0):00,600" }
      let file = desk.store + ".csv"
      try (["Key,Started,Seconds"] + rows).joined(separator: "\n")
        .write(toFile: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: file) }
      try desk.fine(
        "import '\(file)' --source jira --column id=Key --column start=Started "
          + "--column duration=Seconds --duration-unit seconds --date-format 'yyyy-MM-dd HH:mm'")
      #expect(try desk.entries().count == 5)
      try desk.fine("undo")
      try desk.fine("add 9:00 - 10:00 a")
      #expect(try desk.entries().count == 1)
      try desk.fine("restore")
      #expect(try desk.entries().count == 6)
    }
  }

  @Test func `a canceled entry names the project and the tags that only it has`() throws {
    try withDesk { desk in
      try desk.fine("add 7:00 - 8:00 mail @Website +focus", "8:00")
      try desk.fine("start foo @Websit +typo +focus", "9:00")
      #expect(
        try desk.fine("cancel", "9:01").dropFirst() == [
          "note     the project Websit has no entries; `track projects delete Websit` deletes it",
          "note     the tag typo has no entries; `track tags delete typo` deletes it",
        ])
      try desk.fine("projects delete Websit")
      try desk.fine("tags delete typo")
      #expect(try desk.fine("projects") == ["Website"] && desk.fine("tags") == ["focus"])
      // Another entry has the new project, and an undo takes both back.
      try desk.fine("start bar @New", "10:00")
      try desk.fine("add 8:00 - 9:00 other @New", "10:01")
      #expect(try desk.fine("cancel", "10:02").count == 1)
      try desk.fine("start baz @Webs", "11:00")
      try desk.fine("undo", "11:01")
      #expect(try desk.fine("projects") == ["New", "Website"])
    }
  }
}
