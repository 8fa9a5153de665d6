public import RetraceScreen

/// How a user saw a scene: what a replay needs to show the same.
public struct SeenScreen: Hashable, Sendable {
  /// The size of the screen.
  public var size: Screen.Size
  /// The id of the zone in which times were shown.
  public var zone: String

  /// Creates a value.
  public init(size: Screen.Size, zone: String) {
    (self.size, self.zone) = (size, zone)
  }
}
