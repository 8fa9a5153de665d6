import Retrace
import RetraceLMDB
import RetraceSystem

/// The LMDB databases of a log, and the keys in them.
struct LogDatabases: Sendable {
  /// Blocks by their first sequence, a big-endian UInt64.
  let log: LMDBDatabase
  /// The head, the store's identity, and the SHA-256 of each schema's JSON.
  let meta: LMDBDatabase
  /// The full JSON of each schema by its number, a big-endian UInt32.
  let schemas: LMDBDatabase
  /// Batches by their idempotency keys; `nil` for a reader of a log that predates the keys.
  let keys: KeyIndex?

  static let names = (log: "log", meta: "meta", schemas: "schemas")
  static let headKey = Array("head".utf8)
  static let storeKey = Array("store".utf8)

  static func schemaKey(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
  }

  /// Returns the number in the key of a schema, or `nil` if the key is invalid.
  static func schemaNumber(_ key: Span<UInt8>) -> UInt32? {
    guard key.count == 4 else { return nil }
    return (0..<4).reduce(0) { $0 << 8 | UInt32(key[$1]) }
  }

  static func schemaDigestKey(_ number: UInt32) -> [UInt8] {
    Array("schema".utf8) + schemaKey(number)
  }

  /// Returns the SHA-256 of the JSON of a schema; `nil` if no schema has the number.
  ///
  /// - Complexity: O(1); O(bytes of the schema) if a program without stored digests stored it.
  func schemaDigest<Transaction: ReadableTransaction & ~Copyable>(
    _ number: UInt32, in transaction: borrowing Transaction
  ) throws(LMDBError) -> Digest? {
    if let bytes = try transaction.get(Self.schemaDigestKey(number).span, from: meta),
      let digest = Digest(bytes)
    {
      return digest
    }
    guard let json = try transaction.get(Self.schemaKey(number).span, from: schemas) else {
      return nil
    }
    return SHA256Hasher.digest(of: json)
  }

  /// Returns the head that a transaction sees.
  func head<Transaction: ReadableTransaction & ~Copyable>(
    in transaction: borrowing Transaction, path: String
  ) throws(StoreError) -> Head {
    let bytes: Span<UInt8>?
    do {
      bytes = try transaction.get(Self.headKey.span, from: meta)
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    guard let bytes else { throw StoreError.damaged(1, "The log has no head", in: path) }
    do {
      return try Head(decoding: bytes, checksummedBy: SHA256Hasher.self)
    } catch {
      throw StoreError(error, in: path)
    }
  }

  /// Opens the databases of a store.
  static func open(
    in environment: LMDBEnvironment, path: String
  ) throws(StoreError) -> LogDatabases {
    func open(_ name: String) throws(StoreError) -> LMDBDatabase {
      let database = try StoreError.lmdb(
        try environment.openDatabase(name), in: path, doing: "be opened")
      guard let database else {
        throw StoreError.damaged(1, "Its database \(name) is missing", in: path)
      }
      return database
    }
    let log = try open(names.log)
    let meta = try open(names.meta)
    let schemas = try open(names.schemas)
    let keys = try StoreError.lmdb(
      try KeyIndex.open(in: environment), in: path, doing: "be opened")
    return LogDatabases(log: log, meta: meta, schemas: schemas, keys: keys)
  }

  /// Creates the databases of a new store; they are on disk when this returns.
  static func create(in environment: LMDBEnvironment, store: StoreID) throws(LMDBError) {
    let (batches, ages) = KeyIndex.names
    let databases = try environment.createDatabases([
      names.meta, names.log, names.schemas, batches, ages,
    ])
    let meta = databases[0]
    var transaction = try environment.beginWrite()
    let head = Head.empty.encoded(checksummedBy: SHA256Hasher.self)
    try transaction.put(head.span, for: headKey.span, in: meta)
    try transaction.put(store.bytes.span, for: storeKey.span, in: meta)
    try transaction.commit()
  }
}

/// The read operation that read and write transactions share.
protocol ReadableTransaction: ~Copyable {
  @_lifetime(borrow self)
  func get(_ key: Span<UInt8>, from database: LMDBDatabase) throws(LMDBError) -> Span<UInt8>?
}

extension ReadTransaction: ReadableTransaction {}
extension WriteTransaction: ReadableTransaction {}
