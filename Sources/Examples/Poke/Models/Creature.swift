public import Retrace

/// The id of a creature in the list.
public struct CreatureID: EntityID { @usableFromInline var number: Int64 }

/// A creature of the list, which a page adds; its details are loaded when a window opens it.
public struct Creature: TableEntity {
  /// The number by which a service knows the creature.
  public var number: Int64
  /// The name.
  public var name: String
  /// Whether the creature is a favourite.
  public var isFavourite: Bool = false
  /// What a service tells of the creature beside its name.
  public var details: Loadable<CreatureDetails> = .nothing  // recorded: constant default

  /// The number, so that a creature is found by it.
  public var sortKey: Int64 { number }
  /// The name.
  public var displayName: String? { name }
}

/// What a service tells of a creature beside its name, in the JSON of the service.
public struct CreatureDetails: Recordable, Hashable, Decodable {
  /// The height in decimetres.
  public var decimetres: Int64
  /// The weight in hectograms.
  public var hectograms: Int64
  /// The types, such as `fire`.
  public var types: [String]
  /// The abilities, such as `night sight`.
  public var abilities: [String]
  /// The statistics, in the order of the service.
  public var stats: [CreatureStat]
}

/// A statistic of a creature.
public struct CreatureStat: Recordable, Hashable, Decodable {
  /// The name, such as `speed`.
  public var name: String
  /// The value.
  public var base: Int64
}
