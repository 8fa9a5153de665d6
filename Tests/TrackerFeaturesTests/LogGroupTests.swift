import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The groups of the similar entries of a day in the list of the timer.
@Suite struct LogGroupTests {
  /// Adds entries of 10 minutes, one each 20 minutes, the last of which ended 10 minutes ago.
  private static func tracking(_ texts: [String]) throws -> Tracking {
    var tracking = try Tracking()
    for (number, text) in texts.enumerated() {
      let start = tracking.now.adding(.seconds(Int64(number - texts.count) * 1_200))
      let draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(600)), policy: .refuse)))
    }
    return tracking
  }

  /// The rows of the list that contain a text.
  private static func rows(_ tracking: Tracking, with text: String) -> [String] {
    tracking.lines.filter { $0.contains(text) }
  }

  @Test func `similar entries of a day are one row with their span and their sum [M8]`() throws {
    let tracking = try Self.tracking(["mail", "plan", "mail", "call", "mail"])
    #expect(Self.rows(tracking, with: "mail").count == 1)
    let row = try #require(Self.rows(tracking, with: "mail").first)
    #expect(row.hasPrefix("  ▸ 3 mail  ") && row.hasSuffix("  07:20-08:50   0:30:00"), "\(row)")
    // An entry alone is in the column of the texts, and the heading of the day is not.
    #expect(Self.rows(tracking, with: "    plan  ").count == 1)
    #expect(Self.rows(tracking, with: "Today, Mon").first?.hasPrefix("  Today") == true)
    #expect(tracking.lines == tracking.replayedLines)
  }

  @Test func `right opens a group and left closes it, also by letters [M7]`() throws {
    for (open, close) in [("right", "left"), ("text:l", "text:h")] {
      var tracking = try Self.tracking(["mail", "plan", "mail"])
      let closed = tracking.lines
      try tracking.press("down")
      #expect(tracking.timer?.group != nil && tracking.timer?.selection == nil)
      try tracking.press(open)
      let rows = Self.rows(tracking, with: "mail")
      #expect(
        rows.map { String($0.prefix(12)) } == ["› ▾ 2 mail  ", "        mail", "        mail"])
      #expect(rows[1].hasSuffix("  08:40-08:50   0:10:00"))
      // Right goes into an open group, and left out of it.
      try tracking.press(open, "down")
      #expect(tracking.timer?.selection == TimeEntryID(value: 0))
      try tracking.press(close)
      #expect(tracking.timer?.group != nil && tracking.timer?.expanded.count == 1)
      try tracking.press(close, "escape")
      #expect(tracking.timer?.expanded == [])
      #expect(tracking.lines == closed)
    }
  }

  @Test func `what is no group says so [M7]`() throws {
    var tracking = try Self.tracking(["mail", "plan", "mail"])
    try tracking.press("down", "left")
    #expect(tracking.notice == .obstacle(.groupNotOpen))
    try tracking.press("down", "right")
    #expect(tracking.notice == .obstacle(.notAGroup))
    try tracking.press("escape", "right")
    #expect(tracking.notice == .unknownKey("right"))
  }

  @Test func `a click on the sign opens and closes a group, and one beside it selects [M7]`() throws
  {
    var tracking = try Self.tracking(["mail", "plan", "mail"])
    let row = try #require(tracking.lines.firstIndex { $0.contains("▸ 2 mail") })
    try tracking.use(.pressed(.left), row: row, column: 2)
    #expect(Self.rows(tracking, with: "mail").count == 3)
    try tracking.use(.pressed(.left), row: row, column: 20)
    #expect(tracking.timer?.group != nil && Self.rows(tracking, with: "mail").count == 3)
    try tracking.use(.pressed(.left), row: row, column: 3)
    #expect(Self.rows(tracking, with: "mail").count == 1)
    // An entry alone has no sign.
    let plan = try #require(tracking.lines.firstIndex { $0.contains("    plan") })
    try tracking.use(.pressed(.left), row: plan, column: 2)
    #expect(tracking.timer?.selection == TimeEntryID(value: 1))
  }

  @Test func `enter continues the newest entry of a group [M8]`() throws {
    var tracking = try Self.tracking(["mail", "plan", "mail"])
    try tracking.press("down", "enter")
    #expect(
      tracking.commands.last
        == .entry(.resume(TimeEntryID(value: 2), at: nil, zone: .utc, policy: .refuse)))
    #expect(tracking.entries.last?.description == "mail" && tracking.timer?.group == nil)
  }

  @Test func `a group that loses all but one of its entries is a row of an entry [M7]`() throws {
    var tracking = try Self.tracking(["mail", "plan", "mail"])
    try tracking.press("down", "right")
    try tracking.perform(.entry(.delete(TimeEntryID(value: 0), reason: nil)))
    let row = try #require(Self.rows(tracking, with: "mail").first)
    #expect(Self.rows(tracking, with: "mail").count == 1 && row.hasPrefix("› mail  "), "\(row)")
    try tracking.press("enter")
    #expect(tracking.entries.last?.description == "mail")
  }

  @Test func `an edited group stays selected, closed or open, alone or within another`() throws {
    for (texts, keys, row) in [
      (["mail", "plan", "mail"], [], "› ▸ 2 mail!"),
      (["mail", "plan", "mail"], ["right"], "› ▸ 2 mail!"),
      (["mail!", "mail", "plan", "mail"], [], "› ▸ 3 mail!"),
    ] {
      var tracking = try Self.tracking(texts)
      try tracking.press("down")
      for key in keys { try tracking.press(key) }
      try tracking.press("text:e", "text:!", "enter")
      #expect(Self.rows(tracking, with: row).count == 1, "\(tracking.text)")
      #expect(tracking.lines == tracking.replayedLines)
      // The row is that of the group for the next key, too.
      try tracking.press("text:d")
      #expect(tracking.entries.map(\.description) == ["plan"])
    }
    var tracking = try Self.tracking(["mail", "plan", "mail"])
    try tracking.press("down")
    let before = tracking.timer
    try tracking.press("text:e", "enter")
    #expect(tracking.timer == before)
  }

  @Test func `deleting a group deletes its entries in one change [M8]`() throws {
    for key in ["closed", "open"] {
      var tracking = try Self.tracking(["mail", "plan", "mail", "call"])
      try tracking.press("down", "down")
      if key == "open" { try tracking.press("right") }
      let count = tracking.commands.count
      try tracking.press("text:d")
      #expect(tracking.commands.count == count + 1)
      #expect(tracking.entries.map(\.description) == ["plan", "call"])
      #expect(tracking.timer?.selection == TimeEntryID(value: 1))
    }
  }

  @Test func `the oldest of more than 64 open groups closes [M7]`() throws {
    var route = TimerRoute(user: UserID(value: 0))
    let moment = Tracking.morning
    for day in Int32(0)..<70 {
      let key = EntryGroupKey(day: day, digest: 1)
      _ = TimerReducer().reduce(&route, .groupToggled(key), at: moment)
    }
    #expect(route.expanded.map { $0.day } == Array(Int32(6)..<70))
    _ = TimerReducer().reduce(&route, .groupToggled(EntryGroupKey(day: 30, digest: 1)), at: moment)
    #expect(route.expanded.count == 63)
  }

  @Test func `an opened group is on the screen, whatever the size [M7]`() throws {
    for rows in 9...14 {
      var tracking = try Self.tracking(["a", "b", "c", "d", "e", "f", "g", "a", "b", "c", "d", "e"])
      tracking.size = Screen.Size(columns: 60, rows: rows)
      for key in ["right", "text:l"] {
        for _ in 0..<6 {
          try tracking.press("down", key)
          guard tracking.timer?.group != nil else { continue }
          #expect(tracking.lines.contains { $0.hasPrefix("› ") }, "\(rows)\n\(tracking.text)")
        }
      }
      #expect(tracking.timer?.expanded.isEmpty == false)
    }
  }

  /// The row that a line shows: a group by its sign, and each by its text and its times.
  private static func name(of line: String) -> String? {
    guard let task = line.firstMatch(of: /task \d+/),
      let clock = line.firstMatch(of: /\d\d:\d\d-\d\d:\d\d/)
    else { return nil }
    return "\(line.firstMatch(of: /[▸▾] \d+/)?.0 ?? "") \(task.0) \(clock.0)"
  }

  @Test func `each row of closed and open groups is reached, whatever the size [M8]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(60, few: 6) {
        let count = Int.random(in: 1...40, using: &random)
        var tracking = try Self.tracking(
          (0..<count).map { _ in "task \(Int.random(in: 0..<12, using: &random))" })
        tracking.size = Screen.Size(columns: 60, rows: 40)
        for _ in 0..<20 {
          let key = ["down", "up", "right", "left", "page-down", "home"].randomElement(
            using: &random)
          try tracking.press(key ?? "down")
        }
        try tracking.press("home")
        tracking.size.rows = 100
        let rows = tracking.lines.compactMap(Self.name)
        tracking.size.rows = Int.random(in: 9...24, using: &random)
        #expect(tracking.lines == tracking.freshLines)
        var walked: [String] = []
        for key in ["down", "up"] {
          for _ in rows {
            try tracking.press(key)
            let row = try #require(tracking.lines.first { $0.hasPrefix("› ") })
            walked.append(try #require(Self.name(of: row)))
          }
        }
        #expect(walked == rows + rows.dropLast().reversed() + [rows[0]])
        try tracking.press("home")
        var paged: [String] = []
        for _ in rows where tracking.notice == nil {
          for name in tracking.lines.compactMap(Self.name) where paged.last != name {
            // The heading of a group that goes on is repeated at the top of a page.
            if !(name.contains("▾") && paged.contains(name)) { paged.append(name) }
          }
          try tracking.press("page-down")
        }
        #expect(paged == rows)
        for _ in rows where tracking.timer?.top != nil { try tracking.press("page-up") }
        #expect(tracking.timer?.top == nil)
      }
    }
  }
}
