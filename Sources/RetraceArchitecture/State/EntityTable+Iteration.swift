extension EntityTable {
  /// Visits the entities in order of their ids, from an id on or from the first.
  ///
  /// - Throws: What the body throws; the visit ends there.
  /// - Complexity: O(ids given from `start` on).
  @inlinable
  public func forEach<Failure: Error>(
    from start: ID? = nil, _ body: (ID, Entity) throws(Failure) -> Void
  ) throws(Failure) {
    let first = max(0, start?.value ?? 0)
    guard first < next else { return }
    let place = TablePlace(first)
    for trunk in place.trunk..<trunks.count {
      let atTrunk = trunk == place.trunk
      for branch in (atTrunk ? place.branch : 0)..<trunks[trunk].branches.count {
        let atBranch = atTrunk && branch == place.branch
        let leaves = trunks[trunk].branches[branch].leaves
        for leaf in (atBranch ? place.leaf : 0)..<leaves.count {
          let firstSlot = atBranch && leaf == place.leaf ? place.slot : 0
          for slot in firstSlot..<leaves[leaf].count {
            guard let entity = leaves[leaf][slot] else { continue }
            try body(id(trunk, branch, leaf, slot), entity)
          }
        }
      }
    }
  }

  /// Visits the entities from the highest id down until the body answers `false`.
  ///
  /// - Parameter body: Answers whether to go on.
  /// - Throws: What the body throws; the visit ends there.
  /// - Complexity: O(ids passed).
  @inlinable
  public func forEachReversed<Failure: Error>(
    _ body: (ID, Entity) throws(Failure) -> Bool
  ) throws(Failure) {
    for trunk in trunks.indices.reversed() {
      for branch in trunks[trunk].branches.indices.reversed() {
        let leaves = trunks[trunk].branches[branch].leaves
        for leaf in leaves.indices.reversed() {
          for slot in leaves[leaf].indices.reversed() {
            guard let entity = leaves[leaf][slot] else { continue }
            guard try body(id(trunk, branch, leaf, slot), entity) else { return }
          }
        }
      }
    }
  }

  /// Visits, in order of their ids, the entities whose zone lies in a range.
  ///
  /// Nodes whose zones lie outside are passed over where they have not changed since the last
  /// ``hash(with:_:)``; the others are looked through.
  ///
  /// - Throws: What the body throws; the visit ends there.
  /// - Complexity: O(entities of the leaves whose zones meet the range, and nodes above them); the
  ///   whole table when zones have no relation to ids.
  @inlinable
  public func forEach<Failure: Error>(
    inZones zones: ClosedRange<Int64>, _ body: (ID, Entity) throws(Failure) -> Void
  ) throws(Failure) {
    for trunk in trunks.indices {
      let staleBranches = trunks[trunk].stale
      if staleBranches == 0 && !references[trunk].meets(zones) { continue }
      for branch in trunks[trunk].branches.indices {
        if staleBranches >> UInt32(branch) & 1 == 0
          && !trunks[trunk].references[branch].meets(zones)
        {
          continue
        }
        let node = trunks[trunk].branches[branch]
        for leaf in node.leaves.indices {
          if node.stale >> UInt32(leaf) & 1 == 0 && !node.references[leaf].meets(zones) { continue }
          for slot in node.leaves[leaf].indices {
            guard let entity = node.leaves[leaf][slot], zones.contains(entity.zone) else {
              continue
            }
            try body(id(trunk, branch, leaf, slot), entity)
          }
        }
      }
    }
  }

  @inlinable
  func id(_ trunk: Int, _ branch: Int, _ leaf: Int, _ slot: Int) -> ID {
    ID(value: Int64(trunk << 15 | branch << 10 | leaf << 5 | slot))
  }
}
