import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFilter
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The search and the filter of the timer.
@Suite struct TimerFilterTests {
  /// Adds an entry that ended some hours ago.
  private static func add(
    _ text: String, hoursAgo: Int64, minutes: Int64 = 30, project: String? = nil,
    tag: String? = nil,
    to tracking: inout Tracking
  ) throws {
    let end = tracking.now.adding(.seconds(-hoursAgo * 3_600))
    var draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
    draft.project = project.map { .name(Name($0)) }
    draft.tags = tag.map { [.name(Name($0))] } ?? []
    let start = end.adding(.seconds(-minutes * 60))
    try tracking.perform(.entry(.add(draft, start: start, end: end, policy: .allow)))
  }

  private static func tracking() throws -> Tracking {
    var tracking = try Tracking()
    try add("write report", hoursAgo: 1, project: "Acme", tag: "deep", to: &tracking)
    try add("mail", hoursAgo: 2, to: &tracking)
    try add("write letter", hoursAgo: 26, minutes: 45, to: &tracking)
    try add("mail", hoursAgo: 27, project: "Acme", to: &tracking)
    try add("plan", hoursAgo: 28, minutes: 90, tag: "deep", to: &tracking)
    return tracking
  }

  /// The descriptions of the listed entries.
  private static func listed(_ tracking: Tracking) -> [String] {
    let known = ["write report", "mail", "write letter", "plan"]
    return tracking.lines.dropFirst(3).filter { !$0.hasPrefix("Filter") }.compactMap { line in
      known.first { line.contains($0) }
    }
  }

