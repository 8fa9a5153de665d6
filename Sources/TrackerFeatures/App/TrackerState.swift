public import RetraceArchitecture
import RetraceAvro
public import RetraceState
public import TimeTracking

/// The state of the tracker: the domain, which all share, and the scenes.
public struct TrackerState: RecordedState, Composed {
  /// The entities.
  public var domain: DomainState = DomainState()
  /// The scenes, open or left.
  public var scenes: [SceneID: Scene] = [:]
  /// The id that the next new scene gets.
  public var nextScene: SceneID = SceneID(value: 0)
  /// The target of the last action that found nothing to act on.
  public var missing: MissingTarget?

  /// Creates the state before the first record.
  public init() {}
}

extension TrackerState: ReportsMissingTarget {
  /// Records the missing target.
  public mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
}

extension TrackerState.Parts {
  /// All of the state.
  var itself: Itself<TrackerState>.Type { Itself<TrackerState>.self }
}
