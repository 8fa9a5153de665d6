import RetraceAvro

extension EntityTable {
  /// Calls `body` with every id whose entity differs between an older table and this one, in order.
  ///
  /// Shared parts are skipped, and so are parts whose hashes are up to date and equal. Entities
  /// differ if their encodings differ: two normalizations of one text differ, and a NaN does not
  /// differ from itself. Pages that differ and are not resident are read and not kept. A page that
  /// cannot be read counts as empty, and its source has an error.
  ///
  /// - Parameters:
  ///   - older: The table to compare with.
  ///   - body: Called with the id, and the entity before and after, if any; returns whether to
  ///     continue.
  /// - Throws: Rethrows the error of `body` and stops.
  /// - Complexity: O(leaves that differ), and the nodes above them.
  public func forEachDifference<Failure: Error>(
    from older: EntityTable, _ body: (ID, Entity?, Entity?) throws(Failure) -> Bool
  ) throws(Failure) {
    if hasTrunks && trunks.shares(older.trunks) { return }
    var walk = TableDifference(new: pageReader, old: older.pageReader)
    for trunk in 0..<max(references.count, older.references.count) {
      let first = Int64(trunk) * TablePath.trunkSpan
      let new = trunk < trunks.count ? trunks[trunk] : Trunk()
      let old = trunk < older.trunks.count ? older.trunks[trunk] : Trunk()
      let newReference = trunk < references.count ? references[trunk] : .empty
      let oldReference = trunk < older.references.count ? older.references[trunk] : .empty
      if new.stale == 0 && old.stale == 0 && newReference.hash == oldReference.hash { continue }
      let goesOn = try walk.compareNodes(new, newReference, old, oldReference, from: first) {
        (new, newReference, old, oldReference, first, walk) throws(Failure) in
        try walk.compareNodes(new, newReference, old, oldReference, from: first) {
          (new, newReference, old, oldReference, first, walk) throws(Failure) in
          try walk.compareLeaves(new, newReference, old, oldReference, from: first) {
            (number, before, after) throws(Failure) in
            try body(ID(value: number), before, after)
          }
        }
      }
      guard goesOn else { return }
    }
  }
}

/// A simultaneous walk over two tables.
private struct TableDifference: ~Copyable {
  let new: PageReader
  let old: PageReader
  var writer = AvroWriter(capacity: 256)

  /// Compares the children of two nodes and returns whether to continue.
  mutating func compareNodes<Child: TableChild, Failure: Error>(
    _ newNode: TableNode<Child>, _ newReference: PageReference,
    _ oldNode: TableNode<Child>, _ oldReference: PageReference, from first: Int64,
    _ body: (
      Child, PageReference, Child, PageReference, Int64, inout TableDifference
    ) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    if newNode.isResident && newNode.children.shares(oldNode.children) { return true }
    let newNode = loaded(newNode, newReference, from: first, new)
    let oldNode = loaded(oldNode, oldReference, from: first, old)
    let stale = newNode.stale | oldNode.stale
    for place in 0..<max(newNode.children.count, oldNode.children.count) {
      let hasNew = place < newNode.children.count
      let hasOld = place < oldNode.children.count
      let newChild = hasNew ? newNode.references[place] : .empty
      let oldChild = hasOld ? oldNode.references[place] : .empty
      if stale >> UInt32(place) & 1 == 0 && newChild.hash == oldChild.hash { continue }
      let goesOn = try body(
        hasNew ? newNode.children[place] : Child(), newChild,
        hasOld ? oldNode.children[place] : Child(), oldChild,
        TableNode<Child>.first(of: place, from: first), &self)
      guard goesOn else { return false }
    }
    return true
  }

  /// Compares the slots of two leaves and returns whether to continue.
  mutating func compareLeaves<Entity: TableEntity, Failure: Error>(
    _ newLeaf: TableLeaf<Entity>, _ newReference: PageReference,
    _ oldLeaf: TableLeaf<Entity>, _ oldReference: PageReference, from first: Int64,
    _ body: (Int64, Entity?, Entity?) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    if newLeaf.isResident && newLeaf.slots.shares(oldLeaf.slots) { return true }
    let newSlots = loaded(newLeaf, newReference, from: first, new).slots
    let oldSlots = loaded(oldLeaf, oldReference, from: first, old).slots
    for slot in 0..<max(newSlots.count, oldSlots.count) {
      let before = slot < oldSlots.count ? oldSlots[slot] : nil
      let after = slot < newSlots.count ? newSlots[slot] : nil
      if areIdentical(before, after) { continue }
      guard try body(first + Int64(slot), before, after) else { return false }
    }
    return true
  }

  /// Returns the child, read from its page if it is not resident; as it is if there is no page.
  private func loaded<Child: TableChild>(
    _ child: Child, _ reference: PageReference, from first: Int64, _ pageReader: PageReader
  ) -> Child {
    if child.isResident || reference.birth == 0 { return child }
    return pageReader.read(reference, from: first) ?? child
  }

  /// Returns whether two slots have the same encoding.
  private mutating func areIdentical<Entity: TableEntity>(
    _ before: Entity?, _ after: Entity?
  ) -> Bool {
    guard let before, let after else { return before == nil && after == nil }
    writer.removeAll()
    before.encode(into: &writer)
    let end = writer.count
    after.encode(into: &writer)
    let bytes = writer.span
    guard bytes.count == 2 * end else { return false }
    for index in 0..<end where bytes[index] != bytes[end + index] { return false }
    return true
  }
}
