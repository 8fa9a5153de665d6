import Glibc
import Synchronization

/// A thread with a name and a queue: jobs run on it one at a time, in the order they came.
///
/// The thread has a stack of 8 MiB. It begins with the first job, and ends with ``stop()`` or with
/// the life of this object, after all jobs that were taken.
///
/// If the system makes no thread, jobs run on the threads of their callers, still one at a time and
/// in order; each new job tries to make the thread again. Call ``start()`` first if jobs need the
/// thread, because they depend on each other's thread or may not keep a caller waiting.
public final class WorkerThread: Sendable {
  /// The thread's name.
  public let name: String

  private let queue: WorkerQueue
  private let thread = Mutex<pthread_t?>(nil)
  /// Whether the thread was made, for those who only want to know that.
  private let hasStarted = Atomic(false)
  /// Whether the system refused to make the thread, so that callers run the jobs.
  private let isRefused = Atomic(false)
  private let stackBytes: Int

  /// The size of the thread's stack in bytes.
  public static var stackSizeBytes: Int { 8 << 20 }

  /// Makes a queue, whose thread is started by the first job.
  ///
  /// - Parameter name: The thread's name in debuggers and `/proc`, of which the system keeps 15
  ///   bytes.
  public convenience init(name: String) {
    self.init(name: name, stackBytes: WorkerThread.stackSizeBytes)
  }

  init(name: String, stackBytes: Int) {
    self.name = name
    self.stackBytes = stackBytes
    queue = WorkerQueue()
  }

  deinit {
    guard queue.close(), let thread = thread.withLock({ $0 }) else { return }
    if isCurrent {
      pthread_detach(thread)
    } else {
      // Unsafe: the thread was not joined before, for the queue was open until now.
      pthread_join(thread, nil)
    }
  }

  /// Adds a job; answers whether it was taken.
  private func add(_ job: WorkerJob) -> Bool {
    do throws(SystemError) {
      try start()
    } catch {
      isRefused.store(true, ordering: .sequentiallyConsistent)
    }
    let isTaken = queue.add(job)
    runRefused()
    return isTaken
  }

  /// Runs jobs that have no thread, unless the caller is in one of them.
  ///
  /// The flag is set before a job is added, so a thread that ends a turn after that sees it.
  private func runRefused() {
    guard isRefused.load(ordering: .relaxed), !hasStarted.load(ordering: .acquiring), !isCurrent
    else { return }
    queue.runWaiting()
  }

  /// Makes the thread, unless there is one or it was stopped before its first job.
  ///
  /// - Throws: ``SystemError`` if the system makes none, such as `.tryAgain` at a limit.
  public func start() throws(SystemError) {
    if hasStarted.load(ordering: .acquiring) { return }
    try thread.withLock { (thread) throws(SystemError) in
      guard thread == nil, queue.takesJobs else { return }
      // Unsafe: the thread takes over one reference to the queue, and releases it when it ends.
      thread = try unsafe startThread(Unmanaged.passRetained(queue), stackBytes: stackBytes)
      let name = name
      // The only effect of a failure is a thread without a name.
      queue.add(WorkerJob(done: nil) { try? setName(name) })
      hasStarted.store(true, ordering: .releasing)
    }
  }

  /// Whether the caller runs in a job of this thread.
  public var isCurrent: Bool { queue.isRunByCaller }

  /// Waits until all jobs that were taken before have run; a thread without jobs is not started.
  ///
  /// - Precondition: The caller is not on this thread, which would wait for itself, and the thread
  ///   is not stopped.
  public func finish() {
    performInPlace {}
  }

  /// Runs a job on the thread, behind those before it, and waits for its result.
  ///
  /// - Parameter body: The job.
  /// - Returns: What the job returns.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not on this thread, which would wait for itself, and the thread
  ///   is not stopped.
  public func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!isCurrent, "WorkerThread \(name): perform called on the thread itself")
    let slot = ResultSlot<Result, Failure>()
    withoutActuallyEscaping(body) { body in
      let done = Semaphore()
      let taken = add(WorkerJob(done: done) { slot.fill(body) })
      precondition(taken, "WorkerThread \(name): perform called after stop")
      done.wait()
    }
    return try slot.take()
  }

  /// Runs a job on the caller's own thread if no other job runs or waits, and otherwise as
  /// ``perform(_:)`` does.
  ///
  /// Neither thread then has to be woken, and none is started. Until the job is over, others wait
  /// for it as for one on the thread. It has the stack of the caller.
  ///
  /// - Parameter body: The job, which must not care on which thread it is.
  /// - Returns: What the job returns.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of this thread, and the thread is not stopped.
  public func performInPlace<Result: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard queue.takeTurn() else { return try perform(body) }
    defer { endTurn() }
    return try body()
  }

  /// Runs a job on the caller's own thread if no other job runs or waits; see
  /// ``performInPlace(_:)``.
  ///
  /// - Parameter body: The job; it need not be sendable.
  /// - Returns: Whether it has run.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of this thread.
  public func tryInPlace<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    precondition(!isCurrent, "WorkerThread \(name): tried on the thread itself")
    guard queue.takeTurn() else { return false }
    defer { endTurn() }
    try body()
    return true
  }

  /// Ends a turn of the caller, and runs what came meanwhile if there is no thread for it.
  private func endTurn() {
    queue.endTurn()
    runRefused()
  }

  /// Lets a job run on the thread, behind those before it, and does not wait, unless the system
  /// makes no thread.
  ///
  /// - Parameter body: The job.
  /// - Returns: Whether it was taken; `false` after ``stop()``.
  @discardableResult
  public func submit(_ body: @escaping @Sendable () -> Void) -> Bool {
    add(WorkerJob(done: nil, body))
  }

  /// Ends the thread after all jobs that were taken, and waits for it; later calls do nothing.
  ///
  /// - Precondition: The caller is not on this thread.
  public func stop() {
    precondition(!isCurrent, "WorkerThread \(name): stop called on the thread itself")
    guard queue.close() else { return }
    guard let thread = thread.withLock({ $0 }) else { return queue.waitUntilIdle() }
    // Unsafe: only the call that closed the queue joins.
    pthread_join(thread, nil)
  }
}

/// Where a job leaves its result for the thread that waits.
///
/// Unchecked: the job writes before it signals, the waiting thread reads after.
private final class ResultSlot<Value: Sendable, Failure: Error>: @unchecked Sendable {
  private var result: Result<Value, Failure>?

  func fill(_ body: () throws(Failure) -> Value) {
    do throws(Failure) {
      result = .success(try body())
    } catch {
      result = .failure(error)
    }
  }

  func take() throws(Failure) -> Value {
    guard let result else { preconditionFailure("WorkerThread: a job ended without a result") }
    return try result.get()
  }
}

/// Gives the calling thread a name; `pthread_setname_np` is not among what Swift sees of C.
private func setName(_ name: String) throws(SystemError) {
  let file = try OpenFile.open("/proc/thread-self/comm", .write)
  try file.append(Array(name.utf8.prefix(15)).span)
}

/// Starts the thread that empties a queue.
///
/// Unsafe: the queue is retained, for the thread, which takes it over.
private func startThread(
  _ queue: Unmanaged<WorkerQueue>, stackBytes: Int
) throws(SystemError) -> pthread_t {
  // Unsafe: C writes to local variables.
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  unsafe pthread_attr_setstacksize(&attributes, stackBytes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread, &attributes,
    { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<WorkerQueue>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, queue.toOpaque())
  if result == 0 { return thread }
  unsafe queue.release()
  throw SystemError(.init(rawValue: result), during: .thread)
}
