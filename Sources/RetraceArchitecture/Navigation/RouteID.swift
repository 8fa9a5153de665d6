import RetraceAvro
public import RetraceState

/// The id of one entry of a back stack, so that a late answer reaches only the screen that asked.
@frozen
public struct RouteID: EntityID {
  /// The number of the entry, counted up in its stack.
  public var value: Int64
  /// Creates an id from its number.
  @inlinable
  public init(value: Int64) { self.value = value }
  /// The name of the id in schemas.
  public static var recordedName: String { "RouteID" }
}
