public import RetraceAvro

/// What the record of a snapshot holds of a state.
public struct StoredState: Hashable, Sendable {
  /// The sequence of the snapshot: the state is the one after that record.
  public let sequence: UInt64
  /// The hash of the state.
  public let hash: Digest
  /// The Avro bytes of the scalars, in order.
  public let scalars: [UInt8]
  /// The tables, in order.
  public let tables: [TableRoot]

  @usableFromInline
  init(sequence: UInt64, hash: Digest, scalars: [UInt8], tables: [TableRoot]) {
    self.sequence = sequence
    self.hash = hash
    self.scalars = scalars
    self.tables = tables
  }

  /// Writes sequence, hash, scalars with their count of bytes, and tables with their number.
  ///
  /// - Complexity: O(bytes written).
  public func encode(into writer: inout AvroWriter) {
    writer.littleEndian(sequence)
    writer.digest(hash)
    writer.bytes(scalars)
    writer.byte(UInt8(tables.count))
    for table in tables { table.encode(into: &writer) }
  }

  /// Reads what ``encode(into:)`` wrote.
  ///
  /// - Complexity: O(bytes read); no more is allocated than there are bytes for.
  /// - Throws: `AvroError` if the bytes end early or do not fit one another.
  public init(decoding reader: inout AvroReader) throws(AvroError) {
    sequence = try reader.littleEndian64()
    hash = try reader.digest()
    scalars = try reader.byteArray()
    var tables: [TableRoot] = []
    for _ in 0..<(try reader.byte()) {
      tables.append(try TableRoot(decoding: &reader, sequence: sequence))
    }
    self.tables = tables
  }
}
