package import Retrace
import RetraceSystem

/// The group that a session is about to append.
///
/// It is written to a file before reducing, so that a batch which crashes the program is not lost.
package struct Attempt: Hashable, Sendable {
  package struct Batch: Hashable, Sendable {
    package var moment: Moment
    package var encoded: EncodedActions
    /// The encoded actions as separate arrays.
    package var actions: [[UInt8]] { encoded.list }
    package var count: Int
    /// The effect leaf that produced this batch as its answer; `nil` if it is not an answer.
    package var answeringLeaf: EffectLeafID?
    /// Whether the batch is a command: the only encoded value is then not an action, but the
    /// payload of the command's record.
    package var isCommand = false

    package init(moment: Moment, actions: [[UInt8]], answeringLeaf: EffectLeafID? = nil) {
      self.moment = moment
      encoded = EncodedActions(actions)
      count = actions.count
      self.answeringLeaf = answeringLeaf
    }

    package init(
      moment: Moment, command: RecordedCommand, answeringLeaf: EffectLeafID? = nil
    ) {
      self.init(moment: moment, actions: [command.encoded()], answeringLeaf: answeringLeaf)
      isCommand = true
    }

    /// Creates a batch of actions that are already in one buffer.
    package init(
      moment: Moment, encoded: EncodedActions, count: Int, answeringLeaf: EffectLeafID? = nil
    ) {
      self.moment = moment
      self.encoded = encoded
      self.count = count
      self.answeringLeaf = answeringLeaf
    }
  }

  /// The phase of the session's work on the group.
  package enum Phase: Hashable, Sendable {
    /// Reducing the batch with an index, counted from 0.
    case reducing(Int)
    case committing
    /// Neither reducing nor committing.
    case idle

    var number: UInt32 {
      switch self {
      case .reducing(let batch): UInt32(clamping: min(batch, 0xffff_0000))
      case .committing: 0xffff_ffff
      case .idle: 0xffff_fffe
      }
    }

    init(number: UInt32) {
      switch number {
      case 0xffff_ffff: self = .committing
      case 0xffff_fffe: self = .idle
      default: self = .reducing(Int(number))
      }
    }
  }

  /// The sequence of the group's first record.
  package var firstSequence: UInt64
  /// The number of the session; 0 if it had no record in the log yet.
  package var session: UInt64
  package var schema: UInt32
  /// The schema's JSON if this group adds it to the log; empty if the log has it.
  package var newSchema: String
  /// The JSON of the commands' schema if this group adds a schema of commands or refusals to the
  /// log; empty otherwise.
  package var newCommandSchema: String
  package var batches: [Batch]

  package init(
    firstSequence: UInt64, session: UInt64, schema: UInt32, newSchema: String = "",
    newCommandSchema: String = "", batches: [Batch]
  ) {
    self.newCommandSchema = newCommandSchema
    self.firstSequence = firstSequence
    self.session = session
    self.schema = schema
    self.newSchema = newSchema
    self.batches = batches
  }
}

extension Attempt {
  static var headerBytes: Int { 80 }

  /// Returns the eight bytes of a phase: its number and the complement of that.
  static func encoded(_ phase: Phase) -> [UInt8] {
    var writer = AvroWriter(capacity: 8)
    writer.littleEndian(phase.number)
    writer.littleEndian(~phase.number)
    return writer.bytes
  }

  private static var batchHeaderBytes: Int { 24 }

  /// The bit of a batch's count that says that the batch is a command.
  private static var commandBit: UInt32 { 1 << 31 }

