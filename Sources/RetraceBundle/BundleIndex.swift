import RetraceAvro
import RetraceLog
import RetraceSchema

/// The places of the items in the bytes of a bundle.
struct BundleIndex {
  private(set) var header: BundleHeader?
  private(set) var trailer: BundleTrailer?
  private(set) var schemas: [Bundle.StoredSchema] = []
  private(set) var zones: [(name: String, file: Range<Int>)] = []
  private(set) var blocks: [Bundle.StoredBlock] = []
  /// The sequence after the last record found.
  private var next: UInt64 = 1

  init() {}

  /// Reads all items, after comparing the hash of the file.
  mutating func read<H: ByteHasher>(
    _ bytes: Span<UInt8>, hashing hasher: H.Type
  ) throws(BundleError) {
    guard Bundle.isContainer(bytes) else { throw .notABundle }
    var reader = try Self.open(bytes)
    try Self.requireVersion(of: reader)
    let covered = bytes.count - BundleFormat.uncoveredBytes
    guard covered > 0,
      let hash = Digest(bytes.extracting(covered..<covered + Digest.byteCount)),
      hash == H.digest(of: bytes.extracting(first: covered))
    else { throw .damaged("its bytes do not have the hash at its end") }
    let hasMessage = reader.schema == BundleFormat.schema
    // Another schema of the same version would be read as what it is not.
    guard hasMessage || reader.schema == BundleFormat.schema(hasMessage: false) else {
      throw .otherSchema
    }
    while let item = try Self.next(&reader, hasMessage: hasMessage) { try add(item, of: bytes) }
    try checkCounts()
  }

  @_lifetime(copy bytes)
  private static func open(_ bytes: Span<UInt8>) throws(BundleError) -> ContainerReader {
    do throws(AvroError) {
      return try ContainerReader(bytes, schemaBytesMax: BundleFormat.schemaBytesMax)
    } catch {
      throw BundleError(error)
    }
  }

  @_lifetime(reader: copy reader)
  private static func next(
    _ reader: inout ContainerReader, hasMessage: Bool
  ) throws(BundleError) -> BundleItem? {
    do throws(AvroError) {
      return try hasMessage
        ? reader.next(reading: BundleItem.self)
        : reader.next(reading: ItemWithoutMessage.self)?.item
    } catch {
      throw BundleError(error)
    }
  }

  private static func requireVersion(of reader: borrowing ContainerReader) throws(BundleError) {
    let name = BundleFormat.versionName
    guard let entry = reader.metadata.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
    else { throw .notABundle }
    guard entry.value.elementsEqual(BundleFormat.version.utf8) else {
      throw .unknownVersion(String(decoding: entry.value.prefix(16), as: UTF8.self))
    }
  }

  /// Adds an item, which has to be in its place.
  private mutating func add(_ item: BundleItem, of bytes: Span<UInt8>) throws(BundleError) {
    guard trailer == nil else { throw .damaged("it goes on after its trailer") }
    guard (header == nil) == item.isHeader else {
      throw .damaged(header == nil ? "it does not begin with a header" : "it has two headers")
    }
    switch item {
    case .header(let header): self.header = header
    case .trailer(let trailer): self.trailer = trailer
    case .schema(let schema):
      guard schemas.count < BundleFormat.schemasMax else { throw .tooLarge("schemas") }
      guard schema.json.count <= BundleFormat.schemaBytesMax else {
        throw .tooLarge("bytes in a schema")
      }
      schemas.append(schema)
    case .zone(let name, let file):
      guard zones.count < BundleFormat.zonesMax else { throw .tooLarge("time zone files") }
      zones.append((name, file))
    case .block(let first, let range): try add(bytes, at: range, first: first)
    }
  }

  private mutating func add(
    _ bytes: Span<UInt8>, at range: Range<Int>, first: UInt64
  ) throws(BundleError) {
    let header: BlockHeader
    do throws(LogError) {
      header = try BlockHeader(decoding: bytes.extracting(range), at: first)
    } catch {
      throw .damaged("\(error)")
    }
    guard first == next else {
      throw .damaged("record \(next) is missing: the next block begins with record \(first)")
    }
    guard header.version == self.header?.logVersion else {
      throw .damaged("the block of record \(first) has another version than the log")
    }
    blocks.append(Bundle.StoredBlock(first: first, last: header.lastSequence, bytes: range))
    next = header.lastSequence + 1
  }

  private func checkCounts() throws(BundleError) {
    guard let trailer else { throw .damaged("it has no trailer") }
    guard trailer.schemas == schemas.count, trailer.zones == zones.count,
      trailer.blocks == blocks.count, trailer.head.sequence == next - 1
    else { throw .damaged("its trailer counts other items than it has") }
  }
}

/// An item as it is read: long parts are places in the file.
enum BundleItem: ContainerItem {
  case header(BundleHeader)
  case schema(Bundle.StoredSchema)
  case zone(name: String, file: Range<Int>)
  case block(first: UInt64, bytes: Range<Int>)
  case trailer(BundleTrailer)

  var isHeader: Bool { if case .header = self { true } else { false } }

  init(decoding reader: inout AvroReader) throws(AvroError) {
    try self.init(decoding: &reader, hasMessage: true)
  }

  fileprivate init(decoding reader: inout AvroReader, hasMessage: Bool) throws(AvroError) {
    let start = reader.offset
    let index = try reader.branch(count: BundleFormat.Branch.allCases.count)
    guard let branch = BundleFormat.Branch(rawValue: index) else {
      throw AvroError(.outOfRange, at: start, "branch")
    }
    switch branch {
    case .header: self = .header(try BundleHeader(decoding: &reader, hasMessage: hasMessage))
    case .schema: self = .schema(try Bundle.StoredSchema(decoding: &reader))
    case .zone:
      self = .zone(name: try reader.string(), file: try reader.place())
    case .block:
      let start = reader.offset
      guard let first = UInt64(exactly: try reader.long()), LogFormat.isSequence(first) else {
        throw AvroError(.outOfRange, at: start, "sequence")
      }
      self = .block(first: first, bytes: try reader.place())
    case .trailer: self = .trailer(try BundleTrailer(decoding: &reader))
    }
  }
}

/// An item of a bundle of the time when headers had no message.
private struct ItemWithoutMessage: ContainerItem {
  var item: BundleItem

  init(decoding reader: inout AvroReader) throws(AvroError) {
    item = try BundleItem(decoding: &reader, hasMessage: false)
  }
}

extension Bundle.StoredSchema {
  init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    let index = try reader.branch(count: BundleSchemaKind.allCases.count)
    guard let kind = BundleSchemaKind(rawValue: index) else {
      throw AvroError(.outOfRange, at: start, "kind of a schema")
    }
    let number = try reader.long()
    guard LogFormat.isSchemaNumber(number) else {
      throw AvroError(.outOfRange, at: start, "number of a schema")
    }
    self.init(kind: kind, number: UInt32(number), json: try reader.place())
  }
}

extension AvroReader {
  /// Skips `bytes`, and returns their place.
  @_lifetime(self: copy self)
  mutating func place() throws(AvroError) -> Range<Int> {
    let count = try length()
    let start = offset
    try skip(count)
    return start..<start + count
  }
}
