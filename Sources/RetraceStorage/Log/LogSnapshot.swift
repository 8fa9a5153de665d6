public import RetraceAvro
import RetraceLMDB
public import RetraceLog
import RetraceSystem

/// A view of the log at one commit, which later commits do not change.
///
/// It holds one short read transaction; see ``LogStorage/withSnapshot(_:)``.
public struct LogSnapshot: ~Copyable {
  let transaction: ReadTransaction
  let databases: LogDatabases
  let path: String
  let folding: FoldNotes?
  /// The identity that the chain covers.
  public let storeID: StoreID
  /// The version of the format.
  public let version: UInt8
  /// Where the log ends.
  public let head: Head

  init(
    _ transaction: consuming ReadTransaction, databases: LogDatabases, store: StoreID,
    version: UInt8, path: String, folding: FoldNotes? = nil
  ) throws(StoreError) {
    self.transaction = transaction
    self.folding = folding
    self.databases = databases
    self.path = path
    storeID = store
    self.version = version
    head = try databases.head(in: self.transaction, path: path)
  }

  /// A value of the database `meta`, copied.
  func metaBytes(_ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    do throws(LMDBError) {
      guard let bytes = try transaction.get(key.span, from: databases.meta) else { return nil }
      return bytes.indices.map { bytes[$0] }
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
  }

  /// The full JSON of a schema by its number; `nil` if there is none of that number.
  ///
  /// - Complexity: O(bytes of the schema).
  /// - Throws: ``StoreError``.
  public func schema(_ number: UInt32) throws(StoreError) -> String? {
    let bytes: Span<UInt8>?
    do {
      bytes = try transaction.get(
        LogDatabases.schemaKey(number).span, from: databases.schemas)
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    guard let bytes else { return nil }
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw StoreError.damaged(1, "The schema \(number) is not UTF-8", in: path)
    }
  }

  /// Lends the records of a range in order, each with its envelope and its payload.
  ///
  /// The bytes are borrowed from the map and gone when `body` returns.
  ///
  /// - Parameters:
  ///   - first: The first sequence wanted.
  ///   - last: The last sequence wanted; the log has to reach it.
  ///   - body: Takes each record.
  /// - Complexity: O(bytes of the blocks that hold the range).
  /// - Throws: What `body` throws; ``StoreError/Code/damaged(sequence:)`` if a block's checksum is
  ///   wrong, a record cannot be read or one is missing.
  public func forEachRecord(
    from first: UInt64, through last: UInt64,
    _ body: (Envelope, Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    try scan(from: first, through: last) { record throws(StoreError) in
      try body(record.envelope, record.payload)
    }
  }

  /// Lends the records of a range in order, without putting an envelope together for each.
  ///
  /// - Complexity: O(bytes of the blocks that hold the range).
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func scan(
    from first: UInt64, through last: UInt64,
    _ body: (borrowing RecordCursor) throws(StoreError) -> Void
  ) throws(StoreError) {
    var blocks = try blocks()
    try blocks.forEachRecord(from: first, through: last, body)
  }

  /// Lends the blocks from the one that holds a sequence on, unchecked, until `body` says no.
  ///
  /// - Complexity: O(log blocks) to find the first.
  /// - Throws: What `body` throws; ``StoreError``.
  public func scanBlocks(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    var blocks = try blocks()
    try blocks.forEachRawBlock(from: sequence, body)
  }

  /// The chain digest of a record.
  ///
  /// - Complexity: O(bytes of one block).
  /// - Throws: ``StoreError/Code/damaged(sequence:)`` if the log has no such record.
  public func chain(at sequence: UInt64) throws(StoreError) -> Digest {
    guard sequence > 0 else { return .zero }
    var found: Digest?
    let path = self.path
    let store = storeID
    try scanBlocks(from: sequence) { key, block throws(StoreError) in
      do throws(LogError) {
        let header = try BlockHeader(decoding: block, at: key, checksummedBy: SHA256Hasher.self)
        found = try ChainHasher<SHA256Hasher>.chain(
          at: sequence, in: block, header: header, of: store)
      } catch {
        throw StoreError(error, in: path)
      }
      return false
    }
    guard let found else { throw StoreError.damaged(sequence, "The record is missing", in: path) }
    return found
  }

  @_lifetime(borrow self)
  private func blocks() throws(StoreError) -> BlockScan {
    do throws(LMDBError) {
      return BlockScan(try transaction.cursor(over: databases.log), in: path)
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
  }
}

extension LogSnapshot: RecordSource {
  /// Where the log ends.
  public func readHead() throws(StoreError) -> Head { head }

  /// The full JSON of a schema by its number; `nil` if there is none of that number.
  public func schemaJSON(_ number: UInt32) throws(StoreError) -> String? { try schema(number) }

  /// Lends the blocks from the one that holds a sequence on, unchecked, until `body` says no.
  public func forEachBlock(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) -> Bool
  ) throws(StoreError) {
    try scanBlocks(from: sequence) { key, block throws(StoreError) in
      // Whoever reads the whole log tells how far it came, should LMDB end the process.
      folding?.note(key - 1)
      return body(key, block)
    }
  }
}
