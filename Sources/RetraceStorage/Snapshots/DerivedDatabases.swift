import Retrace
import RetraceLMDB

/// The four databases of `derived/` and the keys in them.
struct DerivedDatabases: Sendable {
  /// Pages of tables by birth, table, last id and level.
  let pages: LMDBDatabase
  /// Snapshots by their sequence, a big-endian UInt64.
  let snapshots: LMDBDatabase
  /// Keys of the pages that a snapshot replaced, by its sequence and a chunk number.
  let dead: LMDBDatabase
  /// The format version, and the identity of the store that the data is derived from.
  let meta: LMDBDatabase

  static let names = (pages: "pages", snapshots: "snapshots", dead: "dead", meta: "meta")
  /// The key of the format version and the store's identity.
  static let storeKey = Array("store".utf8)
  /// The largest number of keys in a chunk of ``dead``, chosen to fit into four LMDB pages.
  static let chunkKeys = 1_168

  /// Returns the value under ``storeKey``: version 1, then the store's identity.
  static func storeValue(_ store: StoreID) -> [UInt8] { [1] + store.bytes }

  static func snapshotKey(_ sequence: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: sequence >> UInt64(56 - 8 * $0)) }
  }

  static func deadKey(_ sequence: UInt64, chunk: Int) -> [UInt8] {
    snapshotKey(sequence)
      + (0..<4).map { UInt8(truncatingIfNeeded: chunk >> (24 - 8 * $0)) }
  }

  /// Opens the databases, and creates missing ones.
  static func open(in environment: LMDBEnvironment) throws(LMDBError) -> DerivedDatabases {
    let databases = try environment.createDatabases([
      names.pages, names.snapshots, names.dead, names.meta,
    ])
    return DerivedDatabases(
      pages: databases[0], snapshots: databases[1], dead: databases[2], meta: databases[3])
  }
}

extension Span where Element == UInt8 {
  /// The bytes as a big-endian UInt64; `nil` if there are not eight.
  var bigEndian64: UInt64? {
    guard count == 8 else { return nil }
    return indices.reduce(0) { $0 << 8 | UInt64(self[$1]) }
  }
}
