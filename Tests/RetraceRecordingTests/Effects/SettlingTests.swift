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

  /// Returns what had not ended when effects due within a second were waited for.
  private func wait(
    in store: Store<HouseApp>, limitMilliseconds: Int = 86_400_000,
    except ignored: Set<EffectLeafID> = []
  ) async throws -> Set<EffectLeafID> {
    let left = Lock<Set<EffectLeafID>>([])
    try await onOwnThread {
      let found = try store.waitForEffects(
        dueWithin: .seconds(1), limitMilliseconds: limitMilliseconds, except: ignored)
      left.withLock { $0 = found }
    }
    return left.withLock { $0 }
  }

  @Test func `effects that are due soon are waited for, and those that they cause`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .waits])
      let store = errands.store
      try store.sendBlocking([.together([Errand("a"), Errand("b")])])
      try store.enqueue([.chained("x", times: 3)])
      let waiting = Task { try await wait(in: store) }
      await errands.desk.whenStarted(2)
      errands.desk.release("a")
      #expect(try await waiting.value == [])
      #expect(errands.done.sorted() == ["done a", "done b", "x 0", "x 1", "x 2", "x 3"])
      try store.closeBlocking()
    }
  }

  @Test func `a wait has a limit, and passes over effects that are due later`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .waits])
      let store = errands.store
      // The clock stands still, so a delayed errand never runs.
      try store.sendBlocking([
        .started(Errand("soon"), after: .seconds(1), id: "soon"),
        .started(Errand("later"), after: ElapsedTime(microseconds: 1_000_001), id: "later"),
        .together([Errand("a")]),
      ])
      let (soon, later, a) = (errands.inFlight[0], errands.inFlight[1], errands.inFlight[2])
      #expect(try await wait(in: store, limitMilliseconds: 10) == [soon, a])
      #expect(try await wait(in: store, limitMilliseconds: 0, except: [a]) == [soon])
      #expect(try await wait(in: store, except: [soon, a]) == [])
      try store.sendBlocking([.stopped(id: "soon")])
      errands.desk.release("a")
      #expect(try await wait(in: store) == [])
      #expect(errands.inFlight == [later])
      try store.closeBlocking()
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
