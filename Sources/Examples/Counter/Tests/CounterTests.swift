import Counter
import Foundation
import Retrace
import RetraceRecording
import RetraceReplay
import RetraceStorage
import RetraceTesting
import Testing

@Suite struct CounterTests {
  private static let apples = CounterID(value: 0)

  /// Seven apples and no pears.
  private static var fruits: CounterState {
    var state = CounterState()
    state.counters.insert(Count(name: "apples", value: 7))
    state.counters.insert(Count(name: "pears", value: 0))
    return state
  }

  @Test func `each action changes the state as expected`() {
    var store = TestStore<CounterApp>()
    store.send(.added(name: "apples")) {
      $0.counters.insert(Count(name: "apples", value: 0))
    }
    store.send(.counted(Self.apples, by: 3)) {
      $0.counters.modify(Self.apples) { $0.value = 3 }
    }
    store.send(.opened(Self.apples)) { $0.stack.push(.one(Self.apples)) }
    store.send(.closed) { $0.stack.popToRoot() }
    // The same counter again is another entry, so an answer for the first one does not reach it.
    store.send(.opened(Self.apples)) { $0.stack.push(.one(Self.apples)) }
    #expect(store.state.stack.topID == RouteID(value: 2))
    store.finish()
  }

  @Test func `every property with an initial value is an optional argument`() {
    let state = CounterState(refused: 2)
    #expect(state.fact == .nothing && state.stack == CounterState().stack && state.refused == 2)
    #expect(CounterState(fact: .loading).fact == .loading)
  }

  @Test func `a store in memory is a test, and is verified`() async throws {
    let recorded = try Store<CounterApp>.inMemory()
    try await recorded.send([.added(name: "apples"), .counted(Self.apples, by: 3)])
    var store = try TestStore<CounterApp>.replaying(recorded.storage)
    #expect(store.state == recorded.state)
    store.send(.counted(Self.apples, by: 4)) { $0.counters.modify(Self.apples) { $0.value = 7 } }
    store.finish()
    #expect(try Verifier<CounterApp>.verify(recorded.storage).firstDivergence == nil)
    try await recorded.close()
  }

  @Test func `an unexpected change is an issue`() {
    var store = TestStore<CounterApp>()
    withKnownIssue {
      store.send(.added(name: "apples")) {
        $0.counters.insert(Count(name: "pears", value: 0))
      }
    }
  }

  @Test(
    arguments: [
      CounterAction.counted(apples, by: 1), .opened(apples), .marked(apples, isFavourite: true),
      .factAsked(apples),
    ])
  func `an action on an unknown counter is counted as refused`(action: CounterAction) {
    var store = TestStore<CounterApp>()
    store.send(action) { $0.refused = 1 }
  }

  @Test func `the window shows all counters, or the opened one`() {
    var store = TestStore<CounterApp>()
    store.send(.added(name: "apples")) {
      $0.counters.insert(Count(name: "apples", value: 0))
    }
    #expect(Self.text(of: store.state) == ["apples: 0"])
    store.send(.opened(Self.apples)) { $0.stack.push(.one(Self.apples)) }
    #expect(Self.text(of: store.state) == ["apples alone: 0"])
  }

  @Test func `favourites are marked, and the error of an effect is shown until dismissed [X3]`()
    async
  {
    let environment = CounterEnvironment { _ throws(FactError) in throw FactError("it rains.") }
    var store = TestStore<CounterApp>(state: Self.fruits, environment: environment)
    store.send(.marked(Self.apples, isFavourite: true)) {
      $0.counters.modify(Self.apples) { $0.isFavourite = true }
    }
    store.send(.factAsked(Self.apples)) { $0.fact = .loading }
    // A second fact while the first is looked for is refused, and there is nothing to dismiss.
    store.send(.factAsked(Self.apples)) { $0.refused = 1 }
    store.send(.factDismissed)
    await store.receive(.factFailed("it rains.")) { $0.fact = .failed("it rains.") }
    #expect(Self.text(of: store.state) == ["★ apples: 7", "pears: 0", "No fact: it rains."])
    store.send(.marked(Self.apples, isFavourite: false)) {
      $0.counters.modify(Self.apples) { $0.isFavourite = false }
    }
    store.send(.factDismissed) { $0.fact = .nothing }
    #expect(Self.text(of: store.state) == ["apples: 7", "pears: 0"])
    store.finish()
  }

  @Test func `a fact is about the number when it was asked for, and is shown [X3]`() async {
    let environment = CounterEnvironment { number in "\(number) is a number." }
    var store = TestStore<CounterApp>(state: Self.fruits, environment: environment)
    store.send(.factAsked(Self.apples)) { $0.fact = .loading }
    #expect(Self.text(of: store.state).last == "Looking for a fact...")
    store.send(.counted(Self.apples, by: 1)) {
      $0.counters.modify(Self.apples) { $0.value = 8 }
    }
    await store.receive(.factFound("7 is a number.")) { $0.fact = .loaded("7 is a number.") }
    #expect(Self.text(of: store.state) == ["apples: 8", "pears: 0", "7 is a number."])
    store.finish()
  }

  @Test(
    arguments: [
      CounterAction.added(name: "Äpfel"), .counted(apples, by: .min), .opened(apples), .closed,
      .marked(apples, isFavourite: true), .factAsked(apples), .factFound("é"), .factFailed(""),
      .factDismissed,
    ])
  func `a decoded action equals the encoded one`(action: CounterAction) throws {
    let bytes = action.encoded()
    let decoded = try CounterAction(encoded: bytes.span)
    #expect(decoded == action)
  }

  @Test func `a recorded store replays to the same state`() throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "counter-\(UUID())").path
    defer { try? files.removeItem(atPath: folder) }
    let recorded = try withSeed { random in
      let store = try Store<CounterApp>.openBlocking(
        at: folder, configuration: StoreConfiguration())
      try store.sendBlocking([.added(name: "apples"), .added(name: "pears")])
      for _ in 0..<100 {
        let id = CounterID(value: Int64.random(in: 0...2, using: &random))
        try store.sendBlocking([.counted(id, by: Int64.random(in: -9...9, using: &random))])
      }
      let state = store.state
      try store.closeBlocking()
      return state
    }
    let storage = try LogStorage.open(at: folder, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<CounterApp>(storage)
    try replayer.seek(to: replayer.last)
    let replayed = replayer.state
    #expect(replayed == recorded)
    #expect(try Verifier<CounterApp>.verify(storage).firstDivergence == nil)
  }

  /// Returns the lines of the only window.
  private static func text(of state: CounterState) -> [String] {
    CounterApp.screen(
      of: SceneID(value: 0), in: state, at: Moment(microseconds: 0),
      size: Screen.Size(columns: 80, rows: 24)
    ).canvas.lines
  }
}
