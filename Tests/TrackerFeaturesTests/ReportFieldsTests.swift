import RetraceArchitecture
import RetraceFilter
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport

@testable import TrackerFeatures

/// The filter, the copied line and the saved file of the screen of the reports.
@Suite struct ReportFieldsTests {
  private static func report(of tracking: Tracking) throws -> ReportsRoute {
    guard case .reports(let route)? = tracking.stack?.top else { throw NoReport() }
    return route
  }

  private struct NoReport: Error {}

  /// Opens a report of three entries of the last hours: one of the shop and one of the site with a
  /// tag, and one without a project.
  private static func tracking() throws -> Tracking {
    var tracking = try Tracking()
    let entries: [(text: String, project: String?, tag: String?)] = [
      ("mail", "shop", nil), ("plan", "site", "deep"), ("=call\u{202E}", nil, "deep"),
    ]
    for (number, entry) in entries.enumerated() {
      var draft = TimeEntryDraft(user: .id(tracking.user), description: entry.text, zone: .utc)
      draft.project = entry.project.map { .name(Name($0)) }
      draft.tags = entry.tag.map { [.name(Name($0))] } ?? []
      let start = tracking.now.adding(.seconds(Int64(number - 3) * 3_600))
      let end = start.adding(.seconds(Int64(number + 1) * 600))
      try tracking.perform(.entry(.add(draft, start: start, end: end, policy: .allow)))
    }
    try tracking.press("text:r")
    return tracking
  }

  @Test func `a filter is typed in the words of the command line [M14]`() throws {
    var tracking = try Self.tracking()
    #expect(tracking.lines[0].hasSuffix("1:00:00"))
    try tracking.press("text:/", "text:#dee")
    #expect(tracking.lines[1] == "Filter: #dee")
    #expect(tracking.lines[2].hasPrefix("There is no tag dee. Did you mean deep?"))
    try tracking.press("enter")
    #expect(tracking.notice == .obstacle(.unreadableFilter))
    try tracking.press("text:p and not (@shop")
    #expect(tracking.lines[2].hasPrefix("A closing parenthesis is missing."))
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("text:)")
    #expect(tracking.lines[2].isEmpty && tracking.lines[0].hasSuffix("1:00:00"))
    try tracking.press("enter")
    #expect(tracking.lines[0].hasSuffix("0:50:00"))
    #expect(tracking.lines[1].hasSuffix("; filter: #deep and not (@shop)"))
    #expect(tracking.lines == tracking.freshLines && tracking.replayedLines == tracking.lines)
    // The range and the groups change, and the filter stays.
    try tracking.press("text:g", "text:d")
    #expect(try Self.report(of: tracking).filter == "#deep and not (@shop)")
    // The field has the filter that is shown.
    try tracking.press("text:/", "ctrl-u", "text:nothing", "escape")
    #expect(try Self.report(of: tracking).filter == "#deep and not (@shop)")
    try tracking.press("text:/", "ctrl-u", "enter")
    #expect(try Self.report(of: tracking).filter.isEmpty)
    #expect(tracking.lines[0].hasSuffix("1:00:00"))
  }

  @Test func `a link has the filter, and one that cannot be read shows no entries [N1]`() throws {
    let text = "timer/0/reports?by=tag&filter=%23deep%20and%20duration%3E15m"
    var tracking = try Self.tracking()
    let route = try TrackerRoute(DeepLink(parsing: text))
    #expect(route.link.text() == text)
    try tracking.send(.scene(tracking.scene, .pushed(route)))
    #expect(tracking.lines[0].hasSuffix("0:50:00"))
    for filter in ["#gone", "(", "duration>x", "date:nonsense"] {
      var route = ReportsRoute(user: tracking.user)
      route.filter = filter
      try tracking.send(.scene(tracking.scene, .pushed(.reports(route))))
      #expect(tracking.lines[0].hasSuffix("0:00:00"))
      #expect(!tracking.lines[2].isEmpty && tracking.replayedLines == tracking.lines)
      try tracking.press("text:s", "enter")
      #expect(tracking.notice == .obstacle(.unreadableFilter))
    }
  }

