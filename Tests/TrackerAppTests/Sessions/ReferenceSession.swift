import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceLog
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

@testable import TrackerApp

/// A random session that nothing disturbs, with what the app shows and has after each input.
///
/// It answers lines by the code that answers those of the process.
struct ReferenceSession {
  /// What the app is after an input and after the line `screen`.
  struct Place {
    /// The sequence with which the input was answered; `nil` if effects recorded something after
    /// that or before, which takes them as long as it takes.
    var answered: UInt64?
    /// The last record.
    var sequence: UInt64
    /// The bytes of the whole state.
    var state: [UInt8]
    /// What the app shows; empty after an input that leaves it.
    var shown: [String]
    /// What the app shows after a restart: the rail is not open then.
    var restored: [String]
    /// What the app has and shows after a restart if it ended before the answer to a request that
    /// the input made; `nil` without a request.
    var interrupted: Restored?
  }

  /// What the app has and shows after a restart.
  struct Restored: Equatable {
    var state: [UInt8]
    var screen: [String]
  }

  private(set) var parts: [SessionPart] = []
  /// The places of each part: after its opening, and after each of its inputs.
  private(set) var places: [[Place]] = []
  let size: Screen.Size
  /// The calendar files of the settings, which the app may change; `nil` before the first part.
  private var calendars: String?

  private static let sizes = [(40, 12), (72, 20), (80, 24), (120, 40)].map {
    Screen.Size(columns: $0.0, rows: $0.1)
  }

  /// Returns a screen without the times at which the machine recorded something, which the history
  /// shows where an option gives the moment; they alone have fractions of a second.
  static func masked(_ screen: [String]) -> [String] {
    let time = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]+Z/
    // The search in each line of each screen took most of the time of the sessions.
    return screen.map { line in
      line.utf8.contains(UInt8(ascii: "Z")) ? line.replacing(time, with: "(the real time)") : line
    }
  }

  /// Runs a session on a new store.
  ///
  /// - Parameters:
  ///   - own: The folders of this run.
  ///   - process: The folders of the process, whose store the settings show, and whose calendar
  ///     gives events their ids.
  ///   - generator: Chooses the inputs.
  init(
    in own: SessionFolders, for process: SessionFolders, by generator: inout InputGenerator
  ) async throws {
    size = Self.sizes.randomElement(using: &generator.random) ?? Self.sizes[2]
    var now = TrackerFixture.morning
    let isPrepared = Int.random(in: 0..<4, using: &generator.random) > 0
    for number in 0..<Int.random(in: 1...3, using: &generator.random) {
      var events: [SessionPart.Event] = []
      if number == 0, isPrepared {
        let commands = SessionCommands.first(&generator.random, at: now)
        events = commands.map { .performed($0) }
      } else if number > 0 {
        events = Self.events(after: &now, &generator.random)
      }
      let isAtOnboarding = Int.random(in: 0..<(isPrepared ? 8 : 2), using: &generator.random) == 0
      let link = ["welcome", "login", "signUp", "passwordReset"].randomElement(
        using: &generator.random)
      parts.append(SessionPart(now: now, events: events, link: isAtOnboarding ? link : nil))
      try await run(in: own, for: process, &generator)
    }
  }

  /// Lets time pass, in which other programs work and the machine may sleep.
  private static func events(
    after now: inout Moment, _ random: inout SeededGenerator
  ) -> [SessionPart.Event] {
    let before = now
    now = now.adding(.seconds(Int64.random(in: 1...60_000, using: &random)))
    var events: [SessionPart.Event] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      events.append(.performed(SessionCommands.later(&random, at: now)))
    }
    if Bool.random(using: &random) {
      events.append(.slept(from: before, to: now, isWhole: Bool.random(using: &random)))
    }
    return events
  }

  /// Returns the paths of a text of the settings.
  private static func paths(in text: String) -> [String] {
    text.split(separator: ":").map(String.init)
  }

  /// Runs the last part.
  private mutating func run(
    in own: SessionFolders, for process: SessionFolders, _ generator: inout InputGenerator
  ) async throws {
    let part = parts[parts.count - 1]
    try part.prepare(own.store)
    let tracker = try TrackerStore.open(
      at: own.store, zone: .utc, now: part.now,
      environment: TrackerEnvironment(
        users: .local, keychain: .folder(own.keychain), secrets: .inMemory()))
    defer { try? tracker.close() }
    var driver = try SceneDriver.attach(
      to: tracker, as: Name(ThisProcess.loginName), size: size)
    (driver.place, driver.folder) = (process.store, own.files)
    let zones = tracker.zones
    let paths = calendars.map { Self.paths(in: $0) } ?? [process.calendar]
    let files = CalendarFiles(paths, zones: { zones.rules(id: $0) }) {
      .changed(Self.paths(in: $0))
    }
    driver.calendars = files
    defer { calendars = files.text }
    if let link = part.link {
      #expect(try driver.open(link) == nil)
      generator.begin(at: link)
    }
    let app = ReferenceApp(driver, process.store)
    let shown = RouteList<TrackerRoute>.Shown()
    // A new process shows the stack of the state from nothing.
    let router = Router<TrackerRoute>(RouteList(shown))
    places.append([try app.place()])
    let count = Int.random(in: 20...80, using: &generator.random)
    while parts[parts.count - 1].inputs.count < count {
      let done = parts[parts.count - 1].inputs.count
      let input = try app.next(by: &generator, mayLeave: done > 5)
      parts[parts.count - 1].inputs.append(input)
      let place = try await app.perform(input)
      places[places.count - 1].append(place)
      let scene = try app.see(by: &generator.coverage, after: input)
      await router.show(scene.stack)
      #expect(router.entries == scene.stack.entries, "after \(input.line)")
      #expect(shown.entries == scene.stack.entries, "after \(input.line)")
      if place.shown.isEmpty { break }
    }
  }
}

