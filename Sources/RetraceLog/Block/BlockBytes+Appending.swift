import RetraceArchitecture
public import RetraceAvro
public import RetraceState

extension BlockBytes {
  /// Appends a record; see ``BlockBuilder/append(_:payload:)``.
  ///
  /// Inlined for the common case: an action of the block's session and schema, without cause, key,
  /// hash and real time, soon after the previous record. The bytes before its payload are put
  /// together in a register.
  @inlinable
  @inline(__always)
  mutating func append(
    _ envelope: borrowing Envelope, payload: Span<UInt8>
  ) throws(LogError) -> Bool {
    let delta = zigzag(envelope.moment.microseconds &- lastMoment)
    guard recordCount > 0, envelope.session == baseSession, envelope.schema == baseSchema,
      envelope.kind == .action, envelope.cause == nil, envelope.key == nil,
      envelope.recordedHash == nil, envelope.realTime == nil,
      delta < 1 << 28, payload.count < LogFormat.blockBytesMax,
      nextSequence < LogFormat.sequenceMax
    else { return try appendWithFields(envelope, payload: payload) }
    var prefix = PackedVarints(flagsStartingBatch: envelope.startsBatch, effect: envelope.hasEffect)
    prefix.append(PackedVarints(delta))
    var length = PackedVarints(UInt64(prefix.count &+ payload.count))
    length.append(prefix)
    let size = length.count &+ payload.count
    guard byteCount &+ size <= LogFormat.blockBytesMax else { return false }
    let start = byteCount
    var output = storage.mutableSpan
    output.store(length.bytes, at: start)
    output.store(copying: payload, at: start &+ length.count)
    byteCount = start &+ size
    recordCount &+= 1
    lastMoment = envelope.moment.microseconds
    nextSequence &+= 1
    return true
  }

  /// Appends a record of any kind; the first record of a block may have any length.
  @usableFromInline
  @inline(never)
  mutating func appendWithFields(
    _ envelope: borrowing Envelope, payload: Span<UInt8>
  ) throws(LogError) -> Bool {
    try check(envelope, payloadBytes: payload.count)
    if recordCount == 0 { start(envelope) }
    let flags = flags(of: envelope)
    let delta = zigzag(envelope.moment.microseconds &- lastMoment)
    let body =
      varintByteCount(flags) + varintByteCount(delta) + fieldByteCount(envelope, flags: flags)
      + payload.count
    let size = varintByteCount(UInt64(body)) + body
    guard recordCount == 0 || byteCount + size <= LogFormat.blockBytesMax else { return false }
    makeRoom(for: size)
    let sequence = nextSequence
    var at = byteCount
    byteCount += size
    var output = storage.mutableSpan
    output.store(varint: UInt64(body), at: &at)
    output.store(varint: flags, at: &at)
    output.store(varint: delta, at: &at)
    Self.storeFields(of: envelope, at: sequence, flags: flags, into: &output, at: &at)
    output.store(copying: payload, at: at)
    recordCount += 1
    lastMoment = envelope.moment.microseconds
    nextSequence += 1
    return true
  }

  /// Appends further actions of a batch; see ``BlockBuilder``.
  mutating func append(
    further actions: Span<UInt8>, at offset: inout Int, leavingLast: Bool, limit: Int,
    _ envelope: borrowing Envelope
  ) -> Int {
    guard recordCount > 0, flags(of: envelope) == 0,
      envelope.moment.microseconds == lastMoment
    else { return 0 }
    let most = min(UInt64(max(0, limit)), LogFormat.sequenceMax &- nextSequence)
    var appended: UInt64 = 0
    var end = byteCount
    var output = storage.mutableSpan
    while appended < most, offset &+ 4 <= actions.count {
      let length = Int(actions.littleEndian32(at: offset))
      let start = offset &+ 4
      guard length <= min(actions.count &- start, LogFormat.blockBytesMax),
        !leavingLast || start &+ length < actions.count
      else { break }
      // The flags and the moment's difference are 0, so each of the two fields is one zero byte.
      let body = UInt32(truncatingIfNeeded: length &+ 2)
      let isShort = body < 0x80
      let prefixBytes = isShort ? 3 : 4
      guard end &+ prefixBytes &+ length <= LogFormat.blockBytesMax else { break }
      output.store(isShort ? body : body & 0x7f | 0x80 | (body >> 7) << 8, at: end)
      output.store(copying: actions.extracting(start..<start &+ length), at: end &+ prefixBytes)
      end &+= prefixBytes &+ length
      offset = start &+ length
      appended &+= 1
    }
    byteCount = end
    recordCount &+= UInt32(appended)
    nextSequence &+= appended
    return Int(appended)
  }
}

/// One or more variable-length integers, of at most 8 bytes together, in a register.
@usableFromInline
struct PackedVarints {
  /// The bytes, first byte lowest; unused high bytes are zero.
  @usableFromInline var bytes: UInt64
  @usableFromInline var count: Int

  /// Encodes a number below 2^28, which takes at most 4 bytes.
  @inlinable
  @inline(__always)
  init(_ value: UInt64) {
    if value < 0x80 {
      bytes = value
      count = 1
    } else if value < 0x4000 {
      bytes = value & 0x7f | 0x80 | (value >> 7) << 8
      count = 2
    } else {
      // Seven bits in each byte, then the continuation bits.
      let spread =
        value & 0x7f | (value & 0x3f80) << 1 | (value & 0x1f_c000) << 2 | (value >> 21) << 24
      let isFour = value >= 1 << 21
      bytes = spread | (isFour ? 0x80_8080 : 0x8080)
      count = isFour ? 4 : 3
    }
  }

  /// Encodes the flags of an action without fields.
  @inlinable
  @inline(__always)
  init(flagsStartingBatch startsBatch: Bool, effect: Bool) {
    bytes = startsBatch ? RecordFlag.startsBatch : 0
    count = 1
    if effect {
      // The flag is bit 8, the second bit of the second byte.
      bytes |= 0x280
      count = 2
    }
  }

  @inlinable
  @inline(__always)
  mutating func append(_ other: PackedVarints) {
    bytes |= other.bytes &<< UInt64(8 &* count)
    count &+= other.count
  }
}
