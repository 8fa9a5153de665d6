import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
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
    // A typed value of the settings is shown only in the row of a text; the pictures have it.
    #expect(places.filter { $0.contains("Route.") && $0 != "SettingsRoute.dialog" } == [])
    let unseen = try SessionCoverage.screens.filter { !run.coverage.seen.contains($0) }
    #expect(unseen == [])
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
      for _ in 0..<300 { try perform(on: tracker.store) }
    }
    try fixture.app { driver, _ in
      for _ in 0..<160 {
        let frame = try #require(driver.frame())
        let input = generator.next(
          on: frame, showing: frame.screen, at: driver.tracker.now(), mayLeave: false)
        try driver.perform([input])
        let state = driver.tracker.store.state
        let scene = try #require(state.scenes[driver.scene])
        try generator.coverage.see(scene, in: state.domain)
        try draw(state, driver)
        guard let other = values.replacingTexts(in: scene, with: scenes) else { continue }
        shown.formUnion(values.fields)
        var hostile = state
        hostile.scenes[driver.scene] = other
        try draw(hostile, driver)
      }
    }
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
