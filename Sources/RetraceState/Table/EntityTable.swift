public import RetraceAvro

/// A table of entities with dense ids, counted up from 0.
///
/// A value: copies share what neither has changed. Leaves hold 32 ids and inner nodes 32 children,
/// so a change to a shared table copies one node of each level and leaves the rest shared. Each
/// node keeps the hash and the lowest and highest ``TableEntity/sortKey`` of its children, brought
/// up to date by ``hash(with:_:sharedBy:)``.
///
/// A table that was opened from a snapshot reads its pages when it needs them. What only looks
/// keeps nothing, so that any number of threads may look at one value; what changes an entity keeps
/// its page. Costs below are those of resident pages; an absent one adds a read of up to three
/// pages of about 1 kB, each verified. After a fault of the ``PageSource`` the answers are not to
/// be relied on.
@frozen
public struct EntityTable<ID: EntityID, Entity: TableEntity>: Sendable {
  @usableFromInline typealias Trunk = TableNode<TableNode<TableLeaf<Entity>>>

  @usableFromInline var trunks: ContiguousArray<Trunk>
  /// One for each trunk; out of date while the trunk has a stale branch.
  @usableFromInline var references: ContiguousArray<PageReference>
  /// The hash of the whole, right while no trunk is stale.
  @usableFromInline var root: Digest
  @usableFromInline var next: Int64
  @usableFromInline var live: Int
  /// Where absent pages are read; `nil` if every page is resident.
  @usableFromInline var source: (any PageSource)?
  /// The number of the table in the state that it was opened with.
  @usableFromInline var number: UInt8
  /// Whether the nodes above the next id are known to be resident.
  @usableFromInline var isTailResident: Bool

  /// Makes an empty table.
  @inlinable
  public init() {
    trunks = []
    references = []
    root = .zero
    next = 0
    live = 0
    source = nil
    number = 0
    isTailResident = true
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
  /// Looking at a field copies nothing, as by ``read(_:_:)``, where the types are known to the
  /// compiler; an entity that is kept is copied.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(id: ID) -> Entity? {
    // Each way out says whether there is an entity: what looks at a field then has code of its own
    // for each of them, and that of a resident entity retains nothing.
    @inline(__always)
    get {
      let place = TablePlace(id.value)
      guard hasSlot(place) else {
        if source == nil { return nil }
        if let entity = absentEntity(id.value) { return entity }
        return nil
      }
      if let entity = trunks[place.trunk].children[place.branch].children[place.leaf]
        .slots[place.slot]
      {
        return entity
      }
      return nil
    }
  }

  /// Lends the entity of an id and answers what the body answers.
  ///
  /// Looking at a field this way copies nothing, whatever the body is.
  ///
  /// - Returns: `nil`, without calling the body, if the id has no entity.
  /// - Complexity: O(1).
  @inlinable
  public func read<Result>(_ id: ID, _ body: (Entity) -> Result) -> Result? {
    let place = TablePlace(id.value)
    guard hasSlot(place) else { return source == nil ? nil : readAbsent(id.value, body) }
    return trunks[place.trunk].children[place.branch].children[place.leaf].slots[place.slot]
      .map(body)
  }

  /// Whether an id has an entity.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func contains(_ id: ID) -> Bool {
    let place = TablePlace(id.value)
    guard hasSlot(place) else { return source == nil ? false : absentEntity(id.value) != nil }
    return isFilled(place)
  }

  /// Adds an entity under the next id and answers that id.
  ///
  /// - Complexity: O(1), and one node of each level copied where the table is shared.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func insert(_ entity: consuming Entity) -> ID {
    if !isTailResident { makeTailResident() }
    let trunk = TablePlace.trunk(of: next)
    if trunk == trunks.count {
      trunks.append(Trunk())
      references.append(.empty)
    }
    trunks[trunk].append(entity, at: next)
    defer {
      next += 1
      live += 1
    }
    return ID(value: next)
  }

  /// Changes the entity of an id in place and answers what the change answers.
  ///
  /// - Returns: `nil`, with nothing changed, if the id has no entity.
  /// - Complexity: O(1), and one node of each level copied where the table is shared.
  @inlinable
  @inline(__always)
  public mutating func modify<Result>(_ id: ID, _ body: (inout Entity) -> Result) -> Result? {
    if let result = modifyResident(id.value, body) { return result }
    return source == nil ? nil : modifyAbsent(id.value, body)
  }

  /// Removes the entity of an id; the id is never given again.
  ///
  /// - Returns: Whether there was an entity.
  /// - Complexity: O(1), and one node of each level copied where the table is shared.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    let place = TablePlace(id.value)
    repeat {
      guard hasSlot(place) else { continue }
      guard isFilled(place) else { return false }
      trunks[place.trunk].remove(id.value)
      live -= 1
      return true
    } while source != nil && loadLeaf(of: id.value)
    return false
  }

  /// Changes the entity of a number whose leaf is resident.
  ///
  /// It is inlined down to the slot: what calls save on the stack otherwise fills the buffer of
  /// stores, so that the misses of fewer changes overlap.
  @inlinable
  @inline(__always)
  mutating func modifyResident<Result>(
    _ number: Int64, _ body: (inout Entity) -> Result
  ) -> Result? {
    let trunk = TablePlace.trunk(of: number)
    guard trunk < trunks.count else { return nil }
    return trunks[trunk].modify(number, body)
  }

  /// Whether the slot of a place is there and resident, filled or not.
  @inlinable
  @inline(__always)
  func hasSlot(_ place: TablePlace) -> Bool {
    place.trunk < trunks.count
      && place.branch < trunks[place.trunk].children.count
      && place.leaf < trunks[place.trunk].children[place.branch].children.count
      && place.slot < trunks[place.trunk].children[place.branch].children[place.leaf].slots.count
  }

  /// Whether a slot that is there is filled.
  @inlinable
  @inline(__always)
  func isFilled(_ place: TablePlace) -> Bool {
    trunks[place.trunk].children[place.branch].children[place.leaf].isFilled(place.slot)
  }
}
