import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFilter
import RetraceHashing
import RetraceScreen
import RetraceState
import RetraceTesting
import TimeTracking
import TrackerFeatures

/// A scene of the tracker as a driver runs it, on a test store, without a terminal.
///
/// Keys are interpreted on the frame that was painted last. Facts of commands are kept, as a log
/// has them.
struct Tracking {
  /// 2026-11-23 09:00:00 UTC, a Monday.
  static let morning = Moment(microseconds: 1_795_424_400_000_000)

  var store = TestStore<TimeTracker>(
    environment: .failing(), clock: VirtualClock(at: Tracking.morning))
  var scene = SceneID(value: 0)
  var rules = ZoneRules.utc
  var size = Screen.Size(columns: 80, rows: 24)
  /// The filters that the user has saved.
  var saved = SavedFilters([])
  /// The page of the log that the driver gives to a frame.
  var history: HistoryPage?
  /// The facts so far.
  var facts: [DomainFact] = []
  /// The commands so far, with those that were refused.
  var commands: [DomainCommand] = []
  /// The meanings of keys that the store carries out: undo and redo.
  var restores: [KeyMeaning] = []
  private var painted: SceneFrame?
  /// The memo of the frame on which the last input was interpreted.
  private var memo = FrameMemo()

  /// Opens a scene; it is on the timer of `user`, unless that is `nil`.
  init(user: String? = "anna") throws {
    try send(.opened(scene))
    guard let user else { return }
    try press("text:\(user)", "enter")
  }

  /// Hashes the entries, as a store does when it commits; searches skip only hashed pages.
  mutating func hashEntries() {
    var state = store.state
    var writer = AvroWriter()
    _ = state.domain.timeEntries.hash(with: SwiftHasher.self, &writer)
    store = TestStore(state: state, environment: store.environment, clock: store.clock)
  }

  var now: Moment { store.clock.moment }
  var domain: DomainState { store.state.domain }
  var frame: SceneFrame? { frame(after: memo) }
  /// The texts of all rows of the screen that a frame without a memo makes.
  var freshLines: [String] { frame(after: FrameMemo()).map { lines(of: $0.screen) } ?? [] }
  /// The texts of all rows of the screen.
  var lines: [String] { frame.map { lines(of: $0.screen) } ?? [] }
  var text: String { lines.joined(separator: "\n") }
  var stack: BackStack<TrackerRoute>? { store.state.scenes[scene]?.stack }
  var notice: Notice? { store.state.scenes[scene]?.notice }
  var question: Question? { store.state.scenes[scene]?.question }
  var form: EntryEditorRoute? {
    if case .entryEditor(let form)? = stack?.top { form } else { nil }
  }
  var timer: TimerRoute? {
    if case .timer(let timer)? = stack?.top { timer } else { nil }
  }
  var lists: ListsRoute? {
    if case .lists(let lists)? = stack?.top { lists } else { nil }
  }
  var projectForm: ProjectFormRoute? {
    if case .projectForm(let form)? = stack?.top { form } else { nil }
  }
  var user: UserID { UserID(value: 0) }
  var entries: [TimeEntry] {
    var entries: [TimeEntry] = []
    domain.timeEntries.forEach { _, entry in
      if domain.isVisible(entry) { entries.append(entry) }
    }
    return entries
  }

  /// The texts of the shown suggestions, and for names what they are; the marked one has a sign.
  var suggestions: [String] {
    lines.compactMap { line in
      guard !line.hasPrefix("note:"), !line.hasPrefix("?") else { return nil }
      let notes = [" new project", " project", " new tag", " tag", " task"]
      let isUse = line.hasSuffix(" ago") || line.hasSuffix(" times")
      guard let note = notes.first(where: { line.hasSuffix($0) }) ?? (isUse ? "" : nil) else {
        return nil
      }
      let text = line.split(separator: "  ").first { !$0.isEmpty && $0 != "›" } ?? ""
      let isLong = text.hasPrefix("› ") ? text : text.drop { $0 == " " }
      return isLong + note
    }
  }

  /// The rows of the screen that a replay makes, which has no zone rules.
  var replayedLines: [String] {
    lines(of: TimeTracker.screen(of: scene, in: store.state, at: now, size: size))
  }

