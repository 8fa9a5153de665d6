import CivilTime
import Foundation
import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import TrackerApp
import TrackerFeatures

/// Scenes on a store: keys become actions and commands.
@Suite struct SceneDriverTests {
  @Test func `the first attachment opens a scene, the next one finds it as it was left`() throws {
    try TrackerFixture.with { fixture in
      let left = try fixture.app { driver, pipe in
        #expect(driver.scene == SceneID(value: 0))
        for line in ["text:anna", "enter", "text:n", "text:draft", "left"] {
          _ = try pipe.answer(line)
        }
        return try (driver.tracker.store.state.scenes, pipe.answer("screen").lines.dropLast())
      }
      #expect(left.0[SceneID(value: 0)]?.stack.top.path == "timer/0/start")
      try fixture.app { driver, pipe in
        #expect(driver.scene == SceneID(value: 0))
        #expect(driver.tracker.store.state.scenes == left.0)
        let screen = try pipe.answer("screen").lines.dropLast()
        #expect(screen == left.1)
      }
      // The second session had nothing to say, so that the log does not know of it.
      let storage = try LogStorage.open(at: fixture.store, access: .read)
      defer { storage.close() }
      let sessions = try SessionSummary.all(in: storage)
      #expect(sessions.count == 1)
      #expect(sessions.first?.opened.scene == SceneID(value: 0))
    }
  }

