import Retrace
import RetraceSystem

extension WorkerPool {
  /// The pool that does all work on the calling thread.
  static var callingThread: WorkerPool {
    WorkerPool(threadCount: 1) { count, piece in (0..<count).map(piece) }
  }

  /// Creates the threads that share the hashing of a verification.
  static func forHashing() -> WorkerPool {
    let threads = ThreadPool(name: "retrace-hash", threadCount: min(8, Machine.processorCount))
    return WorkerPool(threadCount: threads.threadCount) { threads.map($0, $1) }
  }
}
