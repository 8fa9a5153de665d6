import RetraceArchitecture
public import RetraceAvro
import RetraceState

/// Writes the records of one block after another into one buffer.
///
/// Appending allocates nothing once the buffer has grown to a block's size. What hashes is compiled
/// for the hasher where the builder is used; it took a fifth of the time of appending otherwise.
public struct BlockBuilder<H: ByteHasher>: ~Copyable, Sendable {
  @usableFromInline let store: StoreID
  // Apart from what hashes, so that appending needs no code that knows the hasher.
  @usableFromInline var block: BlockBytes
  @usableFromInline var hasher: ChainHasher<H>?
  /// How many of the bytes the running chain covers.
  @usableFromInline var hashed = LogFormat.headerBytes
  /// The chain digest after those bytes, if the block was finished.
  @usableFromInline var finished: Digest

  /// Starts an empty block.
  ///
  /// - Parameters:
  ///   - store: The store's identity, which the chain covers.
  ///   - sequence: The sequence of the first record to come.
  ///   - chain: The chain digest of the record before it.
  @inlinable
  public init(store: StoreID, startingAt sequence: UInt64, after chain: Digest) {
    self.store = store
    block = BlockBytes(startingAt: sequence, after: chain)
    hasher = nil
    finished = chain
  }

  /// The number of records in the block.
  public var count: Int { Int(block.recordCount) }

  /// The sequence of the block's first record, or of the record to come.
  public var firstSequence: UInt64 { block.firstSequence }

  /// The sequence of the next record.
  @inlinable public var sequence: UInt64 { block.nextSequence }

  /// The block as finished last by ``finish()``; empty if it has no records.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { block.bytes }
  }

  /// Goes on with the block that was written last.
  ///
  /// - Parameters:
  ///   - block: The whole block; its checksum is checked.
  ///   - key: The sequence under which it was stored.
  /// - Complexity: O(bytes of the block).
  /// - Throws: ``LogError`` if the block cannot be read.
  public mutating func resume(from block: Span<UInt8>, at key: UInt64) throws(LogError) {
    let header = try BlockHeader(decoding: block, at: key, checksummedBy: H.self)
    var cursor = try RecordCursor(block, header: header)
    while try cursor.next() {}
    self.block.resume(from: block, header, lastMoment: cursor.moment.microseconds)
    hasher = nil
    hashed = LogFormat.headerBytes
  }

  /// Starts the next block after the one at hand; the buffer's memory is kept.
  @inlinable
  public mutating func startNext() {
    block.startNext(after: finish())
    hasher = nil
    hashed = LogFormat.headerBytes
  }

  /// Appends a record.
  ///
  /// The record takes ``sequence``, whatever the envelope says.
  ///
  /// - Returns: `false`, with nothing changed, if the record does not fit into the block: the
  ///   block is then written, ``startNext()`` called and the record appended again. An empty
  ///   block takes a record of any length.
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

  /// Appends further actions of the batch whose record was appended last: as many as the block has
  /// room for.
  ///
  /// It is as ``append(_:payload:)`` for each of them, without what is the same for all.
  ///
  /// - Parameters:
  ///   - actions: The encoded actions, each behind its length in 4 bytes, little end first.
  ///   - offset: Where the length of the first one begins; then that of the first one left.
  ///   - sparingLast: Whether the last of the actions is left, as one that has more to say.
  ///   - limit: How many are appended at most.
  ///   - envelope: What is said about each of them.
  /// - Returns: How many were appended; 0 if the block has no room for the first, or if it needs
  ///   ``append(_:payload:)``: because it begins a block or a batch, or has a field of its own.
  /// - Complexity: O(bytes of the records).
  public mutating func append(
    further actions: Span<UInt8>, at offset: inout Int, sparingLast: Bool = false,
    limit: Int = .max, _ envelope: borrowing Envelope
  ) -> Int {
    block.append(
      further: actions, at: &offset, sparingLast: sparingLast, limit: limit, envelope)
  }

  /// Completes the block's header: count, length, checksum.
  ///
  /// - Returns: The chain digest of the last record; of the one before the block if it is empty.
  /// - Complexity: O(bytes appended since the last call) to hash, O(bytes of the block) to check;
  ///   O(1) if nothing was appended since.
  @inlinable
  public mutating func finish() -> Digest {
    // Only a block that was finished is hashed up to its end.
    if hashed == block.count { return finished }
    guard let header = block.header else { return block.chainBefore }
    var chain = hasher ?? ChainHasher(block: header, of: store)
    let count = block.count
    chain.update(block.bytes.extracting(hashed..<count))
    hasher = chain
    hashed = count
    block.storeTotals()
    block.store(checksum: H.checksum(block.bytes.extracting(8...)))
    finished = chain.digest
    return finished
  }
}
