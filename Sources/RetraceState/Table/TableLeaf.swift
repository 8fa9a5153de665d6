public import RetraceAvro

/// Up to 32 slots for entities; a slot is empty after its entity was removed.
///
/// A leaf without slots is not resident: its page is stored, or it has no entities.
@frozen
@usableFromInline
struct TableLeaf<Entity: TableEntity>: TableChild {
  @usableFromInline var slots: ContiguousArray<Entity?> = []

  @inlinable
  init() {}

  @inlinable
  init(places: Int) {
    slots.reserveCapacity(TablePath.fanout)
    for _ in 0..<places { slots.append(nil) }
  }

  @inlinable
  init(page: Span<UInt8>, places: Int, birth: UInt64) throws(AvroError) {
    slots = try Entity._decodePage(page, places: places)
  }

  @inlinable static var level: UInt8 { 0 }
  @inlinable static var shift: Int64 { 0 }
  @inlinable var isResident: Bool { !slots.isEmpty }
  @inlinable var filledSlots: Int { slots.indices.count { isFilled($0) } }

  @inlinable
  static func forFirstEntity() -> TableLeaf {
    var leaf = TableLeaf()
    leaf.slots.reserveCapacity(TablePath.fanout)
    return leaf
  }

  @inlinable
  @inline(__always)
  mutating func append(_ entity: consuming Entity, at number: Int64) { slots.append(entity) }

  @inlinable
  @inline(__always)
  mutating func modify<Result>(
    _ number: Int64, _ body: (inout Entity) -> Result
  ) -> Result? {
    let slot = TableLeaf.place(of: number)
    guard slot < slots.count else { return nil }
    return TableLeaf.modify(&slots[slot], body)
  }

  /// Changes the entity of a slot; a separate function, so that the array access is inlined.
  @inlinable
  @inline(__always)
  static func modify<Result>(
    _ slot: inout Entity?, _ body: (inout Entity) -> Result
  ) -> Result? {
    slot?.modify(body)
  }

  @inlinable
  @inline(__always)
  func isFilled(_ slot: Int) -> Bool {
    let slots = slots.span
    return holdsValue(slots, at: slot)
  }

  @inlinable
  mutating func remove(_ number: Int64) { slots[TableLeaf.place(of: number)] = nil }

  @inlinable
  mutating func fill(
    _ number: Int64, with entity: consuming Entity, _ pageReader: PageReader
  ) -> Bool {
    let slot = TableLeaf.place(of: number)
    guard slot < slots.count, !isFilled(slot) else { return false }
    slots[slot] = entity
    return true
  }

  @inlinable
  func entity(at number: Int64, _ pageReader: PageReader) -> Entity? {
    let slot = TableLeaf.place(of: number)
    return slot < slots.count ? slots[slot] : nil
  }

  /// Decodes one entity, skipping those before it.
  @inlinable
  static func storedEntity(
    at number: Int64, _ reference: PageReference, _ pageReader: PageReader
  ) -> Entity? {
    var result: Entity?
    pageReader.withPage(of: TableLeaf.self, reference, from: first(around: number)) {
      page throws(AvroError) in
      result = try Entity._decodeEntity(at: place(of: number), of: page)
    }
    return result
  }

  @inlinable
  static func refresh(
    _ leaves: inout ContiguousArray<TableLeaf>, at index: Int, _ digest: PageDigest,
    _ writer: inout AvroWriter
  ) -> PageReference {
    leaves[index].reference(digest, &writer)
  }

  /// Returns the reference to the leaf, without a birth.
  ///
  /// It has the hash of the byte 0x00 and the page, and the range of sort keys.
  @inlinable
  func reference(_ digest: PageDigest, _ writer: inout AvroWriter) -> PageReference {
    let start = writer.count
    writer.byte(0x00)
    guard let sortKeys = Entity._encodePage(of: slots, into: &writer) else {
      writer.truncate(to: start)
      return .empty
    }
    return PageReference(
      hash: writer.takeDigest(from: start, digest), lowestSortKey: sortKeys.lowerBound,
      highestSortKey: sortKeys.upperBound)
  }

  @inlinable
  static func load(
    _ leaves: inout ContiguousArray<TableLeaf>, at index: Int, _ reference: PageReference,
    for number: Int64, _ pageReader: PageReader
  ) -> Bool {
    if leaves[index].isResident || reference.birth == 0 { return false }
    guard let leaf: TableLeaf = pageReader.read(reference, from: first(around: number)) else {
      return false
    }
    leaves[index] = leaf
    return true
  }

  @inlinable
  mutating func makeTailResident(_ reference: PageReference, _ pageReader: PageReader) {
    becomeResident(reference, pageReader)
  }

  @inlinable
  static func save<H: ByteHasher, Sink: PageSink & ~Copyable>(
    _ leaves: inout ContiguousArray<TableLeaf>, at index: Int, _ reference: inout PageReference,
    from first: Int64, _ pageWriter: PageWriter<H>, _ writer: inout AvroWriter,
    into sink: inout Sink
  ) {
    pageWriter.store(TableLeaf.self, &reference, from: first, &writer, into: &sink) { writer in
      _ = Entity._encodePage(of: leaves[index].slots, into: &writer)
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
  func isEqual(to other: TableLeaf, from first: Int64, _ readers: PageReaderPair) -> Bool {
    if slots.shares(other.slots) { return true }
    return slots == other.slots
  }
}

extension TableEntity {
  /// Calls `body` with the entity, so that optional chaining can change an optional slot in place.
  @inlinable
  mutating func modify<Result>(_ body: (inout Self) -> Result) -> Result { body(&self) }
}

/// Returns whether there is a value at an index.
///
/// `Value` may be noncopyable, so that Swift borrows the value: a value known to be copyable would
/// be copied out of the span, retaining everything it refers to.
@inlinable
@inline(__always)
func holdsValue<Value: ~Copyable>(_ values: Span<Value?>, at index: Int) -> Bool {
  switch values[index] {
  case .some: true
  case .none: false
  }
}
