import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import TerminalUI
import Testing
import TimeTracking
import TrackerFeatures

@testable import TrackerApp

/// Hostile texts in every field of every entity and of every screen: a terminal gets no more than
/// the app's own sequences, and each character is where the screen has it.
@Suite struct HostileDataTests {
  fileprivate static let sizes = [(20, 5), (40, 12), (80, 24), (120, 40)].map {
    Screen.Size(columns: $0.0, rows: $0.1)
  }

  @Test func `no text of an entity or of a screen is obeyed by a terminal or moves a cell`() throws
  {
    let commands = try SchemaCodec(DomainCommand.schema)
    let scenes = try SchemaCodec(Scene.schema)
    var run = HostileSessions(withSeed { $0 }, commands, scenes)
    for _ in 0..<repetitions(100, few: 10) {
      try TrackerFixture.with { fixture in try run.session(in: fixture) }
    }
    print("\(run.screens) screens were drawn")
    let fields = HostileValues.textFields(of: commands).subtracting(run.performed)
    #expect(fields.filter(Self.isOfEntity) == [])
    let places = HostileValues.textFields(of: scenes).subtracting(run.shown)
    #expect(places.filter { $0.contains("Route.") || $0.hasPrefix("SignedInAccount.") } == [])
    let unseen = try SessionCoverage.screens.filter { !run.coverage.seen.contains($0) }
    #expect(unseen == [])
  }

  @Test func `no text of a calendar file is obeyed by a terminal or moves a cell [M13]`() throws {
    let (commands, scenes) = (try SchemaCodec(DomainCommand.schema), try SchemaCodec(Scene.schema))
    var run = HostileSessions(withSeed { $0 }, commands, scenes)
    for _ in 0..<repetitions(50, few: 5) {
      try TrackerFixture.with { fixture in try run.calendarSession(in: fixture) }
    }
    print("\(run.screens) screens were drawn")
  }

  /// Whether a field is one of an entity or of a draft of one, and takes any text.
  ///
  /// A random change does not have the values that the user saw, so it is refused.
  private static func isOfEntity(_ field: String) -> Bool {
    !field.hasPrefix("Change__") && !field.hasPrefix("TimeEntryCorrection")
      && !field.hasSuffix(".reason") && !field.hasSuffix(".currency")
  }
}

/// Sessions on entities with hostile texts.
private struct HostileSessions {
  private var generator: InputGenerator
  private var values: HostileValues
  private let commands: SchemaCodec
  private let scenes: SchemaCodec
  /// The fields whose texts a command had that was performed.
  private(set) var performed: Set<String> = []
  /// The fields of scenes whose texts were drawn.
  private(set) var shown: Set<String> = []
  private(set) var screens = 0

  init(_ random: SeededGenerator, _ commands: SchemaCodec, _ scenes: SchemaCodec) {
    var random = random
    values = HostileValues(SeededGenerator(seed: random.next()), at: TrackerFixture.morning)
    generator = InputGenerator(
      SeededGenerator(seed: random.next()), texts: InputGenerator.words + HostileText.short)
    (self.commands, self.scenes) = (commands, scenes)
  }

  var coverage: SessionCoverage { generator.coverage }

  mutating func session(in fixture: TrackerFixture) throws {
    try fixture.open { tracker in
      for command in SessionCommands.first(&generator.random, at: TrackerFixture.morning) {
        try tracker.store.performBlocking(command)
      }
      for _ in 0..<900 { try perform(on: tracker.store) }
    }
    try fixture.app { driver, _ in
      for _ in 0..<160 {
        let frame = try #require(driver.frame())
        let input = generator.next(
          on: frame, size: driver.size, at: driver.tracker.now(), mayLeave: false)
        if !Self.writes(input, frame, driver) { try driver.perform([input]) }
        let state = driver.tracker.store.state
        let scene = try #require(state.scenes[driver.scene])
        try generator.coverage.see(scene, in: state.domain)
        try draw(state, driver)
        try drawHostile(scene, driver)
      }
      for stack in Self.seldom {
        var scene = Scene()
        scene.stack = stack
        try generator.coverage.see(scene, in: driver.tracker.domain)
        try drawHostile(scene, driver)
      }
    }
  }

