import RetraceArchitecture
public import RetraceAvro
import RetraceState

/// The bytes of the block being written, independent of the hasher.
@usableFromInline
struct BlockBytes: ~Copyable, Sendable {
  /// The number of initialized bytes after a block, so that a word can be stored at its end.
  private static let slackBytes = 8

  @usableFromInline private(set) var chainBefore: Digest
  @usableFromInline var nextSequence: UInt64
  @usableFromInline var recordCount: UInt32 = 0
  /// The session of the first record, if there is one.
  @usableFromInline var baseSession: UInt64 = 0
  /// The schema number of the first record, if there is one.
  @usableFromInline var baseSchema: UInt32 = 0
  /// The moment of the first record, if there is one.
  private(set) var baseMoment: Int64 = 0
  @usableFromInline var lastMoment: Int64 = 0
  /// The block, followed by initialized room: enough for a full block and the slack, so that
  /// storing a record does not grow the array.
  @usableFromInline var storage: [UInt8]
  @usableFromInline var byteCount = 0

  @usableFromInline
  init(startingAt sequence: UInt64, after chain: Digest) {
    chainBefore = chain
    nextSequence = sequence
    storage = [UInt8](repeating: 0, count: LogFormat.blockBytesMax + Self.slackBytes)
  }

  /// The whole block; its header lacks count, length and checksum until the block is finished.
  @inlinable var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(first: byteCount) }
  }

  /// The header of a block with records, without length and checksum; `nil` for an empty block.
  @usableFromInline var header: BlockHeader? {
    guard recordCount > 0 else { return nil }
    var header = BlockHeader(
      schema: baseSchema, firstSequence: firstSequence, baseSession: baseSession,
      baseMoment: Moment(microseconds: baseMoment), chainBefore: chainBefore)
    header.count = recordCount
    return header
  }

  /// The sequence of the first record, or of the next record if the block is empty.
  var firstSequence: UInt64 { nextSequence - UInt64(recordCount) }

  mutating func resume(from block: Span<UInt8>, _ header: BlockHeader, lastMoment: Int64) {
    byteCount = 0
    makeRoom(for: block.count)
    var output = storage.mutableSpan
    output.store(copying: block, at: 0)
    byteCount = block.count
    chainBefore = header.chainBefore
    nextSequence = header.lastSequence + 1
    recordCount = header.count
    baseSession = header.baseSession
    baseSchema = header.schema
    baseMoment = header.baseMoment.microseconds
    self.lastMoment = lastMoment
  }

  @usableFromInline
  mutating func startNext(after chain: Digest) {
    chainBefore = chain
    byteCount = 0
    recordCount = 0
  }

  /// Writes the header of a block whose first record has the envelope.
  mutating func start(_ envelope: borrowing Envelope) {
    baseSession = envelope.session
    baseSchema = envelope.schema
    baseMoment = envelope.moment.microseconds
    lastMoment = baseMoment
    byteCount = LogFormat.headerBytes
    let sequence = nextSequence
    let chain = chainBefore
    var output = storage.mutableSpan
    output.store(0 as UInt64, at: 0)
    output.store(UInt64(LogFormat.version), at: 8)
    output.store(0 as UInt32, at: 16)
    output.store(envelope.schema, at: 20)
    output.store(sequence, at: 24)
    output.store(envelope.session, at: 32)
    output.store(UInt64(bitPattern: envelope.moment.microseconds), at: 40)
    output.store(chain, at: 48)
  }

  /// Writes the count and the length.
  @usableFromInline
  mutating func storeTotals() {
    let length = UInt32(byteCount - LogFormat.headerBytes)
    let records = recordCount
    var output = storage.mutableSpan
    output.store(records, at: 12)
    output.store(length, at: 16)
  }

  /// Writes the checksum of all bytes after it.
  @inlinable
  mutating func store(checksum: UInt64) {
    var output = storage.mutableSpan
    output.store(checksum, at: 0)
  }

  /// Grows the storage, for a record longer than a block or a block with such a record.
  mutating func makeRoom(for size: Int) {
    let missing = byteCount + size + Self.slackBytes - storage.count
    if missing > 0 { storage.append(contentsOf: repeatElement(0, count: missing)) }
  }
}
