import RetraceSystem

/// An error that makes a page of a tree, or a node in it, unreadable.
enum TreePageError: Error {
  case unreadable(SystemError)
  case damaged(page: UInt64, String)
}

/// The pages of one commit of a data file, each checked by itself when it is read.
///
/// Both the search (``TreeFile``) and the check of trees (``TreeCheck``) read pages through this
/// type. ``TreeCheck`` also checks how the pages fit together. ``TreeFile`` checks only the depth
/// of a tree and the number of its entries.
struct TreePages: Sendable {
  /// The largest size of a key in LMDB.
  static var keyBytesMax: Int { 511 }

  let file: PageFile
  let lastPage: UInt64

  /// Returns a page after checking its number, its kind and its bounds.
  ///
  /// It is a branch or a leaf and has at least one node.
  ///
  /// - Complexity: One page read.
  func page(_ number: UInt64) throws(TreePageError) -> PageImage {
    let image = try read(number, count: file.pageSize)
    guard image.number == number,
      image.flags == PageImage.Flags.leaf || image.flags == PageImage.Flags.branch
    else { throw .damaged(page: number, "is of the wrong kind or has the wrong number") }
    guard image.hasValidBounds, image.nodeCount >= 1 else {
      throw .damaged(page: number, "has invalid bounds")
    }
    return image
  }

  /// Returns a node after checking that its key, and in a leaf also its value or page number, is
  /// inside the page.
  ///
  /// - Complexity: O(1).
  func node(_ index: Int, of image: PageImage) throws(TreePageError) -> PageImage.Node {
    guard let node = image.node(index), node.start % 2 == 0, node.key.count <= Self.keyBytesMax
    else { throw .damaged(page: image.number, "has a node in the wrong place") }
    guard
      !image.isLeaf
        || (0...2).contains(node.flags) && node.inlineBytes <= image.bytes.count - node.value
    else { throw .damaged(page: image.number, "has a value in the wrong place") }
    return node
  }

  /// Returns the overflow pages of a long value, after checking the header of the first.
  ///
  /// - Complexity: The header of the first page is read.
  func pagesOfLongValue(
    of node: PageImage.Node, in image: PageImage
  ) throws(TreePageError) -> Range<UInt64> {
    let first = try firstPage(of: node, in: image)
    return try pages(ofLongValueIn: read(first, count: PageImage.headerBytes), of: node, at: first)
  }

  /// Returns the value of a leaf node, which may be on overflow pages.
  ///
  /// - Parameter limit: The largest size to read; a long value is never larger than the file.
  /// - Complexity: O(bytes of the value).
  func value(
    of node: PageImage.Node, in image: PageImage, limit: Int = .max
  ) throws(TreePageError) -> [UInt8] {
    guard node.flags == PageImage.Node.overflowFlag else {
      return Array(image.bytes[node.value..<node.value + node.inlineBytes])
    }
    let first = try firstPage(of: node, in: image)
    // Checked before memory is allocated.
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
  ) throws(TreePageError) -> UInt64 {
    let first = image.number64(node.value)
    guard first >= 2, first <= lastPage else {
      throw .damaged(page: image.number, "names page \(first) for a value")
    }
    return first
  }

  private func pages(
    ofLongValueIn head: PageImage, of node: PageImage.Node, at first: UInt64
  ) throws(TreePageError) -> Range<UInt64> {
    guard head.number == first, head.flags == PageImage.Flags.overflow,
      head.overflowPages >= pagesNeeded(by: node)
    else { throw .damaged(page: first, "is of the wrong kind or has the wrong number or length") }
    guard head.overflowPages <= file.pages, first <= file.pages - head.overflowPages else {
      throw .damaged(page: first, "is cut off")
    }
    return first..<first + head.overflowPages
  }

  /// Reads exactly `count` bytes from the start of a page on.
  private func read(_ page: UInt64, count: Int) throws(TreePageError) -> PageImage {
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
