import RetraceArchitecture
public import RetraceAvro

/// Writes the records of one block after another into one buffer.
///
/// Appending allocates nothing once the buffer has grown to a block's size.
public struct BlockBuilder<H: ByteHasher>: ~Copyable, Sendable {
  private let store: StoreID
  private var header: BlockHeader?
  private var chainBefore: Digest
  private var nextSequence: UInt64
  private var lastMoment: Int64
  private var hasher: ChainHasher<H>?
  /// How many of the bytes the running chain covers.
  private var hashed: Int
  private var buffer: [UInt8]

  /// Starts an empty block.
  ///
  /// - Parameters:
  ///   - store: The store's identity, which the chain covers.
  ///   - sequence: The sequence of the first record to come.
  ///   - chain: The chain digest of the record before it.
  public init(store: StoreID, startingAt sequence: UInt64, after chain: Digest) {
    self.store = store
    header = nil
    chainBefore = chain
    nextSequence = sequence
    lastMoment = 0
    hasher = nil
    hashed = 0
    buffer = []
    buffer.reserveCapacity(LogFormat.blockBytes)
  }

  /// The number of records in the block.
  public var count: Int { Int(header?.count ?? 0) }

  /// The sequence of the block's first record, or of the record to come.
  public var firstSequence: UInt64 { header?.firstSequence ?? nextSequence }

  /// The sequence of the next record.
  public var sequence: UInt64 { nextSequence }

