import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceRandom
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// What the user typed and did not save.
@Suite struct DraftTests {
  private static func drafts(_ tracking: Tracking) -> [KeptDraft] {
    tracking.store.state.scenes[tracking.scene]?.drafts ?? []
  }

  private static func offer(_ tracking: Tracking) -> String? {
    tracking.lines.first { $0.contains("ctrl-y brings back") }
  }

  @Test func `escape keeps what was typed, and the next form offers it`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:design @web", "left", "tab", "tab", "text:x", "backtab")
    let typed = try #require(tracking.form)
    try tracking.press("escape")
    #expect(tracking.timer != nil && Self.drafts(tracking).map(\.moment) == [tracking.now])
    #expect(tracking.text.contains("What you typed is kept. ctrl-y brings it back on that screen."))
    tracking.wait(.seconds(150))
    try tracking.press("text:n")
    #expect(tracking.form == EntryEditorRoute(user: tracking.user))
    let offer = "ctrl-y brings back \"design @web\", typed 2 min ago"
    #expect(Self.offer(tracking) == offer)
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("ctrl-y")
    #expect(tracking.form == typed)
    #expect(Self.drafts(tracking).isEmpty && Self.offer(tracking) == nil)
    // What is saved is no draft.
    try Self.save(in: &tracking)
    #expect(tracking.entries.map(\.description) == ["design"])
    try tracking.press("text:n")
    #expect(Self.offer(tracking) == nil)
  }

  @Test func `a form as it was made is not kept, and ctrl-g throws away what was typed`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "tab", "escape", "text:n", "text:a", "backspace", "escape")
    #expect(tracking.timer != nil && Self.drafts(tracking).isEmpty && tracking.notice == nil)
    try tracking.press("text:n", "text:task", "enter", "text:e", "escape")
    #expect(Self.drafts(tracking).isEmpty)
    try tracking.press("text:e", "text:!", "ctrl-g")
    #expect(tracking.timer != nil && Self.drafts(tracking).isEmpty)
    // The switch alone is a change, too.
    try tracking.press("text:e", "backtab", "text: ", "escape")
    #expect(Self.drafts(tracking).count == 1)
    try tracking.press("text:n")
    #expect(Self.offer(tracking) == nil)
    try tracking.press("escape", "text:e")
    #expect(Self.offer(tracking) == "ctrl-y brings back what you typed just now")
    try tracking.press("ctrl-y")
    #expect(tracking.form?.isBillable == true)
  }

  @Test func `ctrl-y goes through all drafts of a form, and eight are kept`() throws {
    var tracking = try Tracking()
    for number in 0..<10 { try tracking.press("text:n", "text:draft \(number)", "escape") }
    func texts() -> [String] {
      Self.drafts(tracking).map { draft in
        guard case .entryEditor(let form) = draft.route else { return "" }
        return form.description.text
      }
    }
    #expect(texts() == (2..<10).map { "draft \($0)" })
    try tracking.press("text:n", "text:new")
    var seen: [String] = []
    for _ in 0..<9 {
      try tracking.press("ctrl-y")
      seen.append(tracking.form?.description.text ?? "")
    }
    #expect(seen == (2..<10).reversed().map { "draft \($0)" } + ["new"])
    #expect(texts().count == KeptDraft.countMax && tracking.stack?.entries.count == 2)
  }

  @Test func `a name that was typed on the list of users is kept`() throws {
    var tracking = try Tracking()
    try tracking.press("text:u", "text:be", "escape", "text:u")
    #expect(Self.offer(tracking) == "  ctrl-y brings back \"be\", typed just now")
    try tracking.press("ctrl-y")
    #expect(tracking.text.contains("Name: be"))
    // A name that chose the user has done its work.
    try tracking.press("text:n", "enter", "enter", "text:u")
    #expect(Self.drafts(tracking).isEmpty && tracking.domain.users.count == 2)
  }

  @Test func `a form that another screen takes the place of is kept`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a")
    try tracking.send(.scene(tracking.scene, .wentTo([.timer(TimerRoute(user: tracking.user))])))
    #expect(Self.drafts(tracking).count == 1)
    try tracking.press("text:n", "ctrl-y", "text:b")
    try tracking.send(.scene(tracking.scene, .userOpened(Name("anna"))))
    try tracking.press("text:n", "ctrl-y")
    #expect(tracking.form?.description.text == "ab")
  }

  @Test func `a draft moves without its text, and an unknown one is missing [L14]`() throws {
    let kept = SceneChange.draftKept(RouteID(value: 3))
    let opened = SceneChange.draftOpened(RouteID(value: 3))
    #expect(kept.encoded().count == 2 && opened.encoded().count == 2)
    var tracking = try Tracking()
    try tracking.send(.scene(tracking.scene, opened))
    let missing = tracking.store.state.scenes[tracking.scene]?.missing
    #expect(missing == MissingTarget(type: KeptDraft.recordedName, id: 3))
    try tracking.send(.scene(tracking.scene, kept))
    #expect(Self.drafts(tracking).isEmpty && tracking.notice == nil)
  }

  // MARK: Changes by others

  /// The fields that a user types into, or another process changes.
  private enum Part: CaseIterable { case description, project, tags, billable }

  /// A scene with an entry of a project and a tag, which is selected.
  private static func edited() throws -> Tracking {
    var tracking = try Tracking()
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "task", zone: .utc)
    (draft.project, draft.tags) = (.name(Name("acme")), [.name(Name("a"))])
    let start = tracking.now.adding(.seconds(-7_200))
    try tracking.perform(
      .entry(.add(draft, start: start, end: start.adding(.seconds(3_600)), policy: .refuse)))
    try tracking.perform(.source(.create(ExternalSource(name: Name("toggl")))))
    try tracking.press("down", "text:e")
    return tracking
  }

  private static func typing(_ part: Part) -> [String] {
    switch part {
    case .description: ["text: mine"]
    case .project: ["tab", "ctrl-u", "text:mine", "backtab"]
    case .tags: ["tab", "tab", "text:, mine", "backtab", "backtab"]
    case .billable: ["backtab", "text: ", "tab"]
    }
  }

  /// Changes a field of the entry as another process does, and returns whether it did.
  private static func change(_ part: Part, in tracking: inout Tracking) throws {
    let id = TimeEntryID(value: 0)
    let entry = try #require(tracking.entry(0))
    var correction = TimeEntryCorrection()
    switch part {
    case .description:
      correction.changes.description = Change(from: entry.description, to: "theirs")
    case .project:
      correction.changes.project = Change(from: entry.project, to: entry.project)
      correction.project = Name("theirs")
    case .tags: correction.addedTags = [Name("theirs")]
    case .billable:
      correction.changes.isBillable = Change(from: entry.isBillable, to: !entry.isBillable)
    }
    let command = TimeEntryCommand.correct(id, correction, policy: .refuse, reason: nil)
    #expect(try tracking.perform(.entry(command)) == nil)
  }

  /// Gives the entities of the entry ids of another system, as an import does.
  private static func link(in tracking: inout Tracking, _ number: Int) throws {
    let id = ExternalID(source: SourceID(value: 0), id: "\(number)")
    #expect(try tracking.perform(.project(.link(ProjectID(value: 0), id))) == nil)
    #expect(try tracking.perform(.tag(.link(TagID(value: 0), id))) == nil)
  }

  private static func texts(of form: EntryEditorRoute) -> [TextDraft] {
    [form.description, form.project, form.tags, form.start, form.end, form.duration]
  }

  /// Presses enter, and once more if that asks about new names.
  private static func save(in tracking: inout Tracking) throws {
    let asked = tracking.form?.asked
    try tracking.press("enter")
    if let now = tracking.form?.asked, now != asked { try tracking.press("enter") }
  }

  private static func names(_ tracking: Tracking) -> (project: String?, tags: Set<String>) {
    let entry = tracking.entry(0)
    let project = entry?.project.flatMap { tracking.domain.projects[$0]?.name.text }
    return (project, Set((entry?.tags ?? []).compactMap { tracking.domain.tags[$0]?.name.text }))
  }

  @Test func `a draft survives the change of its entry by another process, and of its id [M21]`()
    throws
  {
    try withSeed { random in
      for number in 0..<repetitions(200, few: 40) {
        let all = Part.allCases
        let mine = all.filter { _ in Bool.random(using: &random) }
        let theirs = all.filter { _ in Bool.random(using: &random) }
        var tracking = try Self.edited()
        for key in mine.flatMap(Self.typing) { try tracking.press(key) }
        let typed = try #require(tracking.form)
        var left = theirs
        // The draft is on the screen, or kept, when others change the entry.
        if Bool.random(using: &random) {
          for part in theirs { try Self.change(part, in: &tracking) }
          left = []
        }
        try tracking.press("escape")
        #expect(Self.drafts(tracking).count == (mine.isEmpty ? 0 : 1))
        for part in left { try Self.change(part, in: &tracking) }
        if Bool.random(using: &random) { try Self.link(in: &tracking, number) }
        try tracking.press("text:e")
        if mine.isEmpty { continue }
        try tracking.press("ctrl-y")
        #expect(tracking.form == typed)
        #expect(tracking.text.contains("Changed elsewhere: ") == !theirs.isEmpty)
        try Self.save(in: &tracking)
        // Only what both changed is asked about, unless to the same value; then the user takes the
        // own texts.
        let conflicts = mine.contains { $0 != .billable && theirs.contains($0) }
        #expect((tracking.timer == nil) == conflicts, "\(mine) \(theirs)\n\(tracking.text)")
        if conflicts {
          let form = try #require(tracking.form)
          #expect(Self.texts(of: form) == Self.texts(of: typed))
          #expect(form.isBillable == typed.isBillable)
          try tracking.press("ctrl-r")
          try Self.save(in: &tracking)
        }
        try Self.expect(mine, theirs, in: tracking)
      }
    }
  }

  private static func expect(_ mine: [Part], _ theirs: [Part], in tracking: Tracking) throws {
    let entry = try #require(tracking.entry(0))
    func value(_ part: Part, _ mineValue: String, _ before: String) -> String {
      mine.contains(part) ? mineValue : theirs.contains(part) ? "theirs" : before
    }
    #expect(tracking.timer != nil, "\(tracking.text)")
    #expect(entry.description == value(.description, "task mine", "task"))
    let names = Self.names(tracking)
    #expect(names.project == value(.project, "mine", "acme"))
    let other = mine.contains(.tags) ? "mine" : theirs.contains(.tags) ? "theirs" : "a"
    #expect(names.tags == ["a", other])
    #expect(entry.isBillable == (mine.contains(.billable) || theirs.contains(.billable)))
  }
}
