import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport

/// A scene driven by keys: what the app does with a terminal, as a pure fold.
struct Pressed {
  var state = AppState()
  var moment: Moment
  var keymap: Keymap
  var size = Screen.Size(columns: 80, rows: 24)
  var sent: [AppAction] = []
  let scene = SceneID(value: 0)

  init(_ rules: ZoneRules = .utc) throws {
    moment = try ZoneFiles.moment("2026-11-21 09:30:00")
    keymap = Keymap(rules: rules)
    send(.sceneOpened(rules.recorded(at: moment)))
  }

  mutating func send(_ action: AppAction) {
    sent.append(action)
    _ = AppReducer().reduce(&state, action, at: moment)
  }

  /// Presses keys by their names; a name that is none is typed as text.
  mutating func press(_ names: String...) {
    for name in names {
      let key = Key(name: name) ?? .text(name)
      for action in keymap.actions(for: key, in: scene, state: state, at: moment, size: size) {
        send(action)
      }
    }
  }

  mutating func wait(_ seconds: Int64) { moment = moment.adding(.seconds(seconds)) }

  var shown: Scene? { state.scenes[scene] }
  var path: String { shown?.backStack.top.path ?? "" }
  var draft: StartEditDraft? {
    if case .startEdit(let draft) = shown?.backStack.top { draft } else { nil }
  }
  var screen: Screen {
    TimeTrackerApp.screen(of: scene, in: state, at: moment, size: size)
  }
  var text: String { screen.lines.map(\.text).joined(separator: "\n") }
  func entry(_ number: Int64) -> TimeEntry? { state.timeline.entries[TimeEntryID(value: number)] }
}
