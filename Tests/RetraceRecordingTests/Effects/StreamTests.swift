import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Leaves that send several batches while they run.
@Suite struct StreamTests {
  /// A store of the house with a desk and a clock that tests control.
  private struct HouseStore: ~Copyable {
    let desk: HouseDesk
    let clock: VirtualClock
    let store: Store<HouseApp>

    init(
      at path: String, desk: HouseDesk = HouseDesk(), clock: VirtualClock = VirtualClock(),
      withDesk: Bool = true
    ) throws {
      (self.desk, self.clock) = (desk, clock)
      var configuration = StoreConfiguration(clock: { clock.moment })
      configuration.effectClock = clock
      store = try Store.openBlocking(
        at: path, configuration: configuration, environment: withDesk ? desk : nil)
    }

    var seen: [String] { store.state.hall.seen }

    /// The records after the first, each as its kind, its cause and its action or end.
    func records() throws -> [String] {
      var seen: [String] = []
      try store.storage.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: 2, through: view.head.sequence) {
          (envelope, payload) throws(StoreError) in
          var text = "\(envelope.kind)"
          if let action = try? HouseAction(encoded: payload), envelope.kind == .action {
            text = envelope.startsBatch ? "\(action)" : "+ \(action)"
          }
          if let end = try? EffectFinished(encoded: payload), envelope.kind == .effectFinished {
            text = "\(end.id) \(end.outcome)\(end.error.isEmpty ? "" : ": \(end.error)")"
          }
          seen.append(envelope.cause.map { "\($0): \(text)" } ?? text)
        }
      }
      return seen
    }

    func whenNothingIsInFlight() async throws {
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  private func glowed(_ text: String) -> String { "\(HouseAction.hall(.glowed(text)))" }
  private func watched(_ name: String, saysEnd: Bool = false) -> HouseAction {
    .hall(.watched(Watch(name, saysEnd: saysEnd)))
  }

  @Test func `each batch of a stream is recorded while the leaf is in flight [E1] [E11]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      let receipt = try await house.store.send(watched("w"))
      house.desk.give(["a", "b"], to: "w")
      await house.desk.whenNoted("w sent [\"a\", \"b\"]")
      #expect(house.seen == ["a", "b"])
      #expect(house.store.effectsInFlight.leaves.count == 1)
      house.desk.give(["c"], to: "w")
      house.desk.finish("w")
      try await receipt.settled()
      #expect(
        try house.records() == [
          "\(watched("w"))", "2: \(glowed("a"))", "2: + \(glowed("b"))", "2: \(glowed("c"))",
          "2: 2.0 finished",
        ])
      #expect(house.store.effectsInFlight.isEmpty)
      // A replay has the same effects in flight after each record.
      var replayer = try Replayer<HouseApp>(house.store.storage)
      var counts: [Int] = []
      for sequence in 2...replayer.last {
        try replayer.seek(to: sequence)
        counts.append(replayer.effectsInFlight.leaves.count)
      }
      #expect(counts == [1, 1, 1, 1, 0])
      try house.store.closeBlocking()
    }
  }

  @Test func `a batch is durable before the leaf goes on, and batches keep their order [S7]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      let receipt = try await house.store.send(watched("w"))
      let texts = (0..<50).map { "\($0)" }
      for text in texts { house.desk.give([text], to: "w") }
      house.desk.finish("w")
      try await receipt.settled()
      #expect(house.seen == texts)
      let sent = texts.map { "w sent [\"\($0)\"]" }
      #expect(house.desk.notes == ["w starts"] + sent + ["w ends"])
      try house.store.closeBlocking()
    }
  }

  @Test func `a batch is reduced and published before its effects start [S6] [S7]`() async throws {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      let seen = Lock<[[String]]>([])
      let (desk, store) = (house.desk, house.store)
      let observation = store.observe { state in
        // The first answer is published after the batch, and no effect has run before that.
        let ran = desk.notes.filter { $0.hasSuffix("runs") }
        seen.withLock { $0.append(state.hall.seen + (state.hall.seen == ["x", "y"] ? ran : [])) }
      }
      try await store.send([
        .hall(.lit("a", after: .zero)), .hall(.glowed("x")), .hall(.lit("b", after: .zero)),
        .hall(.glowed("y")),
      ]).settled()
      observation.cancel()
      let states = seen.withLock { $0 }
      #expect(states.prefix(2) == [[], ["x", "y"]] && states.count == 4)
      #expect(Set(house.seen) == ["x", "y", "a", "b"])
      try store.closeBlocking()
    }
  }

  @Test func `batches that observers and effects enqueue come after those being sent [S10]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      let store = house.store
      let observation = store.observe { [weak store] state in
        guard state.hall.seen.last == "first" else { return }
        try? store?.enqueue([.hall(.glowed("nested"))])
        // The call of the observer is not interrupted by what it enqueues.
        #expect(store?.state.hall.seen == ["first"])
      }
      try await store.send(.hall(.glowed("first")))
      try store.flushBlocking()
      try await store.send(.hall(.lit("effect", after: .zero))).settled()
      observation.cancel()
      #expect(house.seen == ["first", "nested", "effect"])
      try store.closeBlocking()
    }
  }

  @Test func `a slow stream delays no other effect [S8] [i2, a1]`() async throws {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      try await house.store.send(watched("w"))
      await house.desk.whenNoted("w starts")
      try await house.store.send(.hall(.lit("quick", after: .zero))).settled()
      #expect(house.seen == ["quick"])
      house.desk.give(["late"], to: "w")
      house.desk.finish("w")
      try await house.whenNothingIsInFlight()
      #expect(house.seen == ["quick", "late"])
      try house.store.closeBlocking()
    }
  }

  @Test func `after a cancellation a stream records nothing more [E5]`() async throws {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      let receipt = try await house.store.send(watched("w"))
      house.desk.give(["a"], to: "w")
      await house.desk.whenNoted("w sent [\"a\"]")
      // The batch whose action cancels the leaf is recorded; the batch after it is not.
      house.desk.give(["stop"], to: "w")
      house.desk.give(["b"], to: "w")
      try await receipt.settled()
      #expect(house.store.effectsInFlight.isEmpty)
      #expect(house.seen == ["a", "stop"])
      #expect(try house.records().last == "2: \(glowed("stop"))")
      try house.store.closeBlocking()
    }
  }

  @Test func `a child that goes ends its stream in the process that runs it`() async throws {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      try await house.store.send(.hadGuest(true))
      let receipt = try await house.store.send(.guest(.watched(Watch("w"))))
      await house.desk.whenNoted("w starts")
      try await house.store.send(.hadGuest(false))
      try await receipt.settled()
      house.desk.give(["late"], to: "w")
      house.desk.finish("w")
      #expect(house.store.state.missing == 0)
      #expect(!house.desk.notes.contains { $0.contains("sent") })
      try house.store.closeBlocking()
    }
  }

  @Test func `an answer that cannot be recorded fails the leaf, and earlier ones stay [E8]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      let receipt = try await house.store.send(watched("w"))
      house.desk.give(["a"], to: "w")
      house.desk.give([String(repeating: "x", count: 2 << 20)], to: "w")
      try await receipt.settled()
      #expect(house.seen == ["a"])
      let last = try #require(try house.records().last)
      #expect(last.hasPrefix("2: 2.0 failed: "))
      try house.store.closeBlocking()
    }
  }

  @Test(arguments: [false, true])
  func `a program that ends in a stream keeps its answers, and the policy applies once`(
    saysEnd: Bool
  ) async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      let first = try HouseStore(at: path, clock: clock)
      try await first.store.send(watched("w", saysEnd: saysEnd))
      first.desk.give(["a"], to: "w")
      await first.desk.whenNoted("w sent [\"a\"]")
      first.store.abandon()
      let expected = saysEnd ? ["a", "end of w"] : ["a"]
      for withDesk in [false, true] {
        let next = try HouseStore(at: path, clock: clock, withDesk: withDesk)
        #expect(next.seen == expected && next.store.effectsInFlight.isEmpty)
        #expect(next.desk.notes.isEmpty)
        let ends = try next.records().filter { $0.contains("2.0") }
        #expect(ends == ["2: 2.0 \(saysEnd ? "replaced" : "dropped")"])
        try next.store.closeBlocking()
      }
    }
  }

  @Test func `a closed store refuses what a stream still sends [S12]`() async throws {
    try await ScratchDirectory.with { path in
      let house = try HouseStore(at: path)
      try await house.store.send(watched("w"))
      await house.desk.whenNoted("w starts")
      let sequence = house.store.sequence
      try house.store.closeBlocking()
      house.desk.give(["late"], to: "w")
      await house.desk.whenNoted("w ends")
      let next = try HouseStore(at: path)
      #expect(next.seen.isEmpty && next.store.sequence > sequence)
      try next.store.closeBlocking()
    }
  }
}

