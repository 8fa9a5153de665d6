public import Retrace
public import TimeTracking

/// The state of the tracker: the shared domain, and the scenes.
public struct TrackerState: RecordedState, Composed {
  /// The entities.
  public var domain: DomainState = DomainState()
  /// The scenes, also those that no process shows.
  public var scenes: [SceneID: Scene] = [:]
  /// The id that the next new scene gets.
  public var nextScene: SceneID = SceneID(value: 0)
  /// The target of the last action whose target did not exist.
  public var missing: MissingTarget?

  /// Creates the state before the first record.
  public init() {}
}

extension TrackerState: ReportsMissingTarget {
  /// Records the missing target.
  public mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
}

extension TrackerState.Parts {
  var itself: Itself<TrackerState> { Itself<TrackerState>() }
}
