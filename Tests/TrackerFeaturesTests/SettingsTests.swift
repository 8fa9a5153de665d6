import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The settings of a user.
@Suite struct SettingsTests {
  /// Opens the settings.
  private static func settings() throws -> Tracking {
    var tracking = try Tracking()
    try tracking.press("text:S")
    return tracking
  }

  /// Goes to a row by keys.
  private static func go(to row: SettingsRow, _ tracking: inout Tracking) throws {
    try tracking.press("home")
    for _ in 0..<60 where try settings(tracking).row != row { try tracking.press("down") }
    #expect(try settings(tracking).row == row)
  }

  private static func settings(_ tracking: Tracking) throws -> SettingsRoute {
    guard case .settings(let route)? = tracking.stack?.top else { throw NoSettings() }
    return route
  }

  private struct NoSettings: Error {}

  /// The preferences; those of a user without any are the default ones.
  private static func set(_ tracking: Tracking) -> PreferenceSet {
    tracking.domain.preferences(of: tracking.user)?.set ?? PreferenceSet(user: tracking.user)
  }

  /// The row with the selection.
  private static func row(_ tracking: Tracking) -> String {
    tracking.lines.first { $0.hasPrefix("› ") } ?? ""
  }

  // MARK: Preferences

  @Test func `each preference has a row with its value and its default [M15]`() throws {
    var tracking = try Self.settings()
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0", "timer/0/settings"])
    tracking.size = Screen.Size(columns: 100, rows: 60)
    let standard = PreferenceSet(user: tracking.user)
    for preference in Preference.allCases {
      try Self.go(to: .preference(preference), &tracking)
      let (rule, row) = (preference.rule, Self.row(tracking))
      let value = rule.text(of: standard) ?? "none"
      #expect(row.contains(" \(value) ") && row.hasSuffix("  default"), "\(row)")
      let text = tracking.lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
      #expect(text.contains("`track preferences --\(rule.word)`"))
    }
    #expect(tracking.commands.count == 1)
  }

  /// A value of each preference that is not its default, as it is typed.
  private static func other(_ preference: Preference) -> String {
    switch preference {
    case .weekStart: "sunday"
    case .dayStart: "04:30"
    case .zone: "Europe/Berlin"
    case .dates: "DD.MM.YYYY"
    case .clock: "12-hour"
    case .durations: "decimal"
    case .askAfter: "7:30"
    case .policy: "allow"
    case .currency: "EUR"
    case .groupSimilar: "no"
    case .manual: "yes"
    }
  }

