import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// The end of the log, changed in the same transaction as the records.
public struct Head: Hashable, Sendable {
  /// The sequence of the last record; 0 in a store without records.
  public var sequence: UInt64
  /// The chain digest of the last record; zero in a store without records.
  public var chain: Digest
  /// The moment of the last record.
  public var moment: Moment
  /// The first sequence of the last block; 0 in a store without records.
  public var lastBlockKey: UInt64

  /// Creates a head.
  public init(sequence: UInt64, chain: Digest, moment: Moment, lastBlockKey: UInt64) {
    self.sequence = sequence
    self.chain = chain
    self.moment = moment
    self.lastBlockKey = lastBlockKey
  }

  /// The head of a store without records.
  public static var empty: Head {
    Head(sequence: 0, chain: .zero, moment: Moment(microseconds: 0), lastBlockKey: 0)
  }

  /// The number of bytes of an encoded head.
  public static var byteCount: Int { 72 }

  /// Returns the encoding: checksum, version, 7 zero bytes, sequence, moment, last block, chain.
  public func encoded<H: ByteHasher>(checksummedBy hasher: H.Type) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    bytes.reserveCapacity(Head.byteCount)
    bytes[8] = LogFormat.version
    bytes.appendLittleEndian(sequence)
    bytes.appendLittleEndian(UInt64(bitPattern: moment.microseconds))
    bytes.appendLittleEndian(lastBlockKey)
    bytes.append(contentsOf: chain.bytes)
    bytes.setLittleEndian(H.checksum(bytes.span.extracting(8...)), at: 0)
    return bytes
  }

  /// Reads a head.
  ///
  /// - Throws: ``LogError/damaged(sequence:detail:)`` with sequence 0, or
  ///   ``LogError/unknownVersion(_:sequence:)``.
  public init<H: ByteHasher>(
    decoding bytes: Span<UInt8>, checksummedBy hasher: H.Type
  ) throws(LogError) {
    guard bytes.count == Head.byteCount else {
      throw LogError.damaged(sequence: 0, detail: "the head has \(bytes.count) bytes")
    }
    guard bytes.littleEndian64(at: 0) == H.checksum(bytes.extracting(8...)) else {
      throw LogError.damaged(sequence: 0, detail: "the head's checksum is wrong")
    }
    guard LogFormat.readableVersions.contains(bytes[8]) else {
      throw LogError.unknownVersion(bytes[8], sequence: 0)
    }
    for index in 9..<16 where bytes[index] != 0 {
      throw LogError.unknownFlags(UInt64(bytes[index]), sequence: 0)
    }
    guard let chain = Digest(bytes.extracting(40..<72)) else {
      throw LogError.damaged(sequence: 0, detail: "the head has no chain")
    }
    self.init(
      sequence: bytes.littleEndian64(at: 16), chain: chain,
      moment: Moment(microseconds: Int64(bitPattern: bytes.littleEndian64(at: 24))),
      lastBlockKey: bytes.littleEndian64(at: 32))
    guard sequence <= LogFormat.sequenceMax, lastBlockKey <= sequence,
      (lastBlockKey == 0) == (sequence == 0)
    else {
      throw LogError.damaged(
        sequence: 0, detail: "the head's sequence and last block are inconsistent")
    }
  }
}
