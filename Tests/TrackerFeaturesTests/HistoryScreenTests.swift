import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The history of changes, with pages as a driver reads them.
@Suite struct HistoryScreenTests {
  /// The history of changes with the sequences 1 to a number, the newest first.
  struct PagedLog {
    var tracking: Tracking
    var changes: [HistoryChange]
    /// What is said about the undo or redo that is asked about.
    var plan: [HistoryPage.Line] = []

    init(_ count: Int) throws {
      tracking = try Tracking()
      changes = (1...count).reversed().map { number in
        let moment = Tracking.morning.adding(.seconds(Int64(number - count) * 7_200))
        var change = HistoryChange(
          sequence: Int64(number), local: LocalTime(moment, offsetSeconds: 0))
        change.name = "c\(number)"
        change.author = "anna, command line"
        change.lines = [HistoryChange.Line(verb: "started", text: "#\(number)  task \(number)")]
        change.entities = [.entry(TimeEntryID(value: Int64(number % 3)))]
        return change
      }
      try tracking.press("text:H")
      read()
    }

    /// Reads the page that the screen needs, as a driver does.
    mutating func read() {
      guard let scene = tracking.store.state.scenes[tracking.scene],
        let query = scene.historyQuery(fitting: tracking.size)
      else { return tracking.history = nil }
      let all = changes.filter { change in
        query.entity.map { change.entities.contains($0) } ?? true
      }
      let start =
        query.top.map { top in all.firstIndex { $0.sequence <= top } ?? all.count } ?? 0
      let page = Array(all[start...].prefix(query.count))
      let end = start + page.count
      tracking.history = HistoryPage(
        changes: page, newer: all[..<start].reversed().map { $0.sequence },
        rest: end < all.count ? all[end].sequence : nil)
      if query.question != nil { tracking.history?.plan = plan }
    }

    mutating func press(_ keys: String...) throws {
      for key in keys {
        try tracking.press(key)
        read()
      }
    }

    var route: HistoryRoute? {
      if case .history(let route)? = tracking.stack?.top { route } else { nil }
    }

    /// The numbers of the shown changes.
    var shown: [Int] {
      tracking.lines.compactMap { $0.firstMatch(of: /task (\d+)/).flatMap { Int($0.1) } }
    }
  }

  @Test func `each change is reached by pages and by arrows`() throws {
    var log = try PagedLog(100)
    #expect(log.tracking.stack?.routes.map(\.path) == ["timer/0", "history/0"])
    var seen: [Int] = []
    while log.tracking.notice == nil {
      seen += log.shown
      try log.press("page-down")
    }
    #expect(log.tracking.notice == .obstacle(.noOlderChanges))
    #expect(seen == Array((1...100).reversed()))
    for _ in 0..<100 where log.route?.top != nil { try log.press("page-up") }
    #expect(log.route?.top == nil && log.shown.first == 100)
    try log.press("home")
    var walked: [Int64] = []
    for _ in 0..<100 {
      try log.press("down")
      walked.append(try #require(log.route?.selection))
      #expect(log.shown.contains(Int(walked.last ?? 0)))
    }
    for _ in 0..<99 {
      try log.press("up")
      walked.append(try #require(log.route?.selection))
    }
    #expect(walked == (1...100).reversed() + Array(2...100))
  }

  @Test func `enter shows the fields, f the changes of one entity`() throws {
    var log = try PagedLog(30)
    log.changes[1].fields = [
      HistoryChange.Field(entity: "entry #29", name: "start", before: "9:00", after: "9:30")
    ]
    log.changes[1].remark = "fixed clock"
    try log.press("down", "down", "enter")
    #expect(log.tracking.text.contains("c29 by anna, command line"))
    #expect(log.tracking.text.contains("entry #29 start: 9:00 -> 9:30"))
    #expect(log.tracking.text.contains("fixed clock"))
    try log.press("enter", "text:f")
    #expect(log.shown == [29, 26, 23, 20, 17, 14, 11, 8, 5, 2])
    try log.press("escape")
    #expect(log.route?.entity == nil)
    try log.press("escape")
    #expect(log.tracking.timer != nil)
  }

  @Test func `a change with many fields stays in sight when they are shown`() throws {
    var log = try PagedLog(30)
    for number in 0..<20 {
      log.changes[9].fields.append(
        HistoryChange.Field(
          entity: "entry #\(number)", name: "start", before: "9:00", after: "9:30"))
    }
    for _ in 0..<10 { try log.press("down") }
    #expect(log.route?.selection == 21)
    try log.press("enter")
    #expect(log.shown.contains(21) && !log.shown.contains(30))
    try log.press("text:z")
    #expect(log.route?.question?.change == 21)
    try log.press("escape", "enter")
    #expect(log.route?.isOpen == false && log.shown.first == 30)
    // With the fields open, the arrows lead through all changes, too.
    try log.press("enter")
    var walked: [Int64] = []
    for _ in 0..<9 {
      try log.press("up")
      walked.append(try #require(log.route?.selection))
    }
    #expect(walked == Array(22...30))
    try log.press("text:q")
    #expect(log.tracking.timer != nil)
  }

  @Test func `a change is undone and restored after a question, or the reason is told`() throws {
    var log = try PagedLog(5)
    log.changes[1].isUndone = true
    log.changes[2].isOwn = false
    log.changes[3].restores = 1
    try log.press("text:z")
    #expect(log.tracking.notice == .obstacle(.noChangeSelected))
    try log.press("down", "text:z")
    #expect(log.tracking.text.contains("? Undo c5?"))
    try log.press("escape")
    #expect(log.route?.question == nil && log.tracking.restores.isEmpty)
    try log.press("text:z", "enter")
    #expect(log.tracking.restores == [.restore(5, isRedo: false)])
    // The question is over once the change is undone.
    log.changes[0].isUndone = true
    log.read()
    #expect(!log.tracking.text.contains("? Undo"))
    try log.press("down", "text:z")
    #expect(log.tracking.notice == .obstacle(.changeUndone))
    try log.press("text:Z", "enter")
    #expect(log.tracking.restores.last == .restore(4, isRedo: true))
    try log.press("down", "text:z")
    #expect(log.tracking.notice == .obstacle(.changeOfOthers))
    try log.press("down", "text:Z")
    #expect(log.tracking.notice == .obstacle(.changeIsRestore))
    try log.press("down", "text:Z")
    #expect(log.tracking.notice == .obstacle(.changeNotUndone))
  }

  @Test func `the place is restored, and a replay without a log says so`() throws {
    var log = try PagedLog(50)
    try log.press("page-down", "down", "enter")
    let scene = try #require(log.tracking.store.state.scenes[log.tracking.scene])
    var reader = AvroReader(scene.encoded().span)
    #expect(try Scene(decoding: &reader) == scene)
    let link = HistoryScreen.link(of: try #require(log.route)).text()
    #expect(link == "history/0?change=\(log.route?.selection ?? 0)")
    #expect(log.tracking.lines == log.tracking.freshLines)
    #expect(
      log.tracking.replayedLines.contains { $0.contains("read from the log of the running app") })
  }
}
