public import RetraceAvro

/// What a node of a table keeps about one child: its hash and the lowest and highest zone below.
///
/// While the child is marked stale in its parent, the reference is out of date.
@frozen
@usableFromInline
struct ChildReference: Sendable {
  @usableFromInline var hash: Digest
  @usableFromInline var lowestZone: Int64
  @usableFromInline var highestZone: Int64

  @inlinable
  init(hash: Digest, lowestZone: Int64, highestZone: Int64) {
    self.hash = hash
    self.lowestZone = lowestZone
    self.highestZone = highestZone
  }

  /// A child without entities: no zone lies between its bounds.
  @inlinable static var empty: ChildReference {
    ChildReference(hash: .zero, lowestZone: .max, highestZone: .min)
  }

  @inlinable var isEmpty: Bool { lowestZone > highestZone }

  @inlinable
  func meets(_ zones: ClosedRange<Int64>) -> Bool {
    lowestZone <= zones.upperBound && highestZone >= zones.lowerBound
  }
}

/// Up to 32 slots for entities; a slot is empty once its entity was removed.
@usableFromInline typealias TableLeaf<Entity: TableEntity> = ContiguousArray<Entity?>

/// Up to 32 leaves: 1,024 ids.
@frozen
@usableFromInline
struct TableBranch<Entity: TableEntity>: Sendable {
  @usableFromInline var leaves: ContiguousArray<TableLeaf<Entity>> = []
  /// One for each leaf.
  @usableFromInline var references: ContiguousArray<ChildReference> = []
  /// Bit k: the reference of leaf k is out of date.
  @usableFromInline var stale: UInt32 = 0

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ entity: consuming Entity, at place: TablePlace) {
    if place.leaf == leaves.count {
      var leaf = TableLeaf<Entity>()
      leaf.reserveCapacity(TablePlace.span)
      leaves.append(leaf)
      references.append(.empty)
    }
    stale |= 1 << UInt32(place.leaf)
    leaves[place.leaf].append(entity)
  }

  @inlinable
  mutating func modify<Result>(
    at place: TablePlace, _ body: (inout Entity) -> Result
  ) -> Result? {
    guard place.leaf < leaves.count && place.slot < leaves[place.leaf].count else { return nil }
    guard let result = leaves[place.leaf][place.slot]?.changed(by: body) else { return nil }
    stale |= 1 << UInt32(place.leaf)
    return result
  }

  @inlinable
  mutating func remove(at place: TablePlace) {
    stale |= 1 << UInt32(place.leaf)
    leaves[place.leaf][place.slot] = nil
  }
}

/// Up to 32 branches: 32,768 ids.
@frozen
@usableFromInline
struct TableTrunk<Entity: TableEntity>: Sendable {
  @usableFromInline var branches: ContiguousArray<TableBranch<Entity>> = []
  /// One for each branch.
  @usableFromInline var references: ContiguousArray<ChildReference> = []
  /// Bit k: the reference of branch k is out of date.
  @usableFromInline var stale: UInt32 = 0

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ entity: consuming Entity, at place: TablePlace) {
    if place.branch == branches.count {
      branches.append(TableBranch())
      references.append(.empty)
    }
    stale |= 1 << UInt32(place.branch)
    branches[place.branch].append(entity, at: place)
  }

  @inlinable
  mutating func modify<Result>(
    at place: TablePlace, _ body: (inout Entity) -> Result
  ) -> Result? {
    guard place.branch < branches.count else { return nil }
    guard let result = branches[place.branch].modify(at: place, body) else { return nil }
    stale |= 1 << UInt32(place.branch)
    return result
  }

  @inlinable
  mutating func remove(at place: TablePlace) {
    stale |= 1 << UInt32(place.branch)
    branches[place.branch].remove(at: place)
  }
}

/// Where an id lies in the tree: five bits for each level below the trunk.
@frozen
@usableFromInline
struct TablePlace {
  /// How many children each node has at most, and how many slots a leaf.
  @inlinable static var span: Int { 32 }
  /// How many ids lie below a branch.
  @inlinable static var branchSpan: Int { 1_024 }
  /// How many ids lie below a trunk.
  @inlinable static var trunkSpan: Int { 32_768 }

  @usableFromInline let trunk: Int
  @usableFromInline let branch: Int
  @usableFromInline let leaf: Int
  @usableFromInline let slot: Int

  /// The place of a number; a negative one lies beyond every table.
  @inlinable
  init(_ number: Int64) {
    trunk = Int(truncatingIfNeeded: UInt64(bitPattern: number) >> 15)
    branch = Int(truncatingIfNeeded: number >> 10) & 31
    leaf = Int(truncatingIfNeeded: number >> 5) & 31
    slot = Int(truncatingIfNeeded: number) & 31
  }
}

extension TableEntity {
  /// Lends the entity, so that an optional slot can be changed in place by optional chaining.
  @inlinable
  mutating func changed<Result>(by body: (inout Self) -> Result) -> Result { body(&self) }
}
