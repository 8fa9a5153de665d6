public import RetraceAvro

/// A table of entities with dense ids, counted up from 0.
///
/// The table is a value: copies share the parts that neither has changed. A leaf holds 32 ids, a
/// branch 32 leaves, and a trunk 32 branches, so a change to a shared table copies one node per
/// level. Each node keeps the hash and the lowest and highest ``TableEntity/sortKey`` of its
/// children; ``hash(with:_:on:)`` updates them.
///
/// A table opened from a snapshot reads its pages on demand. A lookup does not keep the page, so
/// any number of threads may read one value. A change keeps the page. The costs below are for
/// resident pages; an entity that is not resident adds reading and verifying up to three pages of
/// about 1 kB. After an error of the ``PageSource``, results are unreliable.
@frozen
public struct EntityTable<ID: EntityID, Entity: TableEntity>: Sendable {
  @usableFromInline typealias Trunk = TableNode<TableNode<TableLeaf<Entity>>>

  /// The trunks; empty while none is resident, so that the node types are not instantiated early.
  @usableFromInline var trunks: ContiguousArray<Trunk>
  /// One reference for each trunk; out of date while the trunk has a stale branch.
  @usableFromInline var references: ContiguousArray<PageReference>
  /// The hash of the table; up to date while no trunk is stale.
  @usableFromInline var rootHash: Digest
  @usableFromInline var next: Int64
  @usableFromInline var liveCount: Int
  /// The source of pages that are not resident; `nil` if every page is.
  @usableFromInline var source: (any PageSource)?
  /// The number of the table in the state that it was opened with.
  @usableFromInline var tableNumber: UInt8
  /// Whether the nodes and the leaf that the next id belongs to are known to be resident.
  @usableFromInline var isTailResident: Bool
  /// Whether there are trunks; asking the array would instantiate the node types.
  @usableFromInline var hasTrunks: Bool

  /// Creates an empty table.
  @inlinable
  public init() {
    trunks = []
    references = []
    rootHash = .zero
    next = 0
    liveCount = 0
    source = nil
    tableNumber = 0
    isTailResident = true
    hasTrunks = false
  }

  /// The id of the next entity.
  @inlinable public var nextID: ID { ID(value: next) }

  /// The number of entities.
  ///
  /// - Complexity: O(1).
  @inlinable public var count: Int { liveCount }

  /// Whether the table has no entities; ids may still have been assigned.
  @inlinable public var isEmpty: Bool { liveCount == 0 }

  /// Returns the entity with an id, or `nil` if it was removed or never existed.
  ///
  /// Where the compiler knows the types, reading one field of the result copies nothing, as with
  /// ``read(_:_:)``. Keeping the entity copies it.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(id: ID) -> Entity? {
    // Every path returns a known case of the optional, so that the caller's field access is
    // specialized for each path and retains nothing for a resident entity.
    @inline(__always)
    get {
      let place = TablePath(id.value)
      guard hasSlot(place) else {
        if source == nil { return nil }
        if let entity = nonresidentEntity(id.value) { return entity }
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

  /// Calls `body` with the entity of an id and returns its result.
  ///
  /// The entity is not copied.
  ///
  /// - Returns: `nil`, without calling `body`, if the id has no entity.
  /// - Complexity: O(1).
  @inlinable
  public func read<Result>(_ id: ID, _ body: (Entity) -> Result) -> Result? {
    let place = TablePath(id.value)
    guard hasSlot(place) else { return source == nil ? nil : readNonresident(id.value, body) }
    return trunks[place.trunk].children[place.branch].children[place.leaf].slots[place.slot]
      .map(body)
  }

  /// Returns whether an id has an entity.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func contains(_ id: ID) -> Bool {
    let place = TablePath(id.value)
    guard hasSlot(place) else { return source == nil ? false : nonresidentEntity(id.value) != nil }
    return isFilled(place)
  }

  /// Inserts an entity under the next id and returns that id.
  ///
  /// - Complexity: O(1); copies one node per level if the table is shared.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func insert(_ entity: consuming Entity) -> ID {
    if !isTailResident { makeTailResident() }
    let trunk = TablePath.trunk(of: next)
    if trunk == trunks.count {
      trunks.append(Trunk())
      references.append(.empty)
      hasTrunks = true
    }
    trunks[trunk].append(entity, at: next)
    defer {
      next += 1
      liveCount += 1
    }
    return ID(value: next)
  }

