import Synchronization

/// Threads that work at the same time on the pieces of one task, together with the one that asks.
///
/// They begin with the first task and end with the life of this object. Where the system makes
/// fewer threads, or has no processor for them, the others do the work; the one that asks is always
/// there.
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

  // What waits in a queue holds all threads: none may be left to end another.
  deinit { for thread in threads { thread.stop() } }

  /// How many threads work at a time, the one that asks included.
  public var width: Int { threads.count + 1 }

  /// Runs pieces of work on all threads, and waits for those that were begun.
  ///
  /// Each thread takes the next piece when it is through with one, so they may differ in length.
  ///
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - piece: Does the piece of a number from 0.
  /// - Returns: What the pieces answered, in order.
  /// - Complexity: The time of the pieces over the threads; a thread that is not there before all
  ///   pieces are done is not waited for.
  /// - Precondition: The caller is none of these threads.
  public func map<Result: Sendable>(
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

  /// Has the first of some threads work on a task, and wake the next before.
  ///
  /// Threads that one thread wakes at once are all put on the processor that looks idle at the
  /// time, and work there one after the other.
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

/// Pieces of work that threads take one after another, and what came of them.
private final class SharedTask<Result: Sendable>: Sendable {
  typealias Piece = @Sendable (Int) -> Result

  private struct State {
    /// Lent while the task is open.
    var piece: Piece?
    var working = 0
    var found: [Result?]
  }

  private let count: Int
  private let next = Atomic(0)
  private let state: Mutex<State>
  private let isOver = Semaphore()

  init(count: Int) {
    self.count = count
    state = Mutex(State(found: Array(repeating: nil, count: count)))
  }

  var isOpen: Bool { state.withLock { $0.piece != nil } }

  func open(_ piece: @escaping Piece) { state.withLock { $0.piece = piece } }

  /// Takes the piece back, and waits for those who work on it.
  func close() {
    let isWorkedOn = state.withLock { state in
      state.piece = nil
      return state.working > 0
    }
    if isWorkedOn { isOver.wait() }
  }

  /// Does pieces that nobody took until there are none, unless the task was closed.
  func work() {
    var piece = state.withLock { state in
      if state.piece != nil { state.working += 1 }
      return state.piece
    }
    guard piece != nil else { return }
    work(&piece)
    let isLast = state.withLock { state in
      state.working -= 1
      return state.working == 0 && state.piece == nil
    }
    if isLast { isOver.signal() }
  }

  /// Does pieces, and gives back what does them.
  @inline(never)
  private func work(_ piece: inout Piece?) {
    while true {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count, let result = piece?(number) else { break }
      state.withLock { $0.found[number] = result }
    }
    piece = nil
  }

  /// Hands over what all pieces answered, once they are through; threads may come too late to help
  /// and hold the task a while longer.
  func takeResults() -> [Result] {
    state.withLock { state in
      defer { state.found = [] }
      return state.found.compactMap { $0 }
    }
  }
}
