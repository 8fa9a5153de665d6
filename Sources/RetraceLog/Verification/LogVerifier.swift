import RetraceArchitecture
public import RetraceAvro
public import RetraceState

/// A checker of the blocks of a log in order, without any code of the app.
///
/// It checks that checksums and counts are right, that sequences have no gaps, that each block is
/// chained to the previous one, that every record can be read, that sessions were opened, that
/// refused commands have no actions, and that system payloads decode. It collects schema numbers in
/// ``schemas`` for the caller to look up.
public struct LogVerifier<H: ByteHasher>: Sendable {
  private let store: StoreID
  /// The number of records checked.
  public private(set) var records: UInt64
  /// The number of blocks checked.
  public private(set) var blocks: UInt64
  /// The number of bytes of the blocks checked.
  public private(set) var bytes: UInt64
  /// The chain digest of the last record checked.
  public private(set) var chain: Digest
  /// The sequence of the last record checked.
  public private(set) var sequence: UInt64
  /// The moment of the last record checked.
  public private(set) var moment: Moment
  /// The first sequence of the last block checked.
  public private(set) var lastBlockKey: UInt64
  /// The schema numbers found, each with the first record that uses it.
  public private(set) var schemas: [UInt32: UInt64]
  /// The schema fingerprints that sessions recorded, by number, each with the session.
  public private(set) var fingerprints: [UInt32: (fingerprint: Digest, session: UInt64)]
  /// The schema numbers of commands and refusals, each with the first record that uses it.
  private(set) var commandSchemas: [UInt32: UInt64] = [:]
  private var version: UInt8?
  private var sessions: Set<UInt64>
  private var lastSession: UInt64
  /// The schema number of the last record checked, which the next record usually has, too.
  private var lastSchema: UInt32?
  /// Whether the current batch begins with a command that was refused.
  private var isRefused = false

  /// Creates a verifier that starts before record 1.
  public init(store: StoreID) {
    self.store = store
    records = 0
    blocks = 0
    bytes = 0
    chain = .zero
    sequence = 0
    moment = Moment(microseconds: 0)
    lastBlockKey = 0
    schemas = [:]
    fingerprints = [:]
    sessions = []
    lastSession = 0
  }

  /// Checks the next block.
  ///
  /// - Complexity: O(bytes of the block).
  /// - Throws: ``LogError`` with the first record that cannot be trusted.
  public mutating func check(_ block: Span<UInt8>, at key: UInt64) throws(LogError) {
    let expected = sequence + 1
    guard key == expected else {
      throw LogError.damaged(sequence: expected, detail: "the next block starts at record \(key)")
    }
    let header = try BlockHeader(decoding: block, at: key, checksummedBy: H.self)
    guard version == nil || header.version == version else {
      throw LogError.damaged(
        sequence: key, detail: "the block has another version than those before it")
    }
    version = header.version
    guard header.chainBefore == chain else {
      throw LogError.damaged(
        sequence: key, detail: "the block's chain digest does not match the block before it")
    }
    var cursor = try RecordCursor(block, header: header)
    while try cursor.next() { try check(cursor) }
    var hasher = ChainHasher<H>(block: header, of: store)
    hasher.update(block.extracting(LogFormat.headerBytes..<block.count))
    chain = hasher.digest
    sequence = header.lastSequence
    moment = cursor.moment
    lastBlockKey = key
    records += UInt64(header.count)
    blocks += 1
    bytes += UInt64(block.count)
  }

  /// Checks that the log ends at its head.
  ///
  /// - Throws: ``LogError/damaged(sequence:detail:)``.
  public func finish(_ head: Head) throws(LogError) {
    guard head.sequence == sequence else {
      throw LogError.damaged(
        sequence: min(head.sequence, sequence) + 1,
        detail: "the head names record \(head.sequence) as the last one, but the log ends with "
          + "record \(sequence)")
    }
    guard head.chain == chain else {
      throw LogError.damaged(
        sequence: sequence, detail: "the head's chain digest does not match the last record")
    }
    guard
      sequence == 0 || (head.lastBlockKey == lastBlockKey && head.moment == moment) || blocks == 0
    else {
      throw LogError.damaged(
        sequence: sequence, detail: "the head's last block or moment does not match the log")
    }
  }

  private mutating func check(_ cursor: borrowing RecordCursor) throws(LogError) {
    let sequence = cursor.sequence
    if cursor.kind == .sessionOpened {
      let opened: SessionOpened = try decode(cursor)
      guard cursor.session == sequence else {
        throw LogError.damaged(
          sequence: sequence, detail: "it opens a session but belongs to session \(cursor.session)")
      }
      sessions.insert(sequence)
      lastSession = sequence
      try register(cursor.schema, opened.actionSchema, session: sequence)
      for schema in opened.schemas {
        let number = LogFormat.commandSchemaNumber(schema.number)
        try register(number, schema.fingerprint, session: sequence)
        if schemas[number] == nil { schemas[number] = sequence }
      }
    } else if cursor.session != lastSession {
      guard sessions.contains(cursor.session) else {
        throw LogError.damaged(
          sequence: sequence, detail: "its session \(cursor.session) was never opened")
      }
      lastSession = cursor.session
    }
    if cursor.schema != lastSchema {
      if schemas[cursor.schema] == nil { schemas[cursor.schema] = sequence }
      lastSchema = cursor.schema
    }
    if cursor.startsBatch { isRefused = false }
    switch cursor.kind {
    case .action:
      guard !isRefused else {
        throw LogError.damaged(
          sequence: sequence, detail: "an action is in the batch of a command that was refused")
      }
    case .sessionOpened: return
    case .sessionClosed: let _: SessionClosed = try decode(cursor)
    case .effectFinished: let _: EffectFinished = try decode(cursor)
    case .crashed: let _: Crashed = try decode(cursor)
    case .clockJumped: let _: ClockJumped = try decode(cursor)
    case .command:
      let command: RecordedCommand = try decode(cursor)
      guard cursor.startsBatch else {
        throw LogError.damaged(
          sequence: sequence, detail: "a command is not the first record of its batch")
      }
      isRefused = command.refusal != nil
      for number in command.schemas where commandSchemas[number] == nil {
        commandSchemas[number] = sequence
        if schemas[number] == nil { schemas[number] = sequence }
      }
    }
  }

  /// Registers the fingerprint that a session recorded for a schema.
  private mutating func register(
    _ schema: UInt32, _ fingerprint: Digest, session: UInt64
  ) throws(LogError) {
    guard let known = fingerprints[schema] else {
      fingerprints[schema] = (fingerprint, session)
      return
    }
    guard known.fingerprint == fingerprint else {
      throw LogError.damaged(
        sequence: session,
        detail: "schema \(schema) has another fingerprint than in session \(known.session)")
    }
  }

  private func decode<P: SystemPayload>(_ cursor: borrowing RecordCursor) throws(LogError) -> P {
    do {
      return try cursor.systemPayload(as: P.self)
    } catch {
      throw LogError.damaged(
        sequence: cursor.sequence, detail: "its \(P.recordedName) cannot be read: \(error)")
    }
  }
}
