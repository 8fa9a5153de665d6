import CRetraceSystem
import Glibc
import Synchronization

/// A thread with a name and a queue, which runs jobs one at a time in the order of submission.
///
/// The thread has a stack of 8 MiB. It starts with the first job. It stops with ``stop()`` or when
/// this object is destroyed, after all submitted jobs.
///
/// If the system cannot create the thread, jobs run on the threads of their callers, still one at a
/// time and in order; each new job tries again to create it. Call ``start()`` first if jobs need
/// the thread, because they depend on running on one thread or must not block a caller.
package final class WorkerThread: Sendable {
  package let name: String

  private let queue: WorkerQueue
  private let thread = Lock<pthread_t?>(nil)
  /// Whether the thread exists, readable without the lock.
  private let hasStarted = Atomic(false)
  /// Whether the system refused to create the thread, so that callers run the jobs.
  private let cannotStart = Atomic(false)
  private let stackBytes: Int

  package static var stackSizeBytes: Int { 8 << 20 }

  /// Creates a worker, whose thread starts with the first job.
  ///
  /// - Parameter name: The thread's name in debuggers and `/proc`, of which the system keeps 15
  ///   bytes.
  package convenience init(name: String) {
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
      // Unsafe: the queue was open until now, so the thread has not been joined.
      pthread_join(thread, nil)
    }
  }

  private func add(_ job: WorkerJob) -> Bool {
    do throws(SystemError) {
      try start()
    } catch {
      cannotStart.store(true, ordering: .sequentiallyConsistent)
    }
    let isTaken = queue.add(job)
    runQueuedOnCaller()
    return isTaken
  }

  /// Runs queued jobs if there is no thread, unless the caller is in one of them.
  ///
  /// `cannotStart` is set before a job is added. So a thread that is running jobs meanwhile sees
  /// the flag when it ends its reservation, and then runs the added job too.
  private func runQueuedOnCaller() {
    guard cannotStart.load(ordering: .relaxed), !hasStarted.load(ordering: .acquiring), !isCurrent
    else { return }
    queue.runQueued()
  }

  /// Creates the thread, unless it exists or was stopped before its first job.
  ///
  /// - Throws: ``SystemError`` if the system cannot create it, such as `.tryAgain` at a limit.
  package func start() throws(SystemError) {
    if hasStarted.load(ordering: .acquiring) { return }
    try thread.withLock { (thread) throws(SystemError) in
      guard thread == nil, queue.takesJobs else { return }
      // Unsafe: the thread takes over one reference to the queue and releases it at its end.
      thread = try unsafe startThread(Unmanaged.passRetained(queue), stackBytes: stackBytes)
      let name = name
      queue.add(WorkerJob(done: nil) { setName(name) })
      hasStarted.store(true, ordering: .releasing)
    }
  }

  package var isCurrent: Bool { queue.isRunByCaller }

  /// Waits until all submitted jobs have run; does not start the thread without jobs.
  ///
  /// - Precondition: The caller is not on this thread, which would deadlock, and the thread is not
  ///   stopped.
  package func waitForSubmittedJobs() {
    performInPlace {}
  }

  /// Runs a job on the thread after the submitted jobs, and waits for its result.
  ///
  /// - Parameter body: The job.
  /// - Returns: What the job returns.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not on this thread, which would deadlock, and the thread is not
  ///   stopped.
  package func perform<Result: Sendable, Failure: Error>(
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

  /// Runs a job on the caller's thread if no other job runs or is queued, else like
  /// ``perform(_:)``.
  ///
  /// On the caller's thread, the job uses the caller's stack, and no other thread is started or
  /// woken. Other jobs wait until it has run.
  ///
  /// - Parameter body: The job, which must not depend on its thread.
  /// - Returns: What the job returns.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of this thread, and the thread is not stopped.
  package func performInPlace<Result: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard queue.tryReserve() else { return try perform(body) }
    defer { endReservation() }
    return try body()
  }

  /// Runs a job on the caller's thread if no other job runs or is queued; see
  /// ``performInPlace(_:)``.
  ///
  /// - Parameter body: The job; it need not be sendable.
  /// - Returns: Whether the job has run.
  /// - Throws: What the job throws.
  /// - Precondition: The caller is not in a job of this thread.
  package func tryPerformInPlace<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    precondition(!isCurrent, "WorkerThread \(name): tryPerformInPlace called on the thread itself")
    guard queue.tryReserve() else { return false }
    defer { endReservation() }
    try body()
    return true
  }

  /// Ends the caller's reservation, and runs the jobs added meanwhile if there is no thread.
  private func endReservation() {
    queue.endReservation()
    runQueuedOnCaller()
  }

  /// Submits a job to the thread without waiting.
  ///
  /// If the system cannot create the thread, the job may run before this returns.
  ///
  /// - Parameter body: The job.
  /// - Returns: Whether the job was accepted; `false` after ``stop()``.
  @discardableResult
  package func submit(_ body: @escaping @Sendable () -> Void) -> Bool {
    add(WorkerJob(done: nil, body))
  }

  /// Stops the thread after all submitted jobs, and waits for it; later calls do nothing.
  ///
  /// - Precondition: The caller is not on this thread.
  package func stop() {
    precondition(!isCurrent, "WorkerThread \(name): stop called on the thread itself")
    guard queue.close() else { return }
    guard let thread = thread.withLock({ $0 }) else { return queue.waitUntilIdle() }
    // Unsafe: only the call that closed the queue joins the thread.
    pthread_join(thread, nil)
  }
}

/// The slot in which a job leaves its result for the waiting thread.
///
/// Unchecked: the job writes before it signals, and the waiting thread reads after that.
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

/// Names the calling thread.
///
/// If this fails, the thread only lacks a name.
private func setName(_ name: String) {
  let bytes = name.utf8.prefix(15).map { CChar(bitPattern: $0) } + [0]
  // Unsafe: C reads an array that ends with a zero.
  unsafe _ = retrace_pthread_setname_np(pthread_self(), bytes)
}

/// Starts the thread that runs a queue.
///
/// Unsafe: the caller retains the queue for the thread, which takes the reference over.
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
      // A handler restores the terminal even after an overflow of this thread's stack.
      unsafe retrace_with_signal_stack(
        { context in
          guard let context = unsafe context else { return }
          unsafe Unmanaged<WorkerQueue>.fromOpaque(context).takeRetainedValue().run()
        }, context)
      return nil
    }, queue.toOpaque())
  if result == 0 { return thread }
  unsafe queue.release()
  throw SystemError(.init(rawValue: result), during: .thread)
}
