import Retrace
import RetraceRecording
import RetraceTesting
import Testing

@testable import Listings

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
    try store.send(.items(.wanted), effect: effect) { $0.items.isLoading = true }
    let broken = ListDependencies(items: { throw Offline() }, log: { _ in })
    try await store.run("FindItems", in: broken, sending: [.items(.arrived([]))]) {
      $0.items.isLoading = false
    }
    try store.send(.items(.opened(Self.item.id))) { $0.stack.push(.detail(Self.item.id)) }
    try store.finish()
  }

  @Test func `a screen sees formatted values only`() async throws {
    let lines = Lines()
    let store = try Store<ItemApp>.inMemory()
    try await store.send(.items(.arrived([Self.item])))
    let shown = store.select({ $0.items.items }, map: { $0.map { ViewState($0) } }) { rows in
      for row in rows { lines.append("\(row.number): \(row.title)") }
    }
    #expect(lines.all == ["7: lamp"])
    shown.cancel()
    try await store.close()
  }

  @Test(arguments: [ListRoute.list, .detail(ItemID(value: 7))])
  func `the path of a route leads back to it`(route: ListRoute) {
    #expect(ListRoute(path: route.path) == route)
  }

  @Test(arguments: ["", "lists", "list/x", "list/1/2", "list/01"])
  func `a path that no route has makes no route`(path: String) {
    #expect(ListRoute(path: path) == nil)
  }
}
