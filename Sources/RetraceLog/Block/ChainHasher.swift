public import RetraceAvro

/// The running chain digest of one block.
///
/// chain(N) is the SHA-256 of these bytes: the chain before the block; the store's identity; the
/// format's version; the block's first sequence, base session, base moment and schema number; and
/// the block's records up to and including N. So computing one digest needs at most one block.
public struct ChainHasher<H: ByteHasher>: Sendable {
  @usableFromInline var hasher: H

  /// Starts before the first record of a block.
  @inlinable
  public init(block header: BlockHeader, of store: StoreID) {
    hasher = H()
    hasher.update(header.chainPrefix(of: store).span)
  }

  /// Adds the bytes of one or more whole records.
  ///
  /// - Complexity: O(bytes).
  @inlinable
  public mutating func update(_ records: Span<UInt8>) {
    hasher.update(records)
  }

  /// The chain digest of the last record added.
  @inlinable public var digest: Digest { hasher.digest() }

  /// Returns the chain digest of a record, computed from its block.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of a record in the block.
  ///   - block: The whole block.
  ///   - header: The block's header.
  ///   - store: The store's identity.
  /// - Complexity: O(bytes of the block).
  /// - Throws: ``LogError`` if the block cannot be read up to the record.
  public static func chain(
    at sequence: UInt64, in block: Span<UInt8>, header: BlockHeader, of store: StoreID
  ) throws(LogError) -> Digest {
    guard sequence >= header.firstSequence, sequence <= header.lastSequence else {
      throw LogError.damaged(sequence: sequence, detail: "the record is not in its block")
    }
    var cursor = try RecordCursor(block, header: header)
    while try cursor.next(), cursor.sequence < sequence {}
    var chain = ChainHasher(block: header, of: store)
    chain.update(block.extracting(LogFormat.headerBytes..<cursor.recordEnd))
    return chain.digest
  }
}
