public import Retrace

/// A page of the list, in the JSON of the service.
public struct CreaturePage: Recordable, Hashable, Decodable {
  /// A creature of a page.
  public struct Item: Recordable, Hashable, Decodable {
    /// The number by which the service knows the creature.
    public var number: Int64
    /// The name.
    public var name: String
  }

  /// The creatures, in order.
  public var creatures: [Item]
  /// Whether another page follows.
  public var hasMore: Bool
}

/// Where pages and details come from.
public enum CreatureSource: Recordable, Hashable {
  /// The files that come with the app.
  case bundle
  /// A server.
  case server
}