  @Test func `a time zone that this system does not know is refused, and stays typed [M15]`()
    throws
  {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        func dialog() -> SettingsDialog? {
          let scene = driver.tracker.store.state.scenes[driver.scene]
          guard case .settings(let route)? = scene?.stack.top else { return nil }
          return route.dialog
        }
        func zone() -> String? {
          driver.tracker.domain.preferences(of: UserID(value: 0))?.set.zone
        }
        try driver.press([.text("anna"), .enter, .text("S"), .tab])
        let times: [Preference] = [.weekStart, .dayStart, .zone]
        try driver.press(times.dropFirst().map { _ in .down })
        try driver.press([.enter, .text("Europe/Berl"), .enter])
        let lines = try #require(driver.frame()).screen.canvas.lines
        #expect(lines.contains { $0.hasPrefix("! zone Europe/Berl is not known to this system.") })
        #expect(dialog() == .text(TextDraft("Europe/Berl")) && zone() == nil)
        try driver.press([.text("in"), .enter])
        #expect(dialog() == nil && zone() == "Europe/Berlin")
        try driver.press([.text("z")])
        #expect(zone() == nil)
      }
    }
  }

  @Test func `each key is interpreted and recorded on what the keys before it led to`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        let keys: [Key] = [.text("an"), .text("na"), .enter, .text("n"), .text("work"), .enter]
        let pressed = try driver.press(keys)
        #expect(pressed.sequence == driver.tracker.store.sequence && !pressed.leaves)
        let domain = driver.tracker.domain
        #expect(domain.users[UserID(value: 0)]?.name == Name("anna"))
        let running = try #require(domain.runningEntry(of: UserID(value: 0)))
        #expect(running.entry.description == "work")
        #expect(running.entry.start == TrackerFixture.morning)
        let scene = try #require(driver.tracker.store.state.scenes[driver.scene])
        #expect(scene.stack.top.path == "timer/0")
      }
      // The session; the scene, and how it is seen; two texts; the user and the way to the timer;
      // two keys; the entry and the way back; the end.
      #expect(try fixture.batches() == [1, 2, 1, 1, 2, 1, 1, 1, 2, 1, 1])
    }
  }

  @Test func `a paste above the limit is told, and changes nothing else`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        try driver.press([.text("anna")])
        try driver.perform([.pasteRefused(limitBytes: 65_536)])
        let lines = try pipe.answer("screen").lines
        #expect(lines.contains { $0.contains("! The pasted text is longer than 65536 bytes") })
        #expect(lines.contains { $0.contains("Name: anna") })
        try driver.press([.backspace])
        #expect(try !pipe.answer("screen").lines.contains { $0.contains("pasted") })
      }
    }
  }

  @Test func `inputs are performed in order, and those without a meaning write nothing`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        try driver.press([.text("anna"), .enter, .text("n"), .text("ac")])
        let before = driver.tracker.store.sequence
        try driver.perform([
          .focused, .mouse(Mouse(.moved, row: 2, column: 15)),
          .mouse(Mouse(.pressed(.left), row: 2, column: 15)),
          .mouse(Mouse(.released(.left), row: 2, column: 15)), .key(.text("b")),
          .pasteRefused(limitBytes: 3), .mouse(Mouse(.scrolled(.down), row: 2, column: 3)),
          .key(.ctrl("z")),
        ])
        #expect(driver.tracker.store.sequence == before + 3)
        let scene = try #require(driver.tracker.store.state.scenes[driver.scene])
        guard case .entryEditor(let form) = scene.stack.top else {
          Issue.record("it is on another screen")
          return
        }
        #expect(form.description == TextDraft("abc", cursor: 2))
        guard case .unavailable? = scene.notice else { return #expect(Bool(false), "no notice") }
        try driver.record(TerminalFeatures())
        #expect(driver.tracker.store.sequence == before + 4)
      }
    }
  }

  /// The number of the last transaction in the file of a log.
  private func transaction(_ fixture: TrackerFixture) throws -> UInt64 {
    let url = URL(fileURLWithPath: fixture.store + "/data.mdb")
    let bytes = try FileHandle(forReadingFrom: url).read(upToCount: 1 << 17) ?? Data()
    func number(_ place: Int, bytes size: Int) -> UInt64 {
      bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    // The first two pages are written in turn. Each has the size of a page and its transaction.
    let pageSize = Int(number(40, bytes: 4))
    return max(number(144, bytes: 8), number(pageSize + 144, bytes: 8))
  }

  @Test func `each key is one commit, whatever it means and leads to [H8]`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app(hour: 1) { driver, pipe in
        var before = (try transaction(fixture), driver.tracker.store.sequence)
        var kinds: Set<String> = []
        for line in [
          // A user and its timer; entries; one that is refused, with a question, and allowed.
          "text:anna", "enter", "text:n", "text:plan", "enter", "text:n", "text:8:00 - 9:50 other",
          "enter", "text:n", "text:8:00 - 9:00 third", "enter", "ctrl-o",
          // A stop; a deletion with its offer, which is taken back; undo and redo; an edit.
          "text:s", "down", "text:d", "text:z", "text:z", "text:Z", "text:Z", "text:@", "text:?",
          "escape", "down", "text:e", "text:x", "enter",
        ] {
          guard case .done = try pipe.answer(line) else {
            Issue.record("\(line) was refused")
            continue
          }
          let after = (try transaction(fixture), driver.tracker.store.sequence)
          #expect(after.0 == before.0 + (after.1 == before.1 ? 0 : 1), "\(line)")
          let scene = driver.tracker.store.state.scenes[driver.scene]
          if after.1 > before.1 + 1 { kinds.insert("several records") }
          if scene?.question != nil { kinds.insert("question") }
          if let notice = scene?.notice { kinds.insert("\("\(notice)".prefix { $0 != "(" })") }
          before = after
        }
        let expected: Set = ["several records", "question", "undone", "redone", "unknownKey"]
        #expect(kinds.isSuperset(of: expected), "\(kinds)")
      }
    }
  }

  @Test func `a commit of this process announces no frame, one of another process does`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        let calls = Lock(0)
        func count() -> Int { calls.withLock { $0 } }
        let observation = driver.observeOthers { calls.withLock { $0 += 1 } }
        defer { observation?.cancel() }
        // An observer is called at once with the state that there is.
        #expect(count() == 1)
        try driver.press([.text("anna"), .enter, .text("n"), .text("a"), .enter])
        #expect(count() == 1)
        try driver.tracker.store.performBlocking(
          .entry(.stop(UserID(value: 0), at: nil, policy: .adjust)), from: .commandLine)
        #expect(count() == 2)
      }
    }
  }

  @Test func `a key that leaves is the last one`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        let pressed = try driver.press([.text("an"), .ctrl("d"), .text("na")])
        #expect(pressed.leaves && pressed.sequence == 4)
        #expect(driver.tracker.store.sequence == 4)
        #expect(driver.frame()?.screen.canvas.lines.contains("Name: an") == true)
      }
    }
  }

  @Test func `a key means what the user saw, whatever another process did since`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        try driver.press([.text("anna"), .enter, .text("n"), .text("first"), .enter])
        let painted = try #require(driver.frame())
        // Another process starts an entry of its own, which ends the one that the user sees.
        var draft = TimeEntryDraft(
          user: .id(UserID(value: 0)), description: "other", zone: .utc)
        draft.isBillable = false
        try driver.tracker.store.performBlocking(
          .entry(.start(draft, at: nil, policy: .adjust)), from: .commandLine)
        try driver.press([.text("e")], on: painted)
        let scene = try #require(driver.tracker.store.state.scenes[driver.scene])
        #expect(scene.stack.top.path == "timer/0/edit/0")
        let latest = try #require(driver.frame())
        try driver.press([.escape, .text("e")], on: latest)
        #expect(
          driver.tracker.store.state.scenes[driver.scene]?.stack.top.path == "timer/0/edit/1")
      }
    }
  }

  @Test func `changes are undone and redone by keys, and what is not there is said`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        func notice() -> Notice? { driver.tracker.store.state.scenes[driver.scene]?.notice }
        try driver.press([.text("anna"), .enter, .text("n"), .text("a"), .enter, .text("z")])
        #expect(driver.tracker.domain.entries.isEmpty)
        let changed = RestoredEntities(first: .entry(TimeEntryID(value: 0)), others: 0)
        #expect(notice() == .undone(unrestored: 0, changed))
        /// The row above the keys, to which notices are aligned.
        func told() -> String? { driver.frame()?.screen.canvas.lines.dropLast().last }
        let entry = "#0 2026-03-02 09:00 - running a"
        #expect(told() == "Undone. Z redoes it. Now deleted: \(entry).")
        try driver.press([.text("Z")])
        #expect(driver.tracker.domain.entries == ["a runs"])
        #expect(told() == "Redone. z undoes it. Now: \(entry).")
        #expect(notice() == .redone(unrestored: 0, changed))
        try driver.press([.text("Z")])
        #expect(notice() == .nothingToRedo)
        try driver.press([.text("z"), .text("z"), .text("z")])
        #expect(notice() == .nothingToUndo && told() == "! There is nothing to undo.")
        #expect(driver.tracker.domain.users.live(UserID(value: 0)) == nil)
      }
      let storage = try LogStorage.open(at: fixture.store, access: .read)
      defer { storage.close() }
      let found = try Verifier<TimeTracker>.verify(storage, decidingCommands: true)
      #expect(found.firstDivergence == nil && found.decisions?.divergences == 0)
      #expect(found.decisions?.decided == 6)
    }
  }

  @Test func `a key that would undo nothing says so, and goes on if pressed again`() throws {
    try TrackerFixture.with { fixture in
      let (entry, tag) = (TimeEntryID(value: 0), TagID(value: 0))
      func correct(_ text: String, _ store: Store<TimeTracker>) throws {
        let before = try #require(store.state.domain.timeEntries[entry])
        var (after, correction) = (before, TimeEntryCorrection())
        after.description = text
        correction.changes = TimeEntryChanges(from: before, to: after)
        try store.performBlocking(
          .entry(.correct(entry, correction, policy: .allow, rules: .latest, reason: nil)))
      }
      func asOther(_ body: (Store<TimeTracker>) throws -> Void) throws {
        var configuration = StoreConfiguration()
        configuration.origin.login = "ben"
        configuration.clock = { TrackerFixture.morning }
        let store = try Store<TimeTracker>.openBlocking(
          at: fixture.store, configuration: configuration)
        try body(store)
        try store.closeBlocking()
      }
      /// Presses a key, and returns the notice and the number of facts.
      func press(_ key: String) throws -> (notice: Notice?, facts: Int64) {
        try fixture.app { driver, _ in
          try driver.press([.text(key)])
          let state = driver.tracker.store.state
          return (state.scenes[driver.scene]?.notice, state.domain.undoableFacts)
        }
      }
      try fixture.app { driver, _ in
        try driver.press([.text("anna"), .enter, .text("n"), .text("a"), .enter])
        try driver.tracker.store.performBlocking(.tag(.create(Tag(name: Name("new")))))
        try correct("b", driver.tracker.store)
      }
      try asOther { store in try correct("c", store) }
      let undone = try press("z")
      #expect(undone.notice == .obstacle(.nothingUndone))
      let again = try press("z")
      let changed = RestoredEntities(first: .tag(tag), others: 0)
      #expect(again.notice == .undone(unrestored: 0, changed) && again.facts == undone.facts + 2)
      try asOther { store in try store.performBlocking(.tag(.create(Tag(name: Name("new"))))) }
      let redone = try press("Z")
      #expect(redone.notice == .obstacle(.nothingRedone) && redone.facts == again.facts + 1)
    }
  }

  /// The lines of a screen that begin a notice.
  private func notices(_ screen: Screen?) -> [String] {
    let marks = ["! ", "Undone", "Redone"]
    return screen?.canvas.lines.filter { line in marks.contains { line.hasPrefix($0) } } ?? []
  }

  @Test func `a notice is the same after the app was opened again, and in replay`() throws {
    try TrackerFixture.with { fixture in
      let keys: [Key] = [
        .text("anna"), .enter, .text("n"), .text("a @p"), .enter, .text("s"), .text("z"),
        .text("z"), .text("z"), .text("z"), .text("Z"), .text("Z"), .text("Z"), .ctrl("x"),
      ]
      for key in keys {
        let shown = try fixture.app { driver, _ in
          try driver.press([key])
          return driver.frame()?.screen.canvas.lines
        }
        let again = try fixture.app { driver, _ in driver.frame()?.screen.canvas.lines }
        #expect(again == shown)
        let storage = try LogStorage.open(at: fixture.store, access: .read)
        defer { storage.close() }
        var replayer = try Replayer<TimeTracker>(storage)
        try replayer.seek(to: replayer.last)
        let replayed = TimeTracker.screen(
          of: SceneID(value: 0), in: replayer.state, at: TrackerFixture.morning,
          size: Screen.Size(columns: 72, rows: 20))
        #expect(replayed.canvas.lines == shown)
      }
    }
  }

  @Test func `a notice ends with a change by another process, and no record says so`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        try driver.press([.text("anna"), .enter, .text("n"), .text("a"), .enter, .text("z")])
        #expect(notices(driver.frame()?.screen).count == 1)
        // A refused command changes nothing.
        #expect(throws: CommandError<TimeTracker>.self) {
          try driver.tracker.store.performBlocking(
            .entry(.stop(UserID(value: 0), at: nil, policy: .refuse)), from: .commandLine)
        }
        #expect(notices(driver.frame()?.screen).count == 1)
        let performed = try driver.tracker.store.performBlocking(
          .tag(.create(Tag(name: Name("new")))), from: .commandLine)
        #expect(notices(driver.frame()?.screen) == [])
        #expect(driver.tracker.store.sequence == performed.receipt.sequence)
        try driver.press([.text("Z"), .text("z")])
        #expect(notices(driver.frame()?.screen).count == 1)
      }
      let before = try fixture.batches()
      try fixture.open { tracker in
        _ = try tracker.store.performBlocking(
          .tag(.create(Tag(name: Name("other")))), from: .commandLine)
      }
      let after = try fixture.batches()
      #expect(after.count > before.count)
      try fixture.app { driver, _ in #expect(notices(driver.frame()?.screen) == []) }
      #expect(try fixture.batches() == after)
    }
  }

  @Test func `times are typed in the zone of the machine`() throws {
    try TrackerFixture.with { fixture in
      let zone = ZoneRules(id: "Etc/GMT-2", offsetSeconds: 7_200)
      try fixture.app(zone: zone) { driver, _ in
        try driver.press([.text("anna"), .enter, .text("n"), .text("a")])
        try driver.press([.tab, .tab, .tab, .text("10:30"), .enter])
        let running = try #require(driver.tracker.domain.runningEntry(of: UserID(value: 0)))
        #expect(running.entry.zone == RecordedZone(id: "Etc/GMT-2", offsetSeconds: 7_200))
        // Half an hour before: 08:30 UTC.
        #expect(running.entry.start == TrackerFixture.morning.adding(.seconds(-1_800)))
      }
    }
  }
}
