public import RetraceAvro

// A table in which much changed is hashed by several threads: each looks at some of the leaves that
// are out of date, and the references that come of them are put in place when all are through. The
// nodes above are then brought up to date as ever. Nobody changes the table meanwhile, so there is
// nothing to lock.

/// A leaf of a table that is out of date, and where it stands.
@frozen
@usableFromInline
struct StaleLeaf<Entity: TableEntity>: Sendable {
  @usableFromInline let trunk: Int
  @usableFromInline let branch: Int
  @usableFromInline let place: Int
  @usableFromInline let leaf: TableLeaf<Entity>

  @inlinable
  init(trunk: Int, branch: Int, place: Int, leaf: TableLeaf<Entity>) {
    self.trunk = trunk
    self.branch = branch
    self.place = place
    self.leaf = leaf
  }
}

extension _TableTree {
  /// How many leaves have to be out of date for other threads to be woken: as many as take about
  /// as long as that does.
  @inlinable static var leavesWorthSharing: Int { 64 }

  /// Brings the references to leaves up to date by several threads, if enough are out of date.
  @inlinable
  mutating func refreshLeaves(
    _ digest: @Sendable (Span<UInt8>) -> Digest, sharedBy crew: any WorkSharing
  ) {
    guard crew.width > 1, staleCount >= Self.leavesWorthSharing else { return }
    let leaves = staleLeaves
    let fresh = Self.references(to: leaves, digest, sharedBy: crew)
    for (leaf, reference) in zip(leaves, fresh.joined()) {
      trunks[leaf.trunk].children[leaf.branch].put(reference, at: leaf.place)
    }
  }

  /// The number of leaves that are out of date.
  @inlinable var staleCount: Int {
    var count = 0
    forEachStaleBranch { count += trunks[$0].children[$1].stale.nonzeroBitCount }
    return count
  }

  /// The leaves that are out of date, in order.
  @inlinable var staleLeaves: [StaleLeaf<Entity>] {
    var leaves: [StaleLeaf<Entity>] = []
    forEachStaleBranch { trunk, branch in
      var pending = trunks[trunk].children[branch].stale
      while pending != 0 {
        let place = pending.trailingZeroBitCount
        leaves.append(
          StaleLeaf(
            trunk: trunk, branch: branch, place: place,
            leaf: trunks[trunk].children[branch].children[place]))
        pending &= pending - 1
      }
    }
    return leaves
  }

  @inlinable
  func forEachStaleBranch(_ body: (_ trunk: Int, _ branch: Int) -> Void) {
    for trunk in trunks.indices {
      var pending = trunks[trunk].stale
      while pending != 0 {
        body(trunk, pending.trailingZeroBitCount)
        pending &= pending - 1
      }
    }
  }

  /// References to leaves, in runs.
  ///
  /// Threads that looked for the leaves in the table would all count references to the same nodes.
  @inlinable
  static func references(
    to leaves: [StaleLeaf<Entity>], _ digest: @Sendable (Span<UInt8>) -> Digest,
    sharedBy crew: any WorkSharing
  ) -> [[PageReference]] {
    // More runs than threads: some hold more than others.
    let runs = min(leaves.count, 8 * crew.width)
    return crew.map(runs) { run in
      var writer = AvroWriter(capacity: 4_096)
      let run = leaves[(leaves.count * run / runs)..<(leaves.count * (run + 1) / runs)]
      return run.map { $0.leaf.reference(digest, &writer) }
    }
  }
}

extension TableNode {
  /// Takes a reference to a child that is up to date in place of one that was not.
  @inlinable
  mutating func put(_ reference: PageReference, at place: Int) {
    let birth = references[place].birth
    references[place] = reference
    references[place].birth = birth
    marks &= ~(1 << UInt64(place))
  }
}