  /// The block as finished last by ``finish()``; empty if it has no records.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { buffer.span }
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
    buffer.removeAll(keepingCapacity: true)
    buffer.append(copying: block)
    self.header = header
    chainBefore = header.chainBefore
    nextSequence = header.lastSequence + 1
    lastMoment = cursor.moment.microseconds
    hasher = ChainHasher(block: header, of: store)
    hashed = LogFormat.headerBytes
  }

  /// Starts the next block after the one at hand; the buffer's memory is kept.
  public mutating func startNext() {
    chainBefore = finish()
    buffer.removeAll(keepingCapacity: true)
    header = nil
    hasher = nil
    hashed = 0
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
  public mutating func append(
    _ envelope: borrowing Envelope, payload: Span<UInt8>
  ) throws(LogError) -> Bool {
    try check(envelope, payloadBytes: payload.count)
    var header = self.header ?? newHeader(envelope)
    let isFirst = header.count == 0
    let delta = zigzag(isFirst ? 0 : envelope.moment.microseconds &- lastMoment)
    let (flags, body) = measure(envelope, header: header, delta: delta, payload: payload.count)
    let size = varintBytes(UInt64(body)) + body
    let used = isFirst ? LogFormat.headerBytes : buffer.count
    if !isFirst && used + size > LogFormat.blockBytes { return false }
    if isFirst {
      writeHeader(header)
      hasher = ChainHasher(block: header, of: store)
      hashed = LogFormat.headerBytes
    }
    buffer.appendVarint(UInt64(body))
    buffer.appendVarint(flags)
    buffer.appendVarint(delta)
    if flags & ~RecordFlag.startsBatch != 0 { writeAnnounced(envelope, flags: flags) }
    buffer.append(copying: payload)
    header.count += 1
    header.length = UInt32(buffer.count - LogFormat.headerBytes)
    self.header = header
    lastMoment = envelope.moment.microseconds
    nextSequence += 1
    return true
  }

  /// Completes the block's header: count, length, checksum.
  ///
  /// - Returns: The chain digest of the last record; of the one before the block if it is empty.
  /// - Complexity: O(bytes appended since the last call) to hash, O(bytes of the block) to check.
  public mutating func finish() -> Digest {
    guard let header, var chain = hasher else { return chainBefore }
    chain.update(buffer.span.extracting(hashed..<buffer.count))
    hasher = chain
    hashed = buffer.count
    buffer.setLittleEndian(header.count, at: 12)
    buffer.setLittleEndian(header.length, at: 16)
    buffer.setLittleEndian(H.checksum(buffer.span.extracting(8...)), at: 0)
    return chain.digest
  }

  /// Refuses what no log may hold.
  private func check(_ envelope: borrowing Envelope, payloadBytes: Int) throws(LogError) {
    let limit = envelope.kind == .action ? LogFormat.actionBytes : LogFormat.recordBytes
    guard payloadBytes <= limit else {
      throw LogError.recordTooLarge(bytes: payloadBytes, limit: limit)
    }
    guard envelope.session >= 1, envelope.session <= nextSequence else {
      throw LogError.invalidEnvelope("session \(envelope.session) at \(nextSequence)")
    }
    if let cause = envelope.cause, cause < 1 || cause >= nextSequence {
      throw LogError.invalidEnvelope("cause \(cause) at \(nextSequence)")
    }
    if let key = envelope.key, key.isEmpty || key.count > LogFormat.keyBytes {
      throw LogError.invalidEnvelope("a key of \(key.count) bytes")
    }
    if envelope.hasEffect && envelope.kind != .action {
      throw LogError.invalidEnvelope("an effect of a record that is no action")
    }
    guard nextSequence < LogFormat.lastSequence else {
      throw LogError.invalidEnvelope("sequence \(nextSequence)")
    }
  }

  /// The header of a block whose first record has this envelope.
  private func newHeader(_ envelope: borrowing Envelope) -> BlockHeader {
    BlockHeader(
      schema: envelope.schema, firstSequence: nextSequence, baseSession: envelope.session,
      baseMoment: envelope.moment, chainBefore: chainBefore)
  }

  /// The flags of a record and the number of bytes that follow its length.
  private func measure(
    _ envelope: borrowing Envelope, header: BlockHeader, delta: UInt64, payload: Int
  ) -> (flags: UInt64, body: Int) {
    var flags: UInt64 = envelope.startsBatch ? RecordFlag.startsBatch : 0
    var body = varintBytes(delta) + payload
    if envelope.kind != .action {
      flags |= RecordFlag.kind
      body += 1
    }
    if envelope.session != header.baseSession {
      flags |= RecordFlag.session
      body += varintBytes(nextSequence - envelope.session)
    }
    if envelope.schema != header.schema {
      flags |= RecordFlag.schema
      body += varintBytes(UInt64(envelope.schema))
    }
    if let cause = envelope.cause {
      flags |= RecordFlag.cause
      body += varintBytes(nextSequence - cause)
    }
    if let key = envelope.key {
      flags |= RecordFlag.key
      body += 1 + key.count
    }
    if envelope.stateHash != nil {
      flags |= RecordFlag.stateHash
      body += Digest.byteCount
    }
    if envelope.hasEffect { flags |= RecordFlag.effect }
    return (flags, body + varintBytes(flags))
  }

  /// Writes the fields that the flags announce.
  private mutating func writeAnnounced(_ envelope: borrowing Envelope, flags: UInt64) {
    if flags & RecordFlag.kind != 0 { buffer.append(envelope.kind.rawValue) }
    if flags & RecordFlag.session != 0 { buffer.appendVarint(nextSequence - envelope.session) }
    if flags & RecordFlag.schema != 0 { buffer.appendVarint(UInt64(envelope.schema)) }
    if let cause = envelope.cause { buffer.appendVarint(nextSequence - cause) }
    if let key = envelope.key {
      buffer.appendVarint(UInt64(key.count))
      buffer.append(contentsOf: key)
    }
    if let hash = envelope.stateHash {
      for index in 0..<Digest.byteCount { buffer.append(hash[index]) }
    }
  }

  /// Writes a header of 80 bytes at the start of the buffer.
  private mutating func writeHeader(_ header: BlockHeader) {
    buffer.removeAll(keepingCapacity: true)
    buffer.append(contentsOf: repeatElement(0, count: 48))
    buffer[8] = LogFormat.version
    buffer.setLittleEndian(header.schema, at: 20)
    buffer.setLittleEndian(header.firstSequence, at: 24)
    buffer.setLittleEndian(header.baseSession, at: 32)
    buffer.setLittleEndian(UInt64(bitPattern: header.baseMoment.microseconds), at: 40)
    for index in 0..<Digest.byteCount { buffer.append(header.chainBefore[index]) }
  }
}
