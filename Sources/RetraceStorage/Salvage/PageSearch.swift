import RetraceAvro
import RetraceLog
import RetraceSystem

/// A search of a data file for blocks, heads, schemas and identities, which follows no pointer and
/// trusts no page of LMDB.
///
/// A block and a head say by their checksums whether they are whole. LMDB puts every value at an
/// even offset, on pages of its own after 16 bytes or among other values in a leaf. So every even
/// offset is looked at. The file also holds values that were replaced, and values of transactions
/// that were never committed; ``BlockTree`` tells which blocks follow one another.
struct PageSearch {
  /// A block whose checksum is right.
  struct Block {
    /// Where it begins in the file, in bytes.
    var offset: Int
    var header: BlockHeader

    var byteCount: Int { LogFormat.headerBytes + Int(header.length) }
    var sequences: ClosedRange<UInt64> { header.firstSequence...header.lastSequence }
  }

  /// The blocks in the order of their places.
  private(set) var blocks: [Block] = []
  /// The heads, of older commits too.
  private(set) var heads: Set<Head> = []
  /// What may be the store's identity.
  private(set) var identities: [StoreID] = []
  /// What may be schemas.
  private(set) var schemas: FoundSchemas

  private let file: DamagedFile
  private let pageBytes: Int

  /// How much of the file is looked at together.
  private static var windowBytes: Int { 1 << 20 }
  /// How much of what follows is read with it.
  private static var overlapBytes: Int { 1 << 16 }
  /// More than the schema of any app has.
  private static var schemaBytesMax: Int { 1 << 22 }

  /// Looks at a whole file.
  ///
  /// - Parameters:
  ///   - file: The data file.
  ///   - pageBytes: The size of its pages, for long values that a leaf names.
  ///   - schemas: The schemas that are known already.
  /// - Complexity: O(bytes of the file); memory for an entry for each block.
  init(
    _ file: DamagedFile, pageBytes: Int, knowing schemas: FoundSchemas
  ) throws(SystemError) {
    self.file = file
    self.pageBytes = pageBytes
    self.schemas = schemas
    var place = 0
    while place < file.size {
      let window = PageImage(
        try file.read(at: place, count: Self.windowBytes + Self.overlapBytes))
      guard !window.bytes.isEmpty else { break }
      place += try look(at: window, from: place)
    }
  }

  /// Looks at a window, and returns how many bytes of it need no second look.
  private mutating func look(
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
        try addLooseSchema(startingWith: window.bytes[at], at: base + at)
      }
      if window.bytes[at] == 0x73 { addIdentity(in: window, at) }
      at += 2
    }
    // Nothing that is looked for is shorter than a head, but for identities in the last bytes.
    return at < Self.windowBytes && at + Head.byteCount > window.bytes.count
      ? window.bytes.count : at
  }

  // MARK: Blocks and heads

  /// Whether a version that can be read, and three bytes of zeros, stand where a block or a head
  /// has them.
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
    // Only a block of one record is longer than a sealed one.
    let limit = count == 1 ? LogFormat.recordBytes + LogFormat.blockBytes : LogFormat.blockBytes
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

  // MARK: What has no checksum

  /// Whether an entry of a leaf may begin here, with a key of four bytes.
  private static func mayBeSchema(_ bytes: [UInt8], _ at: Int) -> Bool {
    bytes[at + 6] == 4 && bytes[at + 7] == 0 && bytes[at + 4] <= 1 && bytes[at + 5] == 0
      && bytes[at + 8] == 0
  }

  private mutating func addSchema(
    in window: PageImage, _ at: Int, from base: Int
  ) throws(SystemError) {
    let length = Int(window.number32(at))
    guard length > 0, length <= Self.schemaBytesMax,
      let number = LogDatabases.schemaNumber(window.bytes.span.extracting(at + 8..<at + 12)),
      number > 0
    else { return }
    let isLong = window.number16(at + 4) == PageImage.Node.isLong
    guard !isLong || window.number64(at + 12) < UInt64(file.size / pageBytes) else { return }
    let place =
      isLong
      ? Int(window.number64(at + 12)) * pageBytes + PageImage.headerBytes : base + at + 12
    guard place + length <= file.size,
      let first = try file.read(at: place, count: 1).first, FoundSchemas.mayBegin(first)
    else { return }
    schemas.add(try file.read(at: place, count: length), number: number)
  }

  /// Adds a schema on pages of its own, whose number is not known.
  private mutating func addLooseSchema(
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
