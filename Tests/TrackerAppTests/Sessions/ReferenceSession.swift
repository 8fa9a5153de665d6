import CivilTime
import RetraceArchitecture
import RetraceAvro
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
struct ReferenceSession {
  /// What the app is after an input.
  struct Place: Equatable {
    /// The last record.
    var sequence: UInt64
    /// The bytes of the whole state.
    var state: [UInt8]
    var screen: [String]
  }

  private(set) var parts: [SessionPart] = []
  /// The places of each part: after its opening, and after each of its inputs.
  private(set) var places: [[Place]] = []
  let size: Screen.Size

  private static let sizes = [(40, 12), (72, 20), (80, 24), (120, 40)].map {
    Screen.Size(columns: $0.0, rows: $0.1)
  }

  /// Runs a session on a new store.
  init(at store: String, by generator: inout InputGenerator) async throws {
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
      parts.append(SessionPart(now: now, events: events))
      try await run(store, &generator)
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

  /// Runs the last part.
  private mutating func run(_ store: String, _ generator: inout InputGenerator) async throws {
    let (part, size) = (parts[parts.count - 1], size)
    try part.prepare(store)
    let tracker = try TrackerStore.open(at: store, zone: .utc, now: part.now)
    defer { try? tracker.close() }
    let driver = try SceneDriver.attach(
      to: tracker, as: Name(ThisProcess.loginName), size: size)
    let shown = RouteList.Shown()
    // A new process shows the stack of the state from nothing.
    let router = Router<TrackerRoute>(RouteList(shown))
    var frame = try #require(driver.frame())
    var screen = frame.screen
    places.append([Self.place(driver, screen)])
    let count = Int.random(in: 20...80, using: &generator.random)
    while parts[parts.count - 1].inputs.count < count {
      let done = parts[parts.count - 1].inputs.count
      let input = generator.next(on: frame, showing: screen, at: part.now, mayLeave: done > 5)
      let pressed = try driver.perform([input])
      parts[parts.count - 1].inputs.append(input)
      let state = tracker.store.state
      let scene = try #require(state.scenes[driver.scene])
      try generator.coverage.see(scene, in: state.domain)
      frame = try #require(driver.frame())
      if frame.asksAboutLongEntry { generator.coverage.seeLongEntry() }
      screen = frame.screen
      places[places.count - 1].append(Self.place(driver, screen))
      Self.expectRules(of: state, scene, after: input)
      await router.show(scene.stack)
      #expect(router.entries == scene.stack.entries, "after \(input.line)")
      #expect(shown.entries == scene.stack.entries, "after \(input.line)")
      if pressed.leaves { break }
    }
  }

  private static func place(_ driver: SceneDriver, _ screen: Screen) -> Place {
    let store = driver.tracker.store
    return Place(
      sequence: store.sequence, state: store.state.wholeBytes,
      screen: PlainRenderer(size: driver.size, showsCursor: true).lines(of: screen))
  }

  /// Expects what holds after every action.
  private static func expectRules(of state: TrackerState, _ scene: Scene, after input: Input) {
    #expect(TimeTracker.violations(of: state).isEmpty, "after \(input.line)")
    #expect(state.missing == nil && scene.missing == nil, "after \(input.line)")
    var running: [UserID: Int] = [:]
    state.domain.timeEntries.forEach { _, entry in
      if entry.isRunning, state.domain.isVisible(entry) { running[entry.user, default: 0] += 1 }
    }
    #expect(running.values.allSatisfy { $0 == 1 }, "after \(input.line)")
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
