import RetraceArchitecture
public import RetraceState

/// What all entities of the domain have.
public protocol TrackedEntity: TableEntity {
  /// The ids in other systems, at most one of each.
  var externalIDs: [ExternalID] { get set }
  /// When it was changed last.
  var modified: Moment { get set }
  /// When it was deleted; `nil` while it is not.
  var deleted: Moment? { get set }

  /// Takes the fields that make sense only together from the server's version in a merge, if the
  /// server changed one of them; by default, each field makes sense alone.
  mutating func takeJointFields(of server: Self, changedSince base: Self)
}

extension TrackedEntity {
  /// Takes nothing.
  public mutating func takeJointFields(of server: Self, changedSince base: Self) {}
}

extension EntityChanges where Entity: TrackedEntity {
  /// Returns the entity as deleted, so that what others recorded about it keeps its name.
  ///
  /// The moment of the deletion is that of the insertion: the entity was taken back.
  public static func tombstone(of entity: Entity) -> Entity? {
    var tombstone = entity
    tombstone.deleted = entity.modified
    return tombstone
  }
}

/// An entity that has a name, unique among its rivals.
public protocol NamedEntity: TrackedEntity {
  /// The name.
  var name: Name { get set }

  /// Returns whether two entities may not have the same name, because they are in the same place.
  func isRival(of other: Self) -> Bool
}

/// An entity that can be an alias of another.
public protocol MergeableEntity: NamedEntity {
  /// The type of its id.
  associatedtype ID: EntityID
  /// The entity that this one is an alias of.
  var mergedInto: ID? { get set }
}

extension EntityTable where Entity: TrackedEntity {
  /// Returns an entity that is not deleted.
  public func live(_ id: ID) -> Entity? {
    guard let entity = self[id], entity.deleted == nil else { return nil }
    return entity
  }
}

extension EntityTable where Entity: TrackedEntity {
  /// Returns the entity that is not deleted and has an id of another system.
  ///
  /// - Complexity: O(entities).
  public func owner(of external: ExternalID, except id: ID? = nil) -> ID? {
    var found: ID?
    forEach { other, entity in
      if found == nil, other != id, entity.deleted == nil, entity.externalIDs.contains(external) {
        found = other
      }
    }
    return found
  }
}

extension Name {
  /// Makes the name that a text means in a table: that of an entity if the text is the same in
  /// another form of Unicode, in which `é` is one scalar or two, and none has the text as it is.
  ///
  /// The recorded keys of names are compared byte by byte. This follows the Unicode tables of the
  /// toolchain, as other names that are typed, so it belongs at the edge.
  ///
  /// - Complexity: O(entities); O(bytes) for a text in ASCII, which has one form.
  public init<ID, Entity: NamedEntity>(_ text: String, in table: EntityTable<ID, Entity>) {
    let name = Name(text)
    var (isKnown, other): (Bool, Name?) = (false, nil)
    if !name.key.utf8.allSatisfy({ $0 < 0x80 }) {
      table.forEach { _, entity in
        guard entity.deleted == nil else { return }
        if entity.name == name {
          isKnown = true
        } else if other == nil, entity.name.key == name.key {
          other = entity.name
        }
      }
    }
    self = isKnown ? name : other ?? name
  }
}

extension StringProtocol {
  /// Returns whether the key of a name, or a part of it, begins with another one, in whatever form
  /// of Unicode.
  @inlinable package func begins(withKey key: some StringProtocol) -> Bool {
    utf8.starts(with: key.utf8) || hasPrefix(key)
  }
}

extension EntityTable where Entity: NamedEntity {
  /// Returns the entity that is not deleted and has the same name and place as another.
  ///
  /// - Complexity: O(entities).
  public func rival(of entity: Entity, except id: ID? = nil) -> ID? {
    var found: ID?
    forEach { other, rival in
      if found == nil, other != id, rival.deleted == nil, rival.name == entity.name,
        rival.isRival(of: entity)
      {
        found = other
      }
    }
    return found
  }
}

extension EntityTable where Entity: MergeableEntity, Entity.ID == ID {
  /// Returns whether the merges of an entity lead back to it.
  ///
  /// - Complexity: O(merges of it).
  func isInCycle(_ start: ID) -> Bool {
    var id = start
    for _ in 0..<count {
      guard let next = self[id]?.mergedInto else { return false }
      if next == start { return true }
      id = next
    }
    return true
  }

  /// Returns the entity that an id stands for, after all merges; `nil` if it is deleted or there is
  /// none.
  ///
  /// - Complexity: O(merges of it).
  public func resolve(_ id: ID) -> ID? {
    var id = id
    // A merge refuses cycles, so that this ends; the bound keeps it total.
    for _ in 0..<count {
      guard let entity = live(id) else { return nil }
      guard let next = entity.mergedInto else { return id }
      id = next
    }
    return nil
  }
}
