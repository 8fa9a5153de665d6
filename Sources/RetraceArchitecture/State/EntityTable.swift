public import RetraceAvro

/// A table of entities with dense ids, counted up from 0.
///
/// A value: copies share what neither has changed. Leaves hold 32 ids and inner nodes 32 children,
/// so a change to a shared table copies one node of each level and leaves the rest shared. Each
/// node keeps the hash and the lowest and highest ``TableEntity/zone`` of its children, brought up
/// to date by ``hash(with:_:)``.
@frozen
public struct EntityTable<ID: EntityID, Entity: TableEntity>: Sendable {
  @usableFromInline var trunks: ContiguousArray<TableTrunk<Entity>>
  /// One for each trunk; out of date while the trunk has a stale branch.
  @usableFromInline var references: ContiguousArray<ChildReference>
  /// The hash of the whole, right while no trunk is stale.
  @usableFromInline var root: Digest
  @usableFromInline var next: Int64
  @usableFromInline var live: Int

  /// Makes an empty table.
  @inlinable
  public init() {
    trunks = []
    references = []
    root = .zero
    next = 0
    live = 0
  }

  /// The id that the next entity will get.
  @inlinable public var nextID: ID { ID(value: next) }

  /// The number of entities.
  ///
  /// - Complexity: O(1).
  @inlinable public var count: Int { live }

  /// Whether the table holds no entity; ids may still have been given.
  @inlinable public var isEmpty: Bool { live == 0 }

  /// The entity of an id, or `nil` if it was removed or never was.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(id: ID) -> Entity? {
    let place = TablePlace(id.value)
    guard place.trunk < trunks.count,
      place.branch < trunks[place.trunk].branches.count,
      place.leaf < trunks[place.trunk].branches[place.branch].leaves.count,
      place.slot < trunks[place.trunk].branches[place.branch].leaves[place.leaf].count
    else { return nil }
    return trunks[place.trunk].branches[place.branch].leaves[place.leaf][place.slot]
  }

  /// Whether an id has an entity.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func contains(_ id: ID) -> Bool {
    let place = TablePlace(id.value)
    guard place.trunk < trunks.count,
      place.branch < trunks[place.trunk].branches.count,
      place.leaf < trunks[place.trunk].branches[place.branch].leaves.count,
      place.slot < trunks[place.trunk].branches[place.branch].leaves[place.leaf].count
    else { return false }
    return trunks[place.trunk].branches[place.branch].leaves[place.leaf][place.slot] != nil
  }

  /// Adds an entity under the next id and answers that id.
  ///
  /// - Complexity: O(1), and one node of each level copied where the table is shared.
  @inlinable
  @discardableResult
  public mutating func insert(_ entity: consuming Entity) -> ID {
    let id = ID(value: next)
    let place = TablePlace(next)
    if place.trunk == trunks.count {
      trunks.append(TableTrunk())
      references.append(.empty)
    }
    trunks[place.trunk].append(entity, at: place)
    next += 1
    live += 1
    return id
  }

  /// Changes the entity of an id in place and answers what the change answers.
  ///
  /// - Returns: `nil`, with nothing changed, if the id has no entity.
  /// - Complexity: O(1), and one node of each level copied where the table is shared.
  @inlinable
  public mutating func modify<Result>(_ id: ID, _ body: (inout Entity) -> Result) -> Result? {
    let place = TablePlace(id.value)
    guard place.trunk < trunks.count else { return nil }
    return trunks[place.trunk].modify(at: place, body)
  }

  /// Removes the entity of an id; the id is never given again.
  ///
  /// - Returns: Whether there was an entity.
  /// - Complexity: O(1), and one node of each level copied where the table is shared.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    guard contains(id) else { return false }
    let place = TablePlace(id.value)
    trunks[place.trunk].remove(at: place)
    live -= 1
    return true
  }
}
