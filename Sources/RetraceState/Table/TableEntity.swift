public import RetraceAvro

/// An entity that a table holds.
///
/// Those of the requirements that begin with an underscore have defaults, and nobody writes them:
/// they are what tables do with a leaf, and being requirements they are compiled for the entity
/// where it is declared. Stores, which are compiled before any app, call them and run no code that
/// looks up at each step what an entity is.
public protocol TableEntity: Recordable, Equatable {
  /// One number by which ranges are found without an index, such as the start of a time entry.
  var sortKey: Int64 { get }

  /// Writes the page of a leaf.
  ///
  /// - Parameters:
  ///   - slots: The slots of the leaf, at most 32.
  ///   - writer: Where the page goes; nothing is written for a leaf without entities.
  /// - Returns: The lowest and the highest sort key of the entities; `nil` if there are none.
  static func _encodePage(
    of slots: ContiguousArray<Self?>, into writer: inout AvroWriter
  ) -> ClosedRange<Int64>?

  /// Brings the hashes of a table's nodes up to date, and the references to its trunks.
  ///
  /// - Parameters:
  ///   - tree: The nodes.
  ///   - digest: The SHA-256 of the bytes that it is lent.
  ///   - writer: A buffer for the bytes of nodes; what it held is left as it was.
  ///   - crew: Threads to share the work among where there is much.
  /// - Returns: Whether anything was out of date.
  static func _refresh(
    _ tree: inout _TableTree<Self>, _ digest: @Sendable (Span<UInt8>) -> Digest,
    _ writer: inout AvroWriter, sharedBy crew: (any WorkSharing)?
  ) -> Bool

  /// Reads the page of a leaf.
  ///
  /// - Parameters:
  ///   - page: The bytes that ``_encodePage(of:into:)`` wrote.
  ///   - places: How many slots the leaf has.
  /// - Returns: The slots.
  /// - Throws: `AvroError` if the bytes are no page of so many slots.
  static func _decodePage(
    _ page: Span<UInt8>, places: Int
  ) throws(AvroError) -> ContiguousArray<Self?>

  /// Reads one entity of the page of a leaf, and passes over those before it.
  ///
  /// - Parameters:
  ///   - slot: The slot of the entity.
  ///   - page: The bytes that ``_encodePage(of:into:)`` wrote.
  /// - Returns: The entity; `nil` if the slot is empty.
  /// - Throws: `AvroError` if the bytes up to the entity are no page.
  static func _decodeEntity(at slot: Int, of page: Span<UInt8>) throws(AvroError) -> Self?
}

extension TableEntity {
  /// Entities without a sort key all lie at 0.
  @inlinable public var sortKey: Int64 { 0 }

  /// Writes which slots are filled, then one array of what fills them.
  ///
  /// - Complexity: O(bytes written).
  @inlinable
  public static func _encodePage(
    of slots: ContiguousArray<Self?>, into writer: inout AvroWriter
  ) -> ClosedRange<Int64>? {
    var present: UInt32 = 0
    var lowest = Int64.max
    var highest = Int64.min
    for slot in slots.indices {
      guard let sortKey = slots[slot].filledSortKey else { continue }
      present |= 1 << UInt32(truncatingIfNeeded: slot)
      lowest = min(lowest, sortKey)
      highest = max(highest, sortKey)
    }
    if present == 0 { return nil }
    writer.littleEndian(present)
    writer.beginBlock(count: present.nonzeroBitCount)
    var left = present
    while left != 0 {
      slots[left.trailingZeroBitCount].writeFilled(into: &writer)
      left &= left &- 1
    }
    writer.endBlocks()
    return lowest...highest
  }

  /// Reads which slots are filled, then what fills them.
  ///
  /// - Complexity: O(bytes of the page).
  @inlinable
  public static func _decodePage(
    _ page: Span<UInt8>, places: Int
  ) throws(AvroError) -> ContiguousArray<Self?> {
    var reader = AvroReader(page)
    let present = try PageBytes.readBitmap(&reader, places: places)
    guard try reader.beginBlock() == present.nonzeroBitCount else {
      throw AvroError(.outOfRange, at: 4, "entities of a page")
    }
    var slots: ContiguousArray<Self?> = []
    slots.reserveCapacity(TablePlace.span)
    for slot in 0..<places {
      if present >> UInt32(slot) & 1 == 0 {
        slots.append(nil)
      } else {
        slots.append(try Self(decoding: &reader))
      }
    }
    try reader.endBlocks()
    try reader.finish()
    return slots
  }

  /// Reads which slots are filled, and the entity of one of them.
  ///
  /// - Complexity: O(bytes of the page up to the entity).
  @inlinable
  public static func _decodeEntity(
    at slot: Int, of page: Span<UInt8>
  ) throws(AvroError) -> Self? {
    var reader = AvroReader(page)
    let present = try reader.littleEndian32()
    let slot = UInt32(truncatingIfNeeded: slot & 31)
    guard present >> slot & 1 == 1 else { return nil }
    _ = try reader.beginBlock()
    for _ in 0..<(present & ((1 << slot) - 1)).nonzeroBitCount { try reader.skip(Self.self) }
    return try Self(decoding: &reader)
  }
}

// What is asked of a slot in place. Two calls that are not inlined, one that is lent the slot and
// one that borrows the entity, copy nothing; anything less copies the whole entity at each look,
// with all that it holds.
extension Optional where Wrapped: TableEntity {
  /// The sort key of the entity; `nil` for an empty slot.
  @inlinable
  @inline(never)
  var filledSortKey: Int64? {
    guard let entity = self else { return nil }
    return Wrapped.sortKey(of: entity)
  }

  /// Writes the entity; nothing for an empty slot.
  @inlinable
  @inline(never)
  func writeFilled(into writer: inout AvroWriter) {
    guard let entity = self else { return }
    Wrapped.write(entity, into: &writer)
  }
}

extension TableEntity {
  @inlinable
  @inline(never)
  static func sortKey(of entity: borrowing Self) -> Int64 { entity.sortKey }

  @inlinable
  @inline(never)
  static func write(_ entity: borrowing Self, into writer: inout AvroWriter) {
    entity.encode(into: &writer)
  }
}
