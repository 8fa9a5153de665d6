import RetraceSystem

/// LMDB's description of a tree: 48 bytes in a meta page, or a value in the list of databases.
package struct TreeDescriptor: Hashable, Sendable {
  static var byteCount: Int { 48 }

  var pad: UInt64
  var flags: Int
  var depth: Int
  var branchPages: UInt64
  var leafPages: UInt64
  var overflowPages: UInt64
  package var entries: UInt64
  package var root: UInt64?

  /// Whether the tree has no flags, except that its keys may be native integers.
  var hasKnownFlags: Bool { flags & ~MetaPage.integerKeys == 0 }

  init(_ page: PageImage, at place: Int) {
    pad = page.number32(place)
    flags = page.number16(place + 4)
    depth = page.number16(place + 6)
    branchPages = page.number64(place + 8)
    leafPages = page.number64(place + 16)
    overflowPages = page.number64(place + 24)
    entries = page.number64(place + 32)
    let root = page.number64(place + 40)
    self.root = root == .max ? nil : root
  }
}

package struct MetaPage: Sendable {
  /// The magic number of LMDB's data files.
  static var magic: UInt64 { 0xbeef_c0de }
  /// The offset of the magic number in files of LMDB 1.0, whose page headers have 24 bytes.
  ///
  /// In files of LMDB 0.9, this is an address, which is 0.
  static var laterMagicOffset: Int { 24 }
  /// The flag of a tree whose keys are native integers.
  static var integerKeys: Int { 0x08 }

  var freeList: TreeDescriptor
  var main: TreeDescriptor
  var lastPage: UInt64
  package var transaction: UInt64

  /// The size of a page, which is part of the free list's descriptor.
  var pageSize: UInt64 { freeList.pad }

  init(_ page: PageImage, at place: Int) {
    freeList = TreeDescriptor(page, at: place + 40)
    main = TreeDescriptor(page, at: place + 88)
    lastPage = page.number64(place + 136)
    transaction = page.number64(place + 144)
  }
}

/// The two meta pages of a data file.
package struct MetaPages: Sendable {
  private let first: MetaPage
  private let second: MetaPage

  /// The meta page of the later commit, which LMDB uses.
  package var current: MetaPage { first.transaction < second.transaction ? second : first }

  /// The size of a page in bytes, which both pages share.
  var pageSize: Int { Int(first.pageSize) }

  /// Returns the meta page of a commit, or `nil` if neither page belongs to it.
  package func page(of transaction: UInt64) -> MetaPage? {
    if first.transaction == transaction { return first }
    return second.transaction == transaction ? second : nil
  }

  /// Reads both pages and checks that they are LMDB's; ``check()`` checks their contents.
  static func read(_ file: borrowing OpenFile) throws(StructureFailure) -> MetaPages {
    let first = try readStart(of: file, count: 152)
    if first.number32(MetaPage.laterMagicOffset) == MetaPage.magic {
      throw .laterLMDB(dataVersion: first.number32(MetaPage.laterMagicOffset + 4))
    }
    guard first.bytes.count == 152, first.number32(16) == MetaPage.magic else {
      throw damaged(0, "is not an LMDB meta page")
    }
    let version = first.number32(20)
    guard version == 1 else { throw .unsupportedVersion(version) }
    let pageSize = Int(MetaPage(first, at: 0).pageSize)
    guard pageSize.nonzeroBitCount == 1, (512...32768).contains(pageSize) else {
      throw damaged(0, "gives a page size of \(pageSize) bytes")
    }
    let start = try readStart(of: file, count: pageSize + 152)
    guard start.bytes.count == pageSize + 152 else { throw damaged(1, "is cut off") }
    for (page, place) in [0, pageSize].enumerated() {
      // The second page's header has the page number 1.
      guard start.number64(place) == UInt64(page),
        start.number16(place + 10) == PageImage.Flags.meta,
        start.number32(place + 16) == MetaPage.magic, start.number32(place + 20) == 1
      else { throw damaged(UInt64(page), "is not an LMDB meta page") }
      let named = MetaPage(start, at: place).pageSize
      guard named == UInt64(pageSize) else {
        throw damaged(UInt64(page), "gives a page size of \(named) bytes")
      }
    }
    return MetaPages(first: MetaPage(start, at: 0), second: MetaPage(start, at: pageSize))
  }

  func check() throws(StructureFailure) {
    try Self.checkCommit(of: first, inPage: 0)
    try Self.checkCommit(of: second, inPage: 1)
    let (current, number): (MetaPage, UInt64) =
      first.transaction < second.transaction ? (second, 1) : (first, 0)
    let older = number == 1 ? first : second
    guard current.transaction - older.transaction <= 1 else {
      throw Self.damaged(
        1 - number,
        "belongs to commit \(older.transaction), the other one to commit "
          + "\(current.transaction)")
    }
    guard current.freeList.flags == MetaPage.integerKeys, current.main.flags == 0 else {
      throw Self.damaged(number, "has unknown flags")
    }
    guard current.lastPage >= 1, current.lastPage < 1 << 48 else {
      throw Self.damaged(number, "has the impossible last page number \(current.lastPage)")
    }
    try Self.checkRoot(of: current.freeList, inPage: number, last: current.lastPage)
    try Self.checkRoot(of: current.main, inPage: number, last: current.lastPage)
  }

  private static func checkCommit(
    of page: MetaPage, inPage number: UInt64
  ) throws(StructureFailure) {
    // LMDB stores even commits in page 0 and odd ones in page 1.
    guard page.transaction & 1 == number || page.transaction == 0 else {
      throw damaged(number, "belongs to commit \(page.transaction)")
    }
  }

  private static func checkRoot(
    of tree: TreeDescriptor, inPage number: UInt64, last: UInt64
  ) throws(StructureFailure) {
    guard let root = tree.root, root < 2 || root > last else { return }
    throw damaged(number, "has the root page \(root), but the last page is \(last)")
  }

  private static func readStart(
    of file: borrowing OpenFile, count: Int
  ) throws(StructureFailure) -> PageImage {
    do throws(SystemError) {
      return PageImage(try file.read(at: 0, count: count))
    } catch {
      throw .unreadable(error)
    }
  }

  private static func damaged(_ page: UInt64, _ detail: String) -> StructureFailure {
    .damaged(StructureDamage(part: .meta, page: page, detail: detail))
  }
}
