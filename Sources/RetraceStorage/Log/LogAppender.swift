public import Retrace
import RetraceLMDB
import RetraceSystem

/// A write transaction on a log, which reads the log and appends records.
///
/// Callers have it only during a call of `LogWriter.Access.append`. If commits are deferred, the
/// writer keeps it open between the calls.
public struct LogAppender: ~Copyable, Sendable {
  var transaction: WriteTransaction
  var builder: BlockBuilder<SHA256Hasher>
  let databases: LogDatabases
  let path: String
  /// The end of the log when the transaction began; if commits are deferred, when the current call
  /// of `append` began.
  package private(set) var head: Head
  /// The identity that the chain covers.
  package let storeID: StoreID
  private var lastMoment: Moment
  /// The sequence of the last committed record.
  private let committedSequence: UInt64
  /// The number of the last schema of actions that this call of `append` stored; `nil` if it stored
  /// none.
  package private(set) var newSchema: UInt32?
  /// Whether this call of `append` stored a schema of commands or refusals.
  package private(set) var hasNewCommandSchema = false

  init(
    _ transaction: consuming WriteTransaction, builder: consuming BlockBuilder<SHA256Hasher>,
    head: Head, databases: LogDatabases, store: StoreID, path: String
  ) {
    self.transaction = transaction
    self.builder = builder
    self.databases = databases
    self.path = path
    self.head = head
    storeID = store
    lastMoment = head.moment
    committedSequence = head.sequence
  }

