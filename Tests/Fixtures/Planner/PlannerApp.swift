package import RetraceArchitecture
package import RetraceAvro
package import RetraceScreen
package import RetraceState

/// The state of the planner: one window.
package struct PlannerState: RecordedState, Composed {
  /// The routes of the window.
  package var stack: BackStack<PlannerRoute> = BackStack(root: .welcome)
  /// The page that is to be opened outside the app; `nil` once it is.
  package var externalPage: HelpPage?
  /// Why the last link could not be opened.
  package var problem: String?
  /// The targets that were missing.
  package var missing: [MissingTarget] = []
}

extension PlannerState: ReportsMissingTarget {
  /// Records a missing target.
  package mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }

  /// The tabs; `nil` while the user is signed out.
  package var tabs: TabStacks<PlannerTab, MainRoute>? {
    for case .main(let main) in stack.routes { return main.tabs }
    return nil
  }
}

/// An app for tests with stacks and tabs in the routes of a stack, drafts and links.
package enum PlannerApp: ReplayableApp {
  /// The app has no environment.
  package typealias Environment = Never
  /// The routes of the app.
  package typealias Route = PlannerRoute

  /// The name that sessions record.
  package static var name: String { "planner" }
  /// The build that sessions record.
  package static var build: String { "test" }
  /// The fingerprint of the reducer.
  package static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  package static var reducer: some Reducer<PlannerState, PlannerAction, Never> {
    WindowReducer()
      .forEachRoute(\.stack, action: \.window) { WindowScreens() }
  }
  /// The state before the first record.
  package static var initialState: PlannerState { PlannerState() }

  /// Returns the only scene.
  package static func scenes(in state: PlannerState) -> [SceneID] { [SceneID(value: 0)] }

  /// Returns the stack of the only scene.
  package static func backStack(
    of scene: SceneID, in state: PlannerState
  ) -> BackStack<PlannerRoute>? {
    scene.value == 0 ? state.stack : nil
  }

  /// Returns a screen with the link of the route on top.
  package static func screen(
    of scene: SceneID, in state: PlannerState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Screen.Line(state.stack.top.link.text()), size: size)
  }
}
