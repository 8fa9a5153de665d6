import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceSystem

/// The only route.
enum TestRoute: NavigationRoute {
  case all

  var path: String { "all" }
}

/// An app whose reducer can be made to trap, and which keeps secrets.
enum TestApp: ReplayableApp {
  typealias Environment = TestDesk
  typealias Route = TestRoute

  static var name: String { "testapp" }
  static var build: String { "test" }
  /// The same program acts as other builds of the app: the environment names the reducer.
  static var reducerFingerprint: Digest {
    guard let name = ThisProcess.environment("TESTAPP_REDUCER") else { return .zero }
    let bytes = Array(name.utf8)
    return SHA256Hasher.digest(of: bytes.span)
  }
  static var reducer: TrappingReducer { TrappingReducer() }
  static var initialState: TestState { TestState() }

  static func scenes(in state: TestState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(of scene: SceneID, in state: TestState) -> BackStack<TestRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  static func screen(
    of scene: SceneID, in state: TestState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    var lines: [Screen.Line] = []
    state.notes.forEach { _, note in lines.append(Screen.Line(note.text)) }
    state.secrets.forEach { _, kept in lines.append(Screen.Line("\(kept.label): \(kept.secret)")) }
    return Screen(lines, size: size)
  }
}
