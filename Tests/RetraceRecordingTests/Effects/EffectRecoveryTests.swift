import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceReplay
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording
@testable import RetraceStorage

/// The next session recovers the effects that a session left in flight, by the policy of each leaf.
@Suite struct EffectRecoveryTests {
  private let policies: [Errand] = [
    Errand("a", ended: .drop), Errand("b", ended: .run), Errand("c", ended: .send),
  ]

  /// Records actions whose errands wait until their session has ended.
  private func leave(_ actions: [HouseAction], at path: String, _ clock: VirtualClock) throws {
    var behaviours: [String: HouseDesk.Behaviour] = [:]
    for name in ["a", "b", "c", "d"] { behaviours[name] = .waits }
    let errands = try ErrandStore(at: path, behaviours, clock: clock)
    for action in actions { try errands.store.sendBlocking([action]) }
    try errands.store.closeBlocking()
  }

  @Test
  func `each policy is followed once and the next session finds nothing [L7] [H11]`() async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      try leave([.together(policies)], at: path, clock)
      let errands = try ErrandStore(at: path, clock: clock)
      await errands.desk.whenStarted(1)
      try await errands.store.settled()
      #expect(errands.desk.started == ["b"])
      #expect(Set(errands.done) == ["ended c", "done b"])
      #expect(try Set(errands.ends()) == ["2.0 dropped", "2.1 finished", "2.2 replaced"])
      let records = try errands.records()
      #expect(records.filter { $0.kind == .action }.dropFirst().allSatisfy { $0.cause == 2 })
      try errands.store.closeBlocking()
      let again = try ErrandStore(at: path, clock: clock)
      #expect(again.store.sequence == (try again.records().count + 4).toUInt64)
      #expect(again.desk.started.isEmpty)
      try again.store.closeBlocking()
    }
  }

  @Test func `a delay goes on where it was, also over several sessions`() async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      try leave([.reminded("tea", after: .seconds(60))], at: path, clock)
      clock.advance(by: .seconds(30))
      for _ in 0..<2 {
        let errands = try ErrandStore(at: path, clock: clock)
        await clock.whenSleeping(1)
        #expect(errands.inFlight.count == 1)
        clock.advance(by: .seconds(10))
        try errands.store.closeBlocking()
        #expect(errands.done.isEmpty)
      }
      let last = try ErrandStore(at: path, clock: clock)
      await clock.whenSleeping(1)
      clock.advance(by: .seconds(10))
      try await last.store.settled()
      #expect(last.done == ["tea"])
      #expect(try last.ends() == ["2.0 replaced"])
      try last.store.closeBlocking()
    }
  }

  @Test func `overdue actions are sent before the store is open, with an environment or not`()
    throws
  {
    for withDesk in [true, false] {
      try ScratchDirectory.with { folder in
        let clock = VirtualClock()
        try leave([.reminded("tea", after: .seconds(60))], at: folder + "/store", clock)
        clock.advance(by: .seconds(60))
        let errands = try ErrandStore(at: folder + "/store", clock: clock, withDesk: withDesk)
        #expect(errands.done == ["tea"])
        #expect(errands.inFlight.isEmpty)
        try errands.store.closeBlocking()
      }
    }
  }

  @Test func `a concatenation keeps its order over the end of a session`() async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      let errands = [
        Errand("a", ended: .send), Errand("b", ended: .run), Errand("c", ended: .send),
        Errand("d", ended: .drop),
      ]
      try leave([.inOrder(errands, after: .zero)], at: path, clock)
      let next = try ErrandStore(at: path, ["b": .waits], clock: clock)
      #expect(next.done == ["ended a"])
      #expect(next.inFlight.map(\.ordinal) == [1, 2])
      await next.desk.whenStarted(1)
      next.desk.release("b")
      try await next.store.settled()
      #expect(next.done == ["ended a", "done b", "ended c"])
      #expect(
        try next.ends() == ["2.0 replaced", "2.3 dropped", "2.1 finished", "2.2 replaced"])
      try next.store.closeBlocking()
    }
  }

  @Test func `a leaf that needs an environment waits for a session that has one`() async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      try leave([.together(policies)], at: path, clock)
      let without = try ErrandStore(at: path, clock: clock, withDesk: false)
      #expect(without.inFlight == [EffectLeafID(cause: 2, ordinal: 1)])
      try without.store.closeBlocking()
      let with = try ErrandStore(at: path, clock: clock)
      try await with.store.settled()
      #expect(with.desk.started == ["b"])
      try with.store.closeBlocking()
    }
  }

  @Test func `a session that ends with its commit leaves its effects to the next`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path)
      let receipt = try errands.store.transactBlocking(closing: true) { _, _ throws(Never) in
        [.together([Errand("a", ended: .run)])]
      }
      #expect(errands.inFlight.count == 1)
      await #expect(throws: StoreError.closed) { try await receipt.settled() }
      try errands.store.closeBlocking()
      #expect(errands.desk.started.isEmpty)
      let next = try ErrandStore(at: path)
      try await next.store.settled()
      #expect(next.done == ["done a"])
      try next.store.closeBlocking()
    }
  }

  @Test func `a session that ended is alive for others while its effects run`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .waits])
      try errands.store.sendBlocking([.together([Errand("a", ended: .run)])])
      await errands.desk.whenStarted(1)
      _ = try errands.store.transactBlocking(closing: true) { _, _ throws(Never) in [.noted("x")] }
      try errands.store.sendBlocking([.noted("y")])
      #expect(try errands.store.storage.holdsSessionLock(1))
      errands.desk.release("a")
      try await errands.store.settled()
      _ = try errands.store.transactBlocking(closing: true) { _, _ throws(Never) in [.noted("x")] }
      try errands.store.sendBlocking([.noted("z")])
      #expect(try !errands.store.storage.holdsSessionLock(1))
      try errands.store.closeBlocking()
    }
  }

  @Test func `a delay is not longer after the wall clock was set back`() async throws {
    try await ScratchDirectory.with { path in
      let late = VirtualClock(at: Moment(microseconds: 2_000_000_000_000_000))
      try leave([.reminded("tea", after: .seconds(60))], at: path, late)
      let clock = VirtualClock(at: Moment(microseconds: 1_000_000_000_000_000))
      let next = try ErrandStore(at: path, clock: clock)
      await clock.whenSleeping(1)
      clock.advance(by: .seconds(60))
      try await next.store.settled()
      #expect(next.done == ["tea"])
      try next.store.closeBlocking()
    }
  }

  @Test func `a check for ended sessions is not put off by a later one`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path)
      let runner = errands.store.writer.effects
      let (calls, continuation) = AsyncStream<String>.makeStream()
      runner.watch(after: .seconds(3_600)) { continuation.yield("late") }
      runner.watch(after: .seconds(1)) { continuation.yield("soon") }
      runner.watch(after: .seconds(60)) { continuation.yield("later") }
      await errands.clock.whenSleeping(1)
      errands.clock.advance(by: .seconds(7_200))
      var iterator = calls.makeAsyncIterator()
      #expect(await iterator.next() == "soon")
      #expect(errands.clock.sleeping == 0)
      try errands.store.closeBlocking()
    }
  }

  @Test func `effects in flight are kept when a store opens from a snapshot`() async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      let policy = SnapshotPolicy(interval: 20, closingInterval: 1)
      let first = try ErrandStore(
        at: path, ["a": .waits, "b": .waits, "c": .waits], clock: clock, snapshots: policy)
      for _ in 0..<30 { try first.store.sendBlocking([.noted("x")]) }
      try first.store.sendBlocking([.together(policies)])
      try first.store.sendBlocking([.reminded("tea", after: .seconds(60))])
      for _ in 0..<30 { try first.store.sendBlocking([.noted("y")]) }
      let left = first.inFlight
      try first.store.closeBlocking()
      let next = try ErrandStore(at: path, clock: clock, withDesk: false, snapshots: policy)
      #expect((next.store.snapshotUse.used ?? 0) > left[0].cause)
      #expect(left.count == 4 && next.inFlight == [left[1], left[3]])
      #expect(try next.replayedInFlight() == next.inFlight)
      try next.store.closeBlocking()
      let last = try ErrandStore(at: path, clock: clock, snapshots: policy)
      await clock.whenSleeping(1)
      clock.advance(by: .seconds(60))
      try await last.store.settled()
      #expect(Set(last.done.suffix(2)) == ["done b", "tea"])
      try last.store.closeBlocking()
    }
  }

  @Test func `a reducer that gains an effect puts no effect of earlier records in flight`() throws {
    var fold = Fold<HouseApp>()
    let moment = Moment(microseconds: 5)
    _ = fold.apply(.together(policies), at: moment, sequence: 1, hadEffect: false)
    #expect(fold.inFlight.isEmpty)
    _ = fold.apply(.together(policies), at: moment, sequence: 2)
    #expect(fold.inFlight.leaves.map(\.id.cause) == [2, 2, 2])
    #expect(try EffectsInFlight(encoded: fold.inFlight.encoded().span) == fold.inFlight)
  }
}

extension Int {
  fileprivate var toUInt64: UInt64 { UInt64(self) }
}
