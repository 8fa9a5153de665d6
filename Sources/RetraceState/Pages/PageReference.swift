public import RetraceAvro

/// The data that a node holds about one child: the hash and the range of sort keys of its contents,
/// and the birth of its page.
///
/// The hash and the sort keys are out of date while the parent marks the child as stale.
@frozen
public struct PageReference: Hashable, Sendable {
  /// The hash of the child's contents; 32 zero bytes for a child without entities.
  public var hash: Digest
  /// The lowest sort key of the child's entities.
  public var lowestSortKey: Int64
  /// The highest sort key of the child's entities; below the lowest if the child is empty.
  public var highestSortKey: Int64
  /// The sequence of the snapshot that wrote the child's page; 0 if there is no page.
  public var birth: UInt64

  /// Creates a reference.
  @inlinable
  public init(hash: Digest, lowestSortKey: Int64, highestSortKey: Int64, birth: UInt64 = 0) {
    self.hash = hash
    self.lowestSortKey = lowestSortKey
    self.highestSortKey = highestSortKey
    self.birth = birth
  }

  /// The reference to a child without entities; its range of sort keys is empty.
  @inlinable public static var empty: PageReference {
    PageReference(hash: .zero, lowestSortKey: .max, highestSortKey: .min)
  }

  /// Whether the child has no entities.
  @inlinable public var isEmpty: Bool { lowestSortKey > highestSortKey }

  @inlinable
  func overlaps(_ sortKeys: ClosedRange<Int64>) -> Bool {
    lowestSortKey <= sortKeys.upperBound && highestSortKey >= sortKeys.lowerBound
  }

  @inlinable static var byteCount: Int { 56 }

  /// The number of bytes that the hash of the parent covers: the hash and the sort keys.
  @inlinable static var hashedByteCount: Int { 48 }

  /// Stores the hash and the lowest and highest sort key, little-endian.
  @inlinable
  @inline(__always)
  func storeHashed(into span: inout MutableSpan<UInt8>, at offset: Int) {
    span.store(hash, at: offset)
    span.store(UInt64(bitPattern: lowestSortKey), at: offset &+ 32)
    span.store(UInt64(bitPattern: highestSortKey), at: offset &+ 40)
  }

  /// Writes the hash, the lowest and highest sort key and the birth, little-endian.
  @inlinable
  func encode(into writer: inout AvroWriter) {
    writer.fill(PageReference.byteCount) { span in
      storeHashed(into: &span, at: 0)
      span.store(birth, at: PageReference.hashedByteCount)
    }
  }

  /// Reads a reference to an existing page.
  ///
  /// - Parameter latest: The highest valid birth.
  @inlinable
  init(decoding reader: inout AvroReader, latest: UInt64) throws(AvroError) {
    let start = reader.offset
    hash = try reader.digest()
    lowestSortKey = Int64(bitPattern: try reader.littleEndian64())
    highestSortKey = Int64(bitPattern: try reader.littleEndian64())
    birth = try reader.littleEndian64()
    guard lowestSortKey <= highestSortKey, birth > 0, birth <= latest else {
      throw AvroError(.outOfRange, at: start, "the sort keys or the birth of a page reference")
    }
  }
}

extension PageReference {
  /// Returns the reference to an inner node, without a birth.
  ///
  /// Its hash covers the byte 0x01, the bitmap, and the hash and sort keys of each child. Its sort
  /// keys are the lowest and the highest of all children.
  @inlinable
  static func node(
    over children: Span<PageReference>, _ digest: PageDigest, _ writer: inout AvroWriter
  ) -> PageReference {
    var result = PageReference.empty
    let present = PageLayout.bitmap(of: children)
    guard present != 0 else { return result }
    let start = writer.count
    writer.fill(5 + present.nonzeroBitCount * hashedByteCount) { span in
      span[0] = 0x01
      span.store(present, at: 1)
      var offset = 5
      for index in children.indices where !children[index].isEmpty {
        let child = children[index]
        child.storeHashed(into: &span, at: offset)
        result.lowestSortKey = min(result.lowestSortKey, child.lowestSortKey)
        result.highestSortKey = max(result.highestSortKey, child.highestSortKey)
        offset += hashedByteCount
      }
    }
    result.hash = writer.takeDigest(from: start, digest)
    return result
  }

  /// Combines references in groups of 32, at least once, until one is left, and returns its hash.
  @inlinable
  static func root(
    over trunks: ContiguousArray<PageReference>, _ digest: PageDigest, _ writer: inout AvroWriter
  ) -> Digest {
    if trunks.count <= TablePath.fanout { return node(over: trunks.span, digest, &writer).hash }
    var level = trunks
    repeat {
      var above: ContiguousArray<PageReference> = []
      for start in stride(from: 0, to: level.count, by: TablePath.fanout) {
        let end = min(start + TablePath.fanout, level.count)
        above.append(node(over: level.span.extracting(start..<end), digest, &writer))
      }
      while above.last?.isEmpty == true { above.removeLast() }
      level = above
    } while level.count > 1
    return level.first?.hash ?? .zero
  }
}

/// A hash function over the bytes of a page.
@usableFromInline typealias PageDigest = (Span<UInt8>) -> Digest

extension AvroWriter {
  /// Returns the digest of the bytes after the first `start` and removes those bytes.
  @inlinable
  mutating func takeDigest(from start: Int, _ digest: PageDigest) -> Digest {
    let result = digest(span.extracting(start...))
    truncate(to: start)
    return result
  }
}
