/// Bytes of a page of LMDB 0.9, whose fields are read at checked offsets.
///
/// All numbers have their low byte first. A part of a number that lies outside counts as 0.
struct PageImage: Sendable {
  /// The bits in the flags of a page.
  enum Kind {
    static var branch: Int { 0x01 }
    static var leaf: Int { 0x02 }
    static var overflow: Int { 0x04 }
    static var meta: Int { 0x08 }
  }

  /// Where an entry of a page lies.
  struct Node {
    /// The flag of an entry whose value lies in pages of its own.
    static var isLong: Int { 1 }
    /// The flag of an entry whose value describes a tree.
    static var isTree: Int { 2 }

    var key: Range<Int>
    /// The flags; of an entry of an inner page the high 16 bits of the child's number.
    var flags: Int
    /// The low 32 bits of the child's number, or the number of bytes of the value.
    var low: UInt64

    /// Where the entry begins in the page.
    var start: Int { key.lowerBound - PageImage.nodeBytes }
    /// Where the value begins in the page; a long value has the number of its first page there.
    var value: Int { key.upperBound }
    /// The bytes in a leaf that are the value, or stand for a long one.
    var inlineBytes: Int { flags == Node.isLong ? 8 : Int(low) }
    /// The page below an entry of an inner page.
    var child: UInt64 { low | UInt64(flags) << 32 }
  }

  /// The number of bytes before the places of the nodes.
  static var headerBytes: Int { 16 }
  /// The number of bytes of a node before its key.
  static var nodeBytes: Int { 8 }

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number that the page says it has.
  var number: UInt64 { number64(0) }
  /// What kind of page it is.
  var flags: Int { number16(10) }
  var isBranch: Bool { flags & Kind.branch != 0 }
  var isLeaf: Bool { flags & Kind.leaf != 0 }
  /// Where the places of the nodes end.
  private var lower: Int { number16(12) }
  /// Where the nodes begin.
  var upper: Int { number16(14) }
  /// The number of pages of a long value, in the first of them.
  var overflowPages: UInt64 { number32(12) }

  /// Whether the places of the nodes and the nodes lie inside the page.
  var hasBounds: Bool {
    lower >= PageImage.headerBytes && lower % 2 == 0 && lower <= upper && upper <= bytes.count
  }

  /// The number of nodes.
  var nodeCount: Int { (lower - PageImage.headerBytes) / 2 }

  /// A node; `nil` if it or its key lies outside.
  func node(_ slot: Int) -> Node? {
    let start = number16(PageImage.headerBytes + 2 * slot)
    let key = start + PageImage.nodeBytes
    guard slot < nodeCount, start >= upper, key <= bytes.count else { return nil }
    let value = key + number16(start + 6)
    guard value <= bytes.count else { return nil }
    return Node(key: key..<value, flags: number16(start + 4), low: number32(start))
  }

  /// Whether a key of the page lies before another, is equal to it (0), or behind it.
  func order(_ node: Node, _ key: Span<UInt8>) -> Int {
    let common = min(node.key.count, key.count)
    for index in 0..<common {
      let own = bytes[node.key.lowerBound + index]
      if own != key[index] { return own < key[index] ? -1 : 1 }
    }
    return node.key.count - key.count
  }

  func number16(_ at: Int) -> Int {
    guard at >= 0, at + 2 <= bytes.count else { return 0 }
    return Int(bytes[at]) | Int(bytes[at + 1]) << 8
  }

  func number32(_ at: Int) -> UInt64 {
    UInt64(number16(at)) | UInt64(number16(at + 2)) << 16
  }

  func number64(_ at: Int) -> UInt64 { number32(at) | number32(at + 4) << 32 }
}
