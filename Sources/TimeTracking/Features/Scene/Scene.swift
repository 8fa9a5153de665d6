public import RetraceAvro

/// One window of the app: where it is, and what it shows beside that.
public struct Scene: Recordable, Hashable {
  /// The routes from the root to the one shown.
  public var backStack: SceneStack
  /// The zone that the scene was last told of.
  public var zone: RecordedZone
  /// Whether the list of keys lies over the screen.
  public var isHelpShown: Bool
  /// Why the last request of this scene could not be met.
  public var problem: Refusal?
  /// The entry that was deleted last, while that can be taken back.
  public var deleted: TimeEntry?

  /// Makes a scene that welcomes.
  public init(zone: RecordedZone) {
    backStack = SceneStack(root: .welcome(WelcomeState()))
    self.zone = zone
    isHelpShown = false
    problem = nil
    deleted = nil
  }
}