  /// Changes the entity of an id in place and returns the result of `body`.
  ///
  /// - Returns: `nil`, with nothing changed, if the id has no entity.
  /// - Complexity: O(1); copies one node per level if the table is shared.
  @inlinable
  @inline(__always)
  public mutating func modify<Result>(_ id: ID, _ body: (inout Entity) -> Result) -> Result? {
    if let result = modifyResident(id.value, body) { return result }
    return source == nil ? nil : modifyNonresident(id.value, body)
  }

  /// Removes the entity of an id; only ``reinsert(_:at:)`` uses the id again.
  ///
  /// - Returns: Whether there was an entity.
  /// - Complexity: O(1); copies one node per level if the table is shared.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    let place = TablePath(id.value)
    repeat {
      guard hasSlot(place) else { continue }
      guard isFilled(place) else { return false }
      trunks[place.trunk].remove(id.value)
      liveCount -= 1
      return true
    } while source != nil && loadLeaf(of: id.value)
    return false
  }

  /// Inserts an entity under the id of a removed one, such as the entity itself when its removal is
  /// undone.
  ///
  /// - Returns: Whether the id was assigned before and has no entity now; if not, nothing changes.
  /// - Complexity: O(1); copies one node per level if the table is shared.
  @inlinable
  public mutating func reinsert(_ entity: consuming Entity, at id: ID) -> Bool {
    guard id.value >= 0, id.value < next, !contains(id) else { return false }
    let trunk = TablePath.trunk(of: id.value)
    let reader = pageReader
    makeTrunks()
    guard trunks[trunk].makeResident(references[trunk], around: id.value, reader),
      trunks[trunk].fill(id.value, with: entity, reader)
    else { return false }
    liveCount += 1
    return true
  }

  /// Makes the trunks if no trunk was resident; called before one becomes resident.
  ///
  /// - Complexity: O(trunks) the first time.
  @inlinable
  @inline(never)
  mutating func makeTrunks() {
    guard !hasTrunks && !references.isEmpty else { return }
    trunks = ContiguousArray(repeating: Trunk(), count: references.count)
    hasTrunks = true
  }

  @inlinable
  func isResident(_ trunk: Int) -> Bool { trunk < trunks.count && trunks[trunk].isResident }

  /// Returns whether a trunk has changed since its hash was computed.
  @inlinable
  func isStale(_ trunk: Int) -> Bool { trunk < trunks.count && trunks[trunk].stale != 0 }

  /// Changes the entity of an id's number if its leaf is resident.
  ///
  /// Inlined down to the slot: calls spill registers, and these stores fill the CPU's store buffer,
  /// so that fewer cache misses overlap.
  @inlinable
  @inline(__always)
  mutating func modifyResident<Result>(
    _ number: Int64, _ body: (inout Entity) -> Result
  ) -> Result? {
    let trunk = TablePath.trunk(of: number)
    guard trunk < trunks.count else { return nil }
    return trunks[trunk].modify(number, body)
  }

  /// Returns whether a slot exists and is resident, filled or not.
  @inlinable
  @inline(__always)
  func hasSlot(_ place: TablePath) -> Bool {
    place.trunk < trunks.count
      && place.branch < trunks[place.trunk].children.count
      && place.leaf < trunks[place.trunk].children[place.branch].children.count
      && place.slot < trunks[place.trunk].children[place.branch].children[place.leaf].slots.count
  }

  @inlinable
  @inline(__always)
  func isFilled(_ place: TablePath) -> Bool {
    trunks[place.trunk].children[place.branch].children[place.leaf].isFilled(place.slot)
  }
}
