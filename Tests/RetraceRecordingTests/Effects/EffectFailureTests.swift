import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceSystem
import RetraceReplay
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Effects that fail, hang or say too much disturb nothing else.
@Suite struct EffectFailureTests {
  @Test
  func `the error text of a leaf that fails is recorded, and the next runs [E8] [E9] [i1, a2]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let long = String(repeating: "ü", count: 5_000)
      let errands = try ErrandStore(
        at: path, ["a": .fails("no \u{1B}[2J way\n"), "b": .fails(long)])
      let receipt = try await errands.store.send(
        .inOrder([Errand("a"), Errand("b"), Errand("c")], after: .zero))
      try await receipt.settled()
      #expect(errands.done == ["done c"])
      let ends = try errands.ends()
      #expect(ends[0] == "2.0 failed: no \\u{1B}[2J way\\u{A}")
      #expect(ends[1].utf8.count <= "2.1 failed: ".utf8.count + EffectFinished.errorBytesMax + 3)
      #expect(ends[2] == "2.2 finished")
      try errands.store.closeBlocking()
    }
  }

  @Test func `an answer too long to be recorded is a failure`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .exceedsLimit])
      let receipt = try await errands.store.send(.together([Errand("a"), Errand("b")]))
      try await receipt.settled()
      #expect(errands.done == ["done b"])
      #expect(try errands.ends().contains { $0.hasPrefix("2.0 failed: The result") })
      try errands.store.closeBlocking()
    }
  }

  @Test func `leaves that hang keep nothing else from running or closing [S8]`() async throws {
    try await ScratchDirectory.with { path in
      let names = (0..<100).map { "h\($0)" }
      var behaviours: [String: HouseDesk.Behaviour] = [:]
      for name in names { behaviours[name] = .hangs }
      let errands = try ErrandStore(at: path, behaviours)
      let hanging = try await errands.store.send(.together(names.map { Errand($0) }))
      await errands.desk.whenStarted(names.count)
      let other = try await errands.store.send(.together([Errand("a")]))
      try await other.settled()
      #expect(errands.done == ["done a"])
      #expect(errands.inFlight.count == names.count)
      try errands.store.closeBlocking()
      await #expect(throws: StoreError.self) { try await hanging.settled() }
      // Let them go, or their tasks would outlive the test.
      for name in names { errands.desk.release(name) }
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      var replayer = try Replayer<HouseApp>(storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.effectsInFlight.leaves.count == names.count)
    }
  }

  @Test func `a receipt waits for its effects and for what these cause`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path)
      let receipt = try await errands.store.send(.chained("link", times: 5))
      try await receipt.settled()
      #expect(errands.done == (0...5).reversed().map { "link \($0)" })
      let empty = try await errands.store.send(.noted("x"))
      try await empty.settled()
      try errands.store.closeBlocking()
    }
  }

  @Test func `a blocking wait ends when the effects have, and is refused to observers`()
    async throws
  {
    try await onOwnThread {
      try ScratchDirectory.with { folder in
        let errands = try ErrandStore(at: folder + "/store")
        let receipt = try errands.store.sendBlocking([.chained("link", times: 3)])
        try receipt.settledBlocking()
        #expect(errands.done.count == 4)
        let refused = errands.store.storage.performWriting { (_) -> StoreError.Code? in
          do throws(StoreError) {
            try receipt.settledBlocking()
            return nil
          } catch {
            return error.code
          }
        }
        #expect(refused == .reentrant)
        try errands.store.closeBlocking()
      }
    }
  }

  @Test func `without an environment, effects that need none run, and the others stay in flight`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, withDesk: false)
      let receipt = try await errands.store.send([
        .chained("link", times: 2), .together([Errand("a")]),
      ])
      try await receipt.settled()
      #expect(errands.done == ["link 2", "link 1", "link 0"])
      #expect(errands.inFlight == [EffectLeafID(cause: 3, ordinal: 0)])
      try errands.store.closeBlocking()
    }
  }

  @Test
  func `with relaxed durability, an action with an effect is committed at once`() async throws {
    try await onOwnThread {
      try ScratchDirectory.with { folder in
        let configuration = StoreConfiguration(
          durability: .relaxed(window: .seconds(3600)), clock: { Moment(microseconds: 1) })
        let store = try Store<HouseApp>.openBlocking(
          at: folder + "/store", configuration: configuration, environment: HouseDesk())
        try store.sendBlocking([.noted("one")])
        #expect(store.durableSequence == 0)
        let receipt = try store.sendBlocking([.together([Errand("a")])])
        #expect(store.durableSequence == 3)
        try receipt.settledBlocking()
        #expect(store.state.done == ["one", "done a"])
        try store.closeBlocking()
      }
    }
  }

  @Test func `an answer that finds the disk full is recorded when there is room`() async throws {
    let plan = LMDBFaultPlan()
    let clock = VirtualClock()
    let desk = HouseDesk(["a": .waits])
    var configuration = StoreConfiguration(clock: { clock.moment })
    configuration.effectClock = clock
    let store = try Store<HouseApp>.open(
      over: LogStorage.inMemory(mapBytes: 16 << 20, in: nil, faults: plan),
      configuration: configuration, environment: desk)
    let receipt = try await store.send(.together([Errand("a")]))
    await desk.whenStarted(1)
    plan.fail(.noSpace, atCall: 1, of: .commit)
    desk.release("a")
    await clock.whenSleeping(1)
    #expect(store.state.done.isEmpty && store.effectsInFlight.leaves.count == 1)
    clock.advance(by: .seconds(1))
    try await receipt.settled()
    #expect(store.state.done == ["done a"] && store.effectsInFlight.isEmpty)
    try store.closeBlocking()
  }
}
