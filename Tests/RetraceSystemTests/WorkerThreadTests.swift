import Synchronization
import Testing

@testable import RetraceSystem

struct WorkerThreadTests {
  struct Refused: Error, Equatable {
    var number: Int
  }

  @Test func `Jobs run in order, on one thread`() {
    let worker = WorkerThread(name: "order")
    let seen = Lock<[Int]>([])
    for number in 0..<1000 {
      worker.submit { seen.withLock { $0.append(number) } }
    }
    let isCurrent = worker.perform { worker.isCurrent }
    #expect(isCurrent)
    #expect(!worker.isCurrent)
    #expect(seen.withLock { $0 } == Array(0..<1000))
  }

  @Test func `Results and errors come back, many times`() throws {
    let worker = WorkerThread(name: "results")
    for number in 0..<20_000 {
      let doubled = worker.perform { number * 2 }
      #expect(doubled == number * 2)
    }
    #expect(throws: Refused(number: 3)) {
      try worker.perform { () throws(Refused) -> Int in throw Refused(number: 3) }
    }
  }

  @Test func `Stopping runs the accepted jobs and refuses later ones`() {
    let worker = WorkerThread(name: "stop")
    let count = Lock(0)
    for _ in 0..<100 {
      worker.submit { count.withLock { $0 += 1 } }
    }
    worker.stop()
    #expect(count.withLock { $0 } == 100)
    #expect(!worker.submit { count.withLock { $0 += 1 } })
    worker.stop()
    #expect(count.withLock { $0 } == 100)
  }

  @Test func `A thread without jobs has nothing to finish, and one with jobs finishes them`() {
    let idle = WorkerThread(name: "idle")
    idle.waitForSubmittedJobs()
    #expect(!idle.isCurrent)
    idle.stop()
    #expect(!idle.submit {})
    let busy = WorkerThread(name: "busy")
    let seen = Lock<[Bool]>([])
    for _ in 0..<100 {
      busy.submit { [weak busy] in
        let isCurrent = busy?.isCurrent == true
        seen.withLock { $0.append(isCurrent) }
      }
    }
    busy.waitForSubmittedJobs()
    #expect(seen.withLock { $0 } == Array(repeating: true, count: 100))
  }

  @Test func `The last reference may go away on the thread itself`() {
    let done = WorkerThread(name: "outer")
    let flag = Lock(false)
    for _ in 0..<200 {
      let worker = WorkerThread(name: "inner")
      worker.submit { _ = worker.name }
    }
    done.perform { flag.withLock { $0 = true } }
    #expect(flag.withLock { $0 })
  }

  @Test func `Many threads may perform at once`() async {
    let worker = WorkerThread(name: "many")
    let total = Total()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { @Sendable in
          for _ in 0..<500 { worker.perform { total.value.withLock { $0 += 1 } } }
        }
      }
    }
    #expect(total.value.withLock { $0 } == 4000)
  }

  final class Total: Sendable {
    let value = Lock(0)
  }

  @Test func `The stack takes deep recursion`() {
    let worker = WorkerThread(name: "deep")
    #expect(worker.perform { depth(50_000, 1, 2, 3) } == 350_000)
  }

  @Test func `A job in place runs on the caller's thread if no other job runs or waits`() throws {
    let worker = WorkerThread(name: "in place")
    let name = { @Sendable () throws(SystemError) in
      try FileSystem.readWhole("/proc/thread-self/stat", limitBytes: 1000).prefix { $0 != 32 }
    }
    let here = try name()
    let isHere = try worker.performInPlace { () throws(SystemError) in
      try name() == here && worker.isCurrent
    }
    #expect(isHere)
    #expect(!worker.isCurrent)
    var ran = false
    #expect(worker.tryPerformInPlace { ran = true })
    #expect(ran)
    #expect(throws: Refused(number: 3)) {
      try worker.performInPlace { () throws(Refused) -> Int in throw Refused(number: 3) }
    }
    // No job runs in place while the thread works, or before jobs that wait.
    let gate = Lock(false)
    worker.submit {
      while !gate.withLock({ $0 }) { MonotonicClock.sleep(nanoseconds: 100_000) }
    }
    #expect(!worker.tryPerformInPlace {})
    gate.withLock { $0 = true }
    let wasThere = try worker.performInPlace { () throws(SystemError) in
      try name() != here && worker.isCurrent
    }
    #expect(wasThere)
  }

  @Test func `Jobs that arrive while a job runs in place run after it, in order`() {
    let worker = WorkerThread(name: "after")
    let seen = Lock<[Int]>([])
    for round in 0..<2_000 {
      worker.performInPlace {
        worker.submit { seen.withLock { $0.append(3 * round + 1) } }
        worker.submit { seen.withLock { $0.append(3 * round + 2) } }
        seen.withLock { $0.append(3 * round) }
      }
    }
    worker.waitForSubmittedJobs()
    #expect(seen.withLock { $0 } == Array(0..<6_000))
  }

  @Test func `Jobs in place and jobs on the thread never overlap`() async {
    let worker = WorkerThread(name: "one")
    let running = Atomic(0)
    let total = Atomic(0)
    let most = Atomic(0)
    await onThreads(4) { number in
      for turn in 0..<2_000 {
        let job = { @Sendable in
          let now = running.add(1, ordering: .sequentiallyConsistent).newValue
          most.max(now, ordering: .relaxed)
          total.add(1, ordering: .relaxed)
          running.subtract(1, ordering: .sequentiallyConsistent)
        }
        switch (number + turn) % 3 {
        case 0: worker.perform(job)
        case 1: worker.performInPlace(job)
        default: worker.submit(job)
        }
      }
    }
    worker.waitForSubmittedJobs()
    let (mostAtOnce, count) = (most.load(ordering: .relaxed), total.load(ordering: .relaxed))
    #expect(mostAtOnce == 1)
    #expect(count == 8_000)
  }

  @Test func `Stop waits for a job in place, with and without a thread`() async {
    for hasThread in [false, true] {
      let worker = WorkerThread(name: "stopped")
      if hasThread { worker.perform {} }
      let began = Atomic(false)
      let ended = Atomic(false)
      let seen = Atomic(false)
      await onThreads(2) { number in
        if number == 0 {
          worker.performInPlace {
            began.store(true, ordering: .releasing)
            MonotonicClock.sleep(nanoseconds: 20_000_000)
            ended.store(true, ordering: .releasing)
          }
        } else {
          while !began.load(ordering: .acquiring) { MonotonicClock.sleep(nanoseconds: 10_000) }
          worker.stop()
          seen.store(ended.load(ordering: .acquiring), ordering: .releasing)
        }
      }
      let hasWaited = seen.load(ordering: .acquiring)
      #expect(hasWaited)
      #expect(!worker.tryPerformInPlace {})
    }
  }

  @Test func `Waiting for itself in place traps`() async {
    await #expect(processExitsWith: .failure) {
      let worker = WorkerThread(name: "self")
      worker.performInPlace { worker.performInPlace {} }
    }
  }

  @Test func `Waiting for itself traps`() async {
    await #expect(processExitsWith: .failure) {
      let worker = WorkerThread(name: "self")
      worker.perform { worker.perform {} }
    }
  }

  /// A thread that the system does not make: no address space has room for its stack.
  private func refused() -> WorkerThread { WorkerThread(name: "refused", stackBytes: 1 << 60) }

  @Test func `If no thread can be created, jobs run in order on their callers`() throws {
    let worker = refused()
    #expect(throws: SystemError.self) { try worker.start() }
    let order = Lock<[Int]>([])
    #expect(worker.submit { order.withLock { $0.append(1) } })
    #expect(order.withLock { $0 } == [1])
    #expect(worker.perform { order.withLock { $0.append(2) } } == ())
    worker.performInPlace {
      // What is added from a job comes after it.
      worker.submit { order.withLock { $0.append(4) } }
      order.withLock { $0.append(3) }
    }
    #expect(order.withLock { $0 } == [1, 2, 3, 4])
    worker.waitForSubmittedJobs()
    worker.stop()
    #expect(!worker.submit {})
  }

  @Test func `If no thread can be created, concurrent callers run one job at a time`() async {
    let worker = refused()
    let running = Atomic(0)
    let done = Lock<[Int]>([])
    await onThreads(8) { caller in
      for round in 0..<200 {
        let job: @Sendable () -> Void = {
          let count = running.add(1, ordering: .relaxed).newValue
          #expect(count == 1)
          done.withLock { $0.append(caller) }
          running.subtract(1, ordering: .relaxed)
        }
        switch round % 3 {
        case 0: worker.perform(job)
        case 1: worker.performInPlace(job)
        default: worker.submit(job)
        }
      }
    }
    worker.waitForSubmittedJobs()
    #expect(done.withLock { $0.count } == 8 * 200)
  }

  @Test func `The name reaches the system`() throws {
    let worker = WorkerThread(name: "a rather long name")
    let text = try worker.perform { () throws(SystemError) in
      try FileSystem.readWhole("/proc/thread-self/comm", limitBytes: 100)
    }
    #expect(String(decoding: text, as: UTF8.self) == "a rather long n\n")
  }
}

/// Uses at least 80 bytes of stack a level.
@inline(never)
private func depth(_ left: Int, _ first: Int, _ second: Int, _ third: Int) -> Int {
  if left == 0 { return 0 }
  let below = depth(left - 1, second, third, first)
  return below &+ first &+ second &+ third &+ 1
}