  /// A session with the calendar, the suggestions of the timer, and entries of events, whose files
  /// are read as those of a user.
  mutating func calendarSession(in fixture: TrackerFixture) throws {
    try FileSystem.makeDirectory("\(fixture.directory)/calendars")
    let calendar = HostileCalendar(&generator.random, on: "20260302")
    _ = try fixture.write(calendar.text, to: "calendars/a.ics")
    _ = try fixture.write(calendar.unescapedText, to: "calendars/b.ics")
    try fixture.app { driver, _ in
      var driver = driver
      driver.calendars = CalendarFiles(["\(fixture.directory)/calendars"]) { _ in nil }
      try driver.press([.text("anna"), .enter, .text("c"), .text("w")])
      try draw(driver)
      let events = driver.tracker.store.state.scenes[driver.scene]?.events.events ?? []
      let titles = Set(events.map { Array($0.title.utf8) })
      for title in calendar.titles {
        let shown = SceneEvent(
          id: 0, title: title, start: driver.tracker.now(), end: driver.tracker.now(),
          isWholeDay: false)
        #expect(titles.contains(Array(shown.title.utf8)), "\(Array(title.utf8.prefix(100)))")
      }
      for key in ["w", "text:i", "tab", "tab", "enter", "escape", "text:a", "tab", "text:e"] {
        try driver.press([Key(name: key) ?? .text(key)])
        try draw(driver)
      }
      try driver.press([.escape, .escape, .escape, .text("f")])
      for key in ["1", "f", "c"] {
        try draw(driver)
        try driver.press([.text(key)])
      }
      for _ in 0..<60 {
        let frame = try #require(driver.frame())
        let input = generator.next(
          on: frame, size: driver.size, at: driver.tracker.now(), mayLeave: false)
        if !Self.writes(input, frame, driver) { try driver.perform([input]) }
        try draw(driver)
      }
    }
  }

  /// Reads the calendars, and draws the scene of a driver.
  private mutating func draw(_ driver: SceneDriver) throws {
    try driver.followCalendars()
    try draw(driver.tracker.store.state, driver)
  }

  /// The screens with texts that random keys reach seldom or never: a store with users welcomes no
  /// one, a value of the settings is typed in few rows, and few entries are split.
  private static let seldom: [BackStack<TrackerRoute>] = {
    let problem = AccountProblem.told("The server is closed.")
    let account = SignedInAccount(name: Name("ann"), email: "ann@example.org")
    let forms = [AccountProgress.idle, .asking, .failed(problem), .signedIn(account)].map {
      var form = AccountRoute(.login, needsPassword: true)
      (form.email, form.progress) = (TextDraft("ann@example.org"), $0)
      return BackStack(root: TrackerRoute.welcome(WelcomeRoute()), pushed: [.account(form)])
    }
    let settings = [SettingsRow.name, .email].map {
      var route = SettingsRoute(user: UserID(value: 0))
      (route.row, route.dialog) = ($0, .text(TextDraft("ann")))
      return BackStack(root: TrackerRoute.settings(route))
    }
    var timer = TimerRoute(user: UserID(value: 0))
    timer.splitsAt = TextDraft("9:30")
    let roots = [TrackerRoute.timer(timer), .welcome(WelcomeRoute(name: Name("ann")))]
    return forms + settings + roots.map { BackStack(root: $0) }
  }()

  /// Draws the scene of a driver with hostile texts in place of most of its texts.
  private mutating func drawHostile(_ scene: Scene, _ driver: SceneDriver) throws {
    guard let other = values.replacingTexts(in: scene, with: scenes) else { return }
    shown.formUnion(values.fields)
    var hostile = driver.tracker.store.state
    hostile.scenes[driver.scene] = other
    try draw(hostile, driver)
  }

  /// Whether an input would write a file into the working folder.
  private static func writes(_ input: Input, _ frame: SceneFrame, _ driver: SceneDriver) -> Bool {
    let now = driver.tracker.now()
    let meaning: KeyMeaning? =
      switch input {
      case .key(let key): frame.interpret(key, at: now)
      case .mouse(let mouse): frame.interpret(mouse, at: now)
      default: nil
      }
    if case .write? = meaning { return true }
    return false
  }

  /// Performs a random command, which may be refused.
  private mutating func perform(on store: Store<TimeTracker>) throws {
    guard let command = values.make(DomainCommand.self, with: commands) else { return }
    do throws(CommandError<TimeTracker>) {
      try store.performBlocking(command)
      performed.formUnion(values.fields)
    } catch {
      guard case .refused = error else { throw error }
    }
  }

  /// Draws a scene, and expects its cells on a terminal.
  private mutating func draw(_ state: TrackerState, _ driver: SceneDriver) throws {
    let size = HostileDataTests.sizes.randomElement(using: &generator.random) ?? driver.size
    let frame = SceneFrame(
      of: driver.scene, in: state, at: driver.tracker.now(), by: .utc, size: size)
    let screen = try #require(frame).screen
    var renderer = AnsiRenderer(
      palette: TerminalPalette(.direct, on: .dark), extensions: .assumed(term: "xterm-256color"))
    let kinds = TerminalModel.Kind.allCases
    var terminal = TerminalModel(
      columns: size.columns, rows: size.rows, kind: kinds[screens % kinds.count])
    terminal.write(renderer.draw(screen, size: size))
    screens += 1
    #expect(terminal.complaints == [])
    #expect(terminal.title.isEmpty && terminal.titles.isEmpty)
    #expect(screen.canvas.size == size)
    for row in 0..<size.rows {
      let text = screen.canvas.text(ofRow: row)
      #expect(TextWidth.of(text) <= size.columns)
      let difference = terminal.difference(inRow: row, from: screen.canvas)
      #expect(difference == nil, "\(terminal.kind): \(text.unicodeScalars.map { $0.value })")
      if difference != nil { return }
    }
  }
}