  @Test func `a kept filter follows its names and the moment`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/", "text:@shop", "enter")
    #expect(tracking.lines[0].hasSuffix("0:10:00"))
    var changes = ProjectChanges()
    changes.name = Change(from: Name("shop"), to: Name("store"))
    try tracking.perform(.project(.change(ProjectID(value: 0), changes, reason: nil)))
    #expect(tracking.lines[0].hasSuffix("0:00:00") && tracking.lines == tracking.freshLines)
    try tracking.press("text:/", "ctrl-u", "text:date>2h ago", "enter")
    let before = tracking.lines
    tracking.wait(.seconds(3 * 86_400))
    try tracking.press("home")
    #expect(tracking.lines != before && tracking.lines == tracking.freshLines)
  }

  @Test func `a saved filter takes the place of its name in a report [M14]`() throws {
    var tracking = try Self.tracking()
    let saved = try FilterExpression("#deep and not @shop")
    tracking.saved = SavedFilters([("deep", saved)])
    try tracking.press("text:/", "text:saved:deep")
    #expect(tracking.text.contains("Press enter in the field of the filter to use the saved one."))
    try tracking.press("enter")
    #expect(try Self.report(of: tracking).typed?.text == saved.description)
    try tracking.press("enter")
    #expect(try Self.report(of: tracking).filter == saved.description)
    try tracking.press("text:/", "ctrl-u", "text:saved:none", "enter")
    #expect(tracking.notice == .obstacle(.savedFilterUnknown("none")))
    // A link with a name shows no entries, and says what to do.
    var route = ReportsRoute(user: tracking.user)
    route.filter = "saved:deep"
    try tracking.send(.scene(tracking.scene, .wentTo([.reports(route)])))
    #expect(tracking.lines[0].hasSuffix("0:00:00"))
    #expect(tracking.text.contains("Press enter in the field of the filter to use the saved one."))
  }

  @Test func `the selected line is copied as safe text of one line`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:c")
    #expect(tracking.restores == [.copy("(no project)  0:30:00  50 %")])
    try tracking.press("down", "down", "text:c")
    #expect(tracking.restores.last == .copy("shop  0:10:00  17 %"))
    // By project and description; the line is that of the level below.
    try tracking.press("text:g", "text:g", "text:g", "down", "text:c")
    #expect(tracking.restores.last == .copy("=call\\u{202E}  0:30:00  50 %"))
    var draft = TimeEntryDraft(user: .id(tracking.user), zone: .utc)
    draft.description = String(repeating: "x", count: 65_530)
    let start = tracking.now.adding(.seconds(-7_200))
    try tracking.perform(
      .entry(.add(draft, start: start, end: tracking.now, policy: .allow)))
    try tracking.press("home", "down", "text:c")
    #expect(tracking.notice == .obstacle(.tooLongToCopy(65_545)))
    try tracking.press("right", "text:c")
    #expect(tracking.notice == .obstacle(.noEntries) && tracking.restores.count == 3)
    // A replay shows what the driver told, and copies nothing.
    try tracking.send(.scene(tracking.scene, .told(.copied)))
    #expect(tracking.replayedLines.contains("Sent to the clipboard of the terminal."))
  }

  @Test func `the report is saved under a typed name, which is asked about if it exists`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:/", "text:#deep", "enter", "text:s")
    #expect(tracking.lines[1] == "File: report-2026-11-23-2026-11-29.csv")
    try tracking.press("ctrl-u", "enter")
    #expect(tracking.notice == .obstacle(.fileNameMissing))
    try tracking.press("escape", "text:s", "home", "text:my-")
    #expect(tracking.lines[1] == "File: my-report-2026-11-23-2026-11-29.csv")
    // The first typed text takes the place of a proposed name, and the next ones follow it.
    try tracking.press("escape", "text:s", "text:we", "text:ek.csv", "enter")
    guard case .write(let file)? = tracking.restores.last else {
      Issue.record("nothing is written")
      return
    }
    #expect(file.path == "week.csv" && !file.replaces)
    #expect(tracking.domain.report(file.query, at: tracking.now).total.entries == 2)
    func answer(_ outcome: ReportFileOutcome) throws {
      for action in TimeTracker.answers(to: file, outcome, in: tracking.scene) {
        try tracking.send(action)
      }
    }
    try answer(.exists)
    #expect(tracking.text.contains("There is a file week.csv. Press enter again to replace it."))
    // Another name is asked about again.
    try tracking.press("text:x", "backspace", "enter")
    guard case .write(let again)? = tracking.restores.last else { return }
    #expect(!again.replaces)
    try answer(.exists)
    try tracking.press("enter")
    guard case .write(let replacing)? = tracking.restores.last else { return }
    #expect(replacing.replaces && replacing.path == "week.csv")
    let failure = FileFailure(
      path: "week.csv", reason: "Permission denied (13)", advice: "Name a folder.", code: 13)
    try answer(.failed(failure))
    #expect(
      tracking.text.contains("week.csv was not written: Permission denied (13). Name a folder."))
    #expect(try Self.report(of: tracking).typed?.text == "week.csv")
    try answer(.written(lines: 2))
    #expect(tracking.text.contains("Saved 2 lines to week.csv."))
    #expect(try Self.report(of: tracking).typed == nil)
    #expect(tracking.replayedLines == tracking.lines)
  }

  @Test func `every screen drops what was counted in another state`() throws {
    var tracking = try Self.tracking()
    try tracking.press("home")
    let memo = try #require(tracking.frame).memo
    #expect(memo.parts(of: tracking.domain).isSuperset(of: ["report", "filter"]))
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    #expect(memo.parts(except: tracking.domain).isSuperset(of: ["report", "filter"]))
    for key in ["text:p", "text:n", "escape", "text:u"] {
      try tracking.press("escape", key)
      let state = tracking.store.state
      let frame = SceneFrame(
        of: tracking.scene, in: state, at: tracking.now, by: tracking.rules, size: tracking.size,
        memo: memo)
      // Days and groups follow a state by its differences, when a screen shows them again.
      let parts = try #require(frame).memo.parts(except: tracking.domain)
      #expect(parts.isSubset(of: ["days", "groups"]))
    }
    try tracking.press("escape")
  }
}
