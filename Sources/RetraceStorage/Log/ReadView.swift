public import Retrace
import RetraceBundle
import RetraceLMDB
import RetraceSystem

/// A read view of the log at one commit; later commits do not change it.
///
/// It holds a read transaction, which should be short; see ``LogStorage/withReadView(_:)``. The
/// view of a bundle holds the bundle.
public struct ReadView: ~Copyable {
  /// Where the log is.
  enum Source: ~Copyable {
    case store(Databases)
    case bundle(Bundle)
  }

  /// The databases of a store, and the transaction that reads them.
  struct Databases: ~Copyable {
    let transaction: ReadTransaction
    let databases: LogDatabases
  }

  let source: Source
  let path: String
  let folding: FoldNotes?
  /// The identity of the store, which the chain covers.
  public let storeID: StoreID
  /// The version of the format.
  public let version: UInt8
  /// The end of the log.
  public let head: Head

  init(
    _ transaction: consuming ReadTransaction, databases: LogDatabases, store: StoreID,
    version: UInt8, path: String, folding: FoldNotes? = nil
  ) throws(StoreError) {
    head = try databases.head(in: transaction, path: path)
    source = .store(Databases(transaction: transaction, databases: databases))
    self.folding = folding
    self.path = path
    storeID = store
    self.version = version
  }

  init(_ bundle: Bundle, path: String, folding: FoldNotes) {
    head = bundle.trailer.head
    storeID = bundle.storeID
    version = bundle.header.logVersion
    source = .bundle(bundle)
    self.folding = folding
    self.path = path
  }

  func metaBytes(_ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    switch source {
    case .bundle: return nil
    case .store(let store):
      do throws(LMDBError) {
        guard let bytes = try store.transaction.get(key.span, from: store.databases.meta) else {
          return nil
        }
        return bytes.indices.map { bytes[$0] }
      } catch {
        throw StoreError(error, in: path, doing: "be read")
      }
    }
  }

  /// Returns the full JSON of the schema with a number, or `nil`.
  ///
  /// - Complexity: O(bytes of the schema).
  /// - Throws: ``StoreError``.
  public func schema(_ number: UInt32) throws(StoreError) -> String? {
    switch source {
    case .bundle(let bundle): return bundle.schemaJSON(number)
    case .store(let store):
      let bytes: Span<UInt8>?
      do {
        bytes = try store.transaction.get(
          LogDatabases.schemaKey(number).span, from: store.databases.schemas)
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
  }

  /// Returns the SHA-256 of the JSON of the schema with a number, or `nil`.
  ///
  /// - Complexity: As ``LogDatabases/schemaDigest(_:in:)``.
  func schemaDigest(_ number: UInt32) throws(StoreError) -> Digest? {
    switch source {
    case .bundle(let bundle):
      return bundle.schemaJSON(number).map { SHA256Hasher.digest(of: $0.utf8.span) }
    case .store(let store):
      return try StoreError.lmdb(
        try store.databases.schemaDigest(number, in: store.transaction), in: path, doing: "be read")
    }
  }

  /// Calls `body` with the envelope and the payload of each record of a range, in order.
  ///
  /// The payload's bytes are valid only until `body` returns.
  ///
  /// - Parameters:
  ///   - first: The first sequence.
  ///   - last: The last sequence, at most the head's.
  ///   - body: Receives each record.
  /// - Complexity: O(bytes of the blocks that hold the range).
  /// - Throws: What `body` throws; ``StoreError/Code/damaged(sequence:)`` if a block's checksum is
  ///   wrong, or a record is unreadable or missing.
  public func forEachRecord(
    from first: UInt64, through last: UInt64,
    _ body: (Envelope, Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    try scan(from: first, through: last) { record throws(StoreError) in
      try body(record.envelope, record.payload)
    }
  }

  /// Calls `body` with each record of a range in order, without building envelopes.
  ///
  /// - Complexity: O(bytes of the blocks that hold the range).
  /// - Throws: As ``forEachRecord(from:through:_:)``.
  public func scan(
    from first: UInt64, through last: UInt64,
    _ body: (borrowing RecordCursor) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard first <= last else { return }
    var next = first
    try scanBlocks(from: first) { key, block throws(StoreError) in
      try BlockScan.records(of: block, at: key, in: path, &next, through: last, body)
      return next <= last
    }
    guard next > last else {
      throw StoreError.damaged(next, "The log ends before record \(last)", in: path)
    }
  }

  /// Calls `body` with each unverified block, from the one that contains a sequence on.
  ///
  /// Stops when `body` returns `false`.
  ///
  /// - Complexity: O(log blocks) to find the first.
  /// - Throws: What `body` throws; ``StoreError``.
  package func scanBlocks(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) throws(StoreError) -> Bool
  ) throws(StoreError) {
    switch source {
    case .bundle(let bundle): try bundle.scanBlocks(from: sequence, body)
    case .store(let store):
      let cursor: LMDBCursor
      do throws(LMDBError) {
        cursor = try store.transaction.cursor(over: store.databases.log)
      } catch {
        throw StoreError(error, in: path, doing: "be read")
      }
      var blocks = BlockScan(cursor, in: path)
      try blocks.forEachRawBlock(from: sequence, body)
    }
  }

  /// Returns the chain digest of a record.
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
}

extension ReadView: LogSource {
  package func readHead() throws(StoreError) -> Head { head }

  package func schemaJSON(_ number: UInt32) throws(StoreError) -> String? { try schema(number) }

  /// Calls `body` with each unverified block from the one that contains a sequence on.
  package func forEachBlock(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) -> Bool
  ) throws(StoreError) {
    try scanBlocks(from: sequence) { key, block throws(StoreError) in
      // A crash inside LMDB then leaves a note of the last record that was read.
      folding?.noteReading(after: key - 1)
      return body(key, block)
    }
  }
}
