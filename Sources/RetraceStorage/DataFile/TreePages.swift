import RetraceSystem

/// Why a page of a tree, or an entry of it, cannot be read.
enum TreePageFault: Error {
  /// The file could not be read.
  case unreadable(SystemError)
  /// What is wrong with a page.
  case damaged(page: UInt64, String)
}

/// The pages of one commit of a data file, each checked by itself when it is read: the one reader
/// by which trees are searched (``TreeFile``), walked and checked (``TreeCheck``).
///
/// How pages fit together is for those to say.
struct TreePages: Sendable {
  /// The most bytes of a key in LMDB.
  static var keyBytesMax: Int { 511 }

  let file: PageFile
  /// The number of the last page that the commit counts.
  let lastPage: UInt64

  /// A page of a tree that has its own number, is a branch or a leaf and nothing else, and has at
  /// least one node, all within its bounds.
  ///
  /// - Complexity: One page read.
  func page(_ number: UInt64) throws(TreePageFault) -> PageImage {
    let image = try read(number, count: file.pageSize)
    guard image.number == number,
      image.flags == PageImage.Kind.leaf || image.flags == PageImage.Kind.branch
    else { throw .damaged(page: number, "is not the page that it should be") }
    guard image.hasBounds, image.nodeCount >= 1 else {
      throw .damaged(page: number, "has its bounds in the wrong place")
    }
    return image
  }

  /// A node that lies in its page with its key and, in a leaf, with its value or what stands for
  /// it.
  ///
  /// - Complexity: O(1).
  func node(_ index: Int, of image: PageImage) throws(TreePageFault) -> PageImage.Node {
    guard let node = image.node(index), node.start % 2 == 0, node.key.count <= Self.keyBytesMax
    else { throw .damaged(page: image.number, "has a node in the wrong place") }
    guard
      !image.isLeaf
        || (0...2).contains(node.flags) && node.inlineBytes <= image.bytes.count - node.value
    else { throw .damaged(page: image.number, "has a value in the wrong place") }
    return node
  }

  /// The pages of a long value, of which the first says that it is one.
  ///
  /// - Complexity: The header of the first page is read.
  func pagesOfLongValue(
    of node: PageImage.Node, in image: PageImage
  ) throws(TreePageFault) -> Range<UInt64> {
    let first = try firstPage(of: node, in: image)
    return try pages(ofLongValueIn: read(first, count: PageImage.headerBytes), of: node, at: first)
  }

  /// The bytes of the value of an entry of a leaf, which may lie on pages of its own.
  ///
  /// - Parameter limit: The most bytes; a long value is not longer than the file in any case.
  /// - Complexity: O(bytes of the value).
  func value(
    of node: PageImage.Node, in image: PageImage, limit: Int = .max
  ) throws(TreePageFault) -> [UInt8] {
    guard node.flags == PageImage.Node.isLong else {
      return Array(image.bytes[node.value..<node.value + node.inlineBytes])
    }
    let first = try firstPage(of: node, in: image)
    // Before memory is taken for it.
    guard node.low <= UInt64(limit), pagesNeeded(by: node) <= file.pages else {
      throw .damaged(page: image.number, "has a value of \(node.low) bytes")
    }
    let whole = try read(first, count: PageImage.headerBytes + Int(node.low))
    _ = try pages(ofLongValueIn: whole, of: node, at: first)
    return Array(whole.bytes[PageImage.headerBytes...])
  }

  private func pagesNeeded(by node: PageImage.Node) -> UInt64 {
    (node.low + UInt64(PageImage.headerBytes) - 1) / UInt64(file.pageSize) + 1
  }

  private func firstPage(
    of node: PageImage.Node, in image: PageImage
  ) throws(TreePageFault) -> UInt64 {
    let first = image.number64(node.value)
    guard first >= 2, first <= lastPage else {
      throw .damaged(page: image.number, "names page \(first) for a value")
    }
    return first
  }

  private func pages(
    ofLongValueIn head: PageImage, of node: PageImage.Node, at first: UInt64
  ) throws(TreePageFault) -> Range<UInt64> {
    guard head.number == first, head.flags == PageImage.Kind.overflow,
      head.overflowPages >= pagesNeeded(by: node)
    else { throw .damaged(page: first, "is not the page that it should be") }
    guard head.overflowPages <= file.pages, first <= file.pages - head.overflowPages else {
      throw .damaged(page: first, "is cut off")
    }
    return first..<first + head.overflowPages
  }

  /// The bytes from the beginning of a page on, all that are asked for.
  private func read(_ page: UInt64, count: Int) throws(TreePageFault) -> PageImage {
    guard page >= 2, page <= lastPage else {
      throw .damaged(page: page, "lies outside the file")
    }
    let image: PageImage
    do throws(SystemError) {
      image = try file.read(page, count: count)
    } catch {
      throw .unreadable(error)
    }
    guard image.bytes.count == count else { throw .damaged(page: page, "is cut off") }
    return image
  }
}
