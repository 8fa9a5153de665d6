public import RetraceAvro

/// The layout of pages.
///
/// A leaf page is a bitmap of the filled slots, followed by one array of their entities. A node
/// page is a bitmap of the children with entities, their references, and a checksum of all bytes
/// before it. The checksum protects the births, which the hash of a node does not cover; see
/// ``PageReference/birth``.
@usableFromInline
enum PageLayout {
  /// Returns the hash of a page's contents, or `nil` if the bytes are not a valid page.
  @inlinable
  static func hash<H: ByteHasher>(
    of page: Span<UInt8>, level: UInt8, _ hasher: H.Type
  ) -> Digest? {
    guard page.count > 4 else { return nil }
    var hasher = H()
    let tag: InlineArray<1, UInt8> = [level == 0 ? 0x00 : 0x01]
    hasher.update(tag.span)
    if level == 0 {
      hasher.update(page)
      return hasher.digest()
    }
    let end = page.count - 8
    guard end > 4, (end - 4) % PageReference.byteCount == 0 else { return nil }
    var sum: UInt64 = 0
    for index in 0..<8 { sum |= UInt64(page[end + index]) << UInt64(8 * index) }
    guard sum == H.checksum(page.extracting(0..<end)) else { return nil }
    hasher.update(page.extracting(0..<4))
    for start in stride(from: 4, to: end, by: PageReference.byteCount) {
      hasher.update(page.extracting(start..<start + PageReference.byteCount - 8))
    }
    return hasher.digest()
  }

  /// Returns a bitmap of the children that have entities: bit k stands for child k.
  @inlinable
  static func bitmap(of children: Span<PageReference>) -> UInt32 {
    var present: UInt32 = 0
    for index in children.indices where !children[index].isEmpty { present |= 1 << UInt32(index) }
    return present
  }

  /// Writes the page of an inner node, which must have entities.
  @inlinable
  static func writeNode<H: ByteHasher>(
    _ children: ContiguousArray<PageReference>, _ hasher: H.Type, into writer: inout AvroWriter
  ) {
    let start = writer.count
    writer.littleEndian(bitmap(of: children.span))
    for index in children.indices where !children[index].isEmpty {
      children[index].encode(into: &writer)
    }
    writer.littleEndian(H.checksum(writer.span.extracting(start...)))
  }

  /// Reads the page of an inner node: one reference per place, empty for a place without entities.
  @inlinable
  static func readNode(
    _ page: Span<UInt8>, places: Int, latest: UInt64
  ) throws(AvroError) -> ContiguousArray<PageReference> {
    var reader = AvroReader(page)
    let present = try readBitmap(&reader, places: places)
    var references: ContiguousArray<PageReference> = []
    references.reserveCapacity(TablePath.fanout)
    for index in 0..<places {
      if present >> UInt32(index) & 1 == 0 {
        references.append(.empty)
      } else {
        references.append(try PageReference(decoding: &reader, latest: latest))
      }
    }
    _ = try reader.littleEndian64()
    try reader.finish()
    return references
  }

  /// Reads the reference to one child from the page of an inner node; empty if the place has no
  /// entities.
  @inlinable
  static func readReference(
    at place: Int, ofNode page: Span<UInt8>, places: Int, latest: UInt64
  ) throws(AvroError) -> PageReference {
    var reader = AvroReader(page)
    let present = try readBitmap(&reader, places: places)
    guard present >> UInt32(place) & 1 == 1 else { return .empty }
    let before = (present & (1 << UInt32(place) - 1)).nonzeroBitCount
    try reader.skip(before * PageReference.byteCount)
    return try PageReference(decoding: &reader, latest: latest)
  }

  /// Reads a bitmap of filled places; throws if it is zero or has a bit at or above `places`.
  @inlinable
  static func readBitmap(_ reader: inout AvroReader, places: Int) throws(AvroError) -> UInt32 {
    let present = try reader.littleEndian32()
    guard present != 0, UInt64(present) >> UInt64(places) == 0 else {
      throw AvroError(
        .outOfRange, at: 0, "the bitmap of a page is zero or has a bit beyond the last place")
    }
    return present
  }
}
