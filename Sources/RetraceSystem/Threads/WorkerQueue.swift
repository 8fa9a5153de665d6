import Glibc
import Synchronization

/// A job of a worker thread, and the semaphore of the thread that waits for it.
struct WorkerJob: Sendable {
  var done: Semaphore?
  var body: (@Sendable () -> Void)?

  init(done: Semaphore?, _ body: @escaping @Sendable () -> Void) {
    self.done = done
    self.body = body
  }
}

final class WorkerQueue: Sendable {
  private struct State {
    var incoming: [WorkerJob] = []
    var isOpen = true
    /// Whether the thread or a caller is running jobs.
    var isBusy = false
    /// Whether a thread waits for ``WorkerQueue/changed``.
    var isAwaited = false

    /// Takes all jobs, and reserves the queue if there are any.
    mutating func takeAll() -> [WorkerJob] {
      let jobs = incoming
      incoming = []
      isBusy = !jobs.isEmpty
      return jobs
    }

    /// Returns whether the caller has to wake the waiting thread.
    ///
    /// While jobs are running, their thread checks for more, so no other one is woken.
    mutating func wakes() -> Bool {
      guard isAwaited, !isBusy, !incoming.isEmpty || !isOpen else { return false }
      isAwaited = false
      return true
    }
  }

  private let state = Lock(State())
  /// Wakes the one thread that waits: the worker, or the caller that stops a queue without one.
  private let changed = Semaphore()
  /// The thread that is running jobs; 0 for none.
  private let runner = Atomic<UInt>(0)

  /// Adds a job, unless the queue is closed; returns whether it was added.
  @discardableResult
  func add(_ job: WorkerJob) -> Bool {
    let (isAdded, wakes) = state.withLock { state in
      guard state.isOpen else { return (false, false) }
      state.incoming.append(job)
      return (true, state.wakes())
    }
    if wakes { changed.signal() }
    return isAdded
  }

  var takesJobs: Bool { state.withLock { $0.isOpen } }

  /// Reserves the queue for a job on the caller's thread, if it is open and no other job runs or is
  /// queued.
  ///
  /// - Returns: Whether it is reserved; the caller then has to call ``endReservation()``.
  func tryReserve() -> Bool {
    let isTaken = state.withLock { state in
      guard state.isOpen && !state.isBusy && state.incoming.isEmpty else { return false }
      state.isBusy = true
      return true
    }
    if isTaken { runner.store(UInt(pthread_self()), ordering: .relaxed) }
    return isTaken
  }

  /// Ends the reservation of ``tryReserve()``; the thread runs the jobs that were added meanwhile.
  func endReservation() {
    runner.store(0, ordering: .relaxed)
    let wakes = state.withLock { state in
      state.isBusy = false
      return state.wakes()
    }
    if wakes { changed.signal() }
  }

  /// Waits until a closed queue without a thread has no running or queued job.
  func waitUntilIdle() {
    wait { !$0.isBusy && $0.incoming.isEmpty ? () : nil }
  }

  /// Closes the queue for new jobs; returns whether it was open.
  func close() -> Bool {
    let (wasOpen, wakes) = state.withLock { state in
      let wasOpen = state.isOpen
      state.isOpen = false
      return (wasOpen, state.wakes())
    }
    if wakes { changed.signal() }
    return wasOpen
  }

  /// Waits until `body` returns a result.
  private func wait<Result: Sendable>(_ body: (inout State) -> Result?) -> Result {
    while true {
      let result = state.withLock { state in
        let result = body(&state)
        state.isAwaited = result == nil
        return result
      }
      if let result { return result }
      changed.wait()
    }
  }

  /// Waits for jobs and takes all of them; returns none if the queue is closed and empty.
  private func takeAll() -> [WorkerJob] {
    wait { state in
      guard !state.isBusy, !state.incoming.isEmpty || !state.isOpen else { return nil }
      return state.takeAll()
    }
  }

  /// Removes and returns the queued jobs; empty while another thread runs jobs.
  private func takeQueued() -> [WorkerJob] {
    state.withLock { $0.isBusy ? [] : $0.takeAll() }
  }

  /// Whether the caller's thread is running a job.
  var isRunByCaller: Bool { UInt(pthread_self()) == runner.load(ordering: .relaxed) }

  /// Runs jobs until the queue is closed and empty.
  func run() {
    while true {
      let jobs = takeAll()
      if jobs.isEmpty { return }
      run(jobs)
    }
  }

  /// Runs the queued jobs on the caller's thread, for a queue without a thread.
  ///
  /// Returns if no job is queued, or if another thread is running one; that thread then calls this
  /// itself.
  func runQueued() {
    while true {
      let jobs = takeQueued()
      if jobs.isEmpty { return }
      run(jobs)
    }
  }

  private func run(_ jobs: consuming [WorkerJob]) {
    runner.store(UInt(pthread_self()), ordering: .relaxed)
    let last = jobs.count - 1
    for index in jobs.indices {
      Self.run(&jobs[index].body)
      // End the reservation before the last signal, because the caller that the signal wakes may
      // want to run its next job itself.
      if index == last { endReservation() }
      // Signal only after the closure is released, because the values that it borrows live only
      // until the waiting thread goes on.
      jobs[index].done?.signal()
      jobs[index].done = nil
    }
  }

  @inline(never)
  private static func run(_ body: inout (@Sendable () -> Void)?) {
    body?()
    body = nil
  }
}
