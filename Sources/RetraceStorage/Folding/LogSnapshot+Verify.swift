import RetraceAvro
public import RetraceLog
import RetracePlatform

extension LogSnapshot {
  /// Recomputes checksums and chain of the whole log and compares them with the head.
  ///
  /// - Complexity: O(bytes of the log), each hashed once.
  /// - Throws: `damaged` with the sequence from which on the log is not what was written.
  @discardableResult
  public func verify() throws(StoreError) -> LogReport {
    let report = try verifyLog(with: SHA256Hasher.self) { json in
      (try? Schema(parsing: json))?.fingerprint(with: SHA256Hasher.self)
    }
    if let damage = report.damage { throw StoreError(damage, in: path) }
    return report
  }
}
