import RetraceArchitecture
import RetraceAvro

/// The bytes of the block at hand, without what hashes them.
@usableFromInline
struct BlockBytes: ~Copyable, Sendable {
  /// The header of a block that has records.
  private(set) var header: BlockHeader?
  /// The chain digest of the record before the block.
  private(set) var chainBefore: Digest
  /// The sequence of the next record.
  @usableFromInline private(set) var nextSequence: UInt64
  private var lastMoment: Int64 = 0
  /// The whole block; its header lacks count, length and checksum until it is completed.
  private(set) var bytes: [UInt8] = []

  init(startingAt sequence: UInt64, after chain: Digest) {
    header = nil
    chainBefore = chain
    nextSequence = sequence
    bytes.reserveCapacity(LogFormat.blockBytes)
  }

  mutating func resume(from block: Span<UInt8>, _ header: BlockHeader, lastMoment: Int64) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(copying: block)
    self.header = header
    chainBefore = header.chainBefore
    nextSequence = header.lastSequence + 1
    self.lastMoment = lastMoment
  }

  mutating func startNext(after chain: Digest) {
    chainBefore = chain
    bytes.removeAll(keepingCapacity: true)
    header = nil
  }

  /// Writes count, length and checksum.
  mutating func complete(checksum: (Span<UInt8>) -> UInt64) {
    guard let header else { return }
    bytes.setLittleEndian(header.count, at: 12)
    bytes.setLittleEndian(UInt32(bytes.count - LogFormat.headerBytes), at: 16)
    bytes.setLittleEndian(checksum(bytes.span.extracting(8...)), at: 0)
  }

  /// Appends a record; see ``BlockBuilder/append(_:payload:)``.
  @usableFromInline
  mutating func append(
    _ envelope: borrowing Envelope, payload: Span<UInt8>
  ) throws(LogError) -> Bool {
    try check(envelope, payloadBytes: payload.count)
    if header == nil { return start(envelope, payload: payload) }
    let delta = zigzag(envelope.moment.microseconds &- lastMoment)
    return write(envelope, delta: delta, payload: payload)
  }

  /// Writes the block's header and its first record, which may be of any length.
  private mutating func start(_ envelope: borrowing Envelope, payload: Span<UInt8>) -> Bool {
    let header = BlockHeader(
      schema: envelope.schema, firstSequence: nextSequence, baseSession: envelope.session,
      baseMoment: envelope.moment, chainBefore: chainBefore)
    self.header = header
    writeHeader(header)
    return write(envelope, delta: 0, payload: payload)
  }

  /// Writes a record, if it fits or is the first.
  private mutating func write(
    _ envelope: borrowing Envelope, delta: UInt64, payload: Span<UInt8>
  ) -> Bool {
    let (flags, body) = measure(envelope, delta: delta, payload: payload.count)
    let size = varintBytes(UInt64(body)) + body
    guard bytes.count + size <= LogFormat.blockBytes || bytes.count == LogFormat.headerBytes
    else { return false }
    if flags & ~RecordFlag.startsBatch == 0 {
      bytes.append(addingCapacity: size) { output in
        output.append(varint: UInt64(body))
        output.append(varint: flags)
        output.append(varint: delta)
        output.append(copying: payload)
      }
    } else {
      bytes.appendVarint(UInt64(body))
      bytes.appendVarint(flags)
      bytes.appendVarint(delta)
      writeAnnounced(envelope, flags: flags)
      bytes.append(copying: payload)
    }
    header?.count += 1
    lastMoment = envelope.moment.microseconds
    nextSequence += 1
    return true
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

  /// The flags of a record and the number of bytes that follow its length.
  private func measure(
    _ envelope: borrowing Envelope, delta: UInt64, payload: Int
  ) -> (flags: UInt64, body: Int) {
    var flags: UInt64 = envelope.startsBatch ? RecordFlag.startsBatch : 0
    var body = varintBytes(delta) + payload
    if envelope.kind != .action {
      flags |= RecordFlag.kind
      body += 1
    }
    if envelope.session != header?.baseSession {
      flags |= RecordFlag.session
      body += varintBytes(nextSequence - envelope.session)
    }
    if envelope.schema != header?.schema {
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
    if flags & RecordFlag.kind != 0 { bytes.append(envelope.kind.rawValue) }
    if flags & RecordFlag.session != 0 { bytes.appendVarint(nextSequence - envelope.session) }
    if flags & RecordFlag.schema != 0 { bytes.appendVarint(UInt64(envelope.schema)) }
    if let cause = envelope.cause { bytes.appendVarint(nextSequence - cause) }
    if let key = envelope.key {
      bytes.appendVarint(UInt64(key.count))
      bytes.append(contentsOf: key)
    }
    if let hash = envelope.stateHash {
      for index in 0..<Digest.byteCount { bytes.append(hash[index]) }
    }
  }

  /// Writes a header of 80 bytes at the start of the bytes.
  private mutating func writeHeader(_ header: BlockHeader) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: 48))
    bytes[8] = LogFormat.version
    bytes.setLittleEndian(header.schema, at: 20)
    bytes.setLittleEndian(header.firstSequence, at: 24)
    bytes.setLittleEndian(header.baseSession, at: 32)
    bytes.setLittleEndian(UInt64(bitPattern: header.baseMoment.microseconds), at: 40)
    for index in 0..<Digest.byteCount { bytes.append(header.chainBefore[index]) }
  }
}