  /// Replaces `bytes` with the encoded contents of an attempt file.
  ///
  /// The order is: phase, checksum of everything after it, header, batches, schema of actions. If
  /// there is a schema of commands, a zero byte and that schema follow.
  ///
  /// - Complexity: O(bytes of the actions); each is copied once.
  func encode(phase: Phase, store: StoreID, into bytes: inout [UInt8]) {
    let length = batches.reduce(0) { $0 + Attempt.batchHeaderBytes + $1.encoded.bytes.count }
    var schema = Array(newSchema.utf8)
    if !newCommandSchema.isEmpty { schema += [0] + Array(newCommandSchema.utf8) }
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(Attempt.headerBytes + length + schema.count)
    var writer = AvroWriter(capacity: Attempt.headerBytes)
    writer.raw(Attempt.encoded(phase))
    writer.littleEndian(UInt64(0))
    writer.littleEndian(UInt64(LogFormat.version))
    writer.raw(store.bytes)
    writer.littleEndian(firstSequence)
    writer.littleEndian(session)
    writer.littleEndian(self.schema)
    writer.littleEndian(UInt32(clamping: batches.count))
    writer.littleEndian(UInt64(length))
    writer.littleEndian(UInt64(schema.count))
    precondition(writer.count == Attempt.headerBytes)
    bytes.append(contentsOf: writer.bytes)
    for batch in batches {
      writer.removeAll()
      writer.littleEndian(UInt64(bitPattern: batch.moment.microseconds))
      // The cause 0 means none, because no record has that sequence.
      writer.littleEndian(batch.answeringLeaf?.cause ?? 0)
      writer.littleEndian(batch.answeringLeaf?.ordinal ?? 0)
      let count = UInt32(clamping: batch.count)
      writer.littleEndian(batch.isCommand ? count | Attempt.commandBit : count)
      bytes.append(contentsOf: writer.bytes)
      bytes.append(contentsOf: batch.encoded.bytes)
    }
    bytes.append(contentsOf: schema)
    let checksum = SHA256Hasher.checksum(bytes.span.extracting(16...))
    var span = bytes.mutableSpan
    span.store(checksum, at: 8)
  }

  /// Decodes a file; returns `nil` if it is torn, or of another store or version.
  ///
  /// Bytes beyond those that the header announces are left from a longer group and ignored.
  static func decode(_ bytes: [UInt8], store: StoreID) -> (attempt: Attempt, phase: Phase)? {
    (try? decodeStrictly(bytes, store: store)) ?? nil
  }

  private static func decodeStrictly(
    _ bytes: [UInt8], store: StoreID
  ) throws(AvroError) -> (attempt: Attempt, phase: Phase)? {
    var reader = AvroReader(bytes.span)
    let number = try reader.littleEndian32()
    guard try reader.littleEndian32() == ~number else { return nil }
    let checksum = try reader.littleEndian64()
    guard let version = UInt8(exactly: try reader.littleEndian64()),
      LogFormat.readableVersions.contains(version)
    else { return nil }
    guard StoreID(try reader.raw(StoreID.byteCount)) == store else { return nil }
    let first = try reader.littleEndian64()
    let session = try reader.littleEndian64()
    let schema = try reader.littleEndian32()
    let count = try reader.littleEndian32()
    let length = try reader.littleEndian64()
    let schemaLength = try reader.littleEndian64()
    // The number 0 stands for a session without a record.
    guard LogFormat.isSequence(first), session <= LogFormat.sequenceMax else { return nil }
    guard length <= UInt64(reader.remaining), schemaLength <= UInt64(reader.remaining) - length
    else { return nil }
    let end = reader.offset + Int(length)
    let whole = bytes.span.extracting(16..<end + Int(schemaLength))
    guard SHA256Hasher.checksum(whole) == checksum else { return nil }
    var batches: [Batch] = []
    for _ in 0..<count {
      let moment = Moment(microseconds: Int64(bitPattern: try reader.littleEndian64()))
      let id = EffectLeafID(
        cause: try reader.littleEndian64(), ordinal: try reader.littleEndian32())
      guard id.cause <= LogFormat.sequenceMax else { return nil }
      var actions: [[UInt8]] = []
      let count = try reader.littleEndian32()
      for _ in 0..<(count & ~Attempt.commandBit) {
        let size = Int(try reader.littleEndian32())
        guard size <= end - reader.offset else { return nil }
        let start = reader.offset
        try reader.skip(size)
        actions.append(Array(bytes[start..<start + size]))
      }
      guard reader.offset <= end else { return nil }
      var batch = Batch(moment: moment, actions: actions, answeringLeaf: id.cause == 0 ? nil : id)
      batch.isCommand = count & Attempt.commandBit != 0
      batches.append(batch)
    }
    guard reader.offset == end else { return nil }
    let texts = bytes[end..<end + Int(schemaLength)]
    let actionText = texts.prefix { $0 != 0 }
    guard let json = String(validating: actionText, as: UTF8.self),
      let commandJSON = String(validating: texts[actionText.endIndex...].dropFirst(), as: UTF8.self)
    else { return nil }
    let attempt = Attempt(
      firstSequence: first, session: session, schema: schema, newSchema: json,
      newCommandSchema: commandJSON, batches: batches)
    let phase = Phase(number: number)
    if case .reducing(let batch) = phase, batch >= batches.count { return nil }
    return (attempt, phase)
  }
}
