import RetraceSystem
import Testing

@testable import LMDBFile

/// A data file whose bytes a test changes, and the places of some of its fields.
struct ChangedDataFile {
  /// The number of bytes of a page.
  static let pageBytes = 4096

  /// The contents.
  private(set) var bytes: [UInt8]
  /// The offset of the meta page of the last commit.
  let meta: Int
  /// The offset of the descriptor of the database `data`.
  let descriptor: Int
  /// The offset of the root page of `data`, which is a branch page.
  let branch: Int
  /// The offset of the first leaf of `data`.
  let leaf: Int

  /// Reads the file of an environment with a database `data`.
  init(_ path: String) throws {
    let file = try PageFile.open(path)
    let commit = file.metaPages.current
    let pages = TreePages(file: file, lastPage: commit.lastPage)
    bytes = try FileSystem.readWhole(path, limitBytes: 1 << 26)
    meta = Int(commit.transaction & 1) * Self.pageBytes
    let main = try pages.page(#require(commit.main.root))
    let slot = try #require(
      (0..<main.nodeCount).first { slot in
        main.node(slot).map { Array(main.bytes[$0.key]) == Array("data".utf8) } ?? false
      })
    let place = try pages.node(slot, of: main).value
    descriptor = Int(main.number) * Self.pageBytes + place
    let root = try pages.page(#require(TreeDescriptor(main, at: place).root))
    branch = Int(root.number) * Self.pageBytes
    try #require(root.isBranch)
    leaf = Int(try pages.node(0, of: root).child) * Self.pageBytes
  }

  /// Returns the offset of a node of a page.
  func node(_ slot: Int, of page: Int) -> Int {
    page + number16(page + PageImage.headerBytes + 2 * slot)
  }

  /// Returns the UInt16 at an offset.
  func number16(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }

  /// Replaces the UInt16 at an offset.
  mutating func set16(_ number: Int, at place: Int) {
    bytes[place] = UInt8(truncatingIfNeeded: number)
    bytes[place + 1] = UInt8(truncatingIfNeeded: number >> 8)
  }

  /// Adds to the UInt16 at an offset.
  mutating func add(_ count: Int, at place: Int) { set16(number16(place) + count, at: place) }

  /// Replaces a byte.
  mutating func set(_ byte: UInt8, at place: Int) { bytes[place] = byte }
}
