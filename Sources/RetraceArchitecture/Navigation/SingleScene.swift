import RetraceAvro
public import RetraceState

/// A state with one scene, which is always there; its id is 0.
///
/// An app with such a state needs neither ``ReplayableApp/scenes(in:)`` nor
/// ``ReplayableApp/backStack(of:in:)``. A state without a property `stack` has a screen without
/// navigation, whose route is ``OnlyRoute``.
///
/// ```swift
/// struct NotebookState: RecordedState, SingleScene {
///   var stack: BackStack<SettingsRoute> = BackStack(root: .list)
/// }
/// ```
public protocol SingleScene {
  /// The routes of the scene.
  associatedtype Route: NavigationRoute = OnlyRoute
  /// The back stack of the scene.
  var stack: BackStack<Route> { get }
}

extension SingleScene where Route == OnlyRoute {
  /// A stack of the only route.
  public var stack: BackStack<OnlyRoute> { BackStack(root: .root) }
}

extension ReplayableApp where State: SingleScene, Route == State.Route {
  /// Returns the id of the scene.
  public static func scenes(in state: State) -> [SceneID] { [SceneID(value: 0)] }

  /// Returns the back stack of the scene.
  public static func backStack(of scene: SceneID, in state: State) -> BackStack<Route>? {
    scene.value == 0 ? state.stack : nil
  }
}

/// The route of an app without navigation.
@frozen
public enum OnlyRoute: NavigationRoute {
  /// The only place.
  case root

  /// The empty path.
  public var path: String { "" }
}
