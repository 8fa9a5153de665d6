/// What is wrong with a file of trees.
package struct TreeFault: Error, Hashable, Sendable {
  /// What was found, in a few words.
  package var detail: String
  /// Whether bytes are not what was written; else they could not be looked at.
  package var isDamage: Bool

  init(_ detail: String, isDamage: Bool = true) {
    self.detail = detail
    self.isDamage = isDamage
  }
}

/// The description of a tree inside an LMDB file: 48 bytes.
struct Tree: Hashable, Sendable {
  /// The page at the top; `nil` for a tree without entries.
  var root: UInt64?
  /// How many levels it has.
  var depth: Int
  /// How many entries it has.
  var entries: UInt64

  /// The number of bytes of a description.
  static var byteCount: Int { 48 }
}

/// One page of an LMDB file, whose fields are read at checked offsets.
struct TreePage: Sendable {
  /// Where an entry of a page lies.
  struct Node {
    var key: Range<Int>
    /// Where the value begins in the page.
    var value: Int
    var flags: Int
    /// The low 32 bits: of the child's number, or the number of bytes of the value.
    var low: UInt64
  }

  /// The number of bytes before the first slot.
  static var headerBytes: Int { 16 }
  /// The flag of an entry whose value lies in pages of its own.
  static var isLong: Int { 1 }
  /// The flag of an entry whose value describes a tree.
  static var isTree: Int { 2 }

  let bytes: [UInt8]

  /// Takes the bytes of an inner page or a leaf.
  ///
  /// - Throws: If they are not those of a page of that number.
  init(_ bytes: [UInt8], number: UInt64) throws(TreeFault) {
    self.bytes = bytes
    guard self.number == number, isBranch != isLeaf, kind & ~0x13 == 0,
      lower >= TreePage.headerBytes, lower % 2 == 0, lower <= upper, upper <= bytes.count
    else { throw TreeFault("page \(number) is none") }
  }

  /// Takes bytes as they are.
  init(raw bytes: [UInt8]) { self.bytes = bytes }

  var number: UInt64 { number64(0) }
  var kind: Int { number16(10) }
  var isBranch: Bool { kind & 1 != 0 }
  var isLeaf: Bool { kind & 2 != 0 }
  var isOverflow: Bool { kind & 4 != 0 }
  private var lower: Int { number16(12) }
  private var upper: Int { number16(14) }
  /// The number of pages of a long value, in the first of them.
  var overflowPages: UInt64 { number32(12) }

  /// The number of entries.
  var count: Int { (lower - TreePage.headerBytes) / 2 }

  /// The entry of a slot.
  func node(_ slot: Int) throws(TreeFault) -> Node {
    let start = number16(TreePage.headerBytes + 2 * slot)
    let key = start + 8
    guard slot < count, start >= upper, key <= bytes.count else {
      throw TreeFault("an entry of page \(number) lies outside of it")
    }
    let value = key + number16(start + 6)
    guard value <= bytes.count else {
      throw TreeFault("a key of page \(number) lies outside of it")
    }
    return Node(
      key: key..<value, value: value, flags: number16(start + 4), low: number32(start))
  }

  /// The child of an entry of an inner page.
  func child(_ node: Node) -> UInt64 { node.low | UInt64(node.flags) << 32 }

  /// The description of a tree that begins at an offset.
  func tree(at offset: Int) throws(TreeFault) -> Tree {
    guard offset >= 0, offset + Tree.byteCount <= bytes.count else {
      throw TreeFault("a description of a tree is cut off")
    }
    let root = number64(offset + 40)
    // Flags of trees of another kind than the plain one.
    guard number16(offset + 4) == 0 || number16(offset + 4) == 8 else {
      throw TreeFault("a tree is of an unknown kind")
    }
    return Tree(
      root: root == .max ? nil : root, depth: number16(offset + 6),
      entries: number64(offset + 32))
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
