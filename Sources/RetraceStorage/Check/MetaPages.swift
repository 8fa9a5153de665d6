import RetracePlatform

/// The description of a tree: 48 bytes in a meta page, or a value in the list of databases.
struct TreeRecord: Equatable {
  /// The number of bytes.
  static let byteCount = 48
  /// The root of a tree without entries.
  static let noRoot = UInt64.max

  var pad: UInt64
  var flags: UInt64
  var depth: Int
  var branchPages: UInt64
  var leafPages: UInt64
  var overflowPages: UInt64
  var entries: UInt64
  var root: UInt64

  init(_ page: PageImage, at place: Int) {
    pad = page.number(place, 4)
    flags = page.number(place + 4, 2)
    depth = Int(page.number(place + 6, 2))
    branchPages = page.number(place + 8, 8)
    leafPages = page.number(place + 16, 8)
    overflowPages = page.number(place + 24, 8)
    entries = page.number(place + 32, 8)
    root = page.number(place + 40, 8)
  }
}

/// What a meta page says.
struct MetaPage {
  /// The number that begins every data file of LMDB.
  static let magic: UInt64 = 0xbeef_c0de
  /// The flag of a tree whose keys are numbers of the machine.
  static let integerKeys: UInt64 = 0x08

  var freeList: TreeRecord
  var main: TreeRecord
  var lastPage: UInt64
  var transaction: UInt64

  /// The size of a page, which stands in the description of the free list.
  var pageSize: UInt64 { freeList.pad }

  init(_ page: PageImage, at place: Int) {
    freeList = TreeRecord(page, at: place + 40)
    main = TreeRecord(page, at: place + 88)
    lastPage = page.number(place + 136, 8)
    transaction = page.number(place + 144, 8)
  }
}

/// The two meta pages of a data file, and which of them LMDB takes.
struct MetaPages {
  /// The meta page with the higher number of a commit.
  let current: MetaPage
  private let both: [MetaPage]

  /// What looking at the meta pages can lead to.
  enum Verdict {
    case fine(MetaPages)
    /// The file is of another version of LMDB's format.
    case otherVersion(UInt64)
    case damaged(StructureDamage)
  }

  /// The meta page of a commit; `nil` if neither is.
  func page(of transaction: UInt64) -> MetaPage? {
    both.first { $0.transaction == transaction }
  }

  /// Reads and checks both pages.
  ///
  /// While another process commits, one page may be read half written and the two may be of
  /// commits that lie further apart: what does not fit is looked at again.
  static func read(_ file: PageFile) throws(PlatformError) -> Verdict {
    var verdict = try readOnce(file)
    for _ in 0..<4 {
      guard case .damaged = verdict else { return verdict }
      MonotonicClock.sleep(milliseconds: 1)
      verdict = try readOnce(file)
    }
    return verdict
  }

  private static func readOnce(_ file: PageFile) throws(PlatformError) -> Verdict {
    let first = try file.readStart(count: 152)
    guard first.count == 152, first.number(16, 4) == MetaPage.magic else {
      return damaged(0, "is none of LMDB")
    }
    let version = first.number(20, 4)
    guard version == 1 else { return .otherVersion(version) }
    let pageSize = Int(MetaPage(first, at: 0).pageSize)
    guard pageSize.nonzeroBitCount == 1, (512...32768).contains(pageSize) else {
      return damaged(0, "names pages of \(pageSize) bytes")
    }
    let start = try file.readStart(count: pageSize + 152)
    guard start.count == pageSize + 152 else { return damaged(1, "is cut off") }
    for (page, place) in [0, pageSize].enumerated() {
      // The header's own number of the second page is 1.
      guard start.number(place, 8) == UInt64(page),
        start.number(place + 10, 2) == UInt64(PageImage.Kind.meta),
        start.number(place + 16, 4) == MetaPage.magic, start.number(place + 20, 4) == 1
      else { return damaged(UInt64(page), "is none of LMDB") }
    }
    file.pageSize = pageSize
    return judge(MetaPage(start, at: 0), MetaPage(start, at: pageSize))
  }

  /// Checks what the pages say of themselves and of each other.
  private static func judge(_ first: MetaPage, _ second: MetaPage) -> Verdict {
    for (number, page) in [first, second].enumerated() {
      guard page.pageSize == first.pageSize else {
        return damaged(UInt64(number), "names pages of \(page.pageSize) bytes")
      }
      // LMDB finds the page of a commit by whether its number is odd.
      guard page.transaction & 1 == UInt64(number) || page.transaction == 0 else {
        return damaged(UInt64(number), "is of commit \(page.transaction)")
      }
    }
    let apart =
      max(first.transaction, second.transaction) - min(first.transaction, second.transaction)
    guard apart <= 1 else {
      return damaged(
        first.transaction < second.transaction ? 0 : 1,
        "is of commit \(min(first.transaction, second.transaction)), the other of commit"
          + " \(max(first.transaction, second.transaction))")
    }
    let current = first.transaction < second.transaction ? second : first
    let number: UInt64 = first.transaction < second.transaction ? 1 : 0
    guard current.freeList.flags == MetaPage.integerKeys, current.main.flags == 0 else {
      return damaged(number, "has unknown flags")
    }
    guard current.lastPage >= 1, current.lastPage < 1 << 48 else {
      return damaged(number, "counts pages up to \(current.lastPage)")
    }
    for root in [current.freeList.root, current.main.root] where root != TreeRecord.noRoot {
      guard root >= 2, root <= current.lastPage else {
        return damaged(number, "names page \(root) of \(current.lastPage) as a root")
      }
    }
    return .fine(MetaPages(current: current, both: [first, second]))
  }

  private static func damaged(_ page: UInt64, _ detail: String) -> Verdict {
    .damaged(StructureDamage(part: .meta, page: page, detail: detail))
  }
}
