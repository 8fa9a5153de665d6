import CivilTime
import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import Testing
import TimeTracking
import TrackerFeatures

@testable import TrackerApp

/// The app follows calendar files: the log has each event once, and then differences.
@Suite struct CalendarFilesTests {
  /// A calendar with a daily event from Monday to Friday, and single ones.
  static func text(_ singles: [(title: String, hour: Int)], hour: Int = 8) -> String {
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test", "BEGIN:VEVENT", "UID:daily",
      "DTSTAMP:20260101T000000Z", "DTSTART:20260105T0\(hour)0000Z",
      "DTEND:20260105T0\(hour)1500Z", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
      "SUMMARY:standup", "END:VEVENT",
    ]
    for (number, single) in singles.enumerated() {
      lines += [
        "BEGIN:VEVENT", "UID:single\(number)", "DTSTAMP:20260101T000000Z",
        "DTSTART:20260302T\(single.hour)0000Z", "DTEND:20260302T\(single.hour)3000Z",
        "SUMMARY:\(single.title)", "END:VEVENT",
      ]
    }
    return (lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  /// The differences of events in the log.
  private static func changes(_ tracker: TrackerStore) throws -> [SceneEventChanges] {
    var found: [SceneEventChanges] = []
    try tracker.store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (_, payload) throws(StoreError) in
        var reader = AvroReader(payload)
        if case .scenes(.scene(_, .eventsRead(let changes)))? = try? TrackerAction(
          decoding: &reader)
        {
          found.append(changes)
        }
      }
    }
    return found
  }

  @Test func `the events of the shown days are recorded once, then differences [M13] [L14]`() throws
  {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.text([("review", 10), ("lunch", 12)]), to: "work.ics")
      try fixture.open { tracker in
        var driver = try SceneDriver.attach(
          to: tracker, as: Name("anna"), size: Screen.Size(columns: 80, rows: 30))
        driver.calendars = CalendarFiles([path, fixture.directory + "/none"]) { _ in nil }
        try driver.press([.text("anna"), .enter])
        try driver.followCalendars()
        #expect(try Self.changes(tracker).isEmpty)
        try driver.press([.text("c")])
        try driver.followCalendars()
        let first = try Self.changes(tracker)
        #expect(first.map { $0.set.map(\.title) } == [["standup", "review", "lunch"]])
        let text = driver.frame().map { $0.screen.canvas.lines.joined(separator: "\n") } ?? ""
        #expect(text.contains("◇ standup") && text.contains("◇ review"))
        // Nothing has changed, also after a key and for another driver of the scene.
        let sequence = tracker.store.sequence
        try driver.followCalendars()
        driver.calendars = CalendarFiles([path]) { _ in nil }
        try driver.followCalendars()
        #expect(tracker.store.sequence == sequence)
        // The week has the recurrences of its other days.
        try driver.press([.text("w")])
        try driver.followCalendars()
        #expect(
          try Self.changes(tracker).last?.set.map(\.title) == Array(repeating: "standup", count: 4))
        try driver.press([.text("w")])
        try driver.followCalendars()
        #expect(try Self.changes(tracker).count == 2)
        // An edited file gives the difference.
        _ = try fixture.write(Self.text([("review", 11)]), to: "work.ics")
        try driver.followCalendars()
        let last = try #require(try Self.changes(tracker).last)
        #expect(last.set.map(\.title) == ["review"] && last.removed.count == 1)
        // A file that is gone or damaged has no events.
        _ = try fixture.write("BEGIN:VCALENDAR\r\n", to: "work.ics")
        try driver.followCalendars()
        #expect(driver.tracker.store.state.scenes[driver.scene]?.events.events.isEmpty == true)
        #expect(try Self.changes(tracker).count == 4)
      }
    }
  }

  @Test func `the settings change the files, or say why they cannot`() throws {
    try TrackerFixture.with { fixture in
      let path = try fixture.write(Self.text([("review", 10)]), to: "work.ics")
      try fixture.app { driver, _ in
        var driver = driver
        driver.calendars = CalendarFiles(
          [], zones: { _ in nil },
          change: { text in
            text.isEmpty || text.hasPrefix("/")
              ? .changed(text.split(separator: ":").map(String.init))
              : .failed(FileFailure(path: "config", reason: "why", advice: "Do that.", code: -1))
          })
        let pipe = PipeDriver(driver)
        _ = try pipe.replies("text:anna", "enter", "text:S", "tab", "tab", "tab", "enter")
        func shows(_ text: String) throws -> Bool {
          try pipe.answer("screen").lines.contains { $0.hasPrefix(text) }
        }
        #expect(try shows("Files and folders none"))
        _ = try pipe.replies("text:work.ics", "enter")
        #expect(try shows("! config was not written: why. Do that."))
        #expect(try shows("Files and folders work.ics"))
        _ = try pipe.replies("ctrl-u", "text:\(path)", "enter")
        _ = try pipe.replies("escape", "text:c")
        try driver.followCalendars()
        #expect(try pipe.answer("screen").lines.contains { $0.contains("◇ review") })
        _ = try pipe.replies(
          "escape", "text:S", "tab", "tab", "tab", "enter", "ctrl-u", "enter", "escape", "text:c")
        try driver.followCalendars()
        #expect(try pipe.answer("screen").lines.contains { $0.contains("◇ review") } == false)
      }
    }
  }

  @Test func `a folder is followed, and titles are short and safe [M13]`() throws {
    try TrackerFixture.with { fixture in
      let long = String(repeating: "x", count: 5_000)
      try FileManager.default.createDirectory(
        atPath: fixture.directory + "/calendars", withIntermediateDirectories: true)
      _ = try fixture.write(
        Self.text([("\u{1B}[2J\u{202E}\(long)", 10)]), to: "calendars/a.ics")
      _ = try fixture.write("no calendar", to: "calendars/b.ics")
      _ = try fixture.write(Self.text([]), to: "calendars/notes.txt")
      try fixture.app { driver, pipe in
        var driver = driver
        driver.calendars = CalendarFiles([fixture.directory + "/calendars"]) { _ in nil }
        let pipe = PipeDriver(driver)
        _ = try pipe.replies("text:anna", "enter", "text:c")
        let screen = try pipe.answer("screen").lines
        #expect(screen.contains { $0.contains("◇ standup") })
        let events = driver.tracker.store.state.scenes[driver.scene]?.events.events ?? []
        #expect(events.count == 2)
        for event in events {
          #expect(event.title.utf8.count <= SceneEvents.titleBytesMax)
          #expect(SafeText.line(event.title, bytesMax: .max) == event.title)
        }
        _ = try fixture.write(Self.text([], hour: 9), to: "calendars/c.ics")
        let both = try pipe.answer("screen").lines.filter { $0.contains("◇ standup") }
        #expect(both.count == 2)
      }
    }
  }

  @Test func `motions of the mouse that were read at once are one drag [M13]`() throws {
    let drags = (0..<5).map { Input.mouse(Mouse(.dragged(.left), row: $0, column: 3)) }
    let release = Input.mouse(Mouse(.released(.left), row: 4, column: 3))
    let key = Input.key(.text("a"))
    #expect((drags + [release]).withoutPassedMotions == [drags[4], release])
    #expect(
      ([drags[0], key] + drags[1...2] + [key]).withoutPassedMotions
        == [drags[0], key, drags[2], key])
  }
}
