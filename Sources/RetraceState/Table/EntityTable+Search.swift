/// An order of the entities of a table by their sort keys; ids break ties in the same order.
@frozen
public enum SortKeyOrder: Sendable {
  /// The lowest sort key first.
  case ascending
  /// The highest sort key first.
  case descending

  /// Returns a number that is higher for a key that comes earlier, or the key of such a number.
  @inlinable
  func rank(_ key: Int64) -> Int64 { self == .descending ? key : ~key }
}

/// The result of ``EntityTable/search(_:from:limit:visits:where:)``.
public struct TableSearchResult<ID: EntityID, Entity: TableEntity> {
  /// The entities in the order of the search.
  public var entities: [(id: ID, entity: Entity)]
  /// The sort key from which to continue if the search stopped early; else `nil`.
  ///
  /// Entities with this sort key may have been visited, but none of them is in the result.
  public var rest: Int64?

  @inlinable
  init(entities: [(id: ID, entity: Entity)], rest: Int64?) {
    self.entities = entities
    self.rest = rest
  }
}

extension EntityTable {
  /// Returns the first entities in an order of sort keys.
  ///
  /// The search visits the leaves in the order of their highest or lowest sort keys, and ends when
  /// no further leaf can hold a result. A leaf that has changed since the last ``hash(with:_:on:)``
  /// has no known sort keys, so it is visited in any case.
  ///
  /// ```swift
  /// func latestLent(in books: EntityTable<BookID, Book>, before key: Int64) -> [BookID] {
  ///   let order = SortKeyOrder.descending
  ///   let found: TableSearchResult<BookID, Book> = books.search(order, from: key, limit: 10) {
  ///     _, book in book.borrower != nil
  ///   }
  ///   return found.entities.map { $0.id }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - start: The sort key where the search starts, included; `nil` for the first one.
  ///   - limit: The maximum number of results.
  ///   - visits: The number of visited entities after which the search stops. It goes on at least
  ///     to a leaf that lies beyond `start`, so that a search from the rest gets further.
  ///   - isWanted: Whether an entity may be in the result.
  /// - Complexity: O(*n* log *n*) for the *n* entities of the visited leaves, plus the nodes above
  ///   them. If fewer than `limit` entities are wanted, all leaves from `start` on are visited.
  @inlinable
  public func search(
    _ order: SortKeyOrder, from start: Int64? = nil, limit: Int, visits: Int = .max,
    where isWanted: (ID, Entity) -> Bool = { _, _ in true }
  ) -> TableSearchResult<ID, Entity> {
    var first = FirstEntities<ID, Entity>(limit: limit, in: order)
    guard limit > 0 else { return TableSearchResult(entities: [], rest: nil) }
    let start = start.map { order.rank($0) } ?? .max
    var leaves = RankedLeaves(of: self, order, from: start)
    var read = 0
    while let (rank, number, slots) = leaves.next(
      atLeast: first.bound, stoppingBelow: read >= visits ? start : .min)
    {
      guard let slots else {
        return TableSearchResult(entities: first.sorted(above: rank), rest: order.rank(rank))
      }
      for slot in slots.indices {
        guard let entity = slots[slot] else { continue }
        read += 1
        let (rank, id) = (order.rank(entity.sortKey), ID(value: number | Int64(slot)))
        if rank <= start && rank >= first.bound && isWanted(id, entity) { first.add(id, entity) }
      }
    }
    return TableSearchResult(entities: first.sorted(above: nil), rest: nil)
  }
}

/// The first entities, in an order of sort keys, of those added.
@usableFromInline
struct FirstEntities<ID: EntityID, Entity: TableEntity> {
  @usableFromInline let limit: Int
  @usableFromInline let order: SortKeyOrder
  @usableFromInline var found: [(id: ID, entity: Entity)] = []
  /// An entity of a lower rank is not among the first ones.
  @usableFromInline var bound = Int64.min
  @usableFromInline var isFull = false

  @inlinable
  init(limit: Int, in order: SortKeyOrder) {
    self.limit = limit
    self.order = order
  }

  /// Adds an entity; sorts when `limit` are found, then whenever the number has doubled.
  @inlinable
  mutating func add(_ id: ID, _ entity: Entity) {
    found.append((id, entity))
    if found.count >= limit && (!isFull || found.count - limit >= limit) { keepFirst() }
  }

  @inlinable
  mutating func keepFirst() {
    found.sort {
      (order.rank($0.entity.sortKey), order.rank($0.id.value))
        > (order.rank($1.entity.sortKey), order.rank($1.id.value))
    }
    guard found.count >= limit else { return }
    found.removeLast(found.count - limit)
    bound = order.rank(found[limit - 1].entity.sortKey)
    isFull = true
  }

  /// Returns the entities in order, and only those above a rank if there is one.
  @inlinable
  consuming func sorted(above rank: Int64?) -> [(id: ID, entity: Entity)] {
    keepFirst()
    if let rank { found.removeAll { order.rank($0.entity.sortKey) <= rank } }
    return found
  }
}
