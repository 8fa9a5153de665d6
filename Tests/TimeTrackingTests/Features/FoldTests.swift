import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTestSupport
import Testing
import TimeTracking

@Suite
struct FoldTests {
  /// What holds in every state: the running entries are those without a duration, one for a user.
  static func checkInvariants(_ state: AppState) {
    var running: [UserID: TimeEntryID] = [:]
    state.timeline.entries.forEach { id, entry in
      if let duration = entry.duration {
        #expect(duration >= .zero)
      } else {
        #expect(running.updateValue(id, forKey: entry.user) == nil, "two entries run for a user")
      }
      #expect(state.library.users.contains(entry.user))
      #expect(entry.project.map { state.library.projects.contains($0) } ?? true)
      #expect(zip(entry.tags, entry.tags.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(running == state.timeline.running)
  }

  @Test
  func `Any actions fold without a trap and keep what always holds`() {
    withSeed(default: 11) { random in
      var actions = RandomActions(random: random)
      for _ in 0..<repetitions(400) {
        // Users, projects and tags first, so that much of what follows is carried out.
        var state = Tracked().state
        for _ in 0..<150 {
          let action = actions.action()
          let moment = actions.moment()
          _ = AppReducer().reduce(&state, action, at: moment)
          Self.checkScreens(state, at: moment, &actions)
        }
        Self.checkInvariants(state)
      }
      random = actions.random
    }
  }

  /// Every screen of a state can be drawn, in any size.
  static func checkScreens(_ state: AppState, at moment: Moment, _ actions: inout RandomActions) {
    let size = Screen.Size(
      columns: Int(actions.number(0...90)), rows: Int(actions.number(0...30)))
    for scene in TimeTrackerApp.scenes(in: state) {
      let screen = TimeTrackerApp.screen(of: scene, in: state, at: moment, size: size)
      #expect(screen.lines.count == size.rows)
      if let cursor = screen.cursor {
        #expect(cursor.row < size.rows && cursor.column < size.columns)
      }
    }
  }

  @Test
  func `Any keys make actions that fold, and every action is read back from its encoding`() throws {
    try withSeed(default: 12) { random in
      var actions = RandomActions(random: random)
      for _ in 0..<repetitions(400) {
        var app = try Pressed()
        app.send(.library(.userCreated(name: "Ann")))
        for _ in 0..<200 {
          let key = actions.key()
          app.wait(actions.number(-5...500))
          for action in app.keymap.actions(
            for: key, in: app.scene, state: app.state, at: app.moment, size: app.size)
          {
            app.send(action)
          }
          #expect(app.screen.lines.count == app.size.rows)
        }
        Self.checkInvariants(app.state)
        for action in app.sent {
          #expect(try AppAction(encoded: action.encoded().span) == action)
        }
      }
      random = actions.random
    }
  }

  @Test
  func `Two folds of the same actions agree, also when the second reads them from bytes`() throws {
    try withSeed(default: 13) { random in
      var actions = RandomActions(random: random)
      var first = AppState()
      var second = AppState()
      for _ in 0..<repetitions(20_000) {
        let action = actions.action()
        let moment = actions.moment()
        _ = AppReducer().reduce(&first, action, at: moment)
        let read = try AppAction(encoded: action.encoded().span)
        #expect(read == action)
        _ = AppReducer().reduce(&second, read, at: moment)
      }
      #expect(first == second)
      random = actions.random
    }
  }

  @Test
  func `An imported row takes at most fifty bytes of the log`() {
    let start = Moment(microseconds: 1_317_000_000_000_000)
    let action = AppAction.timeline(
      .created(
        ClosedEntry(
          user: UserID(value: 200),
          details: EntryDetails(description: "Planning", project: ProjectID(value: 30)),
          start: start, duration: .seconds(3_600), zone: .utc, externalID: "377553")))
    // The envelope and framing of such a record take three bytes.
    #expect(action.encoded().count + 3 <= 50)
  }
}
