import RetraceSystem
import Testing

@testable import RetraceStorage

/// The queue for the write lock.
@Suite struct WriteLockTests {
  @Test
  func `a long holder of the lock looks for waiters, and less often after one did not take it`() {
    var pace = YieldPace()
    #expect(!pace.isLong)
    var now: Int64 = 1_000_000_000
    func hold(_ time: Int64) {
      pace.begin(at: now)
      now += time
      pace.end(at: now)
      // The time between two holds does not count.
      now += 1_000_000_000
    }
    hold(6_000_000)
    #expect(!pace.isLong)
    hold(6_000_000)
    #expect(pace.isLong)
    pace.clear()
    #expect(!pace.isLong)
    hold(50_000_000)
    #expect(pace.isLong)
    pace.backOff()
    hold(50_000_000)
    #expect(!pace.isLong)
    hold(50_000_000)
    #expect(pace.isLong)
  }

  @Test func `other processes see that one is waiting, until one of them gets the write lock`()
    throws
  {
    try withDirectory { folder in
      let path = StorePath(folder)
      let first = try StoreLocks.open(path, forWriting: true)
      let second = try StoreLocks.open(path, forWriting: true)
      #expect(try !first.hasWaiters())
      #expect(try first.tryAcquireWriteLock())
      #expect(try !second.tryAcquireWriteLock())
      try second.beginWaiting()
      #expect(try first.hasWaiters())
      // A waiting process does not see itself as a waiter.
      #expect(try !second.hasWaiters())
      try first.releaseWriteLock()
      #expect(try first.hasWaiters())
      #expect(try second.tryAcquireWriteLock())
      #expect(try !first.hasWaiters())
      try second.releaseWriteLock()
      try second.endWaiting()
      #expect(try !first.hasWaiters())
    }
  }
}
