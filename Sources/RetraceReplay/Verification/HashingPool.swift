import Retrace
import RetraceSystem

/// The threads that share the hashing of a verification.
struct HashingPool: WorkerPool {
  private let pool = ThreadPool(name: "retrace-hash", threadCount: min(8, Machine.processorCount))

  var threadCount: Int { pool.threadCount }

  func map<Result: Sendable>(
    _ count: Int, _ piece: @Sendable (Int) -> Result
  ) -> [Result] {
    pool.map(count, piece)
  }
}
