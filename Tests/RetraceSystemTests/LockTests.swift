import RetraceSystem
import Synchronization
import Testing

/// The lock that all modules use.
@Suite struct LockTests {
  private struct Refusal: Error, Equatable {}

  /// A value that cannot be copied.
  private struct Ticket: ~Copyable {
    var number: Int
  }

  /// Calls `body` on four threads, so often on each that they run at once.
  private static func onFourThreads(_ body: @escaping @Sendable () -> Void) {
    let threads = (0..<4).map { WorkerThread(name: "locker-\($0)") }
    for thread in threads { thread.submit { for _ in 0..<25_000 { body() } } }
    for thread in threads { thread.waitForSubmittedJobs() }
  }

  @Test func `one thread at a time uses the value`() {
    let values = Lock<[Int]>([])
    Self.onFourThreads { values.withLock { $0.append($0.count) } }
    #expect(values.withLock { $0 } == Array(0..<100_000))
  }

  @Test func `an error leaves the lock open`() {
    let value = Lock(1)
    #expect(throws: Refusal()) {
      try value.withLock { value throws(Refusal) in
        value = 2
        throw Refusal()
      }
    }
    #expect(value.withLock { $0 } == 2)
  }

  @Test func `the value and the result need not be copyable`() {
    let ticket = Lock(Ticket(number: 1))
    let taken = ticket.withLock { ticket in
      ticket.number += 1
      return Ticket(number: ticket.number)
    }
    #expect(taken.number == 2)
  }

  @Test func `a semaphore is waited for until a deadline`() {
    let semaphore = Semaphore()
    #expect(!semaphore.wait(until: MonotonicClock.deadline(inMilliseconds: 1)))
    let thread = WorkerThread(name: "signals")
    thread.submit { semaphore.signal() }
    #expect(semaphore.wait(until: .max))
    semaphore.signal()
    // A count above 0 needs no wait.
    #expect(semaphore.wait(until: 0) && !semaphore.wait(until: 0))
  }

  #if THREAD_SANITIZER
    /// A value without a lock.
    private final class Unlocked: @unchecked Sendable {
      var count = 0
    }

    /// Calls `body` on two threads in turns.
    ///
    /// The turns are relaxed atomic accesses, so that they order nothing for the sanitizer.
    private static func inTurns(_ body: @escaping @Sendable () -> Void) {
      let turn = Turn()
      let threads = (0..<2).map { WorkerThread(name: "turn-\($0)") }
      for (number, thread) in threads.enumerated() {
        thread.submit {
          for round in 0..<10 {
            while turn.count.load(ordering: .relaxed) != 2 * round + number {}
            body()
            turn.count.add(1, ordering: .relaxed)
          }
        }
      }
      for thread in threads { thread.waitForSubmittedJobs() }
    }

    private final class Turn: Sendable {
      let count = Atomic(0)
    }

    @Test func `the thread sanitizer reports a race, and none on a locked value`() async {
      // The exit code of a process in which the sanitizer reported something.
      await #expect(processExitsWith: .exitCode(66)) {
        let value = Unlocked()
        LockTests.inTurns { value.count += 1 }
      }
      await #expect(processExitsWith: .success) {
        let values = Lock<[Int]>([])
        LockTests.inTurns { values.withLock { $0.append($0.count) } }
      }
    }
  #endif
}
