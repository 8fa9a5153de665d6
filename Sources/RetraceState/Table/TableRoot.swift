public import RetraceAvro

/// A table's part of a snapshot's record: enough to open the table without reading a page.
public struct TableRoot: Hashable, Sendable {
  /// The maximum number of ids of a table that is saved; page keys hold ids in 32 bits.
  @inlinable public static var idLimit: Int64 { 1 << 32 }

  /// The number of the table in its state.
  public let number: UInt8
  /// The number of the next entity's id.
  public let nextID: Int64
  /// The number of entities; ``EntityTable/loadAll()`` checks it.
  public let count: Int
  /// A reference for each trunk of 32,768 ids; empty for a trunk without entities.
  public let trunks: ContiguousArray<PageReference>

  @usableFromInline
  init(number: UInt8, nextID: Int64, count: Int, trunks: ContiguousArray<PageReference>) {
    self.number = number
    self.nextID = nextID
    self.count = count
    self.trunks = trunks
  }

  /// Returns the hash of the table.
  ///
  /// - Complexity: O(trunks).
  func hash<H: ByteHasher>(with hasher: H.Type, _ writer: inout AvroWriter) -> Digest {
    PageReference.root(over: trunks, { H.digest(of: $0) }, &writer)
  }

  /// Writes number, next id and count, then the references in groups of 32.
  ///
  /// A group is a bitmap of the trunks with entities, followed by their references.
  ///
  /// - Complexity: O(trunks); 77 bytes for up to 32,768 ids, 1.8 kB for a million.
  public func encode(into writer: inout AvroWriter) {
    writer.byte(number)
    writer.littleEndian(UInt64(bitPattern: nextID))
    writer.littleEndian(UInt64(count))
    for start in stride(from: 0, to: trunks.count, by: TablePath.fanout) {
      let end = min(start + TablePath.fanout, trunks.count)
      let group = trunks.span.extracting(start..<end)
      writer.littleEndian(PageLayout.bitmap(of: group))
      for index in group.indices where !group[index].isEmpty {
        group[index].encode(into: &writer)
      }
    }
  }

  /// Reads the bytes that ``encode(into:)`` writes.
  ///
  /// - Parameters:
  ///   - reader: The bytes.
  ///   - sequence: The sequence of the snapshot, which is the highest valid birth.
  /// - Complexity: O(bytes read); allocates memory in proportion to the bytes.
  /// - Throws: `AvroError` if the bytes end early or are inconsistent.
  public init(decoding reader: inout AvroReader, sequence: UInt64) throws(AvroError) {
    let start = reader.offset
    number = try reader.byte()
    nextID = Int64(bitPattern: try reader.littleEndian64())
    let live = try reader.littleEndian64()
    guard nextID >= 0, nextID <= TableRoot.idLimit, live <= UInt64(nextID),
      let count = Int(exactly: live)
    else {
      throw AvroError(.outOfRange, at: start, "the next id or the count of a table")
    }
    self.count = count
    let needed = Int((nextID + TablePath.trunkSpan - 1) / TablePath.trunkSpan)
    var trunks: ContiguousArray<PageReference> = []
    while trunks.count < needed {
      let places = min(TablePath.fanout, needed - trunks.count)
      let present = try reader.littleEndian32()
      guard UInt64(present) >> UInt64(places) == 0 else {
        throw AvroError(.outOfRange, at: reader.offset, "the bitmap of trunks")
      }
      for place in 0..<places {
        if present >> UInt32(place) & 1 == 0 {
          trunks.append(.empty)
        } else {
          trunks.append(try PageReference(decoding: &reader, latest: sequence))
        }
      }
    }
    self.trunks = trunks
    // No hash covers the count. It is checked for plausibility here, and exactly by `loadAll()`.
    var most: Int64 = 0
    var least = 0
    for (trunk, reference) in trunks.enumerated() where !reference.isEmpty {
      least += 1
      most += min(TablePath.trunkSpan, nextID - Int64(trunk) * TablePath.trunkSpan)
    }
    guard count >= least, Int64(count) <= most else {
      throw AvroError(.outOfRange, at: start, "the count of a table does not fit its trunks")
    }
  }
}
