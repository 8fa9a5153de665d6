import Foundation
import Retrace
import RetraceRecording
import RetraceTesting
import Testing

@testable import Listings

/// Runs the side of deciders of the tables of equivalents.
@Suite struct CartTests {
  @Test func `a command leads to facts, to a refusal, or to nothing`() throws {
    TestStore<CartApp>.given([.itemAdded("tea")]).when(.order).then([.ordered])
    TestStore<CartApp>.given([]).when(.order).then(refused: .isEmpty)
    TestStore<CartApp>.given([.itemAdded("tea")]).when(.addItem("tea")).then([])
  }

  @Test func `a store decides a command in its transaction`() async throws {
    let store = try Store<CartApp>.inMemory()
    let performed = try await store.perform(.addItem("tea"), key: "request-7")
    #expect(performed.facts == [.itemAdded("tea")])
    let repeated = try await store.perform(.addItem("tea"), key: "request-7")
    #expect(repeated.facts == [.itemAdded("tea")])
    #expect(store.state.items == ["tea"])
    await #expect(throws: CommandError<CartApp>.self) {
      try await store.perform(.addItem(""))
    }
    try await store.close()
  }

  @Test func `a log of the first build is read by its names, defaults and upcasters`()
    async throws
  {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "cart-\(UUID())").path
    defer { try? files.removeItem(atPath: folder) }
    let configuration = StoreConfiguration()
    let first = try await Store<FirstCartApp>.open(at: folder, configuration: configuration)
    try await first.send([.itemAdded("tea"), .looked, .addedFrom(shop: "A", item: "milk")])
    try await first.send(.confirmed)
    try await first.close()

    let verdict = try CartApp.verdict(onActionsOf: FirstCartFact.schema)
    #expect(verdict.isReadable)
    let store = try await Store<CartApp>.open(at: folder, configuration: configuration)
    #expect(store.state == CartState(items: ["tea", "milk"], pieces: 2, isOrdered: true))
    try await store.close()
  }
}
