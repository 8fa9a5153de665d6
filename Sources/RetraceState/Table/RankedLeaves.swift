/// The leaves of a table in the order of the highest rank that a sort key in them can have.
///
/// A priority queue has the nodes that are not opened yet. Taking the first one either opens it,
/// which adds its children, or it is a leaf.
@usableFromInline
struct RankedLeaves<ID: EntityID, Entity: TableEntity> {
  @usableFromInline typealias Branch = TableNode<TableLeaf<Entity>>

  @usableFromInline let table: EntityTable<ID, Entity>
  @usableFromInline let order: SortKeyOrder
  /// The rank where the search starts; nodes with only higher ones are skipped.
  @usableFromInline let start: Int64
  /// A binary heap with the highest rank first.
  @usableFromInline var heap: [RankedNode] = []
  /// The trunks and branches that were opened.
  @usableFromInline var trunks: [EntityTable<ID, Entity>.Trunk] = []
  @usableFromInline var branches: [Branch] = []

  @inlinable
  init(of table: EntityTable<ID, Entity>, _ order: SortKeyOrder, from start: Int64) {
    self.table = table
    self.order = order
    self.start = start
    for place in table.references.indices {
      push(
        table.references[place], isStale: table.isStale(place),
        RankedNode(level: .trunk, parent: 0, number: Int64(place) * TablePath.trunkSpan))
    }
  }

  /// Returns the rank, the first number and the slots of the next leaf.
  ///
  /// - Parameters:
  ///   - bound: The lowest rank of a leaf that is returned.
  ///   - stop: The slots of a leaf of a lower rank are not read.
  /// - Returns: `nil` if all other leaves have lower ranks than `bound`; no slots for a leaf below
  ///   `stop`.
  /// - Complexity: O(log nodes in the queue), plus the pages of nodes that are opened.
  @inlinable
  @inline(never)
  mutating func next(
    atLeast bound: Int64, stoppingBelow stop: Int64
  ) -> (rank: Int64, number: Int64, slots: ContiguousArray<Entity?>?)? {
    while let first = heap.first, first.rank >= bound {
      if first.rank < stop { return (first.rank, first.number, nil) }
      pop()
      let path = TablePath(first.number)
      switch first.level {
      case .trunk: open(path, first.number)
      case .branch: open(path, first.number, of: trunks[first.parent])
      case .leaf:
        let branch = branches[first.parent]
        if let slots = table.slots(path.leaf, of: branch, path.trunk, path.branch) {
          return (first.rank, first.number, slots)
        }
      }
    }
    return nil
  }

  @inlinable
  mutating func open(_ path: TablePath, _ number: Int64) {
    guard let trunk = table.resident(path.trunk) else { return }
    push(trunk, .branch, under: trunks.count, from: number, TablePath.branchSpan)
    trunks.append(trunk)
  }

  @inlinable
  mutating func open(_ path: TablePath, _ number: Int64, of trunk: EntityTable<ID, Entity>.Trunk) {
    guard let branch = table.resident(path.branch, of: trunk, path.trunk) else { return }
    push(branch, .leaf, under: branches.count, from: number, TablePath.leafSpan)
    branches.append(branch)
  }

  /// Adds the children of a node.
  @inlinable
  mutating func push<Child>(
    _ node: TableNode<Child>, _ level: RankedNode.Level, under parent: Int, from number: Int64,
    _ span: Int64
  ) {
    for place in node.references.indices {
      push(
        node.references[place], isStale: node.stale >> UInt32(place) & 1 != 0,
        RankedNode(level: level, parent: parent, number: number + Int64(place) * span))
    }
  }

  /// Adds a node unless it has no sort key from the start on.
  @inlinable
  mutating func push(_ reference: PageReference, isStale: Bool, _ node: RankedNode) {
    var node = node
    node.rank = start
    if !isStale {
      if reference.isEmpty { return }
      let ranks = (order.rank(reference.lowestSortKey), order.rank(reference.highestSortKey))
      if min(ranks.0, ranks.1) > start { return }
      node.rank = min(max(ranks.0, ranks.1), start)
    }
    heap.append(node)
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2].rank < heap[child].rank {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes the first node.
  @inlinable
  mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while 2 * parent + 1 < heap.count {
      var child = 2 * parent + 1
      if child + 1 < heap.count, heap[child].rank < heap[child + 1].rank { child += 1 }
      if heap[parent].rank >= heap[child].rank { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}

/// A node in the queue of ``RankedLeaves``.
@usableFromInline
struct RankedNode {
  @usableFromInline
  enum Level {
    case trunk, branch, leaf
  }

  @usableFromInline let level: Level
  /// The place of the node above among the opened ones.
  @usableFromInline let parent: Int
  /// The first number of the node's ids.
  @usableFromInline let number: Int64
  /// The highest rank that a sort key in the node can have.
  @usableFromInline var rank: Int64 = .max

  @inlinable
  init(level: Level, parent: Int, number: Int64) {
    self.level = level
    self.parent = parent
    self.number = number
  }
}
