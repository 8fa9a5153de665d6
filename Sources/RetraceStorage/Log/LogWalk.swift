import LMDBFile
import Retrace
import RetraceSystem

/// A walk over the blocks of a log, up to the first damage, that does not use LMDB.
///
/// It finds the first record that damage to the data file affects. It verifies the checksum and the
/// chain of the blocks in order, until a block fails or a damaged page hides the next one.
enum LogWalk {
  /// Verifies the blocks in order.
  ///
  /// - Parameters:
  ///   - path: The path of the data file.
  ///   - store: The identity of the store, which the chain covers.
  /// - Returns: The last record up to which the log verifies; 0 if nothing does.
  /// - Complexity: O(bytes of the log), each hashed once.
  static func lastVerified(_ path: String, store: StoreID) -> UInt64 {
    var verifier = LogVerifier<SHA256Hasher>(store: store)
    // The caller already knows that there is damage, so the error is not needed.
    try? walk(path) { key, block throws(LogError) in try verifier.check(block, at: key) }
    return verifier.sequence
  }

  /// Calls `body` with each block in the order of the keys.
  private static func walk(
    _ path: String, _ body: (UInt64, Span<UInt8>) throws(LogError) -> Void
  ) throws(StructureFailure) {
    let file = try StructureCheck.open(path)
    file.adviseNormal()
    try StructureCheck.forEachEntry(
      of: LogDatabases.names.log, at: file.metaPages.current, in: file
    ) { entry throws(StructureFailure) in
      let key = entry.key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let block = try entry.value()
      do throws(LogError) {
        guard entry.key.count == 8 else {
          throw LogError.damaged(sequence: 1, detail: "a block's key is not 8 bytes long")
        }
        try body(key, block.span)
      } catch {
        throw entry.damaged("\(error)")
      }
    }
  }
}
