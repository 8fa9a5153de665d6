import RetraceSystem

/// A check of the pages of one tree, in the order of its keys.
struct TreeCheck {
  private let pages: TreePages
  private let part: StructureDamage.Part
  private let descriptor: TreeDescriptor
  /// The last key up to which the tree is consistent, and the one before it.
  private var trusted: [UInt8]?
  private var trustedBefore: [UInt8]?
  private var branchPages: UInt64 = 0
  private var leafPages: UInt64 = 0
  private var overflowPages: UInt64 = 0
  private var entries: UInt64 = 0

  /// The lowest key that a page can have, and the lowest key of the next page; `nil` for no limit.
  private struct Limits {
    var low: ArraySlice<UInt8>?
    var high: ArraySlice<UInt8>?
  }

  struct Entry {
    let image: PageImage
    let page: UInt64
    let node: PageImage.Node

    var key: ArraySlice<UInt8> { image.bytes[node.key] }
    var flags: Int { node.flags }
    /// The offset in the leaf of the value, or of the number of a long value's first page.
    var value: Int { node.value }
    var valueBytes: Int { Int(node.low) }
  }

  init(_ descriptor: TreeDescriptor, of part: StructureDamage.Part, in pages: TreePages) {
    self.descriptor = descriptor
    self.part = part
    self.pages = pages
  }

  /// Checks the whole tree and calls `body` with each of its entries.
  ///
  /// - Complexity: O(pages of the tree), each read once, but only the first bytes of a long value.
  static func check(
    _ descriptor: TreeDescriptor, of part: StructureDamage.Part, in pages: TreePages,
    foundOn page: UInt64, visited: inout PageSet,
    _ body: (Entry, inout PageSet) throws(StructureFailure) -> Void
  ) throws(StructureFailure) {
    var walk = TreeCheck(descriptor, of: part, in: pages)
    guard let root = descriptor.root else {
      guard descriptor.depth == 0 else {
        throw walk.damaged(page, "gives an empty tree a depth of \(descriptor.depth)")
      }
      try walk.compareCounts(foundOn: page)
      return
    }
    guard (1...32).contains(descriptor.depth) else {
      throw walk.damaged(page, "gives a tree a depth of \(descriptor.depth)")
    }
    try walk.check(root, level: 1, within: Limits(), visited: &visited, body)
    try walk.compareCounts(foundOn: page)
  }

  private func compareCounts(foundOn page: UInt64) throws(StructureFailure) {
    guard branchPages == descriptor.branchPages, leafPages == descriptor.leafPages,
      overflowPages == descriptor.overflowPages, entries == descriptor.entries
    else { throw damaged(page, "has wrong page or entry counts for a tree") }
  }

  private func damaged(
    _ page: UInt64, _ detail: String, from: ArraySlice<UInt8>? = nil, isLastKeySuspect: Bool = false
  ) -> StructureFailure {
    .damaged(
      StructureDamage(
        part: part, page: page, detail: detail, after: isLastKeySuspect ? trustedBefore : trusted,
        from: isLastKeySuspect ? nil : from.map { Array($0) }))
  }

  /// Checks a page and all pages below it.
  private mutating func check(
    _ page: UInt64, level: Int, within limits: Limits, visited: inout PageSet,
    _ body: (Entry, inout PageSet) throws(StructureFailure) -> Void
  ) throws(StructureFailure) {
    guard page >= 2, page <= pages.lastPage, visited.add(page) == nil else {
      throw damaged(page, "is referenced twice, or lies outside the file", from: limits.low)
    }
    let image = try reading(from: limits.low) { () throws(TreePageError) in try pages.page(page) }
    let isLeaf = level == descriptor.depth
    guard image.isLeaf == isLeaf else {
      throw damaged(page, "is of the wrong kind", from: limits.low)
    }
    guard isLeaf || part == .freeList || image.nodeCount >= 2 else {
      throw damaged(page, "is a branch page with fewer than two nodes", from: limits.low)
    }
    if isLeaf {
      leafPages += 1
      try checkLeaf(image, page, within: limits, visited: &visited, body)
    } else {
      branchPages += 1
      try checkBranch(image, page, level: level, within: limits, visited: &visited, body)
    }
  }

