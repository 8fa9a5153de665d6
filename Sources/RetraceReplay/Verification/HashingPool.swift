import Retrace
import RetraceSystem

extension WorkerPool {
  /// Creates the threads that share the hashing of a verification.
  static func forHashing() -> WorkerPool {
    let threads = ThreadPool(name: "retrace-hash", threadCount: min(8, Machine.processorCount))
    return WorkerPool(threadCount: threads.threadCount) { threads.map($0, $1) }
  }
}
