import Glibc
import Synchronization

/// A job of a worker thread, and who waits for its end.
struct WorkerJob {
  var done: Semaphore?
  var body: (() -> Void)?

  init(done: Semaphore?, _ body: @escaping () -> Void) {
    self.done = done
    self.body = body
  }
}

/// The jobs of a worker thread, in order.
///
/// Unchecked: everything is guarded by the mutex.
@safe
final class WorkerQueue: @unchecked Sendable {
  private var incoming: [WorkerJob] = []
  private var isOpen = true
  /// Whether jobs are being run, by the thread or by a caller.
  private var isBusy = false
  /// The thread that runs jobs at the moment; 0 if none does.
  private let runner = Atomic<UInt>(0)
  // Unsafe: C's objects must not move, so they have memory of their own until deinit.
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

  /// Adds a job, unless the queue is closed.
  @discardableResult
  func add(_ job: WorkerJob) -> Bool {
    locked {
      guard isOpen else { return false }
      incoming.append(job)
      // Whoever is busy looks for more when that is over.
      if incoming.count == 1 && !isBusy { unsafe pthread_cond_signal(changed) }
      return true
    }
  }

  /// Whether the queue is open.
  var takesJobs: Bool { locked { isOpen } }

  /// Lets the caller run a job itself, if the queue is open and no other job runs or waits.
  ///
  /// - Returns: Whether that is so; the caller then ends its turn by ``endTurn()``.
  func takeTurn() -> Bool {
    let isTaken = locked {
      guard isOpen && !isBusy && incoming.isEmpty else { return false }
      isBusy = true
      return true
    }
    if isTaken { runner.store(UInt(pthread_self()), ordering: .relaxed) }
    return isTaken
  }

  /// Ends a turn: what came meanwhile is run by the thread.
  func endTurn() {
    runner.store(0, ordering: .relaxed)
    locked {
      isBusy = false
      // The thread may wait for this, and whoever stops it.
      if !incoming.isEmpty || !isOpen { unsafe pthread_cond_broadcast(changed) }
    }
  }

  /// Waits until no job runs or waits, of a closed queue that has no thread.
  func waitUntilIdle() {
    locked { while isBusy || !incoming.isEmpty { unsafe pthread_cond_wait(changed, mutex) } }
  }

  /// Takes no more jobs; answers whether the queue was open.
  func close() -> Bool {
    locked {
      let wasOpen = isOpen
      isOpen = false
      unsafe pthread_cond_signal(changed)
      return wasOpen
    }
  }

  /// Waits for jobs and takes all of them; none when the queue is closed and empty.
  private func takeAll() -> [WorkerJob] {
    locked {
      while isBusy || (incoming.isEmpty && isOpen) { unsafe pthread_cond_wait(changed, mutex) }
      let jobs = incoming
      incoming = []
      isBusy = !jobs.isEmpty
      return jobs
    }
  }

  /// Takes all jobs, unless another thread runs some; none if there are none.
  private func takeWaiting() -> [WorkerJob] {
    locked {
      guard !isBusy else { return [] }
      let jobs = incoming
      incoming = []
      isBusy = !jobs.isEmpty
      return jobs
    }
  }

  /// Whether a job is run by the thread that asks.
  var isRunByCaller: Bool { UInt(pthread_self()) == runner.load(ordering: .relaxed) }

  /// Runs jobs until the queue is closed and empty.
  func run() {
    while true {
      let jobs = takeAll()
      if jobs.isEmpty { return }
      run(jobs)
    }
  }

  /// Runs the jobs that wait on the caller's thread, for a queue that has no thread.
  ///
  /// Returns when none waits, or another thread runs one: that thread then calls this.
  func runWaiting() {
    while true {
      let jobs = takeWaiting()
      if jobs.isEmpty { return }
      run(jobs)
    }
  }

  /// Runs jobs that were taken, and ends the turn.
  private func run(_ jobs: consuming [WorkerJob]) {
    runner.store(UInt(pthread_self()), ordering: .relaxed)
    let last = jobs.count - 1
    for index in jobs.indices {
      Self.run(&jobs[index].body)
      // Who is told may have another job at once, and can run that itself.
      if index == last { endTurn() }
      // Signalled only when the closure is released: what it borrows ends with the wait.
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
