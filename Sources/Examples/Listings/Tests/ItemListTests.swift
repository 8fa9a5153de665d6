import Retrace
import RetraceRecording
import RetraceTesting
import Testing

@testable import Listings

/// Returns the view model of a list.
private func listScreen(of store: Store<ItemApp>) -> StoreView<[ViewState], ListEvent> {
  store.view({ $0.items.items }, map: { $0.map { ViewState($0) } }, action: ItemEvent.items)
}

/// Runs the listings of the page *Coming from Poke*.
@Suite struct ItemListTests {
  private struct Offline: Error {}

  private static let item = Item(id: ItemID(value: 7), name: "lamp")

  @Test func `an event leads to a service, and its answer to the state`() async throws {
    let lines = Lines()
    let dependencies = ListDependencies(
      items: { [Self.item] }, log: { line in lines.append(line) })
    let store = try Store<ItemApp>.inMemory(environment: dependencies)
    let names = Lines()
    let observation = store.observe { state in
      names.append(state.items.items.map(\.name).joined(separator: " "))
    }
    try await store.send(.items(.wanted)).settled()
    try await store.flush()
    #expect(store.state.items.items == [Self.item])
    #expect(names.all == ["", "", "lamp"])
    #expect(lines.all == ["the list is read"])
    observation.cancel()
    try await store.close()
  }

  @Test func `a service that fails leaves an empty list`() async throws {
    var store = TestStore<ItemApp>()
    let effect = Effect<ListEvent, ListDependencies>.run(FindItems())
      .map(CaseEmbedding<ItemEvent.Parts._items>())
    store.send(.items(.wanted), effect: effect) { $0.items.isLoading = true }
    let broken = ListDependencies(items: { throw Offline() }, log: { _ in })
    await store.run("FindItems", in: broken, sending: [.items(.arrived([]))]) {
      $0.items.isLoading = false
    }
    store.send(.items(.opened(Self.item.id))) { $0.stack.push(.detail(Self.item.id)) }
    store.finish()
  }

  @Test func `a screen sees formatted values only, of a store or of a test`() async throws {
    let store = try Store<ItemApp>.inMemory()
    let screen = listScreen(of: store)
    try await screen.send(.arrived([Self.item]))
    #expect(screen.state.map(\.title) == ["lamp"])
    let mock = StoreView<[ViewState], ListEvent>([ViewState(Self.item)])
    #expect(mock.state.map(\.title) == ["lamp"])
    try await store.close()
  }

  @Test @MainActor func `an app with a run loop observes a store on the main actor`() async throws {
    let store = try Store<ItemApp>.inMemory()
    let items = MainActorStore(store)
    #expect(items.state.items.items.isEmpty)
    _ = try await items.send(.items(.arrived([Self.item]))).value
    #expect(store.state.items.items == [Self.item])
    try await store.close()
  }

  @Test func `a selector maps an input once`() {
    let titles = Selector({ (state: ItemState) in state.items.items }) { $0.map(\.name) }
    let state = ItemState(items: ListState(items: [Self.item]))
    #expect(titles(state) == ["lamp"] && titles(state) == ["lamp"])
    #expect(titles.recomputations == 1)
  }
}
