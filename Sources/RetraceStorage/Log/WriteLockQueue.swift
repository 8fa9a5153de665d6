import Retrace
import RetraceLMDB
import RetraceSystem
import Synchronization

/// Takes the write lock that all processes share, and yields it to waiting processes.
final class WriteLockQueue: Sendable {
  /// How long a writer waits for the write lock while the log does not grow, in milliseconds.
  private let timeoutMilliseconds = Atomic<Int64>(10_000)
  private let acquisitionCount = Atomic(0)
  private let pace = Lock(YieldPace())

  /// Sets how long a writer waits for the write lock while the log does not grow.
  func setTimeout(milliseconds: Int64) {
    timeoutMilliseconds.store(milliseconds, ordering: .relaxed)
  }

  /// The longest sleep between two tries to take the write lock, in nanoseconds.
  private static var pauseMax: Int64 { 500_000 }

  /// Waits until this process holds the write lock.
  ///
  /// The timeout restarts whenever the log grows. So waiting for many busy writers is not an
  /// error, and only a writer that holds the lock without appending is reported.
  ///
  /// - Throws: ``StoreError/Code/writerStalled(pids:)``, with nothing changed.
  func acquire(of log: LogStorage) throws(StoreError) {
    yieldWriteLock(in: log)
    if try !tryAcquire(of: log) { try waitForWriteLock(of: log) }
    pace.withLock { $0.begin(at: MonotonicClock.nanoseconds()) }
  }

  private func tryAcquire(of log: LogStorage) throws(StoreError) -> Bool {
    try log.withLocks { locks throws(SystemError) in try locks.tryAcquireWriteLock() }
  }

  private func waitForWriteLock(of log: LogStorage) throws(StoreError) {
    _ = try? log.withLocks { locks throws(SystemError) in try locks.beginWaiting() }
    defer { _ = try? log.withLocks { locks throws(SystemError) in try locks.endWaiting() } }
    // Another process had the write lock, so this one has yielded.
    pace.withLock { $0.clear() }
    var pause: Int64 = 20_000
    var timer: StallTimer?
    while try !tryAcquire(of: log) {
      let now = MonotonicClock.nanoseconds()
      if timer == nil {
        timer = StallTimer(
          timeout: timeoutMilliseconds.load(ordering: .relaxed) * 1_000_000, now: now)
      }
      if timer?.isDue(now) == true, timer?.isExpired(now, at: try log.head().sequence) == true {
        throw try stalledError(log)
      }
      MonotonicClock.sleep(nanoseconds: pause)
      pause = min(pause * 2, Self.pauseMax)
    }
  }

  /// Yields to waiting processes, after this process held the write lock for a while.
  ///
  /// A waiting process polls, and would rarely poll between two transactions of a busy writer. If
  /// no waiting process takes the lock within two milliseconds, perhaps because it is stopped, this
  /// process continues, and yields again only after a longer time.
  private func yieldWriteLock(in log: LogStorage) {
    guard pace.withLock({ $0.isLong }) else { return }
    let end = MonotonicClock.nanoseconds() + 4 * Self.pauseMax
    while (try? log.withLocks({ locks throws(SystemError) in try locks.hasWaiters() })) == true {
      if MonotonicClock.nanoseconds() >= end { return pace.withLock { $0.backOff() } }
      MonotonicClock.sleep(nanoseconds: Self.pauseMax / 10)
    }
    pace.withLock { $0.clear() }
  }

  /// Frees the reader slots of killed processes, every 256th time.
  ///
  /// LMDB cannot reuse the pages that such a reader saw before its slot is freed.
  ///
  /// - Complexity: O(1); O(reading processes) every 256th time.
  func clearStaleReaders(of log: LogStorage) {
    let acquisitions = acquisitionCount.add(1, ordering: .relaxed).newValue
    // A failure is harmless: the next call tries again.
    if acquisitions % 256 == 0 { _ = try? log.environment.clearStaleReaders() }
  }

  func release(of log: LogStorage) {
    pace.withLock { $0.end(at: MonotonicClock.nanoseconds()) }
    _ = try? log.withLocks { locks throws(SystemError) in try locks.releaseWriteLock() }
  }

  private func stalledError(_ log: LogStorage) throws(StoreError) -> StoreError {
    let pids = try log.withLocks { locks throws(SystemError) in locks.writeLockHolders() }
    let who = pids.first.map { "Process \($0)" } ?? "Another process"
    return StoreError(
      .writerStalled(pids: pids), what: "Nothing was written to \(log.path).",
      why: "\(who) holds the write lock and makes no progress.",
      advice: "Resume it if it was stopped, or end it; no committed record is lost.",
      remedy: .resume(pids: pids))
  }
}

/// How long this process held the write lock since other processes last had a chance to take it.
struct YieldPace {
  private var began: Int64 = 0
  private var nanoseconds: Int64 = 0

  var isLong: Bool { nanoseconds >= 10_000_000 }

  mutating func begin(at now: Int64) { began = now }
  mutating func end(at now: Int64) { nanoseconds += now - began }

  /// Resets the time, after other processes held the lock or none waited for it.
  mutating func clear() { nanoseconds = 0 }

  /// Resets the time so that the next yield comes later, after no waiting process took the lock.
  mutating func backOff() { nanoseconds = -90_000_000 }
}

/// Checks now and then whether the log grows while a writer waits.
private struct StallTimer {
  let timeout: Int64
  private var deadline: Int64
  private var next: Int64
  private var sequence: UInt64?

  init(timeout: Int64, now: Int64) {
    self.timeout = timeout
    deadline = now + timeout
    next = now + timeout / 4
  }

  func isDue(_ now: Int64) -> Bool { now >= next }

  /// Returns whether nothing was appended within the limit.
  mutating func isExpired(_ now: Int64, at sequence: UInt64) -> Bool {
    next = now + timeout / 4
    if self.sequence != sequence { deadline = now + timeout * 3 / 4 }
    self.sequence = sequence
    return now >= deadline
  }
}
