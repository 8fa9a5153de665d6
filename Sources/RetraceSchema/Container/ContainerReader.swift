public import RetraceAvro

/// A value of a container file that is read and not written: it may keep places in the file in
/// place of long parts.
package protocol ContainerItem {
  /// Reads the value, at the offset that it has in the file.
  init(decoding reader: inout AvroReader) throws(AvroError)
}

/// A reader of an Avro object container file in borrowed bytes.
///
/// Reads any valid uncompressed file. Sizes are checked before memory is allocated.
///
/// ```swift
/// var reader = try ContainerReader(bytes.span)
/// while let action = try reader.next(as: NotesAction.self) { print(action) }
/// ```
public struct ContainerReader: ~Escapable {
  /// The first four bytes of every file.
  public static let magic: [UInt8] = [0x4f, 0x62, 0x6a, 0x01]

  /// The schema of the values, with its names resolved.
  public let codec: SchemaCodec
  /// The entries of the header, in order.
  public let metadata: [(name: String, value: [UInt8])]
  /// The sync marker, which follows the header and each block.
  public let marker: [UInt8]

  private var reader: AvroReader
  private var valuesLeftInBlock = 0
  private var blockEnd = 0
  /// The number of zero-byte values that may still be read.
  private var remainingEmptyValues = UInt32(AvroLimits.emptyItems)

  /// The largest number of entries of a header, which are copied.
  private static var entriesMax: Int { 4_096 }

  /// Reads the header of a file.
  ///
  /// - Throws: `AvroError`; of the kind `schema` if the bytes are not a container file, if its
  ///   schema is not valid, or if it is compressed; `tooLarge` if the header has more than 4,096
  ///   entries.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) throws(AvroError) {
    try self.init(bytes, schemaBytesMax: .max)
  }

  /// Reads the header of a file whose schema has at most a number of bytes; a longer one is refused
  /// before it is parsed.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, schemaBytesMax: Int) throws(AvroError) {
    var reader = AvroReader(bytes)
    for byte in Self.magic {
      guard reader.remaining > 0, try reader.byte() == byte else {
        throw AvroError(.schema, at: 0, "not an Avro container file")
      }
    }
    var metadata: [(name: String, value: [UInt8])] = []
    var names: Set<String> = []
    while let count = try reader.lenientBlockCount() {
      for _ in 0..<count {
        let start = reader.offset
        let name = try reader.lenientString()
        guard names.insert(name).inserted else { throw AvroError(.duplicateKey, at: start) }
        guard metadata.count < Self.entriesMax else {
          throw AvroError(.tooLarge, at: start, "entries of the header")
        }
        metadata.append((name, [UInt8](copying: try reader.raw(try reader.lenientLength()))))
      }
    }
    marker = [UInt8](copying: try reader.raw(ContainerWriter.markerByteCount))
    func value(_ name: String) -> [UInt8]? { metadata.first { $0.name == name }?.value }
    if let name = value("avro.codec"), name != [UInt8]("null".utf8) {
      throw AvroError(
        .schema, at: 0, "the codec `\(String(decoding: name, as: UTF8.self))` is not supported")
    }
    guard let text = value("avro.schema") else {
      throw AvroError(.schema, at: 0, "a container file without a schema")
    }
    guard text.count <= schemaBytesMax else { throw AvroError(.tooLarge, at: 0, "schema") }
    codec = try SchemaCodec(try Schema(parsing: text.span))
    self.metadata = metadata
    self.reader = reader
  }

  /// The schema of the values.
  public var schema: Schema { codec.schema }

  /// The offset of the next byte in the file.
  public var offset: Int { reader.offset }

  /// Reads the next value, or returns `nil` at the end of the file.
  ///
  /// - Throws: `AvroError` if the file is damaged or ends inside a block.
  @_lifetime(self: copy self)
  public mutating func next() throws(AvroError) -> AvroValue? {
    guard try beginValue() else { return nil }
    let start = reader.offset
    let value = try codec.decode(from: &reader)
    try endValue(from: start)
    return value
  }

  /// Reads the next value as a Swift type, or returns `nil` at the end of the file.
  ///
  /// The schema of the type must equal the schema of the file. This is not checked.
  ///
  /// - Throws: `AvroError` if the file is damaged, ends inside a block, or is not canonical.
  @_lifetime(self: copy self)
  public mutating func next<Value: Recordable>(as type: Value.Type) throws(AvroError) -> Value? {
    guard try beginValue() else { return nil }
    let start = reader.offset
    let value = try Value(decoding: &reader)
    try endValue(from: start)
    return value
  }

  /// Reads the next value as an item, or returns `nil` at the end of the file.
  ///
  /// The item has to fit the schema of the file. This is not checked.
  ///
  /// - Throws: `AvroError` if the file is damaged, ends inside a block, or is not canonical.
  @_lifetime(self: copy self)
  package mutating func next<Item: ContainerItem>(
    reading type: Item.Type
  ) throws(AvroError) -> Item? {
    guard try beginValue() else { return nil }
    let start = reader.offset
    let item = try Item(decoding: &reader)
    try endValue(from: start)
    return item
  }

  /// Moves to the next value; returns `false` at the end.
  @_lifetime(self: copy self)
  private mutating func beginValue() throws(AvroError) -> Bool {
    while valuesLeftInBlock == 0 {
      if reader.isAtEnd { return false }
      let start = reader.offset
      let count = try reader.lenientLong()
      let size = try reader.lenientLength()
      guard count >= 0, let items = Int(exactly: count) else {
        throw AvroError(.outOfRange, at: start, "count of a block")
      }
      guard size <= reader.remaining - marker.count else {
        throw AvroError(.truncated, at: start, "block")
      }
      valuesLeftInBlock = items
      blockEnd = reader.offset + size
      if items == 0 { try endBlock() }
    }
    return true
  }

  @_lifetime(self: copy self)
  private mutating func endValue(from start: Int) throws(AvroError) {
    // Zero-byte items are limited in each value, and zero-byte values in the whole file.
    reader.remainingEmptyItems = remainingEmptyValues
    if reader.offset == start { try reader.countEmptyItem() }
    remainingEmptyValues = reader.remainingEmptyItems
    reader.remainingEmptyItems = UInt32(AvroLimits.emptyItems)
    valuesLeftInBlock -= 1
    guard reader.offset <= blockEnd else {
      throw AvroError(.outOfRange, at: blockEnd, "a value goes beyond its block")
    }
    if valuesLeftInBlock == 0 { try endBlock() }
  }

  @_lifetime(self: copy self)
  private mutating func endBlock() throws(AvroError) {
    guard reader.offset == blockEnd else {
      throw AvroError(
        .outOfRange, at: reader.offset, "the size of a block does not match its values")
    }
    for byte in marker {
      let start = reader.offset
      if try reader.byte() != byte {
        throw AvroError(.outOfRange, at: start, "the sync marker does not match the header's")
      }
    }
  }
}
