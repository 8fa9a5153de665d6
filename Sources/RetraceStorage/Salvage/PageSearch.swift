import LMDBFile
import Retrace
import RetraceSystem

/// A search of a data file for blocks, heads, schemas and identities, without following pointers or
/// trusting LMDB's pages.
///
/// Checksums validate blocks and heads. LMDB stores every value at an even offset: after 16 bytes
/// of an overflow page, or among other values in a leaf. So the search visits every even offset.
/// The file also contains replaced values, and values of uncommitted transactions; ``BlockTree``
/// finds which blocks follow one another.
struct PageSearch {
  struct Block {
    var offset: Int
    var header: BlockHeader

    var byteCount: Int { LogFormat.headerBytes + Int(header.length) }
    var sequences: ClosedRange<UInt64> { header.firstSequence...header.lastSequence }
  }

  /// The blocks in the order of their offsets.
  private(set) var blocks: [Block] = []
  /// The heads of the last commit and of older ones.
  private(set) var heads: Set<Head> = []
  /// The candidates for the store's identity.
  private(set) var identities: [StoreID] = []
  private(set) var schemas: FoundSchemas

  private let file: UntrustedFile
  private let pageBytes: Int

  private static var windowBytes: Int { 1 << 20 }
  /// The number of bytes that are read after a window, because a value can cross its end.
  private static var overlapBytes: Int { 1 << 16 }
  /// A limit above the size of any app's schema, in bytes.
  private static var schemaBytesMax: Int { 1 << 22 }

  /// Searches a whole file.
  ///
  /// - Parameters:
  ///   - file: The data file.
  ///   - pageBytes: The size of its pages, to find overflow pages that a leaf names.
  ///   - schemas: The known schemas.
  /// - Complexity: O(bytes of the file); memory for an entry for each block.
  init(
    _ file: UntrustedFile, pageBytes: Int, knowing schemas: FoundSchemas
  ) throws(SystemError) {
    self.file = file
    self.pageBytes = pageBytes
    self.schemas = schemas
    var place = 0
    while place < file.size {
      let window = PageImage(
        try file.read(at: place, count: Self.windowBytes + Self.overlapBytes))
      guard !window.bytes.isEmpty else { break }
      place += try scan(at: window, from: place)
    }
  }

  /// Searches a window; returns the number of its bytes that are done.
  private mutating func scan(
    at window: PageImage, from base: Int
  ) throws(SystemError) -> Int {
    var at = 0
    while at < Self.windowBytes, at + Head.byteCount <= window.bytes.count {
      if Self.mayBeVersioned(window.bytes, at) {
        if let head = head(in: window, at) { heads.insert(head) }
        if let block = try block(in: window, at, from: base) {
          blocks.append(block)
          at += (block.byteCount + 1) & ~1
          continue
        }
      }
      if Self.mayBeSchema(window.bytes, at) { try addSchema(in: window, at, from: base) }
      if (base + at) % pageBytes == PageImage.headerBytes {
        try addOverflowSchema(startingWith: window.bytes[at], at: base + at)
      }
      if window.bytes[at] == 0x73 { addIdentity(in: window, at) }
      at += 2
    }
    // The last bytes of the file are skipped if they are too few for a head or a block.
    return at < Self.windowBytes && at + Head.byteCount > window.bytes.count
      ? window.bytes.count : at
  }

  // MARK: Blocks and heads

  /// Returns whether the bytes have a readable version and three zeros, as in blocks and heads.
  private static func mayBeVersioned(_ bytes: [UInt8], _ at: Int) -> Bool {
    bytes[at + 9] | bytes[at + 10] | bytes[at + 11] == 0
      && LogFormat.readableVersions.contains(bytes[at + 8])
  }

  private func head(in window: PageImage, _ at: Int) -> Head? {
    guard window.number32(at + 12) == 0 else { return nil }
    let bytes = window.bytes.span.extracting(at..<at + Head.byteCount)
    return try? Head(decoding: bytes, checksummedBy: SHA256Hasher.self)
  }

  private func block(
    in window: PageImage, _ at: Int, from base: Int
  ) throws(SystemError) -> Block? {
    let (count, length) = (Int(window.number32(at + 12)), Int(window.number32(at + 16)))
    let first = window.number64(at + 24)
    let total = LogFormat.headerBytes + length
    // A block of one record may be longer than others.
    let limit =
      count == 1 ? LogFormat.payloadBytesMax + LogFormat.blockBytesMax : LogFormat.blockBytesMax
    guard count >= 1, length / 3 >= count, LogFormat.isSequence(first), total <= limit,
      total <= file.size - base - at
    else { return nil }
    let header: BlockHeader?
    if at + total <= window.bytes.count {
      header = Self.header(of: window.bytes.span.extracting(at..<at + total), at: first)
    } else {
      let bytes = try file.read(at: base + at, count: total)
      header = Self.header(of: bytes.span, at: first)
    }
    return header.map { Block(offset: base + at, header: $0) }
  }

  private static func header(of block: Span<UInt8>, at first: UInt64) -> BlockHeader? {
    try? BlockHeader(decoding: block, at: first, checksummedBy: SHA256Hasher.self)
  }

  // MARK: Values without a checksum

  /// Returns whether a leaf node with a key of four bytes may begin here.
  ///
  /// The key is the number of a schema. The highest bit is set for a schema of commands, and clear
  /// for one of actions; the other bits are a number below 2^24.
  private static func mayBeSchema(_ bytes: [UInt8], _ at: Int) -> Bool {
    bytes[at + 6] == 4 && bytes[at + 7] == 0 && bytes[at + 4] <= 1 && bytes[at + 5] == 0
      && bytes[at + 8] & 0x7f == 0
  }

  private mutating func addSchema(
    in window: PageImage, _ at: Int, from base: Int
  ) throws(SystemError) {
    let length = Int(window.number32(at))
    guard length > 0, length <= Self.schemaBytesMax,
      let number = LogDatabases.schemaNumber(window.bytes.span.extracting(at + 8..<at + 12)),
      number > 0
    else { return }
    let isLong = window.number16(at + 4) == PageImage.Node.overflowFlag
    guard !isLong || window.number64(at + 12) < UInt64(file.size / pageBytes) else { return }
    let place =
      isLong
      ? Int(window.number64(at + 12)) * pageBytes + PageImage.headerBytes : base + at + 12
    guard place + length <= file.size,
      let first = try file.read(at: place, count: 1).first, FoundSchemas.mayBegin(first)
    else { return }
    schemas.add(try file.read(at: place, count: length), number: number)
  }

  /// Adds a schema on overflow pages, whose number is unknown.
  private mutating func addOverflowSchema(
    startingWith byte: UInt8, at place: Int
  ) throws(SystemError) {
    guard FoundSchemas.mayBegin(byte) else { return }
    var count = 1 << 14
    while count <= Self.schemaBytesMax {
      let bytes = try file.read(at: place, count: count)
      if let end = FoundSchemas.endOfJSON(bytes) {
        return schemas.add(Array(bytes[..<end]), number: nil)
      }
      guard bytes.count == count else { return }
      count *= 4
    }
  }

  private mutating func addIdentity(in window: PageImage, _ at: Int) {
    let start = at + LogDatabases.storeKey.count
    guard window.bytes[at..<start].elementsEqual(LogDatabases.storeKey),
      let identity = StoreID(window.bytes.span.extracting(start..<start + StoreID.byteCount)),
      !identities.contains(identity), identities.count < 64
    else { return }
    identities.append(identity)
  }
}