  private mutating func checkBranch(
    _ image: PageImage, _ page: UInt64, level: Int, within limits: Limits,
    visited: inout PageSet, _ body: (Entry, inout PageSet) throws(StructureFailure) -> Void
  ) throws(StructureFailure) {
    var used = 0
    let count = image.nodeCount
    var children: [UInt64] = []
    var separators: [ArraySlice<UInt8>] = []
    children.reserveCapacity(count)
    separators.reserveCapacity(count)
    for index in 0..<count {
      let node = try reading(from: limits.low) { () throws(TreePageError) in
        try pages.node(index, of: image)
      }
      let key = image.bytes[node.key]
      used += (PageImage.nodeBytes + key.count + 1) & ~1
      if index > 0, let last = index == 1 ? limits.low : separators[index - 1],
        !isBefore(last, key)
      {
        throw damaged(page, "has its keys in the wrong order", from: limits.low)
      }
      children.append(node.child)
      separators.append(key)
    }
    guard used == image.bytes.count - image.upper else {
      throw damaged(page, "has its nodes in the wrong place", from: limits.low)
    }
    if count > 1, let last = separators.last, let high = limits.high, !isBefore(last, high) {
      throw damaged(page, "has a key that belongs to another page", from: limits.low)
    }
    for index in 0..<count {
      let limits = Limits(
        low: index == 0 ? limits.low : separators[index],
        high: index + 1 < count ? separators[index + 1] : limits.high)
      try check(children[index], level: level + 1, within: limits, visited: &visited, body)
    }
  }

  private mutating func checkLeaf(
    _ image: PageImage, _ page: UInt64, within limits: Limits,
    visited: inout PageSet, _ body: (Entry, inout PageSet) throws(StructureFailure) -> Void
  ) throws(StructureFailure) {
    var used = 0
    var last: ArraySlice<UInt8>?
    for index in 0..<image.nodeCount {
      let node = try reading(from: last ?? limits.low) { () throws(TreePageError) in
        try pages.node(index, of: image)
      }
      let key = image.bytes[node.key]
      guard !key.isEmpty else { throw damaged(page, "has an empty key", from: last) }
      if let last, !isBefore(last, key) {
        throw damaged(page, "has its keys in the wrong order", isLastKeySuspect: true)
      }
      if last == nil, let low = limits.low, isBefore(key, low) {
        throw damaged(page, "has a key that belongs to another page", from: low)
      }
      if let high = limits.high, !isBefore(key, high) {
        throw damaged(page, "has a key that belongs to another page", isLastKeySuspect: true)
      }
      let entry = Entry(image: image, page: page, node: node)
      used += (PageImage.nodeBytes + key.count + node.inlineBytes + 1) & ~1
      if node.flags == PageImage.Node.overflowFlag { try checkLongValue(entry, visited: &visited) }
      try body(entry, &visited)
      entries += 1
      last = key
      trustedBefore = trusted
      trusted = Array(key)
    }
    guard used == image.bytes.count - image.upper else {
      throw damaged(page, "has its nodes in the wrong place", isLastKeySuspect: true)
    }
  }

  /// Checks the first page of a long value, and that its pages are not used elsewhere.
  private mutating func checkLongValue(
    _ entry: Entry, visited: inout PageSet
  ) throws(StructureFailure) {
    let long = try reading(from: entry.key) { () throws(TreePageError) in
      try pages.pagesOfLongValue(of: entry.node, in: entry.image)
    }
    if let page = visited.add(long.lowerBound, count: UInt64(long.count)) {
      throw damaged(page, "is referenced twice", from: entry.key)
    }
    overflowPages += UInt64(long.count)
  }

  /// Reads from a page, and reports its errors as damage to the tree.
  private func reading<R>(
    from: ArraySlice<UInt8>?, _ body: () throws(TreePageError) -> R
  ) throws(StructureFailure) -> R {
    do throws(TreePageError) {
      return try body()
    } catch {
      switch error {
      case .unreadable(let error): throw .unreadable(error)
      case .damaged(let page, let detail): throw damaged(page, detail, from: from)
      }
    }
  }

  /// Returns whether a key precedes another in LMDB's order.
  private func isBefore(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    guard descriptor.flags & MetaPage.integerKeys != 0, left.count == 8, right.count == 8 else {
      return left.lexicographicallyPrecedes(right)
    }
    // Integers in native byte order, which is little-endian.
    return left.reversed().lexicographicallyPrecedes(right.reversed())
  }
}