  @Test(arguments: Preference.allCases)
  func `a preference is changed by the command of the command line, once [M15]`(
    preference: Preference
  ) throws {
    let (rule, other) = (preference.rule, Self.other(preference))
    var tracking = try Self.settings()
    // Another preference is set, so the command is a change.
    try Self.go(to: .preference(preference == .policy ? .weekStart : .policy), &tracking)
    try tracking.press("right")
    let (id, before) = try #require(tracking.domain.preferences(of: tracking.user))
    let count = tracking.commands.count
    try Self.go(to: .preference(preference), &tracking)
    switch rule.kind {
    case .toggle: try tracking.press("text: ")
    case .choice(let words, read: _, write: _):
      try tracking.press("enter")
      let index = try #require(words.firstIndex(of: other))
      try tracking.press("home")
      for _ in 0..<index { try tracking.press("down") }
      try tracking.press("enter")
    case .text: try tracking.press("enter", "ctrl-u", "text:\(other)", "enter")
    }
    var after = before
    try rule.set(other, in: &after)
    let changes = PreferenceSetChanges(from: before, to: after)
    #expect(
      Array(tracking.commands[count...])
        == [.preferences(.change(id, changes, changesCurrency: false, reason: nil))])
    #expect(try Self.settings(tracking).dialog == nil)
    let value = try #require(rule.text(of: after))
    #expect(rule.text(of: Self.set(tracking)) == value)
    #expect(Self.row(tracking).contains(" \(value)  "), "\(Self.row(tracking))")
    #expect(Self.row(tracking).contains("set, default"), "\(Self.row(tracking))")
    try tracking.press("text:z")
    #expect(tracking.restores == [.undo])
  }

  @Test func `the first change makes the preferences, and the same value changes nothing`() throws {
    var tracking = try Self.settings()
    try Self.go(to: .preference(.currency), &tracking)
    try tracking.press("enter", "enter")
    #expect(tracking.commands.count == 1)
    try tracking.press("enter", "text:€", "enter")
    var set = PreferenceSet(user: tracking.user)
    set.currency = "EUR"
    #expect(tracking.commands.last == .preferences(.create(set)))
    try tracking.press("enter", "enter")
    #expect(tracking.commands.count == 2)
  }

  @Test(
    arguments: [
      (.dayStart, "25:00", "day-start is no time of day: 25:00. Give one such as 4:00."),
      (.askAfter, "soon", "ask-after: `soon` is not a duration such as 1h30"),
      (.askAfter, "1000h", "ask-after: The duration is longer than 999 hours."),
      (.askAfter, "0:00", "ask-after takes more than zero and at most 999:00."),
      (.currency, "euro", "currency is no code of a currency: euro. Write the three letters"),
    ] as [(Preference, String, String)])
  func `a wrong text is said while it is typed, and again by enter [M15]`(
    preference: Preference, text: String, reason: String
  ) throws {
    var tracking = try Self.settings()
    tracking.size = Screen.Size(columns: 120, rows: 40)
    try Self.go(to: .preference(preference), &tracking)
    try tracking.press("enter", "ctrl-u", "text:\(text)")
    #expect(tracking.text.contains("! \(reason)"), "\(tracking.text)")
    try tracking.press("enter")
    #expect(tracking.notice == .obstacle(.noPreference(preference, text)))
    #expect(tracking.commands.count == 1)
    try tracking.press("escape")
    #expect(try Self.settings(tracking).dialog == nil && tracking.notice == nil)
  }

  @Test func `arrows step through values, and a text or a fact says that it has none`() throws {
    var tracking = try Self.settings()
    try Self.go(to: .preference(.weekStart), &tracking)
    for day in ["tuesday", "wednesday"] {
      try tracking.press("right")
      #expect(Self.row(tracking).contains(day))
    }
    try tracking.press("left", "left", "left", "left")
    #expect(Self.set(tracking).firstWeekday == 6)
    try Self.go(to: .preference(.dayStart), &tracking)
    try tracking.press("right")
    #expect(tracking.notice == .obstacle(.settingIsTyped))
    try Self.go(to: .version, &tracking)
    try tracking.press("enter")
    #expect(tracking.notice == .obstacle(.settingIsFact))
    #expect(Self.row(tracking).contains(TimeTracker.build))
  }

  @Test func `tab goes through the parts, and the keys of a list of values are its own`() throws {
    var tracking = try Self.settings()
    var rows: [SettingsRow] = []
    for _ in 0..<6 {
      rows.append(try Self.settings(tracking).row)
      try tracking.press("tab")
    }
    #expect(
      rows == [
        .name, .preference(.weekStart), .preference(.askAfter), .calendars, .version, .signOut,
      ])
    #expect(try Self.settings(tracking).row == .name)
    try tracking.press("backtab")
    #expect(try Self.settings(tracking).row == .signOut)
    try Self.go(to: .preference(.dates), &tracking)
    try tracking.press("enter", "tab", "text:z", "down")
    #expect(tracking.restores == [] && tracking.text.contains("│› MM/DD/YYYY"))
    try tracking.press("escape", "escape")
    #expect(tracking.timer != nil && tracking.commands.count == 1)
  }

  // MARK: Other screens

  private static func add(_ texts: [String], _ tracking: inout Tracking) throws {
    for (number, text) in texts.enumerated() {
      let start = tracking.now.adding(.seconds(Int64(number - texts.count) * 1_200))
      let draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(600)), policy: .refuse)))
    }
  }

  @Test func `groups and the first day of the week show at once on other screens [M15]`() throws {
    var tracking = try Tracking()
    try Self.add(["mail", "plan", "mail"], &tracking)
    try tracking.press("down")
    #expect(tracking.text.contains("▸ 2 mail") && tracking.text.contains("Week 0:30:00"))
    try tracking.press("text:S")
    try Self.go(to: .preference(.groupSimilar), &tracking)
    try tracking.press("enter")
    try Self.go(to: .preference(.weekStart), &tracking)
    try tracking.press("right", "escape")
    // The week began on Tuesday six days ago, and ends today.
    #expect(!tracking.text.contains("▸") && tracking.lines.count { $0.contains("mail") } == 2)
    #expect(tracking.lines == tracking.freshLines)
    try tracking.press("text:r")
    #expect(tracking.text.contains("This week, Tue 2026-11-17 - Mon 2026-11-23"))
    // What was open or selected as a group is no trap.
    try tracking.press("escape", "down", "right", "text:e")
    #expect(tracking.form != nil)
  }

  @Test func `in manual mode new entries have a start and an end, and none is started`() throws {
    var tracking = try Self.settings()
    try Self.go(to: .preference(.manual), &tracking)
    try tracking.press("enter", "escape", "text: ", "text:work", "enter")
    #expect(tracking.text.contains("Type a start, such as 9:00.") && tracking.entries.isEmpty)
    #expect(tracking.form?.field == .start)
    try tracking.press("text:8:30")
    #expect(tracking.text.contains("now") && !tracking.text.contains("running"))
    try tracking.press("enter")
    let start = tracking.now.adding(.seconds(-1_800))
    #expect(tracking.entry(0)?.start == start && tracking.entry(0)?.end == tracking.now)
    try tracking.press("text:n", "text:7:00 mail", "enter")
    #expect(tracking.question != nil)
    try tracking.press("escape", "ctrl-u", "text:7:00 - 7:30 mail", "enter")
    #expect(tracking.entries.count == 2 && tracking.entries.allSatisfy { !$0.isRunning })
  }

  // MARK: The user

  @Test func `the name, the address and the workspace of the user are changed`() throws {
    var tracking = try Self.settings()
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    for name in ["studio", "home"] {
      try tracking.perform(.workspace(.create(Workspace(name: Name(name)))))
    }
    try tracking.press("enter", "ctrl-u", "text:ben")
    #expect(tracking.text.contains("! The name ben is taken."))
    try tracking.press("enter")
    #expect(tracking.notice == .refused(.user(.nameTaken(Name("ben")))))
    try tracking.press("ctrl-u", "text:anne", "enter", "down", "enter", "text:a@b.org", "enter")
    try tracking.press("down", "right", "right")
    let user = try #require(tracking.domain.users[tracking.user])
    #expect(user.name == Name("anne") && user.email == "a@b.org")
    #expect(user.workspace == WorkspaceID(value: 1) && Self.row(tracking).contains("home"))
    try tracking.press("right", "up", "enter", "ctrl-u", "enter")
    #expect(tracking.domain.users[tracking.user]?.workspace == nil)
    #expect(tracking.domain.users[tracking.user]?.email == nil)
  }

  @Test func `why a typed value was not saved is said once`() throws {
    var tracking = try Self.settings()
    func problems() -> Int { tracking.lines.count { $0.hasPrefix("! ") } }
    try Self.go(to: .preference(.currency), &tracking)
    try tracking.press("enter", "text:EURO")
    #expect(problems() == 1)
    try tracking.press("enter")
    #expect(tracking.notice == .obstacle(.noPreference(.currency, "EURO")))
    #expect(problems() == 1, "\(tracking.text)")
    try tracking.press("text:S")
    #expect(problems() == 1 && tracking.notice == nil)
  }

  @Test func `a currency of rates changes only after a question`() throws {
    var tracking = try Self.settings()
    try Self.go(to: .preference(.currency), &tracking)
    try tracking.press("enter", "text:EUR", "enter")
    var project = Project(name: Name("web"))
    (project.rate, project.isBillable) = (6_000, true)
    try tracking.perform(.project(.create(project)))
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "x", zone: .utc)
    draft.project = .id(ProjectID(value: 0))
    let start = tracking.now.adding(.seconds(-3_600))
    try tracking.perform(.entry(.add(draft, start: start, end: tracking.now, policy: .refuse)))
    let count = tracking.commands.count
    try tracking.press("enter", "ctrl-u", "text:USD", "enter")
    #expect(try Self.settings(tracking).question == .changesCurrency)
    #expect(tracking.text.contains("! The rates of entries keep their numbers"))
    try tracking.press("escape")
    #expect(try Self.settings(tracking).dialog == .text(TextDraft("USD")))
    #expect(Self.set(tracking).currency == "EUR" && tracking.commands.count == count)
    try tracking.press("enter", "enter")
    #expect(Self.set(tracking).currency == "USD" && tracking.commands.count == count + 1)
    #expect(try Self.settings(tracking).dialog == nil)
  }

  @Test func `signing out leads to the users, and drops the screens and drafts of the user [M15]`()
    throws
  {
    var tracking = try Tracking()
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    try tracking.press("text:n", "text:mine", "escape", "text:S", "end", "enter")
    #expect(tracking.text.contains("! Sign out?"))
    try tracking.press("escape")
    #expect(try Self.settings(tracking).question == nil)
    try tracking.press("enter", "enter")
    #expect(tracking.stack?.routes == [.users(UsersRoute())])
    #expect(tracking.store.state.scenes[tracking.scene]?.drafts == [])
    // The other user's drafts stay.
    try tracking.press("text:ben", "enter", "text:n", "text:his", "escape", "text:u")
    try tracking.press("text:anna", "enter", "text:S", "end", "enter", "enter")
    #expect(tracking.store.state.scenes[tracking.scene]?.drafts.count == 1)
  }

  // MARK: Restore, mouse, edge

  @Test func `the row, an open list, a typed value and its cursor survive a restart [N2]`() throws {
    var tracking = try Self.settings()
    try Self.go(to: .preference(.dates), &tracking)
    for keys in [["enter", "down"], ["escape", "up", "enter", "text:Europe", "left"], ["enter"]] {
      for key in keys { try tracking.press(key) }
      let scene = try #require(tracking.store.state.scenes[tracking.scene])
      let bytes = scene.encoded()
      var reader = AvroReader(bytes.span)
      #expect(try Scene(decoding: &reader) == scene)
    }
  }

  @Test func `a click selects a row, changes the selected one and chooses a value`() throws {
    var tracking = try Self.settings()
    func place(_ text: String) throws -> Int {
      try #require(tracking.lines.firstIndex { $0.contains(text) })
    }
    try tracking.use(.pressed(.left), row: place("Times of day"), column: 4)
    #expect(try Self.settings(tracking).row == .preference(.clock) && tracking.commands.count == 1)
    try tracking.use(.pressed(.left), row: place("Times of day"), column: 4)
    let row = try #require(tracking.lines.firstIndex { $0.contains("│  12-hour") })
    let line = tracking.lines[row]
    let column = line.prefix { $0 != "1" }.count
    try tracking.use(.pressed(.left), row: row, column: column)
    #expect(!Self.set(tracking).is24Hours && Self.row(tracking).contains("12-hour"))
    // A click beside an open list closes it.
    try tracking.use(.pressed(.left), row: place("Times of day"), column: 4)
    try tracking.use(.pressed(.left), row: 0, column: 0)
    #expect(try Self.settings(tracking).dialog == nil)
    try tracking.use(.scrolled(.down), row: 5, column: 5)
    #expect(try Self.settings(tracking).row == .preference(.durations))
    // A click into a typed value sets the cursor.
    try Self.go(to: .preference(.zone), &tracking)
    try tracking.press("enter", "text:Europe")
    let field = try #require(tracking.frame?.screen.cursor)
    try tracking.use(.pressed(.left), row: field.row, column: field.column - 4)
    #expect(try Self.settings(tracking).dialog == .text(TextDraft("Europe", cursor: 2)))
  }

  @Test func `closed periods are mentioned where days begin at other instants`() throws {
    var tracking = try Self.settings()
    try Self.go(to: .preference(.zone), &tracking)
    #expect(!tracking.text.contains("closed periods"))
    let from = tracking.now.adding(.seconds(-86_400))
    try tracking.perform(
      .closing(.close(Closing(.all, from: from, to: tracking.now, login: "anna", reason: nil))))
    #expect(tracking.text.contains("note: closed periods keep their days"))
  }
}
