public import RetraceAvro

/// What the record of a snapshot holds of one table: enough to open it without reading a page.
public struct TableRoot: Hashable, Sendable {
  /// How many ids a table may have given when it is saved: page keys hold ids in 32 bits.
  @inlinable public static var idLimit: Int64 { 1 << 32 }

  /// The number of the table in its state.
  public let number: UInt8
  /// The number that the next entity will get.
  public let nextID: Int64
  /// The number of entities; see ``EntityTable/loadAll()`` for when it is checked.
  public let count: Int
  /// A reference for each trunk of 32,768 ids, empty for one without entities.
  public let trunks: ContiguousArray<PageReference>

  @usableFromInline
  init(number: UInt8, nextID: Int64, count: Int, trunks: ContiguousArray<PageReference>) {
    self.number = number
    self.nextID = nextID
    self.count = count
    self.trunks = trunks
  }

  /// Writes number, next id and count, then the references of each 32 trunks as those of a page.
  ///
  /// - Complexity: O(trunks); 58 bytes for up to 32,768 ids, 1.8 kB for a million.
  public func encode(into writer: inout AvroWriter) {
    writer.byte(number)
    writer.littleEndian(UInt64(bitPattern: nextID))
    writer.littleEndian(UInt64(count))
    for start in stride(from: 0, to: trunks.count, by: TablePlace.span) {
      let end = min(start + TablePlace.span, trunks.count)
      let group = trunks.span.extracting(start..<end)
      writer.littleEndian(PageBytes.bitmap(of: group))
      for index in group.indices where !group[index].isEmpty {
        group[index].encode(into: &writer)
      }
    }
  }

  /// Reads what ``encode(into:)`` wrote.
  ///
  /// - Parameters:
  ///   - reader: The bytes.
  ///   - sequence: The sequence of the snapshot: no page can be younger.
  /// - Complexity: O(bytes read); no more is allocated than there are bytes for.
  /// - Throws: `AvroError` if the bytes end early or do not fit one another.
  public init(decoding reader: inout AvroReader, sequence: UInt64) throws(AvroError) {
    let start = reader.offset
    number = try reader.byte()
    nextID = Int64(bitPattern: try reader.littleEndian64())
    let live = try reader.littleEndian64()
    guard nextID >= 0, nextID <= TableRoot.idLimit, live <= UInt64(nextID) else {
      throw AvroError(.outOfRange, at: start, "ids of a table")
    }
    count = Int(live)
    let needed = Int((nextID + TablePlace.trunkSpan - 1) / TablePlace.trunkSpan)
    var trunks: ContiguousArray<PageReference> = []
    while trunks.count < needed {
      let places = min(TablePlace.span, needed - trunks.count)
      let present = try reader.littleEndian32()
      guard UInt64(present) >> UInt64(places) == 0 else {
        throw AvroError(.outOfRange, at: reader.offset, "trunks of a table")
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
    // No hash covers the count. It has to fit the trunks here, and exactly once all are resident.
    var most: Int64 = 0
    var least = 0
    for (trunk, reference) in trunks.enumerated() where !reference.isEmpty {
      least += 1
      most += min(TablePlace.trunkSpan, nextID - Int64(trunk) * TablePlace.trunkSpan)
    }
    guard count >= least, Int64(count) <= most else {
      throw AvroError(.outOfRange, at: start, "count of a table")
    }
  }
}
