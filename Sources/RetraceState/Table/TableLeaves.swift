/// The leaves of a table in order of their ids; a leaf that is not resident is read and not kept.
///
/// Iteration over a table is compiled anew for each closure. This type walks the tree, so that only
/// the loop over the slots of a leaf is compiled anew.
@usableFromInline
struct TableLeaves<ID: EntityID, Entity: TableEntity> {
  @usableFromInline let table: EntityTable<ID, Entity>
  /// The range of sort keys; leaves without a sort key in it are skipped.
  @usableFromInline let sortKeys: ClosedRange<Int64>?
  /// The lowest number that is neither returned nor skipped yet.
  @usableFromInline var number: Int64
  /// The trunk and the branch of `number`, once they are read.
  @usableFromInline var trunk: EntityTable<ID, Entity>.Trunk?
  @usableFromInline var branch: TableNode<TableLeaf<Entity>>?

  @inlinable
  init(
    of table: EntityTable<ID, Entity>, from number: Int64 = 0,
    inSortKeys sortKeys: ClosedRange<Int64>? = nil
  ) {
    self.table = table
    self.number = number
    self.sortKeys = sortKeys
  }

  /// Returns the first number and the slots of the next leaf; `nil` after the last one.
  ///
  /// - Complexity: O(nodes skipped + bytes of the pages read).
  @inlinable
  @inline(never)
  mutating func next() -> (first: Int64, slots: ContiguousArray<Entity?>)? {
    while number < table.next {
      let path = TablePath(number)
      guard let trunk else {
        enterTrunk(path)
        continue
      }
      guard let branch else {
        enterBranch(path, of: trunk)
        continue
      }
      let first = number & ~(TablePath.leafSpan - 1)
      pass(TablePath.leafSpan)
      if path.leaf >= branch.children.count || isOutside(path.leaf, of: branch) { continue }
      if let slots = table.slots(path.leaf, of: branch, path.trunk, path.branch) {
        return (first, slots)
      }
    }
    return nil
  }

  @inlinable
  mutating func enterTrunk(_ path: TablePath) {
    if let sortKeys, !table.isStale(path.trunk),
      !table.references[path.trunk].overlaps(sortKeys)
    {
      return pass(TablePath.trunkSpan)
    }
    trunk = table.resident(path.trunk)
    if trunk == nil { pass(TablePath.trunkSpan) }
  }

  @inlinable
  mutating func enterBranch(_ path: TablePath, of trunk: EntityTable<ID, Entity>.Trunk) {
    if path.branch < trunk.children.count, !isOutside(path.branch, of: trunk) {
      branch = table.resident(path.branch, of: trunk, path.trunk)
    }
    guard let branch else { return pass(TablePath.branchSpan) }
    table.announce(branch, from: table.id(path.trunk, path.branch, 0, 0)) {
      !isOutside($0, of: branch)
    }
  }

  @inlinable
  func isOutside<Child>(_ place: Int, of node: TableNode<Child>) -> Bool {
    guard let sortKeys else { return false }
    return node.isOutside(place, sortKeys)
  }

  /// Moves `number` past the leaf, branch or trunk of `span` ids that contains it.
  @inlinable
  mutating func pass(_ span: Int64) {
    number = (number & ~(span - 1)) + span
    if number & (TablePath.branchSpan - 1) == 0 { branch = nil }
    if number & (TablePath.trunkSpan - 1) == 0 { trunk = nil }
  }
}
