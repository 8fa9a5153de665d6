public import RetraceAvro

/// Up to 32 slots for entities; a slot is empty once its entity was removed.
///
/// Without any slot, the leaf is not resident: its page is stored, or it has no entities.
@frozen
@usableFromInline
struct TableLeaf<Entity: TableEntity>: TableChild {
  @usableFromInline var slots: ContiguousArray<Entity?> = []

  @inlinable
  init() {}

  @inlinable
  init(places: Int) {
    slots.reserveCapacity(TablePlace.span)
    for _ in 0..<places { slots.append(nil) }
  }

  @inlinable
  init(page: Span<UInt8>, places: Int, birth: UInt64) throws(AvroError) {
    var reader = AvroReader(page)
    let present = try PageBytes.readBitmap(&reader, places: places)
    guard try reader.beginBlock() == present.nonzeroBitCount else {
      throw AvroError(.outOfRange, at: 4, "entities of a page")
    }
    slots.reserveCapacity(TablePlace.span)
    for slot in 0..<places {
      if present >> UInt32(slot) & 1 == 0 {
        slots.append(nil)
      } else {
        slots.append(try Entity(decoding: &reader))
      }
    }
    try reader.endBlocks()
    try reader.finish()
  }

  @inlinable static var level: UInt8 { 0 }
  @inlinable static var shift: Int64 { 0 }
  @inlinable var isResident: Bool { !slots.isEmpty }

  @inlinable
  static func fresh() -> TableLeaf {
    var leaf = TableLeaf()
    leaf.slots.reserveCapacity(TablePlace.span)
    return leaf
  }

  @inlinable
  mutating func append(_ entity: consuming Entity, at number: Int64) { slots.append(entity) }

  @inlinable
  mutating func modify<Result>(
    _ number: Int64, _ body: (inout Entity) -> Result
  ) -> Result? {
    let slot = TableLeaf.place(of: number)
    guard slot < slots.count else { return nil }
    return slots[slot]?.changed(by: body)
  }

  @inlinable
  mutating func remove(_ number: Int64) { slots[TableLeaf.place(of: number)] = nil }

  @inlinable
  func entity(at number: Int64, _ reading: TableReading) -> Entity? {
    let slot = TableLeaf.place(of: number)
    return slot < slots.count ? slots[slot] : nil
  }

  /// Decodes one entity, and those before it, and keeps no other.
  @inlinable
  static func storedEntity(
    at number: Int64, _ reference: PageReference, _ reading: TableReading
  ) -> Entity? {
    var result: Entity?
    reading.withPage(of: TableLeaf.self, reference, from: first(around: number)) {
      page throws(AvroError) in
      var reader = AvroReader(page)
      let present = try reader.littleEndian32()
      let slot = UInt32(truncatingIfNeeded: number & 31)
      guard present >> slot & 1 == 1 else { return }
      _ = try reader.beginBlock()
      for _ in 0..<(present & ((1 << slot) - 1)).nonzeroBitCount {
        _ = try Entity(decoding: &reader)
      }
      result = try Entity(decoding: &reader)
    }
    return result
  }

  /// The hash of `00` and the page, and the zones of its entities.
  @inlinable
  static func refresh<H: ByteHasher>(
    _ leaves: inout ContiguousArray<TableLeaf>, at index: Int, _ hasher: H.Type,
    _ writer: inout AvroWriter
  ) -> PageReference {
    var result = PageReference.empty
    let start = writer.count
    writer.byte(0x00)
    guard leaves[index].writePage(into: &writer) else {
      writer.truncate(to: start)
      return result
    }
    (result.lowestZone, result.highestZone) = leaves[index].zones
    result.hash = writer.takeDigest(from: start, hasher)
    return result
  }

  /// The lowest and the highest zone of the entities.
  @inlinable var zones: (lowest: Int64, highest: Int64) {
    var lowest = Int64.max
    var highest = Int64.min
    for slot in slots.indices {
      guard let zone = slots[slot]?.zone else { continue }
      lowest = min(lowest, zone)
      highest = max(highest, zone)
    }
    return (lowest, highest)
  }

  /// Writes the page of a leaf: which slots are filled, then one array of what fills them.
  ///
  /// - Returns: Whether there is a page: a leaf without entities has none.
  @inlinable
  func writePage(into writer: inout AvroWriter) -> Bool {
    var present: UInt32 = 0
    for slot in slots.indices where slots[slot] != nil { present |= 1 << UInt32(slot) }
    guard present != 0 else { return false }
    writer.littleEndian(present)
    writer.beginBlock(count: present.nonzeroBitCount)
    for slot in slots.indices { slots[slot]?.encode(into: &writer) }
    writer.endBlocks()
    return true
  }

  @inlinable
  static func load(
    _ leaves: inout ContiguousArray<TableLeaf>, at index: Int, _ reference: PageReference,
    for number: Int64, _ reading: TableReading
  ) -> Bool {
    if leaves[index].isResident || reference.birth == 0 { return false }
    guard let leaf: TableLeaf = reading.read(reference, from: first(around: number)) else {
      return false
    }
    leaves[index] = leaf
    return true
  }

  @inlinable
  mutating func makeTailResident(_ reference: PageReference, _ reading: TableReading) {
    becomeResident(reference, reading)
  }

  @inlinable
  static func save<H: ByteHasher, Sink: PageSink & ~Copyable>(
    _ leaves: inout ContiguousArray<TableLeaf>, at index: Int, _ reference: inout PageReference,
    from first: Int64, _ saving: TableSaving<H>, _ writer: inout AvroWriter,
    into sink: inout Sink
  ) {
    saving.store(TableLeaf.self, &reference, from: first, &writer, into: &sink) { writer in
      _ = leaves[index].writePage(into: &writer)
    }
  }

  @inlinable
  static func adopt(
    _ leaves: inout ContiguousArray<TableLeaf>, at index: Int, from saved: TableLeaf
  ) -> Bool {
    if !leaves[index].isResident && !saved.isResident { return true }
    return leaves[index].slots.shares(saved.slots)
  }

  @inlinable
  func isEqual(to other: TableLeaf, from first: Int64, _ sides: TableSides) -> Bool {
    if slots.shares(other.slots) { return true }
    return slots == other.slots
  }
}

extension TableEntity {
  /// Lends the entity, so that an optional slot can be changed in place by optional chaining.
  @inlinable
  mutating func changed<Result>(by body: (inout Self) -> Result) -> Result { body(&self) }
}
