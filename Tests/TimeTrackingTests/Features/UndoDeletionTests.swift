import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTestSupport
import Testing
import TimeTracking

/// A deletion can be taken back for a while, the end of which is an effect.
@Suite struct UndoDeletionTests {
  private let scene = SceneID(value: 0)
  private let id = TimeEntryID(value: 0)

  private var expiry: Effect<AppAction, any TrackerEnvironment> {
    Effect.send(.scene(scene, .deletionExpired)).delayed(by: UndoDeletion.time)
      .cancellable("undo-deletion-0", cancelInFlight: true)
  }

  /// A scene on the timer screen with one entry, closed or running.
  private func started(closed: Bool) throws -> TestStore<TimeTrackerApp> {
    var app = try Pressed()
    app.press("Ann", "enter", "n", "work", "enter")
    if closed { app.press("s") }
    return TestStore(state: app.state)
  }

  private func deleted(closed: Bool) throws -> TestStore<TimeTrackerApp> {
    var store = try started(closed: closed)
    let entry = store.state.timeline.entries[id]
    try store.send(.scene(scene, .timer(.deleted(id))), effect: expiry) { state in
      state.timeline.entries.remove(id)
      state.timeline.running = [:]
      state.scenes[scene]?.deleted = entry
      state.lastOutcome = .accepted
    }
    return store
  }

  @Test func `a deletion that is taken back adds the entry again`() throws {
    for closed in [true, false] {
      var store = try deleted(closed: closed)
      let entry = try #require(store.state.scenes[scene]?.deleted)
      try store.send(
        .scene(scene, .deletionUndone), effect: .cancel("undo-deletion-0")
      ) { state in
        let restored = state.timeline.entries.insert(entry)
        if !closed { state.timeline.running = [entry.user: restored] }
        state.scenes[scene]?.deleted = nil
      }
      try store.finish()
      try store.send(.scene(scene, .deletionUndone))
    }
  }

  @Test func `when the time is over it cannot be taken back`() async throws {
    var store = try deleted(closed: true)
    store.clock.advance(by: .seconds(10))
    try await store.run("Send__AppAction", sending: [.scene(scene, .deletionExpired)]) {
      $0.scenes[scene]?.deleted = nil
    }
    try store.send(.scene(scene, .deletionUndone))
    try store.finish()
  }

  @Test func `the time ends also when the program ended first`() throws {
    var store = try deleted(closed: true)
    try store.restart()
    store.clock.advance(by: .seconds(10))
    try store.restart { $0.scenes[scene]?.deleted = nil }
    try store.finish()
  }

  @Test func `by keys: the last line names the key, and nothing runs beside a restored entry`()
    throws
  {
    var app = try Pressed()
    app.press("Ann", "enter", "n", "one", "enter", "n", "two", "enter")
    app.press("down", "d")
    #expect(app.entry(0) == nil && app.text.contains("Deleted; z takes it back: one"))
    app.press("z")
    #expect(app.entry(2)?.description == "one" && !app.text.contains("takes it back"))
    app.press("z")
    #expect(app.entry(3) == nil)
  }
}
