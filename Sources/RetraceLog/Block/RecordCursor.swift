import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// A position in the records of one borrowed block.
///
/// The bytes are untrusted: every length is checked against the bytes present, nothing is
/// allocated, and any encoding that the builder would not write is damage.
public struct RecordCursor: ~Copyable, ~Escapable {
  @usableFromInline let bytes: Span<UInt8>
  /// The header of the block.
  public let header: BlockHeader
  /// The offset in the block of the current record's end.
  public private(set) var recordEnd: Int
  /// The number of records read so far.
  public private(set) var recordsRead: UInt32
  /// The offset in the block of the current record's start.
  public private(set) var recordStart: Int
  /// The kind of the current record.
  public private(set) var kind: RecordKind
  /// The session of the current record.
  public private(set) var session: UInt64
  /// The moment of the current record.
  public private(set) var moment: Moment
  /// The schema number of the current record.
  public private(set) var schema: UInt32
  var flags: UInt64
  private var causeDistance: UInt64
  private var keyStart: Int
  private var keyEnd: Int
  private var hashStart: Int
  private var realTimeDelta: Int64
  private var shortHash: UInt32
  private var payloadStart: Int

  /// Creates a cursor before the first record of a block.
  ///
  /// Does not verify the checksum; see ``BlockHeader/init(decoding:at:checksummedBy:)``.
  ///
  /// - Parameters:
  ///   - block: The whole block.
  ///   - key: The sequence under which the block was stored.
  /// - Throws: ``LogError`` if the header is not valid.
  @_lifetime(copy block)
  public init(_ block: Span<UInt8>, at key: UInt64) throws(LogError) {
    try self.init(block, header: BlockHeader(decoding: block, at: key))
  }

  /// Creates a cursor before the first record of a block whose header was already read.
  @_lifetime(copy block)
  public init(_ block: Span<UInt8>, header: BlockHeader) throws(LogError) {
    bytes = block
    self.header = header
    recordEnd = LogFormat.headerBytes
    recordsRead = 0
    recordStart = LogFormat.headerBytes
    kind = .action
    session = header.baseSession
    moment = header.baseMoment
    schema = header.schema
    flags = 0
    causeDistance = 0
    keyStart = 0
    keyEnd = 0
    hashStart = 0
    realTimeDelta = 0
    shortHash = 0
    payloadStart = LogFormat.headerBytes
    guard block.count - LogFormat.headerBytes == header.length else {
      throw damaged("the block's length is wrong")
    }
  }

  /// The sequence of the current record.
  public var sequence: UInt64 { header.firstSequence + UInt64(recordsRead) - 1 }

  /// Whether the current record is the first of its batch.
  public var startsBatch: Bool { flags & RecordFlag.startsBatch != 0 }

  /// Whether the reducer returned an effect when the current record was appended.
  public var hasEffect: Bool { flags & RecordFlag.effect != 0 }

  /// The earlier record whose effect sent the current record.
  public var cause: UInt64? {
    flags & RecordFlag.cause != 0 ? sequence - causeDistance : nil
  }

  /// The hash of the state after the current record, if the record has one.
  public var stateHash: Digest? {
    guard flags & RecordFlag.stateHash != 0 else { return nil }
    return Digest(bytes.extracting(hashStart..<hashStart + Digest.byteCount))
  }

  /// The hash of the state after the current record, whole or short, if the record has one.
  public var recordedHash: RecordedStateHash? {
    if flags & RecordFlag.shortHash != 0 { return .short(shortHash) }
    return stateHash.map { .whole($0) }
  }

  /// The time of the machine when the current record was made, if the record has it.
  public var realTime: Moment? {
    guard flags & RecordFlag.realTime != 0 else { return nil }
    return Moment(microseconds: moment.microseconds &+ realTimeDelta)
  }

  /// A copy of the current record's idempotency key.
  public var key: [UInt8]? {
    guard flags & RecordFlag.key != 0 else { return nil }
    let bytes = self.bytes.extracting(keyStart..<keyEnd)
    return [UInt8](capacity: bytes.count) { key in
      for index in bytes.indices { key.append(bytes[index]) }
    }
  }

  /// The payload of the current record, borrowed from the block.
  public var payload: Span<UInt8> {
    @_lifetime(copy self)
    get { bytes.extracting(payloadStart..<recordEnd) }
  }

  /// The envelope of the current record, with a copy of the key.
  public var envelope: Envelope {
    var envelope = Envelope(
      sequence: sequence, kind: kind, session: session, moment: moment, realTime: realTime,
      schema: schema, cause: cause, startsBatch: startsBatch, key: key, hasEffect: hasEffect)
    envelope.recordedHash = recordedHash
    return envelope
  }