  private func lines(of screen: Screen) -> [String] {
    (0..<screen.canvas.size.rows).map { screen.canvas.text(ofRow: $0) }
  }

  private func frame(after memo: FrameMemo) -> SceneFrame? {
    SceneFrame(
      of: scene, in: store.state, at: now, by: rules, size: size, memo: memo, saved: saved,
      history: history)
  }

  func entry(_ number: Int64) -> TimeEntry? { domain.timeEntries[TimeEntryID(value: number)] }

  /// Paints the screen, and keeps it for the next key.
  mutating func paint() { painted = frame }

  /// Presses keys by their names, each on the screen that the ones before it lead to.
  mutating func press(_ names: String...) throws {
    for name in names {
      guard let key = Key(name: name) else { throw UnknownKey(name: name) }
      guard let frame = painted ?? frame else { continue }
      (painted, memo) = (nil, frame.memo)
      let meaning = frame.interpret(key, at: now)
      if case .secret(let edit) = meaning {
        let secret = store.environment?.secrets.enter(frame.secret, edit)
        if let action = frame.entering(secret) { try send(action) }
      } else {
        try carryOut(meaning)
      }
    }
  }

  /// Uses the mouse on the screen.
  mutating func use(_ action: Mouse.Action, row: Int, column: Int) throws {
    guard let frame else { return }
    memo = frame.memo
    try carryOut(frame.interpret(Mouse(action, row: row, column: column), at: now))
  }

  private mutating func carryOut(_ meaning: KeyMeaning) throws {
    switch meaning {
    case .intents(let intents): try carryOut(intents.map(prepared))
    case let other: restores.append(other)
    }
  }

  /// Returns an intent with its command prepared, as a driver does, without zone rules.
  private func prepared(_ intent: TimeTracker.Intent) -> TimeTracker.Intent {
    guard case .command(.entry(let command)) = intent else { return intent }
    return .command(.entry(command.prepared(at: now, in: domain) { entry, _ in entry.zone }))
  }

  /// Carries intents out as a store does, and shows a refusal as a driver does.
  private mutating func carryOut(_ intents: [TimeTracker.Intent]) throws {
    for intent in intents {
      switch intent {
      case .scene(let action): try send(action)
      case .command(let command):
        if let refusal = try perform(command) {
          return try send(TimeTracker.answer(to: refusal, of: intents, in: scene))
        }
      }
    }
  }

  /// Performs a command, as another process may; returns the refusal.
  @discardableResult
  mutating func perform(_ command: DomainCommand) throws -> DomainRefusal? {
    commands.append(command)
    let decided: [TrackerAction]
    do throws(DomainRefusal) {
      decided = try TimeTracker.decider.decide(command, on: store.state, at: now)
    } catch {
      return error
    }
    try fold(command, decided)
    return nil
  }

  private mutating func fold(_ command: DomainCommand, _ decided: [TrackerAction]) throws {
    for case .fact(let fact) in decided { facts.append(fact) }
    let (now, state) = (now, store.state)
    store.perform(command, facts: decided) { after in
      after = state
      for fact in decided { _ = TimeTracker.reducer.reduce(&after, fact, at: now) }
    }
  }

  mutating func send(_ action: ScenesAction) throws {
    let now = now
    store.send(action) { after in
      _ = TimeTracker.reducer.reduce(&after, .scenes(action), at: now)
    }
  }

  /// Undoes the last facts, as a store does that found them in its log.
  mutating func restore(_ undone: [DomainFact], isRedo: Bool = false) throws {
    let edits = undone.flatMap(\.undoableEdits).reversed().map(\.inverted)
    let links = RestoreLinks(target: 0, isRedo: isRedo, nextUndo: nil, nextRedo: nil)
    let restore = Restore(
      links: links, expectedCount: TimeTracker.editCount(in: store.state), edits: edits)
    let before = facts.count
    let refusal = try perform(TimeTracker.command(for: restore))
    let answer = TimeTracker.answer(
      toRestore: refusal == nil ? facts[before...].map { .fact($0) } : nil, isRedo: isRedo,
      in: scene)
    try send(answer)
  }

  /// Lets time pass.
  func wait(_ time: Duration) { store.clock.advance(by: time) }
}

struct UnknownKey: Error { var name: String }
