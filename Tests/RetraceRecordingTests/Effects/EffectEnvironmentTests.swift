import RetraceState
import RetraceArchitecture
import RetraceLMDB
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Leaves that cannot run in a store without an environment.
@Suite struct EffectEnvironmentTests {
  /// Leaves errands in flight at a path, as a session that had a desk and ended.
  private func leave(_ actions: [HouseAction], at path: String, _ clock: VirtualClock) throws {
    let errands = try ErrandStore(
      at: path, ["a": .hangs, "b": .hangs, "note b": .hangs], clock: clock)
    _ = try errands.store.transactBlocking(closing: true) { _, _ throws(Never) in actions }
    try errands.store.closeBlocking()
  }

  /// Whether another process could settle the effects of a record.
  private func isFree(_ cause: Int, at path: String) throws -> Bool {
    let other = try ByteRangeLock.open(path + "/owner.lock")
    return try other.tryExclusive(at: cause)
  }

  @Test func `the leaves after one that cannot run are not waited for`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, withDesk: false)
      let store = errands.store
      let receipt = try await store.send(.inOrder([Errand("a"), Errand("note b")], after: .zero))
      // Else the wait would only end with the store.
      let end = Task {
        try await Task.sleep(for: .seconds(20))
        try store.closeBlocking()
      }
      try await receipt.settled()
      end.cancel()
      #expect(store.effectsInFlight.leaves.count == 2)
      try store.closeBlocking()
    }
  }

  @Test func `leaves that run beside one that cannot run are waited for`() async throws {
    try await ScratchDirectory.with { path in
      let errands = try ErrandStore(at: path, withDesk: false)
      let receipt = try await errands.store.send(.together([Errand("a"), Errand("note b")]))
      try await receipt.settled()
      #expect(errands.done == ["note b"])
      #expect(errands.inFlight.count == 1)
      try errands.store.closeBlocking()
    }
  }

  @Test func `an effect whose next leaf cannot run here is left to other processes`() throws {
    try ScratchDirectory.with { folder in
      let (path, clock) = (folder + "/store", VirtualClock())
      let parts = [Errand("a", ended: .run), Errand("note b", ended: .run)]
      try leave([.inOrder(parts, after: .zero)], at: path, clock)
      let errands = try ErrandStore(at: path, clock: clock, withDesk: false)
      #expect(errands.inFlight.count == 2)
      #expect(try isFree(2, at: path))
      try errands.store.closeBlocking()
    }
  }

  @Test func `an effect is left to others once what can run here has ended`() async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      try leave(
        [.together([Errand("a", ended: .run), Errand("note b", ended: .run)])], at: path, clock)
      let errands = try ErrandStore(at: path, clock: clock, withDesk: false)
      while errands.inFlight.count > 1 { try await Task.sleep(for: .milliseconds(1)) }
      var isFree = false
      for _ in 0..<5_000 where !isFree {
        isFree = try self.isFree(2, at: path)
        if !isFree { try await Task.sleep(for: .milliseconds(1)) }
      }
      #expect(isFree)
      #expect(errands.done == ["note b"])
      try errands.store.closeBlocking()
    }
  }

  @Test func `effects that could not be recovered on a full disk are left to other processes`()
    throws
  {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let clock = VirtualClock()
      try leave([.together([Errand("a", ended: .send)])], at: path, clock)
      let plan = LMDBFaultPlan()
      let storage = try LogStorage.open(at: path, access: .write, faults: plan)
      for operation in [LMDBError.Operation.put, .append] {
        plan.fail(.noSpace, atCall: 1, of: operation, persistent: true)
      }
      var configuration = StoreConfiguration(clock: { clock.moment })
      configuration.effectClock = clock
      let store = try Store<HouseApp>.open(
        over: storage, configuration: configuration, environment: HouseDesk([:]))
      #expect(store.effectsInFlight.leaves.count == 1)
      #expect(try isFree(2, at: path))
      plan.removeAll()
      store.abandon()
      let errands = try ErrandStore(at: path, clock: clock)
      #expect(errands.inFlight.isEmpty)
      try errands.store.closeBlocking()
    }
  }

  @Test func `a leaf that was dropped does not hold back the leaf after it`() async throws {
    try await ScratchDirectory.with { path in
      let clock = VirtualClock()
      try leave(
        [.inOrder([Errand("a", ended: .drop), Errand("note b", ended: .run)], after: .zero)],
        at: path, clock)
      let errands = try ErrandStore(at: path, clock: clock, withDesk: false)
      for _ in 0..<5_000 where !errands.inFlight.isEmpty {
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(errands.done == ["note b"])
      try errands.store.closeBlocking()
    }
  }
}
