import Testing

@testable import RetraceSystem

struct ThreadPoolTests {
  @Test(arguments: [1, 2, 5])
  func `Each piece is done once, and the answers are in order`(threadCount: Int) {
    let pool = ThreadPool(name: "pool", threadCount: threadCount)
    #expect(pool.threadCount == threadCount)
    for count in [0, 1, 2, 7, 1_000] {
      let done = Lock<[Int]>([])
      let answers = pool.map(count) { piece in
        done.withLock { $0.append(piece) }
        return piece * 3
      }
      #expect(answers == (0..<count).map { $0 * 3 })
      #expect(done.withLock { $0.sorted() } == Array(0..<count))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `Pieces are worked on at the same time`() {
    let pool = ThreadPool(name: "pool", threadCount: 2)
    for _ in 0..<200 {
      let (first, second) = (Semaphore(), Semaphore())
      // Each waits for the other: one after the other would wait for ever.
      let met = pool.map(2) { piece in
        (piece == 0 ? first : second).signal()
        (piece == 0 ? second : first).wait()
        return true
      }
      #expect(met == [true, true])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A thread that starts only after all pieces are done is not waited for`() {
    let pool = ThreadPool(name: "pool", threadCount: 2)
    let (begun, held, free) = (Semaphore(), Semaphore(), Semaphore())
    let asking = WorkerThread(name: "asking")
    // One of two pieces keeps the pool's other thread, which cannot help with the tasks meanwhile.
    asking.submit {
      let pieces = pool.map(2) { piece in
        if asking.isCurrent {
          begun.wait()
        } else {
          begun.signal()
          held.signal()
          free.wait()
        }
        return piece
      }
      #expect(pieces == [0, 1])
    }
    held.wait()
    for _ in 0..<100 { #expect(pool.map(9) { $0 } == Array(0..<9)) }
    // Twice, because the pool's thread has both pieces if the other one is late.
    for _ in 0..<2 { free.signal() }
    asking.waitForSubmittedJobs()
    #expect(pool.map(9) { $0 } == Array(0..<9))
  }

  @Test func `If no thread can be created, the caller does all pieces`() {
    // No address space has room for such a stack.
    let pool = ThreadPool(name: "pool", threadCount: 4, stackBytes: 1 << 60)
    for _ in 0..<3 {
      #expect(pool.map(20) { $0 + 1 } == Array(1...20))
    }
  }

  @Test func `References that pieces hold are released when the work is over`() {
    final class Held: Sendable {}
    let pool = ThreadPool(name: "pool", threadCount: 4)
    weak var left: Held?
    do {
      let held = Held()
      left = held
      #expect(pool.map(50) { _ in held }.count == 50)
    }
    #expect(left == nil)
  }
}
