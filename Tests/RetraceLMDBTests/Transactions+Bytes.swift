import RetraceLMDB
import ToolTestSupport

extension ReadTransaction {
  func bytes(_ key: UInt64, _ table: LMDBDatabase) throws(LMDBError) -> [UInt8]? {
    guard let span = try get(key, from: table) else { return nil }
    return [UInt8](span)
  }

  func bytes(_ key: [UInt8], _ table: LMDBDatabase) throws(LMDBError) -> [UInt8]? {
    guard let span = try get(key.span, from: table) else { return nil }
    return [UInt8](span)
  }
}

extension WriteTransaction {
  func bytes(_ key: UInt64, _ table: LMDBDatabase) throws(LMDBError) -> [UInt8]? {
    guard let span = try get(key, from: table) else { return nil }
    return [UInt8](span)
  }
}

extension LMDBEnvironment {
  /// Writes one value in a transaction of its own.
  func write(_ value: [UInt8], _ key: UInt64, _ table: LMDBDatabase) throws(LMDBError) {
    var transaction = try beginWrite()
    try transaction.put(value.span, for: key, in: table)
    try transaction.commit()
  }

  /// Reads one value in a transaction of its own.
  func read(_ key: UInt64, _ table: LMDBDatabase) throws(LMDBError) -> [UInt8]? {
    try beginRead().bytes(key, table)
  }

  /// All keys and values in a transaction of its own.
  func contents(_ table: LMDBDatabase) throws(LMDBError) -> [[UInt8]: [UInt8]] {
    let transaction = try beginRead()
    var cursor = try transaction.cursor(over: table)
    var contents: [[UInt8]: [UInt8]] = [:]
    while try cursor.next() { contents[[UInt8](cursor.key)] = [UInt8](cursor.value) }
    return contents
  }
}
