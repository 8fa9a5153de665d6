import Retrace
import RetraceSystem

/// The longest prefix of a log that verifies, has its schemas, and ends with a complete batch.
///
/// The caller passes the blocks in order to ``take(_:from:through:)``. After the last of them, it
/// tells ``finish(in:from:isCommitted:)`` whether a commit ended there.
struct VerifiedPrefix {
  /// The last record that certainly ends a batch; 0 for none.
  private(set) var last: UInt64 = 0
  /// The chain digest of ``last``; zero without records.
  private(set) var chain = Digest.zero
  /// The last record read, whose batch may continue.
  private(set) var lastRead: UInt64 = 0
  private(set) var missingSchema: UInt32?
  /// The fault in a block with a valid checksum.
  private(set) var fault: LogError?
  private(set) var version: UInt8?
  /// The moment of record 1.
  private(set) var firstMoment: Moment?

  private let found: FoundSchemas
  private let store: StoreID
  private var verifier: LogVerifier<SHA256Hasher>
  /// The schemas that records need, each with the first record that needs it.
  private var schemas: [UInt32: (json: String, user: UInt64)] = [:]
  private var lastKind = RecordKind.action
  private var lastCause: UInt64?

  init(of store: StoreID, with schemas: FoundSchemas) {
    self.store = store
    found = schemas
    verifier = LogVerifier(store: store)
  }

  /// Takes the next block.
  ///
  /// - Parameters:
  ///   - block: A block with a valid checksum, chained to the previous one.
  ///   - first: The sequence of its first record.
  ///   - end: The last record to take.
  /// - Returns: Whether the next block can be taken.
  mutating func take(_ block: Span<UInt8>, from first: UInt64, through end: UInt64) -> Bool {
    do throws(LogError) {
      try verifier.check(block, at: first)
      var record = try RecordCursor(block, at: first)
      version = record.header.version
      while try record.next(), record.sequence <= end {
        if mayBeginCommit(record), last < lastRead {
          try keep(through: lastRead, of: block, record.header)
        }
        guard takeSchemas(of: record) else { return false }
        if firstMoment == nil { firstMoment = record.moment }
        (lastRead, lastKind, lastCause) = (record.sequence, record.kind, record.cause)
      }
      return lastRead < end
    } catch {
      fault = error
      return false
    }
  }

  /// Ends with the last record read, if no record of its batch can follow.
  ///
  /// - Parameters:
  ///   - block: The block that contains the record.
  ///   - first: The sequence of the block's first record.
  ///   - isCommitted: Whether a commit ended with the record.
  mutating func finish(in block: Span<UInt8>, from first: UInt64, isCommitted: Bool) {
    guard last < lastRead, isCommitted || lastKind.isWholeBatch else { return }
    do throws(LogError) {
      try keep(through: lastRead, of: block, BlockHeader(decoding: block, at: first))
    } catch {
      fault = error
    }
  }

  private mutating func keep(
    through sequence: UInt64, of block: Span<UInt8>, _ header: BlockHeader
  ) throws(LogError) {
    chain =
      sequence < header.firstSequence
      ? header.chainBefore
      : try ChainHasher<SHA256Hasher>.chain(at: sequence, in: block, header: header, of: store)
    last = sequence
  }

  /// Returns whether a record may be in another commit than the record before it.
  ///
  /// The answer of an effect is a batch of its own. But it is committed together with the record of
  /// the effect's end, which precedes it.
  private func mayBeginCommit(_ record: borrowing RecordCursor) -> Bool {
    guard record.startsBatch else { return false }
    let isAnswer =
      lastKind == .effectFinished && record.cause == lastCause
      && (record.kind == .action || record.kind == .command)
    return !isAnswer
  }

  // MARK: Schemas

  /// Returns the schemas that the kept records need, by number; if the log is complete, also the
  /// known schemas after those.
  func schemas(isWhole: Bool) -> [UInt32: String] {
    var kept = schemas.filter { isWhole || $0.value.user <= last }.mapValues(\.json)
    guard isWhole else { return kept }
    for base in [0, LogFormat.commandSchemaNumber(0)] {
      var next = lastNumber(after: base) + 1
      while let json = found.json(next) {
        kept[next] = json
        next += 1
      }
    }
    return kept
  }

  /// Returns the highest number of a needed schema, of actions or of commands.
  private func lastNumber(after base: UInt32) -> UInt32 {
    schemas.keys.filter { ($0 > LogFormat.commandSchemaNumber(0)) == (base > 0) }.max() ?? base
  }

  /// Takes the schemas that a record needs, and returns whether all of them were found.
  private mutating func takeSchemas(of record: borrowing RecordCursor) -> Bool {
    switch record.kind {
    case .sessionOpened:
      guard let opened = try? record.systemPayload(as: SessionOpened.self) else { return false }
      // In ascending order, because taking a schema also takes all lower numbers.
      for schema in opened.schemas.sorted(by: { $0.number < $1.number }) {
        let number = LogFormat.commandSchemaNumber(schema.number)
        guard takeSchema(number, schema.fingerprint, record.sequence) else { return false }
      }
      return takeSchema(record.schema, opened.actionSchema, record.sequence)
    case .crashed:
      guard let crashed = try? record.systemPayload(as: Crashed.self) else { return false }
      guard takeSchema(crashed.schema, nil, record.sequence) else { return false }
    case .command:
      guard let command = try? record.systemPayload(as: RecordedCommand.self) else { return false }
      for number in command.schemas {
        guard takeSchema(number, nil, record.sequence) else { return false }
      }
    case .action, .sessionClosed, .effectFinished, .clockJumped: break
    }
    return takeSchema(record.schema, nil, record.sequence)
  }

  /// Takes a schema and all lower numbers, because the numbers of each kind have no gaps; returns
  /// whether all exist.
  private mutating func takeSchema(
    _ number: UInt32, _ fingerprint: Digest?, _ user: UInt64
  ) -> Bool {
    // True for nearly every record.
    if schemas[number] != nil { return true }
    let base = number > LogFormat.commandSchemaNumber(0) ? LogFormat.commandSchemaNumber(0) : 0
    var next = lastNumber(after: base)
    while next < number {
      next += 1
      let json =
        next == number && fingerprint != nil
        ? fingerprint.flatMap { found.json(next, fingerprint: $0) } : found.json(next)
      guard let json else {
        missingSchema = next
        return false
      }
      schemas[next] = (json, user)
    }
    return true
  }
}

extension RecordKind {
  /// Whether a record of this kind is a complete batch, which no later record can belong to.
  fileprivate var isWholeBatch: Bool {
    switch self {
    case .sessionOpened, .sessionClosed, .crashed, .clockJumped: true
    // An answer may follow the effect's end, and facts follow a command.
    case .action, .command, .effectFinished: false
    }
  }
}
