import Glibc
import Synchronization

/// A job of a worker thread, and the semaphore of the thread that waits for it.
struct WorkerJob {
  var done: Semaphore?
  var body: (() -> Void)?

  init(done: Semaphore?, _ body: @escaping () -> Void) {
    self.done = done
    self.body = body
  }
}

/// The queue of a worker thread's jobs.
///
/// Unchecked: the mutex guards all state.
@safe
final class WorkerQueue: @unchecked Sendable {
  private var incoming: [WorkerJob] = []
  private var isOpen = true
  /// Whether the thread or a caller is running jobs.
  private var isBusy = false
  /// The thread that is running jobs; 0 for none.
  private let runner = Atomic<UInt>(0)
  // Unsafe: the C objects must not move, so they have their own memory until deinit.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe changed.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Adds a job, unless the queue is closed; returns whether it was added.
  @discardableResult
  func add(_ job: WorkerJob) -> Bool {
    locked {
      guard isOpen else { return false }
      incoming.append(job)
      // No signal is needed if jobs are running: their thread then checks for more.
      if incoming.count == 1 && !isBusy { unsafe pthread_cond_signal(changed) }
      return true
    }
  }

  /// Whether the queue is open.
  var takesJobs: Bool { locked { isOpen } }

  /// Reserves the queue for a job on the caller's thread, if it is open and no other job runs or is
  /// queued.
  ///
  /// - Returns: Whether it is reserved; the caller then has to call ``endReservation()``.
  func tryReserve() -> Bool {
    let isTaken = locked {
      guard isOpen && !isBusy && incoming.isEmpty else { return false }
      isBusy = true
      return true
    }
    if isTaken { runner.store(UInt(pthread_self()), ordering: .relaxed) }
    return isTaken
  }

  /// Ends the reservation of ``tryReserve()``; the thread runs the jobs that were added meanwhile.
  func endReservation() {
    runner.store(0, ordering: .relaxed)
    locked {
      isBusy = false
      // Both the thread and a caller of ``waitUntilIdle()`` may be waiting.
      if !incoming.isEmpty || !isOpen { unsafe pthread_cond_broadcast(changed) }
    }
  }

  /// Waits until a closed queue without a thread has no running or queued job.
  func waitUntilIdle() {
    locked { while isBusy || !incoming.isEmpty { unsafe pthread_cond_wait(changed, mutex) } }
  }

  /// Closes the queue for new jobs; returns whether it was open.
  func close() -> Bool {
    locked {
      let wasOpen = isOpen
      isOpen = false
      unsafe pthread_cond_signal(changed)
      return wasOpen
    }
  }

  /// Waits for jobs and takes all of them; returns none if the queue is closed and empty.
  private func takeAll() -> [WorkerJob] {
    locked {
      while isBusy || (incoming.isEmpty && isOpen) { unsafe pthread_cond_wait(changed, mutex) }
      let jobs = incoming
      incoming = []
      isBusy = !jobs.isEmpty
      return jobs
    }
  }

  /// Takes all jobs; returns none if there are none or another thread is running some.
  private func takeQueued() -> [WorkerJob] {
    locked {
      guard !isBusy else { return [] }
      let jobs = incoming
      incoming = []
      isBusy = !jobs.isEmpty
      return jobs
    }
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

  /// Runs the jobs and ends the reservation.
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

  /// Runs and releases a closure.
  @inline(never)
  private static func run(_ body: inout (() -> Void)?) {
    body?()
    body = nil
  }
}
