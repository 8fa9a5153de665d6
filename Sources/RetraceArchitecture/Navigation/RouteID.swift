import RetraceAvro
public import RetraceState

/// The id of one entry of a back stack, by which a late answer reaches its own screen or none.
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
