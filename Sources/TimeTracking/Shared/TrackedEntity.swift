import RetraceArchitecture
public import RetraceState

/// An entity of the domain.
public protocol TrackedEntity: TableEntity {
  /// The ids in other systems, at most one for each system.
  var externalIDs: [ExternalID] { get set }
  /// The moment of the last change.
  var modified: Moment { get set }
  /// The moment of the deletion, if it is deleted.
  var deleted: Moment? { get set }

  /// Copies fields that depend on each other from the server's version, if the server changed one
  /// of them. Does nothing by default.
  mutating func takeJointFields(of server: Self, changedSince base: Self)
}

extension TrackedEntity {
  /// Does nothing.
  public mutating func takeJointFields(of server: Self, changedSince base: Self) {}
}

extension EntityChanges where Entity: TrackedEntity {
  /// Returns the tombstone of an entity whose insertion was undone.
  ///
  /// References to the entity keep its name. It is deleted at the moment of the insertion.
  public static func tombstone(of entity: Entity) -> Entity? {
    var tombstone = entity
    tombstone.deleted = entity.modified
    return tombstone
  }
}

/// An entity with a name that is unique within its scope.
public protocol NamedEntity: TrackedEntity {
  /// The name.
  var name: Name { get set }

  /// Returns whether two entities may not have the same name, because they have the same scope.
  func isRival(of other: Self) -> Bool
}

extension NamedEntity {
  /// The text of the name.
  public var displayName: String? { name.text }
}

/// An entity that can be an alias of another.
public protocol MergeableEntity: NamedEntity {
  /// The type of its id.
  associatedtype ID: EntityID
  /// The entity that this one is merged into, if any.
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
  /// Returns the live entity with an id in another system.
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
  /// Creates the name of a text as the entities of a table write it.
  ///
  /// If no live entity has the name as typed, but one has it in another Unicode normalization form,
  /// the name of that entity is used.
  ///
  /// Recorded keys are compared byte by byte. This initializer depends on the Unicode tables of the
  /// toolchain, so it belongs at the edge.
  ///
  /// - Complexity: O(entities); O(bytes) for a text in ASCII.
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
  /// Returns whether a key, or one of its words, begins with another key, by bytes or by canonical
  /// equivalence.
  @inlinable package func begins(withKey key: some StringProtocol) -> Bool {
    utf8.starts(with: key.utf8) || hasPrefix(key)
  }
}

extension EntityTable where Entity: NamedEntity {
  /// Returns the live entity with the same name and scope as another.
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
  /// - Complexity: O(merges of the entity).
  func isInCycle(_ start: ID) -> Bool {
    var id = start
    for _ in 0..<count {
      guard let next = self[id]?.mergedInto else { return false }
      if next == start { return true }
      id = next
    }
    return true
  }

  /// Returns the live entity that an id refers to after all merges, if any.
  ///
  /// - Complexity: O(merges of the entity).
  public func resolve(_ id: ID) -> ID? {
    var id = id
    // Merges refuse cycles. The bound ends the loop even if the state has one.
    for _ in 0..<count {
      guard let entity = live(id) else { return nil }
      guard let next = entity.mergedInto else { return id }
      id = next
    }
    return nil
  }
}
