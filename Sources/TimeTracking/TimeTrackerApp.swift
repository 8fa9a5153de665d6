public import RetraceArchitecture
public import RetraceAvro
public import RetraceScreen
public import RetraceState

/// The time tracker, as it is recorded, replayed and restored.
public enum TimeTrackerApp: ReplayableApp {
  /// The name that sessions record.
  public static var name: String { "track" }
  /// The build that sessions record.
  public static var build: String { RetraceRelease.version }
  /// The fingerprint of the root reducer.
  public static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The root reducer.
  public static var reducer: AppReducer { AppReducer() }
  /// The state before the first record.
  public static var initialState: AppState { AppState() }

  /// What effects run in; no type that conforms is known to replay.
  public typealias Environment = any TrackerEnvironment

  /// The scenes, lowest id first.
  public static func scenes(in state: AppState) -> [SceneID] { state.scenes.keys.sorted() }

  /// The back stack of a scene, or `nil` when there is no such scene.
  public static func backStack(of scene: SceneID, in state: AppState) -> BackStack<Route>? {
    state.scenes[scene].map { scene in
      BackStack(root: scene.backStack.root, pushed: scene.backStack.pushed)
    }
  }

  /// What a scene shows: times by the zone that the scene was last told of.
  public static func screen(
    of scene: SceneID, in state: AppState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    guard let shown = state.scenes[scene] else {
      return Screen(lines: [Screen.Line("There is no scene \(scene.value).", .warning)])
    }
    return shown.screen(in: state, at: moment, size: size)
  }
}
