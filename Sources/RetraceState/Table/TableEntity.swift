public import RetraceAvro

/// An entity of a table.
///
/// Apps use the defaults of the requirements with an underscore. Because these are requirements,
/// they are specialized in the module that declares the entity. The module of the store is compiled
/// without knowing the entity and would run unspecialized code.
public protocol TableEntity: Recordable, Equatable {
  /// The integer by which ranges are found without an index, such as the end of a time entry.
  var sortKey: Int64 { get }

  /// The name by which users know the entity; `nil`, the default, for an entity without one.
  var displayName: String? { get }

  /// Writes the page of a leaf.
  ///
  /// - Parameters:
  ///   - slots: The slots of the leaf, at most 32.
  ///   - writer: The writer of the page; nothing is written for a leaf without entities.
  /// - Returns: The lowest and the highest sort key; `nil` if there are no entities.
  static func _encodePage(
    of slots: ContiguousArray<Self?>, into writer: inout AvroWriter
  ) -> ClosedRange<Int64>?

  /// Updates the hashes of a table's nodes and the references to its trunks.
  ///
  /// - Parameters:
  ///   - tree: The nodes.
  ///   - digest: Returns the SHA-256 of its argument.
  ///   - writer: A buffer for the bytes of nodes; its contents are left unchanged.
  ///   - workers: Threads to share the work if many leaves have changed.
  /// - Returns: Whether anything was out of date.
  static func _refresh(
    _ tree: inout _TableTree<Self>, _ digest: @Sendable (Span<UInt8>) -> Digest,
    _ writer: inout AvroWriter, on workers: WorkerPool?
  ) -> Bool

  /// Reads the page of a leaf.
  ///
  /// - Parameters:
  ///   - page: The bytes that ``_encodePage(of:into:)`` wrote.
  ///   - places: The number of slots of the leaf.
  /// - Returns: The slots.
  /// - Throws: `AvroError` if the bytes are not a page of that many slots.
  static func _decodePage(
    _ page: Span<UInt8>, places: Int
  ) throws(AvroError) -> ContiguousArray<Self?>

  /// Reads one entity from the page of a leaf, skipping those before it.
  ///
  /// - Parameters:
  ///   - slot: The slot of the entity.
  ///   - page: The bytes that ``_encodePage(of:into:)`` wrote.
  /// - Returns: The entity; `nil` if the slot is empty.
  /// - Throws: `AvroError` if the bytes up to the entity are malformed.
  static func _decodeEntity(at slot: Int, of page: Span<UInt8>) throws(AvroError) -> Self?
}

extension TableEntity {
  /// The default sort key: 0 for all entities.
  @inlinable public var sortKey: Int64 { 0 }

  /// By default `nil`: the entity has no name.
  public var displayName: String? { nil }

  /// Writes a bitmap of the filled slots, then one array of their entities.
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
    writer.beginBlocks(count: present.nonzeroBitCount)
    var left = present
    while left != 0 {
      slots[left.trailingZeroBitCount].writeFilled(into: &writer)
      left &= left &- 1
    }
    writer.endBlocks()
    return lowest...highest
  }

  /// Reads the bitmap of the filled slots, then their entities.
  ///
  /// - Complexity: O(bytes of the page).
  @inlinable
  public static func _decodePage(
    _ page: Span<UInt8>, places: Int
  ) throws(AvroError) -> ContiguousArray<Self?> {
    var reader = AvroReader(page)
    let present = try PageLayout.readBitmap(&reader, places: places)
    guard try reader.beginBlocks() == present.nonzeroBitCount else {
      throw AvroError(.outOfRange, at: 4, "the count of entities does not match the bitmap")
    }
    var slots: ContiguousArray<Self?> = []
    slots.reserveCapacity(TablePath.fanout)
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

  /// Reads the bitmap of the filled slots and the entity of one slot.
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
    _ = try reader.beginBlocks()
    for _ in 0..<(present & ((1 << slot) - 1)).nonzeroBitCount { try reader.skip(Self.self) }
    return try Self(decoding: &reader)
  }
}

// These functions access a slot in place and copy nothing, because one call that is not inlined
// borrows the slot and a second one borrows the entity. With a single such call, or none, Swift
// copies the whole entity at each access.
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
