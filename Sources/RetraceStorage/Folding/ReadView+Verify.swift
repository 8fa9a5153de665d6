public import Retrace
import RetraceSystem

extension ReadView {
  /// Recomputes the checksums and the chain of the whole log and compares them with the head.
  ///
  /// - Complexity: O(bytes of the log), each hashed once.
  /// - Throws: `damaged` with the first sequence at which the log differs from what was written.
  @discardableResult
  public func verify() throws(StoreError) -> LogReport {
    try verify { _ in }
  }

  /// Recomputes the checksums and the chain of the whole log and compares them with the head.
  ///
  /// - Parameter progress: Called after each block with the sequence of the last record before the
  ///   block, because the block confirms the chain up to that record.
  /// - Complexity: O(bytes of the log), each hashed once.
  /// - Throws: As ``verify()``.
  @discardableResult
  package func verify(_ progress: (UInt64) -> Void) throws(StoreError) -> LogReport {
    let report = try verifyLog(
      with: SHA256Hasher.self,
      fingerprint: { json in (try? Schema(parsing: json))?.fingerprint(with: SHA256Hasher.self) },
      progress: progress)
    if let damage = report.damage { throw StoreError(damage, in: path) }
    try verifySchemaDigests()
    return report
  }

  private func verifySchemaDigests() throws(StoreError) {
    for base in [0, LogFormat.commandSchemaNumber(0)] {
      var number = base + 1
      while let json = try schema(number) {
        guard try schemaDigest(number) == SHA256Hasher.digest(of: json.utf8.span) else {
          throw StoreError.damaged(
            1, "The schema \(number) does not have the digest that was stored with it", in: path)
        }
        number += 1
      }
    }
  }
}
