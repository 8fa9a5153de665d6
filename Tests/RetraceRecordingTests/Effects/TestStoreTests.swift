import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTestSupport
import Testing

/// The store for tests of reducers finds what differs, and folds as stores do.
@Suite struct TestStoreTests {
  @Test func `what is expected passes, and leaves run by hand`() async throws {
    var store = TestStore<ErrandApp>()
    try store.send(.noted("one")) { $0.done = ["one"] }
    try store.send(
      .started(Errand("milk"), after: .seconds(5), id: "x"),
      effect: .run(Errand("milk")).delayed(by: .seconds(5)).cancellable("x"))
    #expect(store.leavesInFlight.map(\.name) == ["Errand"])
    #expect(await mismatch(of: "Errand", in: store)?.hasSuffix("is not due yet") == true)
    store.clock.advance(by: .seconds(5))
    try await store.run("Errand", in: ErrandDesk(), sending: [.noted("done milk")]) {
      $0.done.append("done milk")
    }
    try store.finish()
  }

  @Test func `another state, effect, answer or end is a mismatch that says what differs`() async {
    var store = TestStore<ErrandApp>()
    let state = #expect(throws: TestMismatch.self) {
      try store.send(.noted("one")) { $0.done = ["two"] }
    }
    #expect(state?.description.contains("one") == true)
    #expect(state?.description.contains("two") == true)
    #expect(throws: TestMismatch.self) { try store.send(.noted("two")) }
    #expect(throws: TestMismatch.self) { try store.send(.together([Errand("a")])) }
    #expect(throws: TestMismatch.self) {
      try store.send(.stopped(id: "x"), effect: .cancel("y"))
    }
    #expect(throws: TestMismatch.self) { try store.finish() }
    #expect(await mismatch(of: "Errand", in: store, sending: []) != nil)
    #expect(await mismatch(of: "Other", in: store) != nil)
  }

  @Test func `a leaf without the environment that it needs stays in flight`() async throws {
    var store = TestStore<ErrandApp>()
    try store.send(.together([Errand("milk")]), effect: .run(Errand("milk")))
    do {
      try await store.run("Errand")
      Issue.record("the leaf ran")
    } catch {
      #expect("\(error)".hasSuffix("needs an environment"))
    }
    #expect(store.leavesInFlight.map(\.name) == ["Errand"])
    try await store.run("Errand", in: ErrandDesk()) { $0.done = ["done milk"] }
    try store.finish()
  }

  /// What is wrong with running a leaf.
  private func mismatch(
    of name: String, in store: TestStore<ErrandApp>, sending actions: [ErrandAction]? = nil
  ) async -> String? {
    var copy = store
    do {
      try await copy.run(name, in: ErrandDesk(), sending: actions) { _ in }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `a cancellation and a restart leave the same in flight as in the log`() throws {
    var store = TestStore<ErrandApp>()
    let errands = [
      Errand("a", ended: .drop), Errand("b", ended: .run), Errand("c", ended: .send),
    ]
    try store.send(.together(errands), effect: Effect(.merge(errands.map { .run($0) })))
    try store.send(
      .reminded("tea", after: .seconds(9)),
      effect: .send(.noted("tea")).delayed(by: .seconds(9)).cancellable("reminder"))
    try store.restart { $0.done = ["ended c"] }
    #expect(store.inFlight.leaves.map(\.id.ordinal) == [1, 0])
    try store.send(.stopped(id: "reminder"), effect: .cancel("reminder"))
    #expect(store.leavesInFlight.count == 1)
  }
}
