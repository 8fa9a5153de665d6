import RetracePlatform
import Synchronization
import Testing

struct WorkerCrewTests {
  @Test(arguments: [1, 2, 5])
  func `Each piece is done once, and the answers are in order`(width: Int) {
    let crew = WorkerCrew(name: "crew", width: width)
    #expect(crew.width == width)
    for count in [0, 1, 2, 7, 1_000] {
      let done = Mutex<[Int]>([])
      let answers = crew.map(count) { piece in
        done.withLock { $0.append(piece) }
        return piece * 3
      }
      #expect(answers == (0..<count).map { $0 * 3 })
      #expect(done.withLock { $0.sorted() } == Array(0..<count))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `Pieces are worked on at the same time`() {
    let crew = WorkerCrew(name: "crew", width: 2)
    for _ in 0..<200 {
      let (first, second) = (Semaphore(), Semaphore())
      // Each waits for the other: one after the other would wait for ever.
      let met = crew.map(2) { piece in
        (piece == 0 ? first : second).signal()
        (piece == 0 ? second : first).wait()
        return true
      }
      #expect(met == [true, true])
    }
  }

  @Test func `What pieces hold is released when the work is over`() {
    final class Held: Sendable {}
    let crew = WorkerCrew(name: "crew", width: 4)
    weak var left: Held?
    do {
      let held = Held()
      left = held
      #expect(crew.map(50) { _ in held }.count == 50)
    }
    #expect(left == nil)
  }
}
