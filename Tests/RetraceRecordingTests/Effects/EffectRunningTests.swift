import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceReplay
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Effects run after the action that caused them is durable, and their answers are records with a
/// cause.
@Suite struct EffectRunningTests {
  private let second = ElapsedTime.seconds(1)

  @Test(arguments: [1, 2_048])
  func `the answer of a leaf follows the record of its end, with its cause [E1] [S9] [E11]`(
    largeFrom: Int
  ) async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, largeFrom: largeFrom)
      let receipt = try await errands.store.send(
        .started(Errand("milk"), after: .zero, id: ""))
      try await receipt.settled()
      #expect(errands.done == ["done milk"])
      let records = try errands.records()
      #expect(
        records.dropFirst() == [
          SeenRecord(
            kind: .effectFinished, cause: 2, startsBatch: true, text: "2.0 finished"),
          SeenRecord(
            kind: .action, cause: 2, startsBatch: true,
            text: "\(HouseAction.noted("done milk"))"),
        ])
      #expect(errands.inFlight.isEmpty)
      try errands.store.closeBlocking()
    }
  }

  @Test
  func `merged leaves run at once, concatenated ones after the previous one's commit [E1, E4]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(
        at: path, ["a": .waits, "b": .waits, "c": .waits, "d": .waits])
      let (desk, store) = (errands.desk, errands.store)
      let merged = try await store.send(.together([Errand("a"), Errand("b")]))
      await desk.whenStarted(2)
      desk.release("b")
      desk.release("a")
      try await merged.settled()
      #expect(Set(errands.done) == ["done a", "done b"])
      let joined = try await store.send(.inOrder([Errand("c"), Errand("d")], after: .zero))
      await desk.whenStarted(3)
      #expect(desk.started.last == "c")
      desk.release("d")
      #expect(try errands.replayedInFlight().count == 2)
      desk.release("c")
      try await joined.settled()
      #expect(Array(errands.done.dropFirst(2)) == ["done c", "done d"])
      try store.closeBlocking()
    }
  }

  @Test func `a delay is measured by the clock that was given [E7]`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path)
      let clock = errands.clock
      let receipt = try await errands.store.send(.reminded("tea", after: .seconds(60)))
      await clock.whenSleeping(1)
      clock.advance(by: .seconds(59))
      #expect(clock.sleeping == 1)
      #expect(errands.inFlight.count == 1)
      clock.advance(by: .seconds(1))
      try await receipt.settled()
      #expect(errands.done == ["tea"])
      let ordered = try await errands.store.send(
        .inOrder([Errand("a"), Errand("b")], after: second))
      await clock.whenSleeping(1)
      clock.advance(by: .seconds(1))
      await errands.desk.whenStarted(1)
      await clock.whenSleeping(1)
      #expect(errands.desk.started == ["a"])
      clock.advance(by: .seconds(1))
      try await ordered.settled()
      #expect(errands.done == ["tea", "done a", "done b"])
      try errands.store.closeBlocking()
    }
  }

  @Test func `work that is cancelled by its key ends at once and answers nothing [E5]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["x": .waits, "y": .hangs])
      let (desk, store) = (errands.desk, errands.store)
      let waiting = try await store.send(.started(Errand("x"), after: .zero, id: "one"))
      let hanging = try await store.send(.started(Errand("y"), after: .zero, id: "one"))
      let delayed = try await store.send(.started(Errand("z"), after: second, id: "one"))
      let other = try await store.send(.started(Errand("w"), after: second, id: "two"))
      await desk.whenStarted(2)
      await errands.clock.whenSleeping(2)
      try await store.send(.stopped(id: "one"))
      for receipt in [waiting, hanging, delayed] { try await receipt.settled() }
      #expect(desk.cancelled == ["x"])
      #expect(errands.inFlight == [EffectLeafID(cause: 5, ordinal: 0)])
      #expect(try errands.replayedInFlight() == errands.inFlight)
      // The leaf that ignores its cancellation answers later; the log shows that it was cancelled.
      desk.release("y")
      errands.clock.advance(by: .seconds(1))
      try await other.settled()
      try store.flushBlocking()
      #expect(errands.done == ["done w"])
      #expect(try errands.ends() == ["5.0 finished"])
      try store.closeBlocking()
    }
  }

  @Test func `of effects that replace one another under a key, only the last one answers [E5]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, ["a": .waits, "b": .waits, "c": .waits])
      var receipts: [Receipt<HouseApp>] = []
      for name in ["a", "b", "c"] {
        receipts.append(try await errands.store.send(.restarted(Errand(name), id: "search")))
      }
      #expect(errands.inFlight == [EffectLeafID(cause: 4, ordinal: 0)])
      for name in ["a", "b", "c"] { errands.desk.release(name) }
      for receipt in receipts { try await receipt.settled() }
      try errands.store.flushBlocking()
      #expect(errands.done == ["done c"])
      try errands.store.closeBlocking()
    }
  }

  @Test func `a leaf that was cancelled within its own commit never starts`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path)
      let receipt = try await errands.store.send([
        .started(Errand("a"), after: .zero, id: "one"), .stopped(id: "one"),
      ])
      try await receipt.settled()
      #expect(errands.desk.started.isEmpty)
      #expect(errands.inFlight.isEmpty)
      try errands.store.closeBlocking()
    }
  }
}
