import RetracePlatform

/// Bytes of a page of LMDB 0.9 with checked offsets; all numbers have their low byte first.
struct PageImage {
  /// The bits in the flags of a page.
  enum Kind {
    static let branch = 0x01
    static let leaf = 0x02
    static let overflow = 0x04
    static let meta = 0x08
  }

  /// The number of bytes before the places of the nodes.
  static let headerBytes = 16

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// A number of so many bytes; 0 if a part of it lies outside the page.
  func number(_ at: Int, _ count: Int) -> UInt64 {
    guard at >= 0, at <= bytes.count - count else { return 0 }
    var number: UInt64 = 0
    for index in stride(from: count - 1, through: 0, by: -1) {
      number = number << 8 | UInt64(bytes[at + index])
    }
    return number
  }

  /// The number that the page says it has.
  var page: UInt64 { number(0, 8) }
  /// What kind of page it is.
  var flags: Int { Int(number(10, 2)) }
  /// Where the places of the nodes end.
  var lower: Int { Int(number(12, 2)) }
  /// Where the nodes begin.
  var upper: Int { Int(number(14, 2)) }
  /// The number of pages of a long value.
  var overflowPages: UInt64 { number(12, 4) }

  /// The place of a node.
  func node(_ index: Int) -> Int {
    Int(number(PageImage.headerBytes + 2 * index, 2))
  }
}

/// A data file, read page by page with calls that answer errors; nothing is mapped.
final class PageFile {
  private let file: OpenFile
  /// The number of bytes that the file has.
  let sizeBytes: Int
  /// The size of a page in bytes.
  var pageSize = 4096

  /// The number of whole pages that the file has.
  var pages: UInt64 { UInt64(sizeBytes / pageSize) }

  /// Opens a data file; a link is not followed, and a pipe does not hold the caller.
  init(_ path: String) throws(PlatformError) {
    file = try OpenFile.open(path, [.read, .noFollow, .nonBlocking])
    sizeBytes = try file.size
  }

  /// Says that only a few pages will be read, here and there.
  func expectRandomReads() { file.expectRandomReads() }

  /// Reads the first bytes of a page, fewer where the file ends.
  func read(_ page: UInt64, count: Int) throws(PlatformError) -> PageImage {
    guard page < pages else { return PageImage([]) }
    return PageImage(try file.read(at: Int(page) * pageSize, count: count))
  }

  /// Reads bytes from the beginning of the file.
  func readStart(count: Int) throws(PlatformError) -> PageImage {
    PageImage(try file.read(at: 0, count: count))
  }
}
