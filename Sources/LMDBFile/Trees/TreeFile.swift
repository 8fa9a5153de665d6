package import RetraceSystem

/// A reader of an LMDB 0.9 data file that does not use LMDB.
///
/// LMDB trusts the file, so a damaged page can crash the process. This reader checks every offset
/// and reads the file instead of mapping it, so damage is always an error. A commit that no read
/// transaction protects may be overwritten meanwhile, which then looks like damage.
package struct TreeFile: ~Copyable, Sendable {
  private let pages: TreePages
  private let commit: MetaPage
  package private(set) var bytesRead = 0
  private var branches: [UInt64: PageImage] = [:]
  private var leaf: PageImage?
  /// The root of the tree that contains ``leaf``, if a search found it.
  private var leafRoot: UInt64?
  /// The slot of ``leaf`` that the last search found.
  private var leafSlot = 0

  /// The largest number of cached branch pages.
  private static var keptBranches: Int { 2_048 }
  private static var depthMax: Int { 32 }
  private static var valueBytesMax: Int { 1 << 26 }

  /// Opens a file at a commit.
  ///
  /// - Parameters:
  ///   - path: The path of the data file.
  ///   - transaction: The number of the commit; `nil` for the last one.
  /// - Throws: ``TreeFileError``, also if the file is unreadable.
  package static func open(
    at path: String, transaction: UInt64? = nil
  ) throws(TreeFileError) -> TreeFile {
    let file: PageFile
    do throws(StructureFailure) {
      file = try PageFile.open(path)
    } catch {
      throw TreeFileError(error)
    }
    let current = file.metaPages.current
    guard let commit = file.metaPages.page(of: transaction ?? current.transaction) else {
      throw TreeFileError("commit \(transaction ?? 0) is gone", isDamage: false)
    }
    guard commit.freeList.hasKnownFlags, commit.main.hasKnownFlags else {
      throw TreeFileError("a tree has unknown flags")
    }
    return TreeFile(file, commit)
  }

  package init(_ file: PageFile, _ commit: MetaPage) {
    pages = TreePages(file: file, lastPage: commit.lastPage)
    self.commit = commit
  }

  /// Announces that the whole file will be read soon.
  package borrowing func prefetch() { pages.file.file.prefetch() }

  private mutating func page(_ number: UInt64) throws(TreeFileError) -> PageImage {
    if let known = branches[number] { return known }
    if let leaf, leaf.number == number { return leaf }
    let page = try Self.reading { () throws(TreePageError) in try pages.page(number) }
    bytesRead += page.bytes.count
    if page.isBranch {
      if branches.count >= Self.keptBranches { branches.removeAll() }
      branches[number] = page
    } else {
      leaf = page
      leafRoot = nil
    }
    return page
  }

  package mutating func tree(named name: String) throws(TreeFileError) -> TreeDescriptor? {
    let key = Array(name.utf8)
    guard let (page, node) = try find(key.span, in: commit.main) else { return nil }
    guard node.flags == PageImage.Node.databaseFlag, node.low == UInt64(TreeDescriptor.byteCount)
    else {
      throw TreeFileError("\(name) is not a database")
    }
    guard node.value + TreeDescriptor.byteCount <= page.bytes.count else {
      throw TreeFileError("a description of a tree is cut off")
    }
    let descriptor = TreeDescriptor(page, at: node.value)
    guard descriptor.hasKnownFlags else { throw TreeFileError("a tree has unknown flags") }
    return descriptor
  }

  /// Returns the leaf and the node of a key, or `nil` if the tree lacks the key.
  private mutating func find(
    _ key: Span<UInt8>, in tree: TreeDescriptor
  ) throws(TreeFileError) -> (page: PageImage, node: PageImage.Node)? {
    guard var number = tree.root else { return nil }
    // Consecutive lookups often ask for neighboring keys, and mostly for the next one.
    if let leaf, leafRoot == tree.root {
      if leafSlot + 1 < leaf.nodeCount {
        let next = try node(leafSlot + 1, of: leaf)
        if leaf.order(next, key) == 0 {
          leafSlot += 1
          return (leaf, next)
        }
      }
      if try isInside(key, leaf) { number = leaf.number }
    }
    for _ in 0..<Self.depthMax {
      let page = try page(number)
      let slots = try slots(upTo: key, of: page)
      if page.isLeaf {
        leafRoot = tree.root
        guard slots > 0 else { return nil }
        leafSlot = slots - 1
        let node = try node(leafSlot, of: page)
        return page.order(node, key) == 0 ? (page, node) : nil
      }
      number = try node(slots - 1, of: page).child
    }
    throw TreeFileError("a tree is too deep")
  }

  /// Returns whether a key is between the first and the last key of a leaf.
  private func isInside(_ key: Span<UInt8>, _ leaf: PageImage) throws(TreeFileError) -> Bool {
    guard leaf.nodeCount > 0 else { return false }
    let first = try node(0, of: leaf)
    let last = try node(leaf.nodeCount - 1, of: leaf)
    return leaf.order(first, key) <= 0 && leaf.order(last, key) >= 0
  }

  /// Calls `body` with the value of a key.
  ///
  /// - Returns: What `body` returns; `nil` if the tree lacks the key.
  /// - Complexity: One page read for each level that is not cached.
  package mutating func withValue<R>(
    of key: Span<UInt8>, in tree: TreeDescriptor, _ body: (Span<UInt8>) throws(TreeFileError) -> R
  ) throws(TreeFileError) -> R? {
    guard let (page, node) = try find(key, in: tree) else { return nil }
    let bytes = try value(of: node, in: page)
    return try body(bytes.span)
  }

  /// Returns a copy of the value of a key, or `nil` if the tree lacks the key.
  ///
  /// - Complexity: O(bytes of the value), and one page read for each level that is not cached.
  package mutating func value(of key: Span<UInt8>, in tree: TreeDescriptor) throws(TreeFileError)
    -> [UInt8]?
  {
    guard let (page, node) = try find(key, in: tree) else { return nil }
    return try value(of: node, in: page)
  }

  package borrowing func isFile(_ identity: FileIdentity) -> Bool {
    (try? pages.file.file.identity) == identity
  }

  private mutating func value(
    of node: PageImage.Node, in page: PageImage
  ) throws(TreeFileError) -> [UInt8] {
    let bytes = try Self.reading { () throws(TreePageError) in
      try pages.value(of: node, in: page, limit: Self.valueBytesMax)
    }
    if node.flags == PageImage.Node.overflowFlag {
      bytesRead += PageImage.headerBytes + bytes.count
    }
    return bytes
  }

  private func node(_ slot: Int, of page: PageImage) throws(TreeFileError) -> PageImage.Node {
    try Self.reading { () throws(TreePageError) in try pages.node(slot, of: page) }
  }

  private static func reading<R>(_ body: () throws(TreePageError) -> R) throws(TreeFileError) -> R {
    do throws(TreePageError) {
      return try body()
    } catch {
      switch error {
      case .unreadable(let error):
        throw TreeFileError("it cannot be read: \(error)", isDamage: false)
      case .damaged(let page, let detail): throw TreeFileError("page \(page) \(detail)")
      }
    }
  }

  /// Returns a copy of the last key of a tree that is at most `key`, or `nil`.
  ///
  /// - Complexity: One page read for each level that is not cached; twice as many if the last key
  ///   is in another leaf than the one to which `key` belongs.
  package mutating func lastKey(
    atOrBefore key: Span<UInt8>, in tree: TreeDescriptor
  ) throws(TreeFileError) -> [UInt8]? {
    guard let root = tree.root else { return nil }
    // No leaf of a tree is empty, so two pages of a level are enough. In a damaged one, pages may
    // be their own ancestors.
    var pagesLeft = 2 * Self.depthMax
    return try lastKey(atOrBefore: key, under: root, &pagesLeft)
  }

  private mutating func lastKey(
    atOrBefore key: Span<UInt8>, under number: UInt64, _ pagesLeft: inout Int
  ) throws(TreeFileError) -> [UInt8]? {
    guard pagesLeft > 0 else { throw TreeFileError("a tree is too deep") }
    pagesLeft -= 1
    let page = try page(number)
    var slot = try slots(upTo: key, of: page)
    while slot > 0 {
      slot -= 1
      let node = try node(slot, of: page)
      if page.isLeaf {
        let found = page.bytes.span.extracting(node.key)
        return found.indices.map { found[$0] }
      }
      if let found = try lastKey(atOrBefore: key, under: node.child, &pagesLeft) { return found }
    }
    return nil
  }

  /// Returns the number of nodes whose key is at most `key`.
  ///
  /// The first key of a branch counts as lower than all others.
  private func slots(
    upTo key: Span<UInt8>, of page: PageImage
  ) throws(TreeFileError) -> Int {
    var low = page.isBranch ? 1 : 0
    var high = page.nodeCount
    while low < high {
      let middle = (low + high) / 2
      let order = page.order(try node(middle, of: page), key)
      if order <= 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Calls `body` with each key of a tree in order; does not read values.
  ///
  /// - Complexity: O(pages of the tree), without overflow pages.
  package mutating func forEachKey(
    in tree: TreeDescriptor, _ body: (Span<UInt8>) throws(TreeFileError) -> Void
  ) throws(TreeFileError) {
    var left = tree.entries
    guard let root = tree.root else { return }
    try visit(root, depth: 0, &left, body)
  }

  private mutating func visit(
    _ number: UInt64, depth: Int, _ left: inout UInt64,
    _ body: (Span<UInt8>) throws(TreeFileError) -> Void
  ) throws(TreeFileError) {
    guard depth < Self.depthMax else { throw TreeFileError("a tree is too deep") }
    let page = try page(number)
    for slot in 0..<page.nodeCount {
      let node = try node(slot, of: page)
      if page.isBranch {
        try visit(node.child, depth: depth + 1, &left, body)
      } else {
        guard left > 0 else { throw TreeFileError("a tree has more entries than it says") }
        left -= 1
        try body(page.bytes.span.extracting(node.key))
      }
    }
  }
}
