import RetracePlatform

/// A look into a data file of LMDB 0.9 without LMDB.
///
/// LMDB trusts the file: a damaged page can end the process. Here every offset is checked and the
/// file is read, not mapped, so that damage of any kind is an answer. A commit that is not pinned
/// by a read transaction may be overwritten meanwhile, which then looks like damage.
struct TreeFile: ~Copyable, Sendable {
  private let file: OpenFile
  /// The commit that is looked at.
  let commit: Commit
  /// How many bytes were read from the file.
  private(set) var bytesRead = 0
  private var branches: [UInt64: TreePage] = [:]
  private var leaf: TreePage?

  /// The most inner pages that are kept.
  private static var keptBranches: Int { 2_048 }
  /// The most levels of a tree.
  private static var depthMax: Int { 32 }
  /// The most bytes of a value.
  static var valueBytesMax: Int { 1 << 26 }

  /// What a meta page says, and the file around it.
  struct Commit: Sendable {
    /// The number of bytes of a page.
    var pageBytes: Int
    /// The number of the commit.
    var transaction: UInt64
    /// The highest page in use.
    var lastPage: UInt64
    /// The number of whole pages in the file.
    var filePages: UInt64
    /// The tree of free pages.
    var free: Tree
    /// The tree of the descriptions of named trees.
    var main: Tree
  }

  /// Opens a file at a commit.
  ///
  /// - Parameters:
  ///   - path: The data file.
  ///   - transaction: The number of the commit; `nil` for the last one.
  /// - Throws: ``TreeFault``, also if the file cannot be read.
  static func open(
    at path: String, transaction: UInt64? = nil
  ) throws(TreeFault) -> TreeFile {
    let file: OpenFile
    do throws(PlatformError) {
      file = try OpenFile.open(path, [.read, .noFollow, .nonBlocking])
    } catch {
      throw TreeFault("it cannot be opened: \(error)", isDamage: false)
    }
    file.expectRandomReads()
    let commit = try commit(transaction, of: file)
    return TreeFile(file, commit)
  }

  private init(_ file: consuming OpenFile, _ commit: Commit) {
    self.file = file
    self.commit = commit
  }

  private static func commit(
    _ transaction: UInt64?, of file: borrowing OpenFile
  ) throws(TreeFault) -> Commit {
    var metas: [TreePage] = []
    let size: Int
    let pageBytes: Int
    do throws(PlatformError) {
      let info = try file.info()
      size = info.isRegular ? info.sizeBytes : 0
      metas.append(TreePage(raw: try file.read(at: 0, count: 512)))
      pageBytes = Int(metas[0].number32(40))
      guard pageBytes.nonzeroBitCount == 1, (512...65536).contains(pageBytes),
        size >= 2 * pageBytes
      else { throw PlatformError(.invalidArgument, during: .pread, path: file.path) }
      metas.append(TreePage(raw: try file.read(at: pageBytes, count: 512)))
    } catch {
      throw TreeFault("it is no LMDB file, or cut off")
    }
    for meta in metas {
      guard meta.number32(16) == 0xbeef_c0de, meta.number32(20) == 1,
        meta.number32(40) == UInt64(pageBytes), meta.kind == 8
      else { throw TreeFault("a meta page is damaged") }
    }
    metas.sort { $0.number64(144) > $1.number64(144) }
    guard let meta = metas.first(where: { transaction ?? $0.number64(144) == $0.number64(144) })
    else { throw TreeFault("commit \(transaction ?? 0) is gone", isDamage: false) }
    return Commit(
      pageBytes: pageBytes, transaction: meta.number64(144), lastPage: meta.number64(136),
      filePages: UInt64(size / pageBytes), free: try meta.tree(at: 40),
      main: try meta.tree(at: 88))
  }

  /// The bytes of a number of pages.
  private mutating func read(_ number: UInt64, count: Int) throws(TreeFault) -> [UInt8] {
    guard number >= 2, number <= commit.lastPage else {
      throw TreeFault("page \(number) is outside")
    }
    let bytes: [UInt8]
    do throws(PlatformError) {
      bytes = try file.read(at: Int(number) * commit.pageBytes, count: count)
    } catch {
      throw TreeFault("page \(number) cannot be read: \(error)", isDamage: false)
    }
    bytesRead += count
    guard bytes.count == count else { throw TreeFault("page \(number) is cut off") }
    return bytes
  }

  /// The header of the first page of a long value.
  mutating func overflowHead(_ number: UInt64) throws(TreeFault) -> TreePage {
    TreePage(raw: try read(number, count: TreePage.headerBytes))
  }

  /// Says that the whole file will be read soon.
  borrowing func expectScan() { file.expectReads() }

