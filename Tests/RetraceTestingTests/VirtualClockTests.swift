import RetraceFixtures
import RetraceTesting
import Testing

/// The clock that a test advances, and the desk at which errands wait.
@Suite struct VirtualClockTests {
  @Test func `a sleep ends with an error if its task is cancelled, before it or in it`() async {
    let clock = VirtualClock()
    let cancelledBefore = Task {
      while !Task.isCancelled { await Task.yield() }
      try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    }
    cancelledBefore.cancel()
    await #expect(throws: CancellationError.self) { try await cancelledBefore.value }
    let cancelledIn = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    await clock.whenSleeping(1)
    cancelledIn.cancel()
    await #expect(throws: CancellationError.self) { try await cancelledIn.value }
    #expect(clock.sleeping == 0)
    let woken = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    await clock.whenSleeping(1)
    clock.advance(by: .seconds(1))
    await #expect(throws: Never.self) { try await woken.value }
  }

  @Test func `errands of one name are cancelled one by one and released together`() async throws {
    let desk = HouseDesk(default: .waits)
    let tasks = (0..<3).map { _ in Task { try await Errand("milk").run(in: desk) } }
    await desk.whenStarted(3)
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    #expect(desk.cancelled == ["milk"])
    desk.release("milk")
    #expect(try await tasks[0].value == [.noted("done milk")])
    #expect(try await tasks[2].value == [.noted("done milk")])
  }
}