  /// Moves to the next record.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1), without allocation.
  /// - Throws: ``LogError`` with the sequence of the unreadable record.
  @_lifetime(self: copy self)
  public mutating func next() throws(LogError) -> Bool {
    guard recordsRead < header.count else {
      guard recordEnd == bytes.count else { throw damaged("bytes are left after the last record") }
      return false
    }
    recordStart = recordEnd
    var at = recordEnd
    recordsRead += 1
    let length = try varint(&at, end: bytes.count)
    guard length >= 2, length <= UInt64(bytes.count - at) else {
      throw damaged("a record's length is wrong")
    }
    let end = at + Int(length)
    flags = try varint(&at, end: end)
    let delta = try varint(&at, end: end)
    let change = Int64(bitPattern: delta >> 1) ^ -Int64(bitPattern: delta & 1)
    moment.microseconds &+= change
    if flags & ~RecordFlag.startsBatch == 0 {
      kind = .action
      session = header.baseSession
      schema = header.schema
    } else {
      try readFields(&at, end: end)
    }
    if recordsRead == 1 { try checkFirst(change) }
    payloadStart = at
    recordEnd = end
    if kind == .action && end - at > LogFormat.actionBytesMax {
      throw damaged("an action has \(end - at) bytes; the limit is \(LogFormat.actionBytesMax)")
    }
    return true
  }

  @_lifetime(self: copy self)
  private mutating func readFields(_ at: inout Int, end: Int) throws(LogError) {
    guard flags & ~RecordFlag.all(inVersion: header.version) == 0 else {
      throw LogError.unknownFlags(flags, sequence: sequence)
    }
    kind = .action
    if flags & RecordFlag.kind != 0 {
      let value = try varint(&at, end: end)
      guard value <= 255, let known = RecordKind(rawValue: UInt8(value)),
        known.firstVersion <= header.version
      else {
        throw LogError.unknownKind(value, sequence: sequence)
      }
      guard known != .action else { throw damaged("its kind field is redundant") }
      kind = known
      guard flags & RecordFlag.effect == 0 else {
        throw damaged("only actions can have the effect flag")
      }
    }
    session = header.baseSession
    if flags & RecordFlag.session != 0 {
      let distance = try varint(&at, end: end)
      guard distance < sequence else { throw damaged("its session is out of range") }
      session = sequence - distance
      guard session != header.baseSession else { throw damaged("its session field is redundant") }
    }
    schema = header.schema
    if flags & RecordFlag.schema != 0 {
      guard let number = UInt32(exactly: try varint(&at, end: end)) else {
        throw damaged("its schema number is out of range")
      }
      guard number != header.schema else { throw damaged("its schema field is redundant") }
      schema = number
    }
    if flags & RecordFlag.cause != 0 {
      causeDistance = try varint(&at, end: end)
      guard causeDistance >= 1, causeDistance < sequence else {
        throw damaged("its cause is out of range")
      }
    }
    if flags & RecordFlag.key != 0 {
      let count = try varint(&at, end: end)
      guard count >= 1, count <= UInt64(LogFormat.keyBytesMax), count <= UInt64(end - at) else {
        throw damaged("a key's length is wrong")
      }
      keyStart = at
      at += Int(count)
      keyEnd = at
    }
    if flags & RecordFlag.stateHash != 0 {
      guard end - at >= Digest.byteCount else { throw damaged("a state hash is cut off") }
      hashStart = at
      at += Digest.byteCount
    }
    if flags & RecordFlag.realTime != 0 {
      let delta = try varint(&at, end: end)
      realTimeDelta = Int64(bitPattern: delta >> 1) ^ -Int64(bitPattern: delta & 1)
    }
    if flags & RecordFlag.shortHash != 0 {
      guard flags & RecordFlag.stateHash == 0 else { throw damaged("it has two state hashes") }
      guard end - at >= RecordedStateHash.shortByteCount else {
        throw damaged("a state hash is cut off")
      }
      shortHash = bytes.littleEndian32(at: at)
      at += RecordedStateHash.shortByteCount
    }
  }

  /// Checks that the first record has the base values of its block.
  private func checkFirst(_ change: Int64) throws(LogError) {
    guard change == 0, flags & (RecordFlag.session | RecordFlag.schema) == 0 else {
      throw damaged("the block's base does not match its first record")
    }
  }

  /// Reads an unsigned variable-length integer in its shortest form.
  ///
  /// Only the case of one byte, by far the most common, is inlined.
  @inline(__always)
  private func varint(_ at: inout Int, end: Int) throws(LogError) -> UInt64 {
    if at < end {
      let first = bytes[at]
      if first < 0x80 {
        at += 1
        return UInt64(first)
      }
    }
    return try Self.multiByteVarint(bytes, &at, end: end, of: max(header.firstSequence, sequence))
  }

  /// Reads an integer of more than one byte.
  private static func multiByteVarint(
    _ bytes: Span<UInt8>, _ at: inout Int, end: Int, of sequence: UInt64
  ) throws(LogError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < end {
      let next = bytes[at]
      at += 1
      guard shift < 63 || next <= 1 else {
        throw .damaged(sequence: sequence, detail: "a number is too large")
      }
      value |= UInt64(next & 0x7f) &<< shift
      if next < 0x80 {
        guard next != 0 || shift == 0 else {
          throw .damaged(sequence: sequence, detail: "a number is not in its shortest form")
        }
        return value
      }
      shift += 7
    }
    throw .damaged(sequence: sequence, detail: "a record is cut off")
  }

  @inline(never)
  private func damaged(_ detail: String) -> LogError {
    .damaged(sequence: max(header.firstSequence, sequence), detail: detail)
  }
}
