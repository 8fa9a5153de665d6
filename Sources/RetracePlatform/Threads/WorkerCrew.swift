import Synchronization

/// Threads that work at the same time on the pieces of one task, together with the one that asks.
///
/// They begin with the first task and end with the life of this object. Where the system makes
/// fewer threads, the others do the work; the one that asks is always there.
public final class WorkerCrew: Sendable {
  private let threads: [WorkerThread]

  /// Makes a crew, whose threads are started by the first task.
  ///
  /// - Parameters:
  ///   - name: What the threads are named after, of which the system keeps 15 bytes.
  ///   - width: How many threads work at a time, the one that asks included; at least 1.
  public convenience init(name: String, width: Int) {
    self.init(name: name, width: width, stackBytes: WorkerThread.stackSizeBytes)
  }

  init(name: String, width: Int, stackBytes: Int) {
    threads = (1..<max(1, width)).map { _ in WorkerThread(name: name, stackBytes: stackBytes) }
  }

  /// How many threads work at a time, the one that asks included.
  public var width: Int { threads.count + 1 }

  /// Runs pieces of work on all threads, and waits for all of them.
  ///
  /// Each thread takes the next piece when it is through with one, so they may differ in length.
  ///
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - piece: Does the piece of a number from 0.
  /// - Returns: What the pieces answered, in order.
  /// - Complexity: The time of the pieces over the threads, and that of waking them.
  /// - Precondition: The caller is none of these threads.
  public func map<Result: Sendable>(
    _ count: Int, _ piece: @Sendable (Int) -> Result
  ) -> [Result] {
    let task = SharedTask<Result>(count: count)
    WorkerThread.perform(onAll: Array(threads.prefix(max(0, count - 1)))) { task.work(piece) }
    return task.results
  }
}

/// Pieces of work that threads take one after another, and what came of them.
private final class SharedTask<Result: Sendable>: Sendable {
  private let count: Int
  private let next = Atomic(0)
  private let found: Mutex<[Result?]>

  init(count: Int) {
    self.count = count
    found = Mutex(Array(repeating: nil, count: count))
  }

  /// Does pieces that nobody took, until there are none.
  func work(_ piece: (Int) -> Result) {
    while true {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      let result = piece(number)
      found.withLock { $0[number] = result }
    }
  }

  /// What all pieces answered, once they are through.
  var results: [Result] { found.withLock { $0.compactMap { $0 } } }
}
