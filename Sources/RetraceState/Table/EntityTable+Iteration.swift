public import RetraceAvro

extension EntityTable {
  /// Calls `body` with the entities in order of their ids, starting at `start` or the first id.
  ///
  /// - Throws: Rethrows the error of `body` and stops.
  /// - Complexity: O(ids assigned from `start` on).
  @inlinable
  public func forEach<Failure: Error>(
    from start: ID? = nil, _ body: (ID, Entity) throws(Failure) -> Void
  ) throws(Failure) {
    let start = max(0, start?.value ?? 0)
    guard start < next else { return }
    var leaves = TableLeaves(of: self, from: start)
    while let (first, slots) = leaves.next() {
      for slot in slots.indices {
        guard let entity = slots[slot], first | Int64(slot) >= start else { continue }
        try body(ID(value: first | Int64(slot)), entity)
      }
    }
  }

  /// The entities with their ids, lowest id first, such as for a list on a screen.
  ///
  /// - Complexity: O(ids assigned); ``forEach(from:_:)`` makes no array.
  @inlinable
  public var rows: [(id: ID, entity: Entity)] {
    var rows: [(id: ID, entity: Entity)] = []
    rows.reserveCapacity(count)
    forEach { rows.append(($0, $1)) }
    return rows
  }

  /// Calls `body` with the entities whose sort key is in a range, in order of their ids.
  ///
  /// Nodes with sort keys outside the range are skipped, unless they have changed since the last
  /// ``hash(with:_:on:)``.
  ///
  /// - Throws: Rethrows the error of `body` and stops.
  /// - Complexity: O(entities of the leaves whose sort keys overlap the range, and nodes above
  ///   them); the whole table if sort keys do not correlate with ids.
  @inlinable
  public func forEach<Failure: Error>(
    inSortKeys sortKeys: ClosedRange<Int64>, _ body: (ID, Entity) throws(Failure) -> Void
  ) throws(Failure) {
    var leaves = TableLeaves(of: self, inSortKeys: sortKeys)
    while let (first, slots) = leaves.next() {
      for slot in slots.indices {
        guard let entity = slots[slot], sortKeys.contains(entity.sortKey) else { continue }
        try body(ID(value: first | Int64(slot)), entity)
      }
    }
  }

  /// Announces the leaves of a branch that are about to be read, except the first.
  ///
  /// - Parameters:
  ///   - node: The branch.
  ///   - first: The first id of the branch.
  ///   - isWanted: Returns whether a leaf is read.
  @inlinable
  func announce(
    _ node: TableNode<TableLeaf<Entity>>, from first: ID, where isWanted: (Int) -> Bool
  ) {
    guard let source, source.readsAhead else { return }
    var pages: [(key: PageKey, hash: Digest)] = []
    for leaf in node.children.indices
    where !node.children[leaf].isResident && node.references[leaf].birth != 0 && isWanted(leaf) {
      let key = PageKey(
        of: TableLeaf<Entity>.self, node.references[leaf], from: first.value | Int64(leaf << 5),
        table: tableNumber)
      pages.append((key, node.references[leaf].hash))
    }
    if pages.count > 1 { source.readAhead(Array(pages[1...])) }
  }

  /// Returns a trunk, read if it is not resident.
  @inlinable
  func resident(_ trunk: Int) -> Trunk? {
    if isResident(trunk) { return trunks[trunk] }
    return Trunk().resident(
      references[trunk], from: Int64(trunk) * TablePath.trunkSpan, pageReader)
  }

  /// Returns a branch of a trunk, read if it is not resident.
  @inlinable
  func resident(
    _ branch: Int, of node: Trunk, _ trunk: Int
  ) -> TableNode<TableLeaf<Entity>>? {
    if node.children[branch].isResident { return node.children[branch] }
    return node.children[branch].resident(
      node.references[branch], from: Int64(trunk << 15 | branch << 10), pageReader)
  }

  /// Returns the slots of a leaf, read if it is not resident.
  @inlinable
  func slots(
    _ leaf: Int, of node: TableNode<TableLeaf<Entity>>, _ trunk: Int, _ branch: Int
  ) -> ContiguousArray<Entity?>? {
    if node.children[leaf].isResident { return node.children[leaf].slots }
    // A leaf without a birth has no entities and no page.
    if node.references[leaf].birth == 0 { return nil }
    return node.children[leaf].resident(
      node.references[leaf], from: Int64(trunk << 15 | branch << 10 | leaf << 5), pageReader)?.slots
  }

  @inlinable
  func id(_ trunk: Int, _ branch: Int, _ leaf: Int, _ slot: Int) -> ID {
    ID(value: Int64(trunk << 15 | branch << 10 | leaf << 5 | slot))
  }
}

extension TableNode {
  /// Returns whether a child is known to have no sort key in a range.
  @inlinable
  func isOutside(_ place: Int, _ sortKeys: ClosedRange<Int64>) -> Bool {
    stale >> UInt32(place) & 1 == 0 && !references[place].overlaps(sortKeys)
  }
}
