public import RetraceAvro
public import RetraceLog
import RetraceSchema

/// A bundle in memory: the log of an app, with all that a replay needs, in one file.
///
/// The bytes are not trusted. Opening a bundle compares the hash of the whole file and finds the
/// items; it does not check the log, which ``verify(with:progress:)`` does. Sizes are checked
/// before memory is allocated. Blocks and files of time zones are not copied.
///
/// ```swift
/// let bundle = try Bundle(bytes, hashing: SwiftHasher.self)
/// let report = bundle.verify(with: SwiftHasher.self)
/// print(bundle.header.app, bundle.last, report.damage == nil)
/// ```
public struct Bundle: Sendable {
  /// What the log is, and what was done to it.
  public let header: BundleHeader
  /// The end of the log, and the counts of the items.
  public let trailer: BundleTrailer
  /// The time zones whose files are in the bundle, in the order of the file.
  public let zoneNames: [String]
  private let bytes: [UInt8]
  private let schemas: [StoredSchema]
  private let zones: [Range<Int>]
  private let blocks: [StoredBlock]

  struct StoredSchema: Hashable, Sendable {
    var kind: BundleSchemaKind
    var number: UInt32
    var json: Range<Int>
  }

  struct StoredBlock: Hashable, Sendable {
    var first: UInt64
    var last: UInt64
    var bytes: Range<Int>
  }

  /// Opens a bundle.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - hasher: The hash functions.
  /// - Complexity: O(bytes), each hashed once; memory for the places of the blocks.
  /// - Throws: ``BundleError``.
  public init<H: ByteHasher>(_ bytes: [UInt8], hashing hasher: H.Type) throws(BundleError) {
    var index = BundleIndex()
    try index.read(bytes.span, hashing: hasher)
    guard let header = index.header, let trailer = index.trailer else {
      throw .damaged("it has no header or no trailer")
    }
    self.bytes = bytes
    self.header = header
    self.trailer = trailer
    schemas = index.schemas
    zoneNames = index.zones.map { $0.name }
    zones = index.zones.map { $0.file }
    blocks = index.blocks
  }

  /// Returns whether a file with these first bytes can be a bundle: whether it is a container file.
  public static func isContainer(_ start: Span<UInt8>) -> Bool {
    let magic = ContainerReader.magic
    guard start.count >= magic.count else { return false }
    return magic.indices.allSatisfy { start[$0] == magic[$0] }
  }

  /// The sequence of the last record; 0 without records.
  public var last: UInt64 { trailer.head.sequence }

  /// The number of blocks.
  public var blockCount: Int { blocks.count }

  /// The number of bytes of the file.
  public var byteCount: Int { bytes.count }

  /// Returns the JSON of a schema, or `nil`.
  ///
  /// - Complexity: O(schemas), and O(bytes of the schema).
  public func schema(_ kind: BundleSchemaKind, _ number: UInt32) -> String? {
    guard let stored = schemas.first(where: { $0.kind == kind && $0.number == number }) else {
      return nil
    }
    return String(decoding: bytes[stored.json], as: UTF8.self)
  }

  /// Returns the bytes of the file of a time zone, or `nil`.
  ///
  /// - Complexity: O(files), and O(bytes of the file).
  public func zoneFile(_ name: String) -> [UInt8]? {
    guard let place = zoneNames.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
      return nil
    }
    return Array(bytes[zones[place]])
  }

  /// Calls `body` with the blocks in order, from the one that contains a sequence on.
  ///
  /// - Parameters:
  ///   - sequence: A sequence in the first block.
  ///   - body: Receives the sequence of the first record of a block and its bytes; returns whether
  ///     to continue.
  /// - Complexity: O(log blocks) to find the first.
  /// - Throws: What `body` throws.
  public func scanBlocks<Failure: Error>(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) throws(Failure) -> Bool
  ) throws(Failure) {
    var index = blockIndex(of: sequence)
    while index < blocks.count {
      let block = blocks[index]
      guard try body(block.first, bytes.span.extracting(block.bytes)) else { return }
      index += 1
    }
  }

  /// Returns the place of the last block that begins at or before a sequence; 0 without one.
  private func blockIndex(of sequence: UInt64) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].first <= sequence { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// Checks the whole log: every block, record, schema number and the end.
  ///
  /// - Parameters:
  ///   - hasher: The hash functions.
  ///   - progress: Called after each block with the sequence of the last record before it.
  /// - Complexity: O(bytes of the log), each hashed once.
  public func verify<H: ByteHasher>(
    with hasher: H.Type, progress: (UInt64) -> Void = { _ in }
  ) -> LogReport {
    verifyLog(
      with: hasher,
      fingerprint: { json in (try? Schema(parsing: json))?.fingerprint(with: hasher) },
      progress: progress)
  }
}

extension Bundle: LogSource {
  /// The identity that the chain covers.
  public var storeID: StoreID { header.store }

  package func readHead() -> Head { trailer.head }

  package func schemaJSON(_ number: UInt32) -> String? {
    let commands = LogFormat.commandSchemaNumber(0)
    return number < commands
      ? schema(.action, number) : schema(.command, number - commands)
  }

  package func forEachBlock(from sequence: UInt64, _ body: (UInt64, Span<UInt8>) -> Bool) {
    scanBlocks(from: sequence, body)
  }
}
