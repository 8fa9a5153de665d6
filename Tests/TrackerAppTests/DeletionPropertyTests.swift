import CivilTime
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

@testable import TrackerApp

/// Random keys in an app on a store, with changes from a shell; then each deletion is taken back.
@Suite struct DeletionPropertyTests {
  /// What is pressed at once.
  private static let keys = [
    ["down"], ["down"], ["down"], ["up"], ["right"], ["right"], ["left"], ["enter"], ["text:d"],
    ["text:d"], ["text:d"], ["text:z"], ["text:z"], ["text:Z"], ["text:s"], ["text:s"],
    ["page-down"], ["home"], ["end"], ["escape"], ["ctrl-o"], ["text:e", "text: more", "enter"],
    ["text:n", "text:mail", "enter"], ["text:n", "text:plan", "enter"],
    ["text:n", "text:8:00 - 9:30 mail", "enter"],
  ]

  /// The time around which everything happens: the clocks of Berlin go forward on the day after it,
  /// or back.
  private static let clockChanges = ["2026-03-28 22:00:00", "2026-10-24 21:00:00"]

  private static func hour(_ text: String) throws -> Double {
    let time = try ZoneFiles.moment(text).elapsed(since: TrackerFixture.morning)
    return Double(time.seconds) / 3_600
  }

  /// Makes the user, by another login, so that no undo takes the user or the preferences back.
  private static func begin(_ store: String, _ now: Moment, dayStart: ElapsedTime) throws {
    let tracker = try TrackerStore.open(at: store, zone: .utc, login: "ben", now: now)
    defer { try? tracker.store.closeBlocking() }
    let user = User(name: Name("anna"))
    _ = try tracker.store.performBlocking(.user(.create(user)))
    var preferences = PreferenceSet(user: UserID(value: 0))
    preferences.dayStart = dayStart
    _ = try tracker.store.performBlocking(.preferences(.create(preferences)))
    let driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 72, rows: 20))
    try driver.press([.text("anna"), .enter])
  }

  /// Adds or deletes an entry, as a shell does.
  private static func change(
    _ tracker: TrackerStore, _ random: inout SeededGenerator
  ) throws {
    let domain = tracker.domain
    if Int.random(in: 0..<4, using: &random) == 0 {
      var ended: [TimeEntryID] = []
      domain.timeEntries.forEach { id, entry in
        if entry.end != nil, domain.isVisible(entry) { ended.append(id) }
      }
      guard let id = ended.randomElement(using: &random) else { return }
      try tracker.store.performBlocking(.entry(.delete(id, reason: nil)), from: .commandLine)
      return
    }
    let micros = Int64.random(in: 0..<200_000_000_000, using: &random)
    let start = tracker.now().adding(ElapsedTime(microseconds: -micros))
    let length = Int64.random(in: 0...min(micros, 100_000_000_000), using: &random)
    let text = ["mail", "plan", "standup"].randomElement(using: &random) ?? "mail"
    let draft = TimeEntryDraft(user: .id(UserID(value: 0)), description: text, zone: .utc)
    let add = TimeEntryCommand.add(
      draft, start: start, end: start.adding(ElapsedTime(microseconds: length)), policy: .allow)
    try tracker.store.performBlocking(.entry(add), from: .commandLine)
  }

  /// Presses random keys.
  private static func press(_ tracker: TrackerStore, _ random: inout SeededGenerator) throws {
    let driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 72, rows: 20))
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      if Int.random(in: 0..<5, using: &random) == 0 { try change(tracker, &random) }
      for name in keys.randomElement(using: &random) ?? [] {
        try driver.press([try #require(Key(name: name))])
      }
    }
  }

  /// The changes that deleted entries, the newest first, and those that made them.
  private struct Deletions {
    var changes: [(sequence: UInt64, entries: Set<TimeEntryID>)] = []
    var creations: [TimeEntryID: UInt64] = [:]

    /// Reads a store, which must be closed.
    init(at store: String) throws {
      try TrackerStore.forEachChange(at: store) { change in
        guard change.restores == nil else { return true }
        if let entries = change.edits.deletedEntries, !entries.isEmpty {
          changes.append((change.sequence, entries))
        }
        for case .entry(.inserted(let id, _)) in change.edits { creations[id] = change.sequence }
        return true
      }
    }

    private static func overlaps(_ entry: TimeEntry, in domain: DomainState) -> Bool {
      let end = entry.end ?? Moment(microseconds: .max)
      var found = false
      domain.timeEntries.forEach { _, other in
        guard domain.isVisible(other) else { return }
        let otherEnd = other.end ?? Moment(microseconds: .max)
        if entry.start <= otherEnd, other.start <= end { found = true }
      }
      return found
    }

    /// Takes each deletion back that is in effect, and returns how many were.
    func takeBack(_ tracker: TrackerStore) throws -> Int {
      var count = 0
      for change in changes {
        let status = try tracker.store.statusBlocking(ofChange: change.sequence)
        guard status == .inEffect || status == .undoneInPart else { continue }
        try tracker.store.undoBlocking(change.sequence)
        count += 1
      }
      for id in changes.flatMap({ $0.entries }) {
        guard let entry = tracker.domain.timeEntries[id], entry.deleted != nil else { continue }
        // Undoing its creation has deleted it, too, or its time has been given to another entry.
        let creation = try tracker.store.statusBlocking(ofChange: try #require(creations[id]))
        #expect(creation != .inEffect || Self.overlaps(entry, in: tracker.domain), "\(id)")
      }
      return count
    }
  }

  @Test(.enabled(if: ZoneFiles.exist), arguments: clockChanges)
  func `after undoing all deletions, the sums on the screen are those of all entries [M6] [M8]`(
    change: String
  ) throws {
    let rules = try ZoneFiles.load("Europe/Berlin")
    try withSeed { random in
      var count = 0
      for _ in 0..<repetitions(40, few: 4) {
        let dayStart = ElapsedTime.seconds([0, 4 * 3_600].randomElement(using: &random) ?? 0)
        try TrackerFixture.with { fixture in
          var hour = try Self.hour(change)
          try Self.begin(fixture.store, try ZoneFiles.moment(change), dayStart: dayStart)
          for _ in 0..<8 {
            // A restart, mostly within the time of an offer.
            let waits = [2.5 / 3_600, 2.5 / 3_600, 0.3, 5]
            hour += waits.randomElement(using: &random) ?? 0
            try fixture.open(zone: rules, hour: hour) { tracker in
              try Self.press(tracker, &random)
              try ShownLog(tracker).expect(rules, dayStart, tracker)
            }
          }
          let deletions = try Deletions(at: fixture.store)
          try fixture.open(zone: rules, hour: hour) { tracker in
            count += try deletions.takeBack(tracker)
            try ShownLog(tracker).expect(rules, dayStart, tracker)
          }
        }
      }
      #expect(count > 0)
    }
  }
}