  /// An inner page or a leaf.
  mutating func page(_ number: UInt64) throws(TreeFault) -> TreePage {
    if let known = branches[number] { return known }
    if let leaf, leaf.number == number { return leaf }
    let page = try TreePage(try read(number, count: commit.pageBytes), number: number)
    if page.isBranch {
      if branches.count >= Self.keptBranches { branches.removeAll() }
      branches[number] = page
    } else {
      leaf = page
    }
    return page
  }

  /// The tree of a name; `nil` if there is none.
  mutating func tree(named name: String) throws(TreeFault) -> Tree? {
    let key = Array(name.utf8)
    guard let (page, node) = try find(key.span, in: commit.main) else { return nil }
    guard node.flags == TreePage.isTree, node.low == UInt64(Tree.byteCount) else {
      throw TreeFault("the tree \(name) is of another kind")
    }
    return try page.tree(at: node.value)
  }

  /// The leaf and the place in it of a key; `nil` if the tree has no such key.
  private mutating func find(
    _ key: Span<UInt8>, in tree: Tree
  ) throws(TreeFault) -> (page: TreePage, node: TreePage.Node)? {
    guard var number = tree.root else { return nil }
    for _ in 0..<Self.depthMax {
      let page = try page(number)
      // The first key of an inner page counts as lower than all others.
      var low = page.isBranch ? 1 : 0
      var high = page.count
      while low < high {
        let middle = (low + high) / 2
        let node = try page.node(middle)
        let order = page.order(node, key)
        if order == 0 && page.isLeaf { return (page, node) }
        if order <= 0 { low = middle + 1 } else { high = middle }
      }
      if page.isLeaf { return nil }
      guard page.count > 0 else { throw TreeFault("page \(number) is empty") }
      number = page.child(try page.node(low - 1))
    }
    throw TreeFault("a tree is too deep")
  }

  /// Lends the value of a key.
  ///
  /// - Returns: What `body` returns; `nil` if the tree has no such key.
  /// - Complexity: One page read for each level that is not kept.
  mutating func withValue<R>(
    of key: Span<UInt8>, in tree: Tree, _ body: (Span<UInt8>) throws(TreeFault) -> R
  ) throws(TreeFault) -> R? {
    guard let (page, node) = try find(key, in: tree) else { return nil }
    let bytes = try value(of: node, in: page)
    return try body(bytes.span)
  }

  /// The value of a key, copied; `nil` if the tree has no such key.
  ///
  /// - Complexity: O(bytes of the value), and one page read for each level that is not kept.
  mutating func value(of key: Span<UInt8>, in tree: Tree) throws(TreeFault) -> [UInt8]? {
    guard let (page, node) = try find(key, in: tree) else { return nil }
    return try value(of: node, in: page)
  }

  /// Whether this is the file of a number on a device.
  borrowing func isFile(device: UInt64, inode: UInt64) -> Bool {
    (try? file.identity) == FileIdentity(device: device, inode: inode)
  }

  /// The value of an entry of a leaf, copied.
  private mutating func value(
    of node: TreePage.Node, in page: TreePage
  ) throws(TreeFault) -> [UInt8] {
    let count = Int(node.low)
    if node.flags == 0 {
      guard node.value + count <= page.bytes.count else {
        throw TreeFault("a value of page \(page.number) lies outside of it")
      }
      return Array(page.bytes[node.value..<node.value + count])
    }
    guard node.flags == TreePage.isLong, node.value + 8 <= page.bytes.count,
      count <= Self.valueBytesMax
    else { throw TreeFault("a value of page \(page.number) is of an unknown kind") }
    let number = page.number64(node.value)
    let whole = TreePage(
      raw: try read(number, count: TreePage.headerBytes + count))
    guard whole.number == number, whole.kind == 4 else { throw TreeFault("page \(number) is none") }
    return Array(whole.bytes[TreePage.headerBytes...])
  }

  /// Visits the entries of a tree in order.
  ///
  /// - Complexity: O(pages of the tree).
  mutating func forEach(
    in tree: Tree, _ body: (Span<UInt8>, Span<UInt8>) throws(TreeFault) -> Void
  ) throws(TreeFault) {
    var left = tree.entries
    guard let root = tree.root else { return }
    try visit(root, depth: 0, &left, body)
  }

  private mutating func visit(
    _ number: UInt64, depth: Int, _ left: inout UInt64,
    _ body: (Span<UInt8>, Span<UInt8>) throws(TreeFault) -> Void
  ) throws(TreeFault) {
    guard depth < Self.depthMax else { throw TreeFault("a tree is too deep") }
    let page = try page(number)
    for slot in 0..<page.count {
      let node = try page.node(slot)
      if page.isBranch {
        try visit(page.child(node), depth: depth + 1, &left, body)
      } else {
        guard left > 0 else { throw TreeFault("a tree has more entries than it says") }
        left -= 1
        let bytes = try value(of: node, in: page)
        try body(page.bytes.span.extracting(node.key), bytes.span)
      }
    }
  }
}
