import RetraceArchitecture
import RetraceFixtures
import RetraceStorage
import RetraceSystem
import Testing

@testable import RetraceRecording

/// A store settles when no effect waits or runs in it; `EffectRecoveryTests` wait so for effects of
/// earlier sessions.
@Suite struct SettlingTests {
  @Test func `a store waits for effects whichever call caused them, and for those they cause`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .waits])
      let store = errands.store
      try await store.settled()
      #expect(try store.carryOutBlocking([.scene(.together([Errand("a")]))]) == nil)
      try store.enqueue([.chained("x", times: 3)])
      let settled = Task {
        try await store.settled()
        return store.effectsInFlight.isEmpty
      }
      await errands.desk.whenStarted(1)
      errands.desk.release("a")
      #expect(try await settled.value)
      #expect(errands.done.sorted() == ["done a", "x 0", "x 1", "x 2", "x 3"])
      try await onOwnThread { try store.settledBlocking() }
      try store.closeBlocking()
    }
  }

  @Test func `closing the store ends the wait`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .waits])
      let store = errands.store
      try store.sendBlocking([.together([Errand("a")])])
      await errands.desk.whenStarted(1)
      let settled = Task { try await store.settled() }
      try store.closeBlocking()
      await #expect(throws: StoreError.self) { try await settled.value }
      await #expect(throws: StoreError.self) { try await store.settled() }
    }
  }

  @Test func `an observer cannot wait`() throws {
    let store = try Store<HouseApp>.inMemory(environment: HouseDesk())
    let codes = Lock<[StoreError.Code]>([])
    let observation = store.observe { _ in
      do throws(StoreError) {
        try store.settledBlocking()
      } catch {
        codes.withLock { $0.append(error.code) }
      }
    }
    try store.sendBlocking([.noted("x")])
    #expect(codes.withLock { $0 } == [.reentrant])
    observation.cancel()
    try store.closeBlocking()
  }
}
