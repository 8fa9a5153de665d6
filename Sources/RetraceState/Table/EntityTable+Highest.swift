extension EntityTable {
  /// Returns the entities with the highest sort keys, highest first; ties are broken by higher id.
  ///
  /// The search starts with the nodes of the highest upper bounds and skips nodes that cannot hold
  /// any of the results. A node that has changed since the last ``hash(with:_:on:)`` has no
  /// known bound.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of results.
  ///   - isWanted: Whether an entity may be in the result.
  /// - Complexity: O(*n* log *n*) for the *n* entities of leaves whose bound is not below the
  ///   lowest result, plus the nodes above them. If fewer than `limit` entities are wanted, all
  ///   leaves are visited.
  @inlinable
  public func highest(
    _ limit: Int, where isWanted: (Entity) -> Bool = { _ in true }
  ) -> [(id: ID, entity: Entity)] {
    guard limit > 0 else { return [] }
    var highest = HighestEntities<ID, Entity>(limit: limit)
    let ranked = RankedChild.ranked(references) { isStale($0) }
    for trunk in ranked where trunk.upperBound >= highest.bound {
      guard let node = resident(trunk.place) else { continue }
      for branch in node.ranked where branch.upperBound >= highest.bound {
        guard let node = resident(branch.place, of: node, trunk.place) else { continue }
        for leaf in node.ranked where leaf.upperBound >= highest.bound {
          guard let slots = slots(leaf.place, of: node, trunk.place, branch.place) else { continue }
          for slot in slots.indices {
            guard let entity = slots[slot] else { continue }
            if entity.sortKey >= highest.bound && isWanted(entity) {
              highest.add(id(trunk.place, branch.place, leaf.place, slot), entity)
            }
          }
        }
      }
    }
    return highest.sorted()
  }
}

/// The entities with the highest sort keys among those added.
@usableFromInline
struct HighestEntities<ID: EntityID, Entity: TableEntity> {
  @usableFromInline let limit: Int
  @usableFromInline var found: [(id: ID, entity: Entity)] = []
  /// The lower bound: an entity with a lower sort key is not in the result.
  @usableFromInline var bound = Int64.min
  @usableFromInline var isFull = false

  @inlinable
  init(limit: Int) { self.limit = limit }

  /// Adds an entity; sorts when `limit` are found, then whenever the number has doubled.
  @inlinable
  mutating func add(_ id: ID, _ entity: Entity) {
    found.append((id, entity))
    if found.count >= limit && (!isFull || found.count - limit >= limit) { keepHighest() }
  }

  @inlinable
  mutating func keepHighest() {
    found.sort { ($0.entity.sortKey, $0.id.value) > ($1.entity.sortKey, $1.id.value) }
    guard found.count >= limit else { return }
    found.removeLast(found.count - limit)
    bound = found[limit - 1].entity.sortKey
    isFull = true
  }

  @inlinable
  consuming func sorted() -> [(id: ID, entity: Entity)] {
    keepHighest()
    return found
  }
}

/// A child of a node, and an upper bound of the sort keys below it.
@usableFromInline
struct RankedChild {
  @usableFromInline let place: Int
  @usableFromInline let upperBound: Int64

  @inlinable
  init(place: Int, upperBound: Int64) {
    self.place = place
    self.upperBound = upperBound
  }

  /// Returns the children that may have entities, highest bound first.
  @inlinable
  static func ranked(
    _ references: ContiguousArray<PageReference>, isStale: (Int) -> Bool
  ) -> [RankedChild] {
    var children: [RankedChild] = []
    children.reserveCapacity(references.count)
    for (place, reference) in references.enumerated() {
      let isStale = isStale(place)
      if !isStale && reference.isEmpty { continue }
      children.append(
        RankedChild(place: place, upperBound: isStale ? .max : reference.highestSortKey))
    }
    children.sort { ($0.upperBound, $0.place) > ($1.upperBound, $1.place) }
    return children
  }
}

extension TableNode {
  @inlinable var ranked: [RankedChild] {
    RankedChild.ranked(references) { stale >> UInt32($0) & 1 != 0 }
  }
}