  @Test func `words and the terms of the command line list what matches, with its sum`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/")
    #expect(tracking.timer?.isFiltering == true && Self.listed(tracking).count == 5)
    try tracking.press("text:write")
    #expect(Self.listed(tracking) == ["write report", "write letter"])
    #expect(tracking.text.contains("= 2 entries, 1:15:00"))
    for (filter, found) in [
      ("@Acme", ["write report", "mail"]), ("#deep", ["write report", "plan"]),
      ("not #deep", ["mail", "write letter", "mail"]), ("duration>40m", ["write letter", "plan"]),
      ("@acme or plan", ["write report", "mail", "plan"]),
      ("date:yesterday", ["write letter", "mail", "plan"]), ("acme deep", ["write report"]),
    ] {
      try tracking.press("ctrl-u", "text:\(filter)")
      #expect(Self.listed(tracking) == found, "\(filter)")
      #expect(tracking.lines == tracking.freshLines)
    }
    // Today's total counts all entries, the heading of the day what matches.
    try tracking.press("ctrl-u", "text:report")
    #expect(tracking.text.contains("Today 1:00:00"))
    #expect(tracking.lines.contains { $0.contains("Today, Mon") && $0.hasSuffix("0:30:00") })
  }

  @Test func `the sum has the running entry if it matches, as a report does`() throws {
    var tracking = try Self.tracking()
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "write more", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: tracking.now, policy: .allow)))
    tracking.wait(.seconds(600))
    try tracking.press("text:/", "text:write")
    #expect(tracking.text.contains("= 3 entries, 1:25:00"), "\(tracking.text)")
    tracking.wait(.seconds(60))
    #expect(tracking.text.contains("= 3 entries, 1:26:00"))
    try tracking.press("text: more")
    #expect(tracking.text.contains("= 1 entry, 0:11:00"))
    #expect(tracking.text.contains("No earlier entry matches."))
    try tracking.press("ctrl-u", "text:mail")
    #expect(tracking.text.contains("= 2 entries, 1:00:00"))
  }

  @Test func `enter keeps the filter, escape clears it step by step`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/", "text:mail", "enter")
    #expect(tracking.timer?.isFiltering == false && tracking.timer?.filter.text == "mail")
    try tracking.press("down", "escape")
    #expect(tracking.timer?.selection == nil && tracking.timer?.filter.text == "mail")
    try tracking.press("escape")
    #expect(tracking.timer?.filter.text == "" && Self.listed(tracking).count == 5)
    try tracking.press("text:/", "text:mail", "escape")
    #expect(tracking.timer?.filter.text == "" && tracking.timer?.isFiltering == false)
    try tracking.press("escape")
    #expect(tracking.notice == .unknownKey("escape"))
  }

  @Test func `errors are said under the field in the words of the command line`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/")
    for (filter, text) in [
      ("(mail", "! A closing parenthesis is missing."),
      ("@Acmee", "! There is no project Acmee. Did you mean Acme?"),
      ("description:mail", "! There is no key `description`."),
      ("duration>soon", "! `duration` cannot be read."),
      ("not #nothing", "note: there is no tag nothing"),
    ] {
      try tracking.press("ctrl-u", "text:\(filter)")
      #expect(tracking.text.contains(text), "\(filter)")
    }
    try tracking.press("ctrl-u", "text:(mail", "enter")
    #expect(tracking.notice == .obstacle(.unreadableFilter) && tracking.timer?.isFiltering == true)
    #expect(Self.listed(tracking).isEmpty)
  }

  @Test func `what is selected, deleted and edited is one of the list`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/", "text:mail", "enter", "down", "down", "text:d")
    #expect(tracking.commands.last == .entry(.delete(TimeEntryID(value: 3), reason: nil)))
    #expect(Self.listed(tracking) == ["mail"] && tracking.text.contains("= 1 entry, 0:30:00"))
    try tracking.press("text:z")
    #expect(tracking.restores == [.takeBack([TimeEntryID(value: 3)])])
    try tracking.press("up", "text:e")
    #expect(tracking.form?.entry == TimeEntryID(value: 1))
    try tracking.press("ctrl-u", "text:post", "enter")
    // The entry no longer matches.
    #expect(tracking.text.contains("No entry matches."))
    #expect(tracking.timer?.filter.text == "mail")
  }

  @Test func `similar entries that match are a group`() throws {
    var tracking = try Self.tracking()
    try Self.add("mail", hoursAgo: 4, minutes: 10, to: &tracking)
    try tracking.press("text:/", "text:mail", "enter", "down", "right")
    #expect(tracking.timer?.expanded.count == 1)
    #expect(tracking.lines.contains { $0.contains("▾ 2") && $0.contains("0:40:00") })
  }

  @Test func `a name that changes elsewhere changes what matches`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/", "text:big", "enter")
    #expect(Self.listed(tracking).isEmpty)
    var changes = ProjectChanges()
    changes.name = Change(from: Name("Acme"), to: Name("Big Bank"))
    try tracking.perform(.project(.change(ProjectID(value: 0), changes, reason: nil)))
    #expect(Self.listed(tracking) == ["write report", "mail"])
    #expect(tracking.lines == tracking.freshLines)
  }

  @Test func `the filter is in the link and is restored`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/", "text:@Acme or #deep")
    let route = try #require(tracking.timer)
    let link = TimerScreen.link(of: route).text()
    #expect(link == "timer/0?filter=%40Acme%20or%20%23deep")
    let scene = try #require(tracking.store.state.scenes[tracking.scene])
    var reader = AvroReader(scene.encoded().span)
    #expect(try Scene(decoding: &reader) == scene)
    try tracking.send(
      TimeTracker.opening(link, in: tracking.scene, of: tracking.store.state))
    #expect(tracking.timer?.filter.text == "@Acme or #deep")
    #expect(Self.listed(tracking) == ["write report", "mail", "plan"])
    #expect(throws: LinkProblem.self) {
      try TimeTracker.opening("timer/0?filter=(", in: tracking.scene, of: tracking.store.state)
    }
  }

  @Test func `pages and arrows reach each entry that matches, and no other`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(40, few: 4) {
        var tracking = try Tracking()
        var matching: Set<String> = []
        for number in 0..<Int.random(in: 1...80, using: &random) {
          let isFound = Bool.random(using: &random)
          let text = "\(isFound ? "found" : "other") task \(number)"
          if isFound { matching.insert("task \(number)") }
          try Self.add(
            text, hoursAgo: Int64.random(in: 1...700, using: &random), to: &tracking)
        }
        tracking.size = Screen.Size(columns: 60, rows: Int.random(in: 6...24, using: &random))
        try tracking.press("text:/", "text:found", "enter")
        func tasks() -> [String] {
          tracking.lines.compactMap { $0.firstMatch(of: /task \d+/).map { "\($0.0)" } }
        }
        var seen: [String] = []
        while tracking.notice == nil {
          seen += tasks()
          try tracking.press("page-down")
        }
        #expect(Set(seen) == matching && seen.count == matching.count)
        try tracking.press("home")
        for text in seen {
          try tracking.press("down")
          #expect(tracking.lines.contains { $0.hasPrefix("› ") && $0.contains("\(text) ") })
        }
      }
    }
  }

  @Test func `a saved filter takes the place of its name`() throws {
    var tracking = try Self.tracking()
    tracking.saved = SavedFilters([
      ("deep", try FilterExpression("#deep and duration>1h"))
    ])
    try tracking.press("text:/", "text:saved:deep")
    #expect(tracking.text.contains("Press enter in the field of the filter to use the saved one."))
    try tracking.press("enter")
    #expect(tracking.timer?.filter.text == "#deep duration>1h")
    #expect(Self.listed(tracking) == ["plan"])
    try tracking.press("ctrl-u", "text:saved:none", "enter")
    #expect(tracking.notice == .obstacle(.savedFilterUnknown("none")))
  }

  @Test func `what a filter found is released when another screen or no filter is shown`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/", "text:plan", "enter")
    let memo = try #require(tracking.frame).memo
    #expect(memo.parts(of: tracking.domain).isSuperset(of: ["found", "filter"]))
    let older = tracking.domain
    try tracking.press("text:p")
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    func frame(after memo: FrameMemo) throws -> SceneFrame {
      try #require(
        SceneFrame(
          of: tracking.scene, in: tracking.store.state, at: tracking.now, by: tracking.rules,
          size: tracking.size, memo: memo))
    }
    #expect(!(try frame(after: memo).memo.parts(of: older).contains("found")))
    try tracking.press("escape", "text:/", "escape")
    #expect(tracking.timer?.filter.text.isEmpty == true)
    #expect(try frame(after: memo).memo.parts(of: older).isDisjoint(with: ["found", "filter"]))
  }

  @Test func `a rare word is searched in slices, and page-down goes on`() throws {
    var tracking = try Tracking()
    try Self.add("needle", hoursAgo: 100_000, to: &tracking)
    var state = tracking.store.state
    var entry = try #require(state.domain.timeEntries[TimeEntryID(value: 0)])
    entry.description = "hay"
    for number in 0..<130_000 {
      entry.start = tracking.now.adding(.seconds(Int64(number) * -2_000 - 4_000))
      entry.end = entry.start.adding(.seconds(60))
      state.domain.timeEntries.insert(entry)
    }
    tracking.store = TestStore(state: state, clock: tracking.store.clock)
    tracking.hashEntries()
    // What a search reads is counted: a slice of the log, and little more than the rows it finds.
    for (word, most) in [("needle", 21_000), ("hay", 1_000)] {
      let condition = try EntryCondition(
        FilterExpression(word), in: tracking.domain,
        ExpressionContext(zone: .utc, now: tracking.now, firstWeekday: 1))
      var days = EntryDays(
        of: tracking.user, in: ReportCalendar(.utc), tracking.domain, where: condition)
      var visits = 20_000
      let found = days.entry(at: nil, visits: &visits)
      #expect(20_000 - visits <= most, "\(word)")
      if case .found = found { #expect(word == "hay") } else { #expect(word == "needle") }
      #expect(days.sum(visits: 20_000).count <= 21_000)
    }
    // While the filter is typed, a frame searches less.
    try tracking.press("text:/", "text:needle")
    func searchedBack() throws -> String {
      let line = try #require(tracking.lines.first { $0.contains("searched back to ") })
      return try #require(line.split(separator: ";").first).trimmingPrefix { $0 == " " }.description
    }
    #expect(tracking.text.contains("enter goes on"))
    let typed = try searchedBack()
    try tracking.press("enter")
    #expect(tracking.text.contains("= 0 entries, 0:00:00 since "))
    #expect(tracking.text.contains("page-down goes on"))
    // The dates are in order of their texts.
    #expect(try searchedBack() < typed)
    #expect(tracking.text.contains("searched back to "))
    var pages = 0
    while !tracking.text.contains("  needle"), pages < 5 {
      try tracking.press("page-down")
      pages += 1
    }
    // Each key searches 100,000 entries at most.
    #expect((1...3).contains(pages))
    #expect(tracking.lines == tracking.freshLines)
    // A common word fills the page at once.
    try tracking.press("text:/", "ctrl-u", "text:hay", "enter")
    #expect(tracking.text.contains("page-down shows older entries"))
  }
}
