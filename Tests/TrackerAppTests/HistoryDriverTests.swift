import CivilTime
import RetraceArchitecture
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import Testing
import TimeTracking
import TrackerFeatures

@testable import TrackerApp

/// The history of the app on a store: what `track history` prints, and undoing any change.
@Suite struct HistoryDriverTests {
  private static func route(_ driver: SceneDriver) -> HistoryRoute? {
    let scene = driver.tracker.store.state.scenes[driver.scene]
    if case .history(let route)? = scene?.stack.top { return route }
    return nil
  }

  private static func screen(_ pipe: PipeDriver) throws -> String {
    try pipe.answer("screen").lines.joined(separator: "\n")
  }

  /// Adds entries with numbers, and opens the history.
  private static func start(_ count: Int, _ driver: SceneDriver) throws {
    try driver.press([.text("anna"), .enter])
    for number in 0..<count {
      let draft = TimeEntryDraft(
        user: .id(UserID(value: 0)), description: "task \(number)", zone: .utc)
      let start = TrackerFixture.morning.adding(.seconds(Int64(number - count) * 3_600))
      let end = start.adding(.seconds(600))
      _ = try driver.tracker.perform(
        .entry(.add(draft, start: start, end: end, policy: .allow)), closing: false)
    }
    try driver.press([.text("H")])
  }

  private static func isVisible(_ number: Int64, _ driver: SceneDriver) -> Bool {
    let domain = driver.tracker.domain
    return domain.timeEntries[TimeEntryID(value: number)].map(domain.isVisible) ?? false
  }

  @Test func `the rows are those of track history, and any change is undone and restored`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        try Self.start(3, driver)
        let names = try TrackerStoreChanges.texts(of: driver.tracker)
        var screen = try Self.screen(pipe)
        for text in names { #expect(screen.contains(text), "\(text)") }
        // The oldest start, which other changes followed.
        let first = try #require(names.firstIndex { $0.contains("added #0") })
        try driver.press(Array(repeating: .down, count: first + 1) + [.enter])
        screen = try Self.screen(pipe)
        #expect(screen.contains("by anna, command line"))
        try driver.press([.text("z")])
        #expect(try Self.screen(pipe).contains("? Undo c"))
        try driver.press([.enter])
        #expect(!Self.isVisible(0, driver))
        screen = try Self.screen(pipe)
        #expect(screen.contains("undone") && !screen.contains("? Undo"))
        try driver.press([.text("Z"), .enter])
        #expect(Self.isVisible(0, driver))
      }
    }
  }

  @Test func `the question says what would change, what is kept and what is opened again`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        try Self.start(2, driver)
        let tracker = driver.tracker
        let first = try #require(tracker.domain.timeEntries[TimeEntryID(value: 0)])
        for text in ["review", "call"] {
          var correction = TimeEntryCorrection()
          let seen = try #require(tracker.domain.timeEntries[TimeEntryID(value: 0)])
          correction.changes.description = Change(from: seen.description, to: text)
          _ = try tracker.perform(
            .entry(
              .correct(TimeEntryID(value: 0), correction, policy: .allow, reason: nil)),
            closing: false)
        }
        let period = Closing(
          .all, from: first.start, to: first.start.adding(.seconds(900)), login: "anna",
          reason: nil)
        _ = try tracker.perform(.closing(.close(period)), closing: false)
        // The newest change is the closing.
        try driver.press([.home, .down, .text("z")])
        var screen = try Self.screen(pipe)
        #expect(screen.contains("It opens a closed period again: 2026-03-02"))
        try driver.press([.enter])
        #expect(tracker.domain.closings[ClosingID(value: 0)]?.deleted != nil)
        // The first of two changes of one field is undone after the second one.
        let texts = try TrackerStoreChanges.texts(of: tracker)
        let index = try #require(texts.lastIndex { $0.contains("changed #0") })
        try driver.press([.home] + Array(repeating: .down, count: index + 1) + [.text("z")])
        screen = try Self.screen(pipe)
        #expect(screen.contains("#0 keeps its description, because it was changed since"))
        #expect(screen.contains("Nothing else would change."))
        // The one after it can be undone as a whole, and is listed.
        try driver.press([.escape, .up, .text("z")])
        screen = try Self.screen(pipe)
        #expect(!screen.contains("because it was changed"))
        #expect(screen.split(separator: "\n").contains { $0.hasPrefix("  changed #0") })
      }
    }
  }

  @Test func `the pictures of the history are those of the documentation`() throws {
    let size = Screen.Size(columns: 84, rows: 20)
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        var driver = driver
        driver.size = size
        try driver.press([.text("anna"), .enter])
        for text in ["read papers", "answer mail #mail", "write the report @thesis"] {
          try driver.press([.text("n"), .text(text), .enter, .enter])
        }
        try driver.press([.down, .down, .text("d"), .text("H"), .down, .down, .down, .text("z")])
        let screen = try #require(driver.frame()).screen
        try expectPicture("history", of: screen, size: size, title: "History")
      }
    }
  }

  @Test func `pages of a long log are read once, and restored at their place`() throws {
    try TrackerFixture.with { fixture in
      let left = try fixture.app { driver, pipe in
        try Self.start(40, driver)
        try driver.press([.pageDown, .pageDown, .down, .down])
        let route = try #require(Self.route(driver))
        #expect(route.top != nil && route.selection != nil)
        let page = try #require(driver.frame()).screen
        #expect(try #require(driver.frame()).screen == page)
        return try (route, pipe.answer("screen").lines.dropLast())
      }
      try fixture.app { driver, pipe in
        #expect(Self.route(driver) == left.0)
        #expect(try pipe.answer("screen").lines.dropLast() == left.1)
        try driver.press([.pageUp, .pageUp, .pageUp])
        #expect(Self.route(driver)?.top == nil)
      }
    }
  }
}

/// The texts of changes, as `track history` prints them.
private enum TrackerStoreChanges {
  static func texts(of tracker: TrackerStore) throws -> [String] {
    var past = tracker.domain
    var names = ChangeNames(past)
    var texts: [String] = []
    let storage = tracker.store.storage
    try storage.withReadView { view throws(StoreError) in
      var reader = ChangeReader(try view.plan(for: TimeTracker.self), withClocks: true)
      try reader.forEachChange(in: view, through: view.head.sequence) { change, _ in
        let text = RecordedChangeText(change, in: past, .utc, &names)
        if let row = text.rows.first { texts.append("\(row.verb) \(row.text.prefix(30))") }
        for edit in change.edits.reversed() { edit.inverted.apply(to: &past) }
        return true
      }
    }
    return texts
  }
}
