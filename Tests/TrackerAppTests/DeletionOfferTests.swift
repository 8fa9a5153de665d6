import RetraceArchitecture
import RetraceRecording
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The offer to take a deletion back, on a store, by this process and by the next one.
@Suite struct DeletionOfferTests {
  /// Two and ten seconds as hours, with a half more so that no whole second is lost.
  private static let (two, ten) = (2.5 / 3_600, 10.5 / 3_600)

  /// Makes three entries at 9:00, two of which are similar.
  private static func fill(_ fixture: TrackerFixture) throws {
    try fixture.open { tracker in
      let user = User(name: Name("anna"))
      _ = try tracker.store.performBlocking(.user(.create(user)))
      for (number, text) in ["mail", "plan", "mail"].enumerated() {
        let start = TrackerFixture.morning.adding(.seconds(Int64(number - 3) * 600))
        let draft = TimeEntryDraft(
          user: .id(UserID(value: 0)), description: text, zone: .utc)
        let add = TimeEntryCommand.add(
          draft, start: start, end: start.adding(.seconds(600)), policy: .refuse)
        _ = try tracker.store.performBlocking(.entry(add))
      }
    }
    try fixture.app { _, pipe in
      _ = try pipe.replies("text:anna", "enter")
    }
  }

  private static func offer(_ pipe: PipeDriver) throws -> String? {
    try pipe.answer("screen").lines.first { $0.hasPrefix("Deleted") }
  }

  @Test func `z takes back the deletion, and not what another window did after it [M6]`() throws {
    try TrackerFixture.with { fixture in
      try Self.fill(fixture)
      try fixture.app { driver, pipe in
        _ = try pipe.replies("down", "text:d")
        #expect(driver.tracker.domain.entries == ["plan 0:10:00"])
        // The shell starts an entry as the same login.
        let draft = TimeEntryDraft(
          user: .id(UserID(value: 0)), description: "from the shell", zone: .utc)
        try driver.tracker.store.performBlocking(
          .entry(.start(draft, at: nil, policy: .refuse)), from: .commandLine)
        #expect(try Self.offer(pipe) == "Deleted 2 entries. z takes them back (5 s).")
        _ = try pipe.answer("text:z")
        let all = ["mail 0:10:00", "plan 0:10:00", "mail 0:10:00", "from the shell runs"]
        #expect(driver.tracker.domain.entries == all)
        #expect(try Self.offer(pipe) == nil)
        // The deletion is brought back, and taken back again.
        _ = try pipe.answer("text:Z")
        #expect(driver.tracker.domain.entries == ["plan 0:10:00", "from the shell runs"])
        _ = try pipe.answer("text:z")
        #expect(driver.tracker.domain.entries == all)
        // Without an offer, z takes back the newest change.
        _ = try pipe.answer("text:z")
        #expect(driver.tracker.domain.entries == Array(all.dropLast()))
      }
    }
  }

  @Test func `the next process offers the same for the rest of the time [M6]`() throws {
    for (hour, isOpen) in [(Self.two, true), (Self.ten, false)] {
      try TrackerFixture.with { fixture in
        try Self.fill(fixture)
        try fixture.app { _, pipe in _ = try pipe.replies("down", "down", "text:d") }
        try fixture.app(hour: hour) { driver, pipe in
          #expect(try Self.offer(pipe) == (isOpen ? "Deleted. z takes it back (3 s)." : nil))
          #expect(driver.tracker.domain.entries == ["mail 0:10:00", "mail 0:10:00"])
          // After the offer it is still the newest change.
          _ = try pipe.answer("text:z")
          #expect(
            driver.tracker.domain.entries == ["mail 0:10:00", "plan 0:10:00", "mail 0:10:00"])
          #expect(try Self.offer(pipe) == nil)
        }
      }
    }
  }

  @Test func `a deletion without an offer, as older builds left it, is undone by z [M6]`() throws {
    try TrackerFixture.with { fixture in
      try Self.fill(fixture)
      try fixture.app { driver, pipe in
        // They committed the command first, so a kill could leave it alone.
        let frame = try #require(driver.frame())
        guard case .intents(let down) = frame.interpret(.down, at: TrackerFixture.morning),
          try driver.tracker.store.carryOutBlocking(down) == nil,
          case .intents(let intents) = try #require(driver.frame())
            .interpret(.text("d"), at: TrackerFixture.morning)
        else {
          Issue.record("no intents")
          return
        }
        #expect(intents.count == 2)
        #expect(try driver.tracker.store.carryOutBlocking([intents[0]]) == nil)
        #expect(try Self.offer(pipe) == nil)
        #expect(driver.tracker.domain.entries == ["plan 0:10:00"])
      }
      try fixture.app(hour: Self.two) { driver, pipe in
        #expect(try Self.offer(pipe) == nil)
        _ = try pipe.answer("text:z")
        #expect(driver.tracker.domain.entries == ["mail 0:10:00", "plan 0:10:00", "mail 0:10:00"])
      }
    }
  }

  @Test func `another login that opens the scene undoes nothing of its own [M6]`() throws {
    try TrackerFixture.with { fixture in
      try Self.fill(fixture)
      try fixture.app { _, pipe in _ = try pipe.replies("down", "down", "text:d") }
      let tracker = try TrackerStore.open(
        at: fixture.store, zone: .utc, login: "ben", now: TrackerFixture.morning)
      defer { try? tracker.store.closeBlocking() }
      let draft = TimeEntryDraft(user: .id(UserID(value: 0)), description: "own", zone: .utc)
      _ = try tracker.store.performBlocking(.entry(.start(draft, at: nil, policy: .refuse)))
      let driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 72, rows: 20))
      try driver.press([.text("z")])
      #expect(tracker.domain.entries == ["mail 0:10:00", "mail 0:10:00", "own runs"])
    }
  }
}
