import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import TimeTracking

/// What frames are made from.
struct FrameContext {
  /// The domain.
  var domain: DomainState
  /// The id of the route.
  var route: RouteID
  /// When the frame is shown.
  var moment: Moment
  /// The rules of the zone in which times are shown; `nil` for the offsets that entries recorded.
  var rules: ZoneRules?
  /// The room for the screen, without the lines of the scene.
  var size: Screen.Size
  /// Whether the route is the lowest one on the stack.
  var isRoot = true
  /// What the scene says about the last input.
  var notice: Notice?
}

/// What a screen shows: its lines are made from it, and keys are interpreted on it.
protocol ScreenFrame: Sendable {
  /// The keys of the screen.
  static var keys: KeyTable<Self> { get }

  /// The lines.
  var screen: Screen { get }
  /// The routes from the root to the screen, filled from the domain; `nil` if what the path of the
  /// screen names does not exist.
  var routes: [TrackerRoute]? { get }
  /// Where and when a key was pressed; `nil` while the frame is painted.
  var edge: Edge? { get set }
}

/// What keys mean on a frame.
typealias KeyTable<Frame> = Bindings<Frame, [KeyStep]>

extension ScreenFrame {
  /// Returns what a key means; `nil` if it is not bound.
  func steps(for key: Key, at edge: Edge) throws(KeyProblem) -> [KeyStep]? {
    var frame = self
    frame.edge = edge
    return try Self.keys.within(SceneKeys.everywhere()).value(for: key, in: frame)
  }

  /// The line of the keys that are needed first.
  func hints(fitting columns: Int) -> Screen.Line {
    Self.keys.within(SceneKeys.everywhere()).hints(in: self, fitting: columns)
  }

  /// Returns the list of keys.
  func help(fitting columns: Int) -> [Screen.Line] {
    Self.keys.within(SceneKeys.everywhere()).help(in: self, fitting: columns)
  }
}
