public import RetraceAvro

/// The key under which a page is stored.
///
/// Keys are ordered by birth, then table, then last id, then level, which is also the order of
/// their encodings. A save writes its pages in that order.
@frozen
public struct PageKey: Hashable, Sendable {
  /// The number of bytes of a key on disk.
  @inlinable public static var byteCount: Int { 14 }

  /// The sequence of the snapshot that wrote the page; at least 1.
  public var birth: UInt64
  /// The number of the table in its state.
  public var table: UInt8
  /// The highest id that the node's subtree can hold.
  public var lastID: UInt32
  /// The height of the node above the entities: 0 for a leaf, 1 for a branch, 2 for a trunk.
  public var level: UInt8

  /// Creates a key.
  @inlinable
  public init(birth: UInt64, table: UInt8, lastID: UInt32, level: UInt8) {
    self.birth = birth
    self.table = table
    self.lastID = lastID
    self.level = level
  }

  /// Reads a key from the bytes that ``encode(into:)`` writes.
  ///
  /// - Parameter bytes: Exactly 14 bytes; `nil` is returned for any other count.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == PageKey.byteCount else { return nil }
    var birth: UInt64 = 0
    for index in 0..<8 { birth = birth << 8 | UInt64(bytes[index]) }
    var last: UInt32 = 0
    for index in 9..<13 { last = last << 8 | UInt32(bytes[index]) }
    self.init(birth: birth, table: bytes[8], lastID: last, level: bytes[13])
  }

  /// Writes the 14 bytes of the key: birth, table, last id and level, big-endian.
  ///
  /// - Complexity: O(1).
  public func encode(into writer: inout AvroWriter) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      writer.byte(UInt8(truncatingIfNeeded: birth >> shift))
    }
    writer.byte(table)
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      writer.byte(UInt8(truncatingIfNeeded: lastID >> shift))
    }
    writer.byte(level)
  }
}

extension PageKey: Comparable {
  /// Compares keys as their encodings compare.
  public static func < (left: PageKey, right: PageKey) -> Bool {
    (left.birth, left.table, left.lastID, left.level)
      < (right.birth, right.table, right.lastID, right.level)
  }
}

extension PageKey: CustomStringConvertible {
  /// A description on one line.
  public var description: String {
    "page of table \(table), level \(level), up to id \(lastID), written by the snapshot at "
      + "sequence \(birth)"
  }
}
