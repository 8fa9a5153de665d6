import RetraceArchitecture
import RetraceAvro
public import RetraceLog
public import RetraceState
import RetraceSystem

extension LogSnapshot {
  /// Recomputes the checksums and the chain of the whole log and compares them with the head.
  ///
  /// - Parameter crew: Threads to share the work; the report is the same without them.
  /// - Complexity: O(bytes of the log), each hashed once.
  /// - Throws: `damaged` with the first sequence at which the log differs from what was written.
  @discardableResult
  public func verify(sharedBy crew: (any WorkSharing)? = nil) throws(StoreError) -> LogReport {
    let report = try verifyLog(with: SHA256Hasher.self, sharedBy: crew) { json in
      (try? Schema(parsing: json))?.fingerprint(with: SHA256Hasher.self)
    }
    if let damage = report.damage { throw StoreError(damage, in: path) }
    return report
  }
}
