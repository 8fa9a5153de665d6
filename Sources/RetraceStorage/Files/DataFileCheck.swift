import RetracePlatform

/// A look at `data.mdb` before LMDB maps it: a file that is cut off would end the process.
enum DataFileCheck {
  /// Checks that the file is an LMDB file of the known version, and as long as it says.
  ///
  /// - Complexity: Two pages read; all pages of trees if the file is shorter than its page count.
  static func check(_ store: StorePath) throws(StoreError) {
    guard let info = try store.info("data.mdb") else {
      throw missing(.dataFile, "Its file data.mdb is missing", store)
    }
    try store.requirePlain("data.mdb", info)
    guard info.sizeBytes > 0 else {
      throw missing(.dataFileEmpty, "Its file data.mdb is empty", store)
    }
    let verdict: Verdict
    do {
      let file = try OpenFile.open(
        store.file("data.mdb"), [.read, .noFollow, .nonBlocking])
      verdict = try look(at: file)
    } catch {
      throw StoreError(error, in: store.directory, doing: "be opened")
    }
    switch verdict {
    case .sound: return
    case .damaged(let detail): throw StoreError.damaged(1, detail, in: store.directory)
    case .otherVersion(let version):
      throw StoreError(
        .incompatible, what: "The store \(store.directory) could not be opened.",
        why: "Its data file is of LMDB's data version \(version), known is 1.",
        advice: "Use the version that wrote it.")
    }
  }

  private enum Verdict {
    case sound
    case damaged(String)
    case otherVersion(UInt64)
  }

  /// Looks again if another process commits meanwhile, which changes pages under the look.
  private static func look(at file: borrowing OpenFile) throws(PlatformError) -> Verdict {
    for _ in 0..<16 {
      let verdict = try lookOnce(at: file)
      guard case .damaged = verdict.0 else { return verdict.0 }
      if try lookOnce(at: file).1 == verdict.1 { return verdict.0 }
    }
    return .sound
  }

  /// What the file is, by the transaction that it was looked at.
  private static func lookOnce(
    at file: borrowing OpenFile
  ) throws(PlatformError) -> (Verdict, transaction: UInt64) {
    let first = PageBytes(try file.read(at: 0, count: 512))
    guard first.count == 512, first.magic == 0xbeef_c0de else {
      return (.damaged("Its data file is no LMDB file"), 0)
    }
    guard first.version == 1 else { return (.otherVersion(first.version), 0) }
    let pageSize = Int(first.number(40, 4))
    guard pageSize.nonzeroBitCount == 1, (512...65536).contains(pageSize) else {
      return (.damaged("A meta page of its data file is damaged"), 0)
    }
    let second = PageBytes(try file.read(at: pageSize, count: 512))
    guard second.count == 512, second.magic == first.magic, second.version == 1,
      second.number(40, 4) == UInt64(pageSize)
    else { return (.damaged("A meta page of its data file is damaged, or cut off"), 0) }
    let meta = second.transaction > first.transaction ? second : first
    // The size is asked for after the meta page was read: the file grows before its meta page.
    let pages = try file.size / pageSize
    guard meta.lastPage >= UInt64(pages) else { return (.sound, meta.transaction) }
    // LMDB may count pages at the end that a transaction took and gave back: only pages that are
    // in use have to be there.
    var walk = TreeWalk(pageSize: pageSize, pages: pages)
    for database in [40, 88] {
      guard try walk.isWhole(meta.root(database), in: file) else {
        return (.damaged("Its data file is cut off"), meta.transaction)
      }
    }
    return (.sound, meta.transaction)
  }

  private static func missing(
    _ part: StoreError.Code.Missing, _ why: String, _ store: StorePath
  ) -> StoreError {
    StoreError(
      .storeMissing(part), what: "The store \(store.directory) could not be opened.",
      why: "\(why), though the directory is a store's.",
      advice: "Restore the file from a backup; no new store is made in its place.")
  }
}

/// Bytes of a page of LMDB 0.9, read with checked offsets.
private struct PageBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// A number of so many bytes, little end first; 0 outside the page.
  func number(_ at: Int, _ count: Int) -> UInt64 {
    guard at >= 0, at + count <= bytes.count else { return 0 }
    return (0..<count).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
  }

  // Fields of a meta page.
  var magic: UInt64 { number(16, 4) }
  var version: UInt64 { number(20, 4) }
  var lastPage: UInt64 { number(136, 8) }
  var transaction: UInt64 { number(144, 8) }

  /// The root page of a database whose description starts at an offset.
  func root(_ at: Int) -> UInt64 { number(at + 40, 8) }
}

/// A walk over the pages of a tree, to see whether all of them are in the file.
private struct TreeWalk {
  let pageSize: Int
  /// The number of whole pages in the file.
  let pages: Int
  private var visited = 0

  init(pageSize: Int, pages: Int) {
    self.pageSize = pageSize
    self.pages = pages
  }

  /// Whether all pages from a root down are in the file; a tree that is no tree is not.
  mutating func isWhole(
    _ root: UInt64, depth: Int = 0, in file: borrowing OpenFile
  ) throws(PlatformError) -> Bool {
    if root == UInt64.max { return true }
    visited += 1
    guard root < UInt64(pages), depth < 32, visited <= pages else { return false }
    let page = PageBytes(try file.read(at: Int(root) * pageSize, count: pageSize))
    let isBranch = page.number(10, 2) & 1 != 0
    guard page.number(0, 8) == root, isBranch || page.number(10, 2) & 2 != 0 else { return false }
    for slot in stride(from: 16, to: Int(page.number(12, 2)), by: 2) {
      let node = Int(page.number(slot, 2))
      let low = page.number(node, 4)
      let flags = page.number(node + 4, 2)
      let value = node + 8 + Int(page.number(node + 6, 2))
      if isBranch {
        guard try isWhole(low | flags << 32, depth: depth + 1, in: file) else { return false }
      } else if flags & 1 != 0 {
        let last = page.number(value, 8) + (low + 15) / UInt64(pageSize)
        guard last < UInt64(pages) else { return false }
      } else if flags & 2 != 0 {
        guard try isWhole(page.root(value), depth: depth + 1, in: file) else { return false }
      }
    }
    return true
  }
}