  /// Returns a builder that resumes the last block, which must end where the head says.
  static func builder(
    after head: Head, in transaction: borrowing WriteTransaction, _ databases: LogDatabases,
    store: StoreID, path: String
  ) throws(StoreError) -> BlockBuilder<SHA256Hasher> {
    var builder = BlockBuilder<SHA256Hasher>(
      store: store, startingAt: head.sequence + 1, after: head.chain)
    guard head.sequence > 0 else { return builder }
    var failure: LogError?
    do throws(LMDBError) {
      guard let block = try transaction.get(head.lastBlockKey, from: databases.log) else {
        throw LMDBError(.notFound, during: .get)
      }
      do throws(LogError) {
        try builder.resume(from: block, at: head.lastBlockKey)
      } catch {
        failure = error
      }
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    if let failure { throw StoreError(failure, in: path) }
    guard builder.sequence == head.sequence + 1, builder.finish() == head.chain else {
      throw StoreError.damaged(
        head.lastBlockKey, "The last block does not end at the head", in: path)
    }
    return builder
  }

  package var nextSequence: UInt64 { builder.sequence }

  /// Whether this transaction appended a record; if commits are deferred, whether this call did.
  var hasAppended: Bool { builder.sequence > head.sequence + 1 }

  /// The number of uncommitted records in the transaction.
  var deferredCount: UInt64 { builder.sequence - 1 - committedSequence }

  /// Begins another call of `append` in a deferred transaction: `head` moves to its last record.
  mutating func resume() {
    head = Head(
      sequence: builder.sequence - 1, chain: builder.finish(), moment: lastMoment,
      lastBlockKey: head.lastBlockKey)
    newSchema = nil
    hasNewCommandSchema = false
  }

  /// Appends a record after all others.
  ///
  /// Nothing is on disk before the transaction is committed; see `LogWriter.Access.append`.
  ///
  /// - Parameters:
  ///   - envelope: The record's envelope; its sequence is filled in.
  ///   - payload: The encoded action, or the payload of the record's kind.
  /// - Returns: The record's sequence.
  /// - Complexity: O(bytes of the record), and a write of 16 KiB for each block that fills up.
  /// - Throws: ``StoreError/Code/recordTooLarge``, ``StoreError/Code/invalidRecord``, with nothing
  ///   changed; a storage failure.
  @discardableResult
  public mutating func append(
    _ envelope: borrowing Envelope, payload: Span<UInt8>
  ) throws(StoreError) -> UInt64 {
    let sequence = builder.sequence
    do throws(LogError) {
      if try builder.append(envelope, payload: payload) {
        lastMoment = envelope.moment
        return sequence
      }
    } catch {
      throw StoreError(error, in: path)
    }
    _ = try writeBlock()
    builder.startNext()
    do throws(LogError) {
      _ = try builder.append(envelope, payload: payload)
    } catch {
      throw StoreError(error, in: path)
    }
    lastMoment = envelope.moment
    return sequence
  }

  /// Appends a system record.
  ///
  /// - Parameters:
  ///   - payload: The payload, which also determines the envelope's kind.
  ///   - envelope: The record's envelope; its sequence is filled in.
  /// - Returns: The record's sequence.
  /// - Complexity: O(bytes of the record).
  /// - Throws: As ``append(_:payload:)``.
  @discardableResult
  public mutating func append<P: SystemPayload>(
    _ payload: P, _ envelope: Envelope
  ) throws(StoreError) -> UInt64 {
    var envelope = envelope
    envelope.kind = P.kind
    let bytes = payload.encoded()
    return try append(envelope, payload: bytes.span)
  }

  /// Returns the number of a schema of actions, and stores the schema if it is new.
  ///
  /// - Parameter json: The full JSON of the schema.
  /// - Returns: The number, from 1.
  /// - Complexity: O(bytes of all stored schemas).
  /// - Throws: ``StoreError``.
  public mutating func schemaNumber(json: String) throws(StoreError) -> UInt32 {
    try number(of: SHA256Hasher.digest(of: json.utf8.span), isOfCommands: false) { json }
  }

  /// Returns the number of an app's schema of actions, and stores the schema if it is new.
  ///
  /// - Complexity: O(stored schemas), and O(bytes of the schema) if it is new.
  /// - Throws: ``StoreError``.
  package mutating func schemaNumber(_ schema: AppSchema) throws(StoreError) -> UInt32 {
    try number(of: schema.digests.text, isOfCommands: false) { schema.text }
  }

  /// Returns the number of a schema of commands or refusals, and stores the schema if it is new.
  ///
  /// - Returns: The number among the schemas of commands; see `LogFormat.commandSchemaNumber(_:)`.
  /// - Complexity: As ``schemaNumber(json:)``.
  /// - Throws: ``StoreError``.
  package mutating func commandSchemaNumber(json: String) throws(StoreError) -> UInt32 {
    try number(of: SHA256Hasher.digest(of: json.utf8.span), isOfCommands: true) { json }
  }

  /// Returns the number of an app's schema of commands or refusals, and stores it if it is new.
  ///
  /// - Returns: As ``commandSchemaNumber(json:)``.
  /// - Complexity: As ``schemaNumber(_:)``.
  /// - Throws: ``StoreError``.
  package mutating func commandSchemaNumber(_ schema: AppSchema) throws(StoreError) -> UInt32 {
    try number(of: schema.digests.text, isOfCommands: true) { schema.text }
  }

  /// Returns the number of a schema.
  ///
  /// Schemas of actions and of commands are numbered separately.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of its JSON.
  ///   - isOfCommands: Whether it is a schema of commands or refusals.
  ///   - json: Returns its JSON, which is stored if no such schema has the digest.
  private mutating func number(
    of digest: Digest, isOfCommands: Bool, _ json: () -> String
  ) throws(StoreError) -> UInt32 {
    let commands = LogFormat.commandSchemaNumber(0)
    let (base, limit) = isOfCommands ? (commands, .max) : (0, commands)
    let (found, last) = try findSchema(digest, after: base, upTo: limit)
    if let found { return found - base }
    guard last < limit else {
      throw StoreError.damaged(1, "A schema has the number \(last), the highest possible", in: path)
    }
    try store(schema: json(), number: last + 1)
    if isOfCommands {
      hasNewCommandSchema = true
    } else {
      newSchema = last + 1
    }
    return last + 1 - base
  }

  private func findSchema(
    _ digest: Digest, after base: UInt32, upTo limit: UInt32
  ) throws(StoreError) -> (found: UInt32?, last: UInt32) {
    var last = base
    do throws(LMDBError) {
      var cursor = try transaction.cursor(over: databases.schemas)
      while try cursor.next() {
        guard let number = LogDatabases.schemaNumber(cursor.key), number > base, number <= limit
        else { continue }
        last = number
        if try databases.schemaDigest(number, in: transaction) == digest { return (number, last) }
      }
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    return (nil, last)
  }

  /// Stores a schema under a number that is free in the log, and its SHA-256.
  mutating func store(schema json: String, number: UInt32) throws(StoreError) {
    let bytes = Array(json.utf8)
    let digest = SHA256Hasher.digest(of: bytes.span).bytes
    do throws(LMDBError) {
      try transaction.put(
        bytes.span, for: LogDatabases.schemaKey(number).span, in: databases.schemas)
      try transaction.put(
        digest.span, for: LogDatabases.schemaDigestKey(number).span, in: databases.meta)
    } catch {
      throw StoreError(error, in: path, doing: "store a schema")
    }
  }

  /// Puts the current block into the database and returns the chain digest of its last record.
  private mutating func writeBlock() throws(StoreError) -> Digest {
    let chain = builder.finish()
    do {
      try LogAppender.put(builder, into: databases.log, replacing: head.lastBlockKey, &transaction)
    } catch {
      throw StoreError(error, in: path, doing: "append records")
    }
    return chain
  }

  private static func put(
    _ builder: borrowing BlockBuilder<SHA256Hasher>, into log: LMDBDatabase,
    replacing lastBlockKey: UInt64, _ transaction: inout WriteTransaction
  ) throws(LMDBError) {
    if builder.firstSequence == lastBlockKey {
      try transaction.put(builder.bytes, for: lastBlockKey, in: log)
    } else {
      try transaction.append(builder.bytes, for: builder.firstSequence, in: log)
    }
  }

  private static func put(
    _ head: Head, into meta: LMDBDatabase, _ transaction: inout WriteTransaction
  ) throws(LMDBError) {
    let key = LogDatabases.headKey
    let bytes = head.encoded(checksummedBy: SHA256Hasher.self)
    try transaction.put(bytes.span, for: key.span, in: meta)
  }

  /// Commits the appended records.
  ///
  /// - Returns: The new head and the builder, for the next transaction.
  consuming func commit() throws(CommitFailure) -> Committed {
    let head: Head
    do throws(StoreError) {
      let chain = try writeBlock()
      head = Head(
        sequence: builder.sequence - 1, chain: chain, moment: lastMoment,
        lastBlockKey: builder.firstSequence)
    } catch {
      throw .notCommitted(error)
    }
    do throws(LMDBError) {
      try LogAppender.put(head, into: databases.meta, &transaction)
    } catch {
      throw .notCommitted(StoreError(error, in: path, doing: "append records"))
    }
    do throws(LMDBError) {
      try transaction.commit()
    } catch {
      throw .unknown(error)
    }
    return Committed(head: head, builder: builder)
  }

  enum CommitFailure: Error {
    /// The transaction was aborted.
    case notCommitted(StoreError)
    /// The records may or may not be stored.
    case unknown(LMDBError)
  }

  /// The results of a commit, from which the next transaction continues.
  struct Committed: ~Copyable {
    var head: Head
    var builder: BlockBuilder<SHA256Hasher>
  }
}
