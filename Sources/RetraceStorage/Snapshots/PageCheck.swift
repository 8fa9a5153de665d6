/// A check of every page of an LMDB file, before LMDB is let write to it.
///
/// Writing, LMDB follows all that a page says and ends the process at the first contradiction.
struct PageCheck: ~Copyable {
  private var file: TreeFile
  /// Bit n: page n is in use, or free.
  private var taken: [UInt64]

  /// Checks a file.
  ///
  /// - Complexity: O(pages in use), each read once but those of long values.
  /// - Throws: ``TreeFault`` with the first contradiction.
  static func check(_ path: String) throws(TreeFault) {
    let file = try TreeFile.open(at: path)
    // Bounds the memory: a file that says more than this is not of this program.
    guard file.commit.lastPage < 1 << 28 else {
      throw TreeFault("it says to have \(file.commit.lastPage) pages")
    }
    var check = PageCheck(file)
    try check.run()
  }

  private init(_ file: consuming TreeFile) {
    taken = [UInt64](repeating: 0, count: Int(file.commit.lastPage) / 64 + 1)
    self.file = file
  }

  private mutating func run() throws(TreeFault) {
    try take(0)
    try take(1)
    var named: [Tree] = []
    let main = file.commit.main
    try walk(main) { page, node throws(TreeFault) in
      guard node.flags == TreePage.isTree, node.low == UInt64(Tree.byteCount) else {
        throw TreeFault("the tree of trees has another entry")
      }
      named.append(try page.tree(at: node.value))
    }
    for tree in named {
      try walk(tree) { _, node throws(TreeFault) in
        guard node.flags == 0 || node.flags == TreePage.isLong else {
          throw TreeFault("an entry is of an unknown kind")
        }
      }
    }
    var lists: [[UInt8]] = []
    let free = file.commit.free
    try walk(free) { page, node throws(TreeFault) in
      guard node.key.count == 8 else { throw TreeFault("a list of free pages has a wrong key") }
    }
    try file.forEach(in: free) { _, value throws(TreeFault) in
      lists.append(value.indices.map { value[$0] })
    }
    for list in lists { try takeFree(TreePage(raw: list)) }
  }

  /// Walks over a tree, takes its pages and shows the entries of its leaves.
  private mutating func walk(
    _ tree: Tree, _ body: (TreePage, TreePage.Node) throws(TreeFault) -> Void
  ) throws(TreeFault) {
    guard let root = tree.root else {
      guard tree.entries == 0 else { throw TreeFault("a tree has lost its pages") }
      return
    }
    var last: [UInt8]?
    var entries: UInt64 = 0
    try walk(root, level: 1, of: tree, &last, &entries, body)
    guard entries == tree.entries else { throw TreeFault("a tree has lost entries") }
  }

  private mutating func walk(
    _ number: UInt64, level: Int, of tree: Tree, _ last: inout [UInt8]?,
    _ entries: inout UInt64, _ body: (TreePage, TreePage.Node) throws(TreeFault) -> Void
  ) throws(TreeFault) {
    try takeUsed(number)
    let page = try file.page(number)
    guard page.isLeaf == (level == tree.depth), page.count > 0 else {
      throw TreeFault("page \(number) is on another level")
    }
    for slot in 0..<page.count {
      let node = try page.node(slot)
      if page.isBranch {
        if slot > 0, tree != file.commit.free, let last, page.order(node, last.span) <= 0 {
          throw TreeFault("keys of page \(number) are out of order")
        }
        try walk(page.child(node), level: level + 1, of: tree, &last, &entries, body)
        continue
      }
      entries += 1
      // Keys of the free list are numbers in the order of the machine.
      if tree != file.commit.free, let last, page.order(node, last.span) <= 0 {
        throw TreeFault("keys of page \(number) are out of order")
      }
      last = Array(page.bytes[node.key])
      try body(page, node)
      try takeValue(of: node, in: page)
    }
  }

  private mutating func takeValue(
    of node: TreePage.Node, in page: TreePage
  ) throws(TreeFault) {
    guard node.flags & TreePage.isLong != 0 else {
      guard node.value + Int(node.low) <= page.bytes.count else {
        throw TreeFault("a value of page \(page.number) lies outside of it")
      }
      return
    }
    let first = page.number64(node.value)
    let pages =
      (UInt64(TreePage.headerBytes) + node.low + UInt64(file.commit.pageBytes) - 1)
      / UInt64(file.commit.pageBytes)
    guard node.value + 8 <= page.bytes.count, first <= file.commit.lastPage,
      pages <= file.commit.lastPage - first + 1
    else { throw TreeFault("a long value lies outside of the file") }
    let head = try file.overflowHead(first)
    guard head.number == first, head.kind == 4, head.overflowPages == pages else {
      throw TreeFault("page \(first) is none")
    }
    for number in first..<first + pages { try takeUsed(number) }
  }

  /// Takes the pages of a list of free ones: their number, then each, highest first.
  private mutating func takeFree(_ list: TreePage) throws(TreeFault) {
    let count = list.number64(0)
    guard list.bytes.count % 8 == 0, count < UInt64(list.bytes.count / 8) else {
      throw TreeFault("a list of free pages is cut off")
    }
    var last = UInt64.max
    for index in 0..<Int(count) {
      let number = list.number64(8 * (index + 1))
      guard number < last else { throw TreeFault("a list of free pages is out of order") }
      try take(number)
      last = number
    }
  }

  /// Takes a page that is in use, and therefore in the file.
  private mutating func takeUsed(_ number: UInt64) throws(TreeFault) {
    guard number < file.commit.filePages else { throw TreeFault("page \(number) is cut off") }
    try take(number)
  }

  private mutating func take(_ number: UInt64) throws(TreeFault) {
    guard number <= file.commit.lastPage else { throw TreeFault("page \(number) is outside") }
    let (word, bit) = (Int(number / 64), UInt64(1) << (number % 64))
    guard taken[word] & bit == 0 else { throw TreeFault("page \(number) is used twice") }
    taken[word] |= bit
  }
}
