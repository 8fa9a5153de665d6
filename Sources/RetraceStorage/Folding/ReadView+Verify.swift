import RetraceArchitecture
import RetraceAvro
public import RetraceLog
public import RetraceState
import RetraceSystem

extension ReadView {
  /// Recomputes the checksums and the chain of the whole log and compares them with the head.
  ///
  /// - Parameter workers: Threads to share the work; the report is the same without them.
  /// - Complexity: O(bytes of the log), each hashed once.
  /// - Throws: `damaged` with the first sequence at which the log differs from what was written.
  @discardableResult
  public func verify(on workers: (any WorkerPool)? = nil) throws(StoreError) -> LogReport {
    let report = try verifyLog(with: SHA256Hasher.self, on: workers) { json in
      (try? Schema(parsing: json))?.fingerprint(with: SHA256Hasher.self)
    }
    if let damage = report.damage { throw StoreError(damage, in: path) }
    return report
  }
}
