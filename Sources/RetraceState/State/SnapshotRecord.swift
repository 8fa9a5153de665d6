public import RetraceAvro

/// A state as the record of a snapshot holds it.
public struct SnapshotRecord: Hashable, Sendable {
  /// The sequence of the snapshot: the state is the one after the record with this sequence.
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

  /// Writes the sequence, the hash, the scalars with their byte count, and the number of tables and
  /// the tables.
  ///
  /// - Complexity: O(bytes written).
  public func encode(into writer: inout AvroWriter) {
    writer.littleEndian(sequence)
    writer.digest(hash)
    writer.bytes(scalars)
    writer.byte(UInt8(tables.count))
    for table in tables { table.encode(into: &writer) }
  }

  /// Reads the bytes that ``encode(into:)`` writes.
  ///
  /// - Complexity: O(bytes read); allocates memory in proportion to the bytes.
  /// - Throws: `AvroError` if the bytes end early or are inconsistent.
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
