/// The bytes of an LMDB 0.9 page, whose fields are read at checked offsets.
///
/// All integers are little-endian. A part of an integer that is out of bounds counts as 0.
package struct PageImage: Sendable {
  enum Flags {
    static var branch: Int { 0x01 }
    static var leaf: Int { 0x02 }
    static var overflow: Int { 0x04 }
    static var meta: Int { 0x08 }
  }

  package struct Node {
    /// The flag of a node whose value is on overflow pages.
    package static var overflowFlag: Int { 1 }
    /// The flag of a node whose value is a ``TreeDescriptor``.
    static var databaseFlag: Int { 2 }

    var key: Range<Int>
    /// The flags; in a branch page the high 16 bits of the child's number.
    var flags: Int
    /// The low 32 bits of the child's number, or the size of the value.
    var low: UInt64

    var start: Int { key.lowerBound - PageImage.nodeBytes }
    /// The offset in the page of the value, or of the number of a long value's first page.
    var value: Int { key.upperBound }
    /// The number of bytes in the leaf that hold the value, or the page number of a long value.
    var inlineBytes: Int { flags == Node.overflowFlag ? 8 : Int(low) }
    /// The child page of a node of a branch page.
    var child: UInt64 { low | UInt64(flags) << 32 }
  }

  /// The number of bytes before the node offsets.
  package static var headerBytes: Int { 16 }
  static var nodeBytes: Int { 8 }

  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  var number: UInt64 { number64(0) }
  var flags: Int { number16(10) }
  var isBranch: Bool { flags & Flags.branch != 0 }
  var isLeaf: Bool { flags & Flags.leaf != 0 }
  /// The end of the node offsets.
  private var lower: Int { number16(12) }
  var upper: Int { number16(14) }
  /// The number of overflow pages of a long value, which the first of them stores.
  var overflowPages: UInt64 { number32(12) }

  /// Whether the node offsets and the nodes are inside the page.
  var hasValidBounds: Bool {
    lower >= PageImage.headerBytes && lower % 2 == 0 && lower <= upper && upper <= bytes.count
  }

  var nodeCount: Int { (lower - PageImage.headerBytes) / 2 }

  /// Returns a node, or `nil` if it or its key is out of bounds.
  func node(_ slot: Int) -> Node? {
    let start = number16(PageImage.headerBytes + 2 * slot)
    let key = start + PageImage.nodeBytes
    guard slot < nodeCount, start >= upper, key <= bytes.count else { return nil }
    let value = key + number16(start + 6)
    guard value <= bytes.count else { return nil }
    return Node(key: key..<value, flags: number16(start + 4), low: number32(start))
  }

  /// Compares the key of a node with another key.
  ///
  /// - Returns: A negative number if the node's key comes first, 0 if the keys are equal, and
  ///   otherwise a positive number.
  func order(_ node: Node, _ key: Span<UInt8>) -> Int {
    let common = min(node.key.count, key.count)
    for index in 0..<common {
      let own = bytes[node.key.lowerBound + index]
      if own != key[index] { return own < key[index] ? -1 : 1 }
    }
    return node.key.count - key.count
  }

  package func number16(_ at: Int) -> Int {
    guard at >= 0, at + 2 <= bytes.count else { return 0 }
    return Int(bytes[at]) | Int(bytes[at + 1]) << 8
  }

  package func number32(_ at: Int) -> UInt64 {
    UInt64(number16(at)) | UInt64(number16(at + 2)) << 16
  }

  package func number64(_ at: Int) -> UInt64 { number32(at) | number32(at + 4) << 32 }
}
