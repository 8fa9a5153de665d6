public import RetraceAvro

// Several threads hash a table in which many leaves have changed. Each thread hashes some of the
// stale leaves; when all have finished, one thread stores their references in the table and updates
// the nodes above as usual. The table does not change meanwhile, so no lock is needed.

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
  /// The minimum number of stale leaves for which other threads are woken: hashing them takes about
  /// as long as waking the threads.
  @inlinable static var minParallelLeaves: Int { 64 }

  /// Updates the references to leaves on several threads, if enough leaves are stale.
  @inlinable
  mutating func refreshLeaves(
    _ digest: @Sendable (Span<UInt8>) -> Digest, on workers: WorkerPool
  ) {
    guard workers.threadCount > 1, staleCount >= Self.minParallelLeaves else { return }
    let leaves = staleLeaves
    let fresh = Self.references(to: leaves, digest, on: workers)
    for (leaf, reference) in zip(leaves, fresh.joined()) {
      trunks[leaf.trunk].children[leaf.branch].put(reference, at: leaf.place)
    }
  }

  @inlinable var staleCount: Int {
    var count = 0
    forEachStaleBranch { count += trunks[$0].children[$1].stale.nonzeroBitCount }
    return count
  }

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

  /// Returns references to leaves, one array for each run of consecutive leaves.
  ///
  /// The leaves are collected first: threads that walked the table would contend for the reference
  /// counts of its nodes.
  @inlinable
  static func references(
    to leaves: [StaleLeaf<Entity>], _ digest: @Sendable (Span<UInt8>) -> Digest,
    on workers: WorkerPool
  ) -> [[PageReference]] {
    // More runs than threads, because runs take different times.
    let runs = min(leaves.count, 8 * workers.threadCount)
    return workers.map(runs) { run in
      var writer = AvroWriter(capacity: 4_096)
      let run = leaves[(leaves.count * run / runs)..<(leaves.count * (run + 1) / runs)]
      return run.map { $0.leaf.reference(digest, &writer) }
    }
  }
}

extension TableNode {
  /// Stores the updated reference to a stale child and clears the child's stale mark.
  @inlinable
  mutating func put(_ reference: PageReference, at place: Int) {
    let birth = references[place].birth
    references[place] = reference
    references[place].birth = birth
    marks &= ~(1 << UInt64(place))
  }
}
