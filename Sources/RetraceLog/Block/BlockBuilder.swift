import RetraceArchitecture
public import RetraceAvro
import RetraceState

/// A writer of records into one block after another, in one buffer.
///
/// Appending does not allocate once the buffer has grown to a block's size. The hashing code is
/// inlinable, so that it is specialized for the hasher.
public struct BlockBuilder<H: ByteHasher>: ~Copyable, Sendable {
  @usableFromInline let store: StoreID
  // `BlockBytes` is not generic over the hasher, so that the code that appends is not generic.
  @usableFromInline var block: BlockBytes
  @usableFromInline var hasher: ChainHasher<H>?
  /// The number of the block's bytes that the running chain covers.
  @usableFromInline var hashedBytes = LogFormat.headerBytes
  /// The chain digest after ``hashedBytes`` bytes, valid once the block was finished.
  @usableFromInline var finishedChain: Digest

  /// Starts an empty block.
  ///
  /// - Parameters:
  ///   - store: The store's identity, which the chain covers.
  ///   - sequence: The sequence of the first record.
  ///   - chain: The chain digest of the record before it.
  @inlinable
  public init(store: StoreID, startingAt sequence: UInt64, after chain: Digest) {
    self.store = store
    block = BlockBytes(startingAt: sequence, after: chain)
    hasher = nil
    finishedChain = chain
  }

  /// The number of records in the block.
  public var recordCount: Int { Int(block.recordCount) }

  /// The sequence of the block's first record, or of the next record if the block is empty.
  public var firstSequence: UInt64 { block.firstSequence }

  /// The sequence of the next record.
  @inlinable public var sequence: UInt64 { block.nextSequence }

  /// The block as of the last ``finish()``; empty if it has no records.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { block.bytes }
  }

  /// Continues the last block of a log.
  ///
  /// - Parameters:
  ///   - block: The whole block; its checksum is verified.
  ///   - key: The sequence under which it was stored.
  /// - Complexity: O(bytes of the block).
  /// - Throws: ``LogError`` if the block cannot be read.
  public mutating func resume(from block: Span<UInt8>, at key: UInt64) throws(LogError) {
    let header = try BlockHeader(decoding: block, at: key, checksummedBy: H.self)
    var cursor = try RecordCursor(block, header: header)
    while try cursor.next() {}
    self.block.resume(from: block, header, lastMoment: cursor.moment.microseconds)
    hasher = nil
    hashedBytes = LogFormat.headerBytes
  }

  /// Finishes the current block and starts the next one; keeps the buffer's memory.
  @inlinable
  public mutating func startNext() {
    block.startNext(after: finish())
    hasher = nil
    hashedBytes = LogFormat.headerBytes
  }

  /// Appends a record.
  ///
  /// The record gets ``sequence``; the envelope's sequence is ignored.
  ///
  /// - Returns: `false`, with nothing changed, if the record does not fit into the block. Write the
  ///   block then, call ``startNext()`` and append the record again. An empty block takes a record
  ///   of any length.
  /// - Complexity: O(bytes of the record).
  /// - Throws: ``LogError/recordTooLarge(bytes:limit:)`` or
  ///   ``LogError/invalidEnvelope(_:)``, with nothing changed.
  @inlinable
  @inline(__always)
  public mutating func append(
    _ envelope: borrowing Envelope, payload: Span<UInt8>
  ) throws(LogError) -> Bool {
    try block.append(envelope, payload: payload)
  }

  /// Appends further actions of the current batch: as many as fit into the block.
  ///
  /// Has the effect of ``append(_:payload:)`` for each action, but does the common work once.
  ///
  /// - Parameters:
  ///   - actions: The encoded actions, each preceded by its length as a little-endian UInt32.
  ///   - offset: The offset of the first action's length; on return, of the first action left.
  ///   - leavingLast: Whether to leave the last action, because its record has more fields.
  ///   - limit: The maximum number of actions to append.
  ///   - envelope: The envelope of each of them.
  /// - Returns: The number of actions appended. It is 0 if the first does not fit, or needs
  ///   ``append(_:payload:)`` because it starts a block or a batch or has fields of its own.
  /// - Complexity: O(bytes of the records).
  public mutating func append(
    further actions: Span<UInt8>, at offset: inout Int, leavingLast: Bool = false,
    limit: Int = .max, _ envelope: borrowing Envelope
  ) -> Int {
    block.append(
      further: actions, at: &offset, leavingLast: leavingLast, limit: limit, envelope)
  }

  /// Completes the block's header with count, length and checksum.
  ///
  /// - Returns: The chain digest of the last record; of the one before the block if it is empty.
  /// - Complexity: O(bytes appended since the last call) for the chain, O(bytes of the block) for
  ///   the checksum; O(1) if nothing was appended since.
  @inlinable
  public mutating func finish() -> Digest {
    // Only a finished block is hashed to its end.
    if hashedBytes == block.byteCount { return finishedChain }
    guard let header = block.header else { return block.chainBefore }
    var chain = hasher ?? ChainHasher(block: header, of: store)
    let count = block.byteCount
    chain.update(block.bytes.extracting(hashedBytes..<count))
    hasher = chain
    hashedBytes = count
    block.storeTotals()
    block.store(checksum: H.checksum(block.bytes.extracting(8...)))
    finishedChain = chain.digest
    return finishedChain
  }
}
