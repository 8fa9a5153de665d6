public import RetraceAvro

// A table in which much changed is hashed by several threads: each takes copies of some of the
// branches that are out of date, which share all leaves with the table, and what comes of them is
// put in their places. Nobody changes the table meanwhile, so there is nothing to lock.

/// A branch of a table that is out of date, and where it stands.
@frozen
@usableFromInline
struct StaleBranch<Entity: TableEntity>: Sendable {
  @usableFromInline let trunk: Int
  @usableFromInline let place: Int
  @usableFromInline var node: TableNode<TableLeaf<Entity>>
  @usableFromInline var reference: PageReference

  @inlinable
  init(trunk: Int, place: Int, node: TableNode<TableLeaf<Entity>>, reference: PageReference) {
    self.trunk = trunk
    self.place = place
    self.node = node
    self.reference = reference
  }

  /// Brings references and hash up to date; the leaves are only looked at.
  @inlinable
  mutating func refresh(_ digest: PageDigest, _ writer: inout AvroWriter) {
    let birth = reference.birth
    reference = node.refresh(digest, &writer)
    reference.birth = birth
  }
}

extension _TableTree {
  /// How many leaves have to be out of date for other threads to be woken: as many as take about
  /// as long as that does.
  @inlinable static var leavesWorthSharing: Int { 256 }

  /// Brings the hashes of nodes up to date by several threads, if enough are out of date.
  ///
  /// - Returns: Whether that was done.
  @inlinable
  mutating func refreshBranches(
    _ digest: @Sendable (Span<UInt8>) -> Digest, _ writer: inout AvroWriter,
    sharedBy crew: any WorkSharing
  ) -> Bool {
    guard crew.width > 1, staleLeaves >= Self.leavesWorthSharing else { return false }
    for run in freshBranches(digest, sharedBy: crew) {
      for branch in run {
        trunks[branch.trunk].put(branch.node, branch.reference, at: branch.place)
      }
      // Of a trunk whose branches are all up to date, only its own hash is left to compute.
      for trunk in Set(run.map(\.trunk)) where trunks[trunk].stale == 0 {
        refresh(trunk, digest, &writer)
      }
    }
    return true
  }

  /// The number of leaves whose hashes are out of date.
  @inlinable var staleLeaves: Int {
    var count = 0
    for trunk in trunks.indices {
      var pending = trunks[trunk].stale
      while pending != 0 {
        count += trunks[trunk].children[pending.trailingZeroBitCount].stale.nonzeroBitCount
        pending &= pending - 1
      }
    }
    return count
  }

  /// The branches that are out of date, as they are.
  @inlinable var staleBranches: [StaleBranch<Entity>] {
    var branches: [StaleBranch<Entity>] = []
    for trunk in trunks.indices {
      var pending = trunks[trunk].stale
      while pending != 0 {
        let place = pending.trailingZeroBitCount
        branches.append(
          StaleBranch(
            trunk: trunk, place: place, node: trunks[trunk].children[place],
            reference: trunks[trunk].references[place]))
        pending &= pending - 1
      }
    }
    return branches
  }

  /// The branches that are out of date, brought up to date, in runs.
  @inlinable
  func freshBranches(
    _ digest: @Sendable (Span<UInt8>) -> Digest, sharedBy crew: any WorkSharing
  ) -> [[StaleBranch<Entity>]] {
    let branches = staleBranches
    // More runs than threads: some hold more than others.
    let runs = min(branches.count, 4 * crew.width)
    return crew.map(runs) { run in
      var writer = AvroWriter(capacity: 4_096)
      var fresh = Array(
        branches[(branches.count * run / runs)..<(branches.count * (run + 1) / runs)])
      for index in fresh.indices { fresh[index].refresh(digest, &writer) }
      return fresh
    }
  }
}

extension TableNode {
  /// Takes a child that is up to date in place of one that was not.
  @inlinable
  mutating func put(_ child: Child, _ reference: PageReference, at place: Int) {
    children[place] = child
    references[place] = reference
    marks &= ~(1 << UInt64(place))
  }
}