/// The app of a reference session.
private struct ReferenceApp {
  private let driver: SceneDriver
  private let pipe: PipeDriver
  /// The place of the store that the settings show.
  private let store: String

  init(_ driver: SceneDriver, _ store: String) {
    (self.driver, self.store) = (driver, store)
    pipe = PipeDriver(driver)
  }

  private var tracker: TrackerStore { driver.tracker }

  /// Returns the place after an answer.
  func place(answered: UInt64? = nil) throws -> ReferenceSession.Place {
    let answer = try pipe.answer("screen")
    guard case .done(_, let screen?) = answer else { throw UnexpectedAnswer(answer.lines) }
    var place = try left(answered: answered)
    place.shown = ReferenceSession.masked(screen)
    return place
  }

  /// Returns the place after the app was left.
  private func left(answered: UInt64?) throws -> ReferenceSession.Place {
    let screen = try #require(driver.frame()).screen
    return ReferenceSession.Place(
      answered: answered, sequence: tracker.store.sequence, state: tracker.store.state.wholeBytes,
      shown: [], restored: lines(of: screen))
  }

  private func lines(of screen: Screen) -> [String] {
    ReferenceSession.masked(
      PlainRenderer(size: driver.size, showsCursor: true).lines(of: screen))
  }

  /// Chooses the next input.
  func next(by generator: inout InputGenerator, mayLeave: Bool) throws -> Input {
    if pipe.isLookingBack { return generator.nextInRail(size: driver.size) }
    return generator.next(
      on: try #require(driver.frame()), size: driver.size, at: tracker.now(), mayLeave: mayLeave)
  }

  /// Performs an input, and waits for its effects.
  func perform(_ input: Input) async throws -> ReferenceSession.Place {
    let before = tracker.store.sequence
    let interrupted = try pipe.isLookingBack ? nil : self.interrupted(input)
    let answer = try pipe.answer(input.line)
    // Other tests may keep the threads of tasks busy for minutes, so the tries are counted.
    for _ in 0..<10_000 where !tracker.store.effectsInFlight.isEmpty {
      try await Task.sleep(for: .milliseconds(2))
    }
    try #require(tracker.store.effectsInFlight.isEmpty)
    let hadEffects = try tracker.store.hasEffects(after: before)
    switch answer {
    case .done(let sequence, screen: _):
      var place = try self.place(answered: hadEffects ? nil : sequence)
      place.interrupted = interrupted
      return place
    case .left(let sequence): return try left(answered: sequence)
    case .refused(let why): throw UnexpectedAnswer([input.line, why])
    }
  }

  /// Returns the place to which the app comes back if it ends before the answer to a request that
  /// an input makes; `nil` if the input makes none.
  private func interrupted(_ input: Input) throws -> ReferenceSession.Restored? {
    var state = tracker.store.state
    let id = try #require(state.scenes[driver.scene]).stack.topID
    let frame = try #require(driver.frame())
    let submitted = ScenesAction.scene(
      driver.scene, .screen(id, .account(.submitted)))
    guard case .intents(let intents) = frame.interpret(input, at: tracker.now()),
      intents.contains(.scene(submitted))
    else { return nil }
    for action in [submitted, .scene(driver.scene, .screen(id, .account(.failed(.interrupted))))] {
      _ = TimeTracker.reducer.reduce(&state, .scenes(action), at: tracker.now())
    }
    let restored = SceneFrame(
      of: driver.scene, in: state, at: tracker.now(), by: .utc, size: driver.size, store: store)
    return ReferenceSession.Restored(
      state: state.wholeBytes, screen: lines(of: try #require(restored).screen))
  }

  /// Takes note of what is shown, and expects what holds after every action.
  func see(by coverage: inout SessionCoverage, after input: Input) throws -> Scene {
    let state = tracker.store.state
    let scene = try #require(state.scenes[driver.scene])
    if pipe.isLookingBack { coverage.seeRail() }
    try coverage.see(scene, in: state.domain)
    if driver.frame()?.asksAboutLongEntry == true { coverage.seeLongEntry() }
    #expect(TimeTracker.violations(of: state).isEmpty, "after \(input.line)")
    #expect(state.missing == nil && scene.missing == nil, "after \(input.line)")
    var running: [UserID: Int] = [:]
    state.domain.timeEntries.forEach { _, entry in
      if entry.isRunning, state.domain.isVisible(entry) { running[entry.user, default: 0] += 1 }
    }
    #expect(running.values.allSatisfy { $0 == 1 }, "after \(input.line)")
    return scene
  }
}

/// What an app answered that it should not have.
struct UnexpectedAnswer: Error {
  let lines: [String]

  init(_ lines: [String]) { self.lines = lines }
}

extension Store<TimeTracker> {
  /// Returns whether an effect has ended since a record.
  fileprivate func hasEffects(after sequence: UInt64) throws(StoreError) -> Bool {
    try storage.withReadView { view throws(StoreError) in
      let last = view.head.sequence
      guard last > sequence else { return false }
      return try view.lastRecord(in: sequence + 1...last) { $0.kind == .effectFinished } != nil
    }
  }
}

extension TrackerState {
  /// The bytes of all scenes and of all entities.
  var wholeBytes: [UInt8] {
    var writer = AvroWriter()
    encodeWhole(into: &writer)
    return writer.bytes
  }
}
