import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The fields of an envelope that a record in this block needs.
extension BlockBytes {
  /// Throws if an envelope is invalid at this sequence, or if the payload is too large.
  func check(_ envelope: borrowing Envelope, payloadBytes: Int) throws(LogError) {
    let limit = envelope.kind == .action ? LogFormat.actionBytesMax : LogFormat.payloadBytesMax
    guard payloadBytes <= limit else {
      throw LogError.recordTooLarge(bytes: payloadBytes, limit: limit)
    }
    guard envelope.session >= 1, envelope.session <= nextSequence else {
      throw LogError.invalidEnvelope("session \(envelope.session) is not in 1...\(nextSequence)")
    }
    if let cause = envelope.cause, cause < 1 || cause >= nextSequence {
      throw LogError.invalidEnvelope("cause \(cause) is not in 1..<\(nextSequence)")
    }
    if let key = envelope.key, key.isEmpty || key.count > LogFormat.keyBytesMax {
      throw LogError.invalidEnvelope(
        "an idempotency key has \(key.count) bytes; it must have 1 to \(LogFormat.keyBytesMax)")
    }
    if envelope.hasEffect && envelope.kind != .action {
      throw LogError.invalidEnvelope("only actions can have the effect flag")
    }
    guard nextSequence < LogFormat.sequenceMax else {
      throw LogError.invalidEnvelope("sequence \(nextSequence) is beyond the limit")
    }
  }

  func flags(of envelope: borrowing Envelope) -> UInt64 {
    var flags: UInt64 = envelope.startsBatch ? RecordFlag.startsBatch : 0
    if envelope.kind != .action { flags |= RecordFlag.kind }
    if envelope.session != baseSession { flags |= RecordFlag.session }
    if envelope.schema != baseSchema { flags |= RecordFlag.schema }
    if envelope.cause != nil { flags |= RecordFlag.cause }
    if envelope.key != nil { flags |= RecordFlag.key }
    switch envelope.recordedHash {
    case nil: break
    case .whole: flags |= RecordFlag.stateHash
    case .short: flags |= RecordFlag.shortHash
    }
    if envelope.hasEffect { flags |= RecordFlag.effect }
    if envelope.realTime != nil { flags |= RecordFlag.realTime }
    return flags
  }

  /// Returns the number of bytes of the fields that the flags announce.
  func fieldByteCount(_ envelope: borrowing Envelope, flags: UInt64) -> Int {
    var size = 0
    if flags & RecordFlag.kind != 0 { size += 1 }
    if flags & RecordFlag.session != 0 { size += varintByteCount(nextSequence - envelope.session) }
    if flags & RecordFlag.schema != 0 { size += varintByteCount(UInt64(envelope.schema)) }
    if let cause = envelope.cause { size += varintByteCount(nextSequence - cause) }
    if let key = envelope.key { size += 1 + key.count }
    if flags & RecordFlag.stateHash != 0 { size += Digest.byteCount }
    if let realTime = envelope.realTime {
      size += varintByteCount(zigzag(realTime.microseconds &- envelope.moment.microseconds))
    }
    if flags & RecordFlag.shortHash != 0 { size += RecordedStateHash.shortByteCount }
    return size
  }

  /// Stores the fields that the flags announce, and advances `offset` past them.
  static func storeFields(
    of envelope: borrowing Envelope, at sequence: UInt64, flags: UInt64,
    into output: inout MutableSpan<UInt8>, at offset: inout Int
  ) {
    if flags & RecordFlag.kind != 0 {
      output.store(varint: UInt64(envelope.kind.rawValue), at: &offset)
    }
    if flags & RecordFlag.session != 0 {
      output.store(varint: sequence - envelope.session, at: &offset)
    }
    if flags & RecordFlag.schema != 0 {
      output.store(varint: UInt64(envelope.schema), at: &offset)
    }
    if let cause = envelope.cause { output.store(varint: sequence - cause, at: &offset) }
    if let key = envelope.key {
      output.store(varint: UInt64(key.count), at: &offset)
      output.store(copying: key.span, at: offset)
      offset += key.count
    }
    if case .whole(let hash)? = envelope.recordedHash {
      output.store(hash, at: offset)
      offset += Digest.byteCount
    }
    if let realTime = envelope.realTime {
      let delta = realTime.microseconds &- envelope.moment.microseconds
      output.store(varint: zigzag(delta), at: &offset)
    }
    if case .short(let hash)? = envelope.recordedHash {
      output.store(hash, at: offset)
      offset += RecordedStateHash.shortByteCount
    }
  }
}