/// Debounced and throttled effects in a store.
@Suite struct TimedEffectStoreTests {
  @Test func `times are those of the clock that the store was opened with [E7]`() async throws {
    try await ScratchDirectory.with { path in
      let (clock, desk) = (VirtualClock(), HouseDesk())
      var configuration = StoreConfiguration(clock: { clock.moment })
      configuration.effectClock = clock
      let store = try Store<HouseApp>.openBlocking(
        at: path, configuration: configuration, environment: desk)
      try await store.send(.hall(.searched("a")))
      await clock.whenSleeping(1)
      clock.advance(by: .milliseconds(500))
      try await store.send(.hall(.searched("b")))
      while clock.sleeping != 1 { try await Task.sleep(for: .milliseconds(1)) }
      clock.advance(by: .milliseconds(500))
      #expect(store.effectsInFlight.leaves.count == 1)
      clock.advance(by: .milliseconds(500))
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      #expect(store.state.hall.seen == ["b"])

      try await store.send(.hall(.reported("one", latest: true))).settled()
      try await store.send(.hall(.reported("two", latest: true)))
      await clock.whenSleeping(1)
      clock.advance(by: .seconds(4))
      try await store.send(.hall(.reported("three", latest: true)))
      while clock.sleeping != 1 { try await Task.sleep(for: .milliseconds(1)) }
      clock.advance(by: .seconds(5))
      #expect(store.state.hall.seen == ["b", "one"])
      clock.advance(by: .seconds(1))
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      #expect(store.state.hall.seen == ["b", "one", "three"])
      #expect(desk.notes == ["b runs", "one runs", "three runs"])
      var replayer = try Replayer<HouseApp>(store.storage)
      try replayer.seek(to: replayer.last)
      #expect(replayer.effectsInFlight == store.effectsInFlight)
      try store.closeBlocking()
    }
  }

  @Test func `throttled work that still waits goes on waiting in the next session [E7]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      var configuration = StoreConfiguration(clock: { clock.moment })
      configuration.effectClock = clock
      let first = try Store<HouseApp>.openBlocking(
        at: path, configuration: configuration, environment: HouseDesk())
      try await first.send(.hall(.watched(Watch("w", saysEnd: true))))
      try await first.send(.hall(.reported("one", latest: true))).settled()
      try await first.send(.hall(.reported("two", latest: true)))
      let due = try #require(first.effectsInFlight.leaves.last?.due)
      #expect(due.elapsed(since: clock.moment) == .seconds(10))
      try first.closeBlocking()
      let next = try Store<HouseApp>.openBlocking(at: path, configuration: configuration)
      // A leaf that answers once is dropped; a stream is replaced by its action.
      #expect(next.state.hall.seen == ["one", "end of w"])
      #expect(next.effectsInFlight.isEmpty)
      try next.closeBlocking()
    }
  }
}
