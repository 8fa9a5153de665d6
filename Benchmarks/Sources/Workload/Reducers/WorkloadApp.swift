public import RetraceArchitecture
public import RetraceAvro
public import RetraceScreen
public import RetraceState

/// Where the only window of the workload is.
public enum WorkloadRoute: NavigationRoute {
  /// The log.
  case log

  /// The path of the route.
  public var path: String { "log" }
}

/// The workload as an app, for stores, replayers and tools.
///
/// Its reducer has a fixed fingerprint, because an app without one has no snapshots.
public enum WorkloadApp: ReplayableApp {
  /// There are no effects.
  public typealias Environment = Never
  /// Where the only window is.
  public typealias Route = WorkloadRoute

  /// The name that sessions record.
  public static var name: String { "workload" }
  /// The build that sessions record.
  public static var build: String { "1" }
  /// A fingerprint that stands for the sources of the workload.
  public static var reducerFingerprint: Digest { fingerprint }
  /// The reducer.
  public static var reducer: WorkloadReducer { WorkloadReducer() }
  /// The state before the first record.
  public static var initialState: WorkloadState { WorkloadState() }

  /// The only window.
  public static func scenes(in state: WorkloadState) -> [SceneID] { [SceneID(value: 0)] }

  /// Where the only window is.
  public static func backStack(
    of scene: SceneID, in state: WorkloadState
  ) -> BackStack<WorkloadRoute>? {
    scene.value == 0 ? BackStack(root: .log) : nil
  }

  /// Shows how many entries there are.
  public static func screen(
    of scene: SceneID, in state: WorkloadState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Screen.Line("\(state.timeline.entries.count) entries"), size: size)
  }
}

private let fingerprint: Digest = {
  let bytes = [UInt8](repeating: 0x57, count: Digest.byteCount)
  return Digest(bytes.span) ?? .zero
}()

/// The workload reduced by ``WorkloadSwitch``.
public enum SwitchedWorkloadApp: ReplayableApp {
  /// There are no effects.
  public typealias Environment = Never
  /// Where the only window is.
  public typealias Route = WorkloadRoute

  /// The name that sessions record.
  public static var name: String { WorkloadApp.name }
  /// The build that sessions record.
  public static var build: String { WorkloadApp.build }
  /// The reducer.
  public static var reducer: WorkloadSwitch { WorkloadSwitch() }
  /// The state before the first record.
  public static var initialState: WorkloadState { WorkloadState() }

  /// The only window.
  public static func scenes(in state: WorkloadState) -> [SceneID] { WorkloadApp.scenes(in: state) }

  /// Where the only window is.
  public static func backStack(
    of scene: SceneID, in state: WorkloadState
  ) -> BackStack<WorkloadRoute>? { WorkloadApp.backStack(of: scene, in: state) }

  /// Shows how many entries there are.
  public static func screen(
    of scene: SceneID, in state: WorkloadState, at moment: Moment, size: Screen.Size
  ) -> Screen { WorkloadApp.screen(of: scene, in: state, at: moment, size: size) }
}