/// What a tall screen shows of the log.
private struct ShownLog {
  /// The totals beside the title.
  var totals = ""
  /// The times of the headings by dates.
  var headings: [String: Int64] = [:]
  /// The sums of the rows below the headings, and the numbers of their entries.
  var sums: [String: (seconds: Int64, entries: Int)] = [:]

  /// Reads the screen of a new scene, which is not recorded.
  init(_ tracker: TrackerStore) throws {
    var state = tracker.store.state
    let scene = state.nextScene
    for action in [ScenesAction.opened(scene), .scene(scene, .userOpened(Name("anna")))] {
      _ = TimeTracker.reducer.reduce(&state, .scenes(action), at: tracker.now())
    }
    let size = Screen.Size(columns: 72, rows: 600)
    let frame = SceneFrame(of: scene, in: state, at: tracker.now(), by: tracker.zone, size: size)
    let canvas = try #require(frame).screen.canvas
    totals = canvas.text(ofRow: 0)
    var date = ""
    for row in 1..<600 {
      let line = canvas.text(ofRow: row)
      guard let time = line.firstMatch(of: /\s(\d+):(\d\d):(\d\d)$/),
        let hours = Int64(time.1), let minutes = Int64(time.2), let seconds = Int64(time.3)
      else { continue }
      let shown = hours * 3_600 + minutes * 60 + seconds
      if let found = line.firstMatch(of: /\d{4}-\d\d-\d\d/) {
        date = String(found.0)
        headings[date] = shown
      } else {
        let count = line.firstMatch(of: /▸ (\d+)\s/).flatMap { Int($0.1) } ?? 1
        sums[date, default: (0, 0)].seconds += shown
        sums[date, default: (0, 0)].entries += count
      }
    }
  }

  private static func clock(_ seconds: Int64) -> String {
    let (minutes, rest) = (padded(Int(seconds / 60 % 60), to: 2), padded(Int(seconds % 60), to: 2))
    return "\(seconds / 3_600):\(minutes):\(rest)"
  }

  /// Expects the sums of the entries, which are those of the reports.
  func expect(_ rules: ZoneRules, _ dayStart: ElapsedTime, _ tracker: TrackerStore) throws {
    let (domain, now) = (tracker.domain, tracker.now())
    let calendar = ReportCalendar(rules, dayStart: dayStart)
    var entries: [TimeEntry] = []
    domain.timeEntries.forEach { _, entry in
      if domain.isVisible(entry) { entries.append(entry) }
    }
    func second(_ moment: Moment) -> Int64 { moment.microseconds / 1_000_000 }
    func sum(_ range: Range<Moment>) -> Int64 {
      let query = ReportQuery(range, in: calendar)
      let reported = domain.report(query, at: now).total.exact.time.seconds
      let sum = entries.reduce(Int64(0)) { sum, entry in
        let start = max(second(entry.start), second(range.lowerBound))
        return sum + max(0, min(second(entry.end ?? now), second(range.upperBound)) - start)
      }
      #expect(sum == reported)
      return sum
    }
    let today = calendar.range(of: calendar.day(at: now))
    let week = calendar.range(of: .thisWeek, at: now)
    #expect(totals.hasSuffix("  Today \(Self.clock(sum(today)))  Week \(Self.clock(sum(week)))"))
    var begun: [CivilDate: [TimeEntry]] = [:]
    for entry in entries where entry.end != nil {
      begun[calendar.day(at: entry.start), default: []].append(entry)
    }
    #expect(headings.count == begun.count && sums.count == begun.count)
    for (date, entries) in begun {
      let text = TimeStyle().text(date)
      #expect(headings[text] == sum(calendar.range(of: date)), "\(text)")
      #expect(sums[text]?.entries == entries.count, "\(text)")
      let time = entries.reduce(Int64(0)) { $0 + second($1.end ?? now) - second($1.start) }
      #expect(sums[text]?.seconds == time, "\(text)")
    }
  }
}
