import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The first 80 bytes of a block.
@frozen
public struct BlockHeader: Hashable, Sendable {
  /// The XXH64 of all bytes of the block after these eight.
  public var checksum: UInt64
  /// The version of the format.
  public var version: UInt8
  /// The number of records.
  public var count: UInt32
  /// The number of bytes of all records.
  public var length: UInt32
  /// The schema number of the first record, and of every record that names none.
  public var schema: UInt32
  /// The sequence of the first record, which is also the block's key.
  public var firstSequence: UInt64
  /// The session of the first record, and of every record that names none.
  public var baseSession: UInt64
  /// The moment of the first record.
  public var baseMoment: Moment
  /// The chain digest of the record before the first; zero for record 1.
  public var chainBefore: Digest

  /// The sequence of the last record.
  @inlinable public var lastSequence: UInt64 { firstSequence + UInt64(count) - 1 }

  /// Reads a header and validates it without reading the records.
  ///
  /// - Parameters:
  ///   - block: The whole block.
  ///   - key: The sequence under which the block was stored.
  /// - Throws: ``LogError``.
  public init(decoding block: Span<UInt8>, at key: UInt64) throws(LogError) {
    guard block.count >= LogFormat.headerBytes else {
      throw LogError.damaged(sequence: key, detail: "the block has only \(block.count) bytes")
    }
    version = block[8]
    guard LogFormat.readableVersions.contains(version) else {
      throw LogError.unknownVersion(block[8], sequence: key)
    }
    let flags = UInt64(block[9]) | UInt64(block[10]) << 8 | UInt64(block[11]) << 16
    guard flags == 0 else { throw LogError.unknownFlags(flags, sequence: key) }
    guard let chain = Digest(block.extracting(48..<80)) else {
      throw LogError.damaged(sequence: key, detail: "the block has no chain")
    }
    checksum = block.littleEndian64(at: 0)
    count = block.littleEndian32(at: 12)
    length = block.littleEndian32(at: 16)
    schema = block.littleEndian32(at: 20)
    firstSequence = block.littleEndian64(at: 24)
    baseSession = block.littleEndian64(at: 32)
    baseMoment = Moment(microseconds: Int64(bitPattern: block.littleEndian64(at: 40)))
    chainBefore = chain
    guard firstSequence == key else {
      throw LogError.damaged(
        sequence: key, detail: "the block's header gives \(firstSequence) as its first record")
    }
    guard block.count - LogFormat.headerBytes == length else {
      throw LogError.damaged(sequence: key, detail: "the block's length is wrong")
    }
    guard count >= 1, length / 3 >= count else {
      throw LogError.damaged(sequence: key, detail: "the block's count is wrong")
    }
    guard firstSequence >= 1, firstSequence <= LogFormat.sequenceMax - UInt64(count) else {
      throw LogError.damaged(sequence: key, detail: "the block's sequence is out of range")
    }
    guard baseSession >= 1, baseSession <= firstSequence else {
      throw LogError.damaged(sequence: key, detail: "the block's session is out of range")
    }
  }

  /// Verifies the checksum of a block, then reads its header.
  ///
  /// - Complexity: O(bytes of the block).
  /// - Throws: ``LogError``; ``LogError/damaged(sequence:detail:)`` if the checksum does not match.
  public init<H: ByteHasher>(
    decoding block: Span<UInt8>, at key: UInt64, checksummedBy hasher: H.Type
  ) throws(LogError) {
    guard block.count >= LogFormat.headerBytes else {
      throw LogError.damaged(sequence: key, detail: "the block has only \(block.count) bytes")
    }
    guard block.littleEndian64(at: 0) == H.checksum(block.extracting(8...)) else {
      throw LogError.damaged(sequence: key, detail: "the block's checksum is wrong")
    }
    try self.init(decoding: block, at: key)
  }

  /// Returns the bytes that the chain covers before the first record: 77 bytes.
  @usableFromInline
  func chainPrefix(of store: StoreID) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 77)
    var output = bytes.mutableSpan
    output.store(chainBefore, at: 0)
    output.store(store.low, at: 32)
    output.store(store.high, at: 40)
    output[48] = version
    output.store(firstSequence, at: 49)
    output.store(baseSession, at: 57)
    output.store(UInt64(bitPattern: baseMoment.microseconds), at: 65)
    output.store(schema, at: 73)
    return bytes
  }
}

extension BlockHeader {
  /// Creates the header of a block that has no records yet.
  init(
    schema: UInt32, firstSequence: UInt64, baseSession: UInt64, baseMoment: Moment,
    chainBefore: Digest
  ) {
    checksum = 0
    version = LogFormat.version
    count = 0
    length = 0
    self.schema = schema
    self.firstSequence = firstSequence
    self.baseSession = baseSession
    self.baseMoment = baseMoment
    self.chainBefore = chainBefore
  }
}
