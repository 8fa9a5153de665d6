import Synchronization

/// Threads that work on the pieces of one task concurrently, together with the calling thread.
///
/// They start with the first task and stop when this object is destroyed. The caller always takes
/// part. If a thread cannot be created or does not get a processor, the other threads do the work.
package final class ThreadPool: Sendable {
  private let threads: [WorkerThread]

  /// Creates a pool, whose threads start with the first task.
  ///
  /// - Parameters:
  ///   - name: The name of the threads, of which the system keeps 15 bytes.
  ///   - threadCount: The number of threads, including the caller; at least 1.
  package convenience init(name: String, threadCount: Int) {
    self.init(name: name, threadCount: threadCount, stackBytes: WorkerThread.stackSizeBytes)
  }

  init(name: String, threadCount: Int, stackBytes: Int) {
    threads = (1..<max(1, threadCount)).map { _ in WorkerThread(name: name, stackBytes: stackBytes)
    }
  }

  // Queued closures retain the threads. Stopping all threads here keeps a worker from dropping the
  // last reference to another one.
  deinit { for thread in threads { thread.stop() } }

  /// The number of threads, including the caller.
  package var threadCount: Int { threads.count + 1 }

  /// Runs pieces of work on all threads, and waits until all pieces are done.
  ///
  /// Each thread takes the next piece when it is done with one, so the pieces may differ in length.
  ///
  /// - Parameters:
  ///   - count: The number of pieces.
  ///   - piece: Does the piece with the given number; numbers start at 0.
  /// - Returns: The results of the pieces, in order.
  /// - Complexity: O(pieces / threads). The call does not wait for a thread that starts after all
  ///   pieces are done.
  /// - Precondition: The caller is not one of these threads.
  package func map<Result: Sendable>(
    _ count: Int, _ piece: @Sendable (Int) -> Result
  ) -> [Result] {
    let task = SharedTask<Result>(count: count)
    withoutActuallyEscaping(piece) { piece in
      task.open(piece)
      Self.wake(threads.prefix(max(0, count - 1)), for: task)
      task.work()
      task.close()
    }
    return task.takeResults()
  }

  /// Wakes the first of some threads, which wakes the next one and then works on the task.
  ///
  /// If one thread wakes several in a row, the system places all of them on the same idle
  /// processor, where they run one after the other.
  private static func wake<Result>(
    _ threads: ArraySlice<WorkerThread>, for task: SharedTask<Result>
  ) {
    guard let first = threads.firstIndex(where: { (try? $0.start()) != nil }) else { return }
    threads[first].submit {
      guard task.isOpen else { return }
      wake(threads[(first + 1)...], for: task)
      task.work()
    }
  }
}

/// Pieces of work that threads take one after another, and their results.
private final class SharedTask<Result: Sendable>: Sendable {
  typealias Piece = @Sendable (Int) -> Result

  private struct State {
    /// Set only while the task is open.
    var piece: Piece?
    var workingCount = 0
    var results: [Result?]
  }

  private let count: Int
  private let next = Atomic(0)
  private let state: Lock<State>
  private let finished = Semaphore()

  init(count: Int) {
    self.count = count
    state = Lock(State(results: Array(repeating: nil, count: count)))
  }

  var isOpen: Bool { state.withLock { $0.piece != nil } }

  func open(_ piece: @escaping Piece) { state.withLock { $0.piece = piece } }

  /// Removes the closure, and waits for the threads that are running it.
  func close() {
    let isWorkedOn = state.withLock { state in
      state.piece = nil
      return state.workingCount > 0
    }
    if isWorkedOn { finished.wait() }
  }

  /// Does the remaining pieces, unless the task was closed.
  func work() {
    var piece = state.withLock { state in
      if state.piece != nil { state.workingCount += 1 }
      return state.piece
    }
    guard piece != nil else { return }
    work(&piece)
    let isLast = state.withLock { state in
      state.workingCount -= 1
      return state.workingCount == 0 && state.piece == nil
    }
    if isLast { finished.signal() }
  }

  /// Does the remaining pieces, and releases the closure.
  @inline(never)
  private func work(_ piece: inout Piece?) {
    while true {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count, let result = piece?(number) else { break }
      state.withLock { $0.results[number] = result }
    }
    piece = nil
  }

  /// Moves the results out.
  ///
  /// A late thread may retain the task for a while longer, but not its results.
  func takeResults() -> [Result] {
    state.withLock { state in
      defer { state.results = [] }
      return state.results.compactMap { $0 }
    }
  }
}
