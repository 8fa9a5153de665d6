import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform

/// The longest beginning of a log that verifies, has its schemas, and ends with a whole batch.
///
/// It is given the blocks in order, then told whether a commit ended with the last of them.
struct KeptPrefix {
  /// The last record after which a batch is known to begin; 0 for none.
  private(set) var last: UInt64 = 0
  /// The chain digest of ``last``; zero without records.
  private(set) var chain = Digest.zero
  /// The last record that was read, of a batch that may go on.
  private(set) var lastRead: UInt64 = 0
  /// The first schema that is missing, by number.
  private(set) var missingSchema: UInt32?
  /// What is wrong with a block that is whole.
  private(set) var fault: LogError?
  /// The version of the blocks.
  private(set) var version: UInt8?
  /// The moment of record 1.
  private(set) var firstMoment: Moment?

  private let found: FoundSchemas
  private let store: StoreID
  private var verifier: LogVerifier<SHA256Hasher>
  /// The schemas that records need, each with the first that does.
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
  ///   - block: A whole block that is chained to the one before.
  ///   - first: The sequence of its first record.
  ///   - end: The last record that is wanted.
  /// - Returns: Whether the next block can be taken.
  mutating func take(_ block: Span<UInt8>, from first: UInt64, through end: UInt64) -> Bool {
    do throws(LogError) {
      try verifier.check(block, at: first)
      var record = try RecordCursor(block, at: first)
      version = record.header.version
      while try record.next(), record.sequence <= end {
        if begins(record), last < lastRead {
          try keep(through: lastRead, of: block, record.header)
        }
        guard needs(record) else { return false }
        if firstMoment == nil { firstMoment = record.moment }
        (lastRead, lastKind, lastCause) = (record.sequence, record.kind, record.cause)
      }
      return lastRead < end
    } catch {
      fault = error
      return false
    }
  }

  /// Ends with the last record that was read, if no record of its batch can follow.
  ///
  /// - Parameters:
  ///   - block: The block of that record.
  ///   - first: The sequence of the block's first record.
  ///   - isCommitted: Whether a commit ended with it.
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

  /// Whether a record begins what is committed apart from the record before it.
  ///
  /// The answer of an effect is a batch of its own, in one commit with the effect's end before it.
  private func begins(_ record: borrowing RecordCursor) -> Bool {
    guard record.startsBatch else { return false }
    let isAnswer =
      lastKind == .effectFinished && record.cause == lastCause
      && (record.kind == .action || record.kind == .command)
    return !isAnswer
  }

  // MARK: Schemas

  /// The schemas that the kept records need, by number, and all that are known after them if
  /// nothing is missing.
  func schemas(isWhole: Bool) -> [UInt32: String] {
    var kept = schemas.filter { isWhole || $0.value.user <= last }.mapValues(\.json)
    guard isWhole else { return kept }
    for base in [0, LogFormat.commandSchema(0)] {
      var next = lastNumber(after: base) + 1
      while let json = found.json(next) {
        kept[next] = json
        next += 1
      }
    }
    return kept
  }

  /// The highest number of a schema that records need, of actions or of commands.
  private func lastNumber(after base: UInt32) -> UInt32 {
    schemas.keys.filter { ($0 > LogFormat.commandSchema(0)) == (base > 0) }.max() ?? base
  }

  /// Whether the schemas are there that a record needs.
  private mutating func needs(_ record: borrowing RecordCursor) -> Bool {
    switch record.kind {
    case .sessionOpened:
      guard let opened = try? record.systemPayload(as: SessionOpened.self) else { return false }
      // Ascending, since those of lower numbers are taken on the way to a higher one.
      for schema in opened.schemas.sorted(by: { $0.number < $1.number }) {
        let number = LogFormat.commandSchema(schema.number)
        guard need(number, schema.fingerprint, record.sequence) else { return false }
      }
      return need(record.schema, opened.actionSchema, record.sequence)
    case .crashed:
      guard let crashed = try? record.systemPayload(as: Crashed.self) else { return false }
      guard need(crashed.schema, nil, record.sequence) else { return false }
    case .command:
      guard let command = try? record.systemPayload(as: RecordedCommand.self) else { return false }
      for number in command.schemas {
        guard need(number, nil, record.sequence) else { return false }
      }
    case .action, .sessionClosed, .effectFinished, .clockJumped: break
    }
    return need(record.schema, nil, record.sequence)
  }

  /// The numbers of actions' schemas have no gap, and neither have those of commands: all lower
  /// ones are needed, too.
  private mutating func need(
    _ number: UInt32, _ fingerprint: Digest?, _ user: UInt64
  ) -> Bool {
    // Nearly every record has a schema that is known already.
    if schemas[number] != nil { return true }
    let base = number > LogFormat.commandSchema(0) ? LogFormat.commandSchema(0) : 0
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
  /// Whether a record of this kind is a batch by itself, after which nothing of the same commit
  /// belongs to it.
  fileprivate var isWholeBatch: Bool {
    switch self {
    case .sessionOpened, .sessionClosed, .crashed, .clockJumped: true
    // The answer of an effect may follow its end; a command's facts follow the command.
    case .action, .command, .effectFinished: false
    }
  }
}
