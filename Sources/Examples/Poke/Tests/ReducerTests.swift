import PokeInjection
import PokeServices
import Retrace
import RetraceTesting
import Testing

@testable import Poke
@testable import PokeModels
@testable import PokeDomain

@Suite struct ReducerTests {
  private static let window = SceneID(value: 0)
  private static let (aldrim, bexil) = (CreatureID(value: 0), CreatureID(value: 1))
  private let environment = PokeEnvironment(
    bundle: .bundled(), server: .failing("The server is away."))

  /// The effect that loads a page.
  private static func load(_ page: Int64, from source: CreatureSource = .bundle)
    -> EffectOf<PokeReducer>
  {
    EffectOf<ListReducer>.run(LoadPage(number: page, source: source))
      .cancellable("page", cancelInFlight: true).map(CaseEmbedding<PokeAction.Parts._list>())
  }

  /// The effect that loads the details of a creature.
  private static func details(_ id: CreatureID) -> EffectOf<PokeReducer> {
    EffectOf<ItemReducer>.run(LoadDetails(number: id.value + 1, source: .bundle))
      .map(ElementEmbedding<PokeAction.Parts._item>(id: id))
  }

  /// Adds the creatures of a page of the bundle to a state.
  private func add(_ page: CreaturePage, _ number: Int64, to state: inout PokeState) {
    for item in page.creatures {
      state.creatures.insert(Creature(number: item.number, name: item.name))
    }
    state.list.pageCount = number
    state.list.isLoading = false
    state.list.isComplete = !page.hasMore
  }

  /// Returns a store with a window and the first page.
  private func opened() async throws -> TestStore<PokeApp> {
    var store = TestStore<PokeApp>()
    store.send(.windowOpened(Self.window)) {
      $0.windows[Self.window] = PokeWindow(isWelcoming: true)
    }
    store.send(.list(.appeared), effect: Self.load(1)) { $0.list.isLoading = true }
    let page = try await environment[.bundle].page(1)
    await store.run(
      "LoadPage", in: environment, sending: [.list(.pageLoaded(1, page))]
    ) { add(page, 1, to: &$0) }
    return store
  }

  @Test func `pages accumulate in the state until the list has all [X2]`() async throws {
    var store = try await opened()
    store.send(.list(.appeared))
    for number in [Int64(2), 3] {
      let page = try await environment[.bundle].page(number)
      store.send(.list(.moreWanted), effect: Self.load(number)) { $0.list.isLoading = true }
      // A page that is on its way is not asked for twice.
      store.send(.list(.moreWanted))
      await store.run("LoadPage", in: environment) { add(page, number, to: &$0) }
      // The second of two equal answers changes nothing.
      store.send(.list(.pageLoaded(number, page)))
    }
    #expect(store.state.creatures.count == 20)
    store.send(.list(.moreWanted))
    store.finish()
  }

  @Test func `a creature that two pages have is in the list once`() {
    var store = TestStore<PokeApp>()
    let item = CreaturePage.Item(number: 7, name: "Glimmox")
    let page = CreaturePage(creatures: [item, item], hasMore: true)
    store.send(.list(.pageLoaded(1, page))) {
      $0.creatures.insert(Creature(number: 7, name: "Glimmox"))
      $0.list.pageCount = 1
    }
  }

  @Test func `a page that does not come tells why, and comes from another source [X2]`()
    async throws
  {
    var store = try await opened()
    store.send(.list(.sourceChosen(.server))) { $0.list.source = .server }
    store.send(.list(.moreWanted), effect: Self.load(2, from: .server)) {
      $0.list.isLoading = true
    }
    await store.run("LoadPage", in: environment) {
      $0.list.isLoading = false
      $0.list.problem = "The server is away."
    }
    #expect(store.state.creatures.count == 8)
    store.send(.list(.sourceChosen(.bundle)), effect: Self.load(2)) {
      $0.list.source = .bundle
      $0.list.isLoading = true
      $0.list.problem = nil
    }
    // The page on its way is cancelled, and asked of the other source.
    store.send(.list(.sourceChosen(.server)), effect: Self.load(2, from: .server)) {
      $0.list.source = .server
    }
    #expect(store.leavesInFlight.map(\.name) == ["LoadPage"])
  }

  @Test func `favourites are added and removed [X2]`() async throws {
    var store = try await opened()
    store.send(.item(Self.bexil, .favouriteAdded)) {
      $0.creatures.modify(Self.bexil) { $0.isFavourite = true }
    }
    store.send(.item(Self.bexil, .favouriteAdded))
    store.send(.item(Self.bexil, .favouriteRemoved)) {
      $0.creatures.modify(Self.bexil) { $0.isFavourite = false }
    }
    store.send(.item(CreatureID(value: 99), .favouriteAdded)) {
      $0.missing = MissingTarget(type: "Creature", id: 99)
    }
    store.finish()
  }

  @Test func `the details of several creatures and a page are in flight together [X2]`()
    async throws
  {
    var store = try await opened()
    for id in [Self.aldrim, Self.bexil] {
      store.send(.item(id, .detailsWanted(.bundle)), effect: Self.details(id)) {
        $0.creatures.modify(id) { $0.details = .loading }
      }
      store.send(.item(id, .detailsWanted(.bundle)))
    }
    store.send(.list(.moreWanted), effect: Self.load(2)) { $0.list.isLoading = true }
    #expect(store.leavesInFlight.map(\.name) == ["LoadDetails", "LoadDetails", "LoadPage"])
    let details = try await environment[.bundle].details(1)
    await store.run("LoadDetails", in: environment) {
      $0.creatures.modify(Self.aldrim) { $0.details = .loaded(details) }
    }
    await store.run(
      "LoadDetails", in: PokeEnvironment(bundle: .failing("It is gone."), server: .bundled())
    ) {
      $0.creatures.modify(Self.bexil) { $0.details = .failed("It is gone.") }
    }
    store.send(.item(Self.bexil, .detailsWanted(.bundle)), effect: Self.details(Self.bexil)) {
      $0.creatures.modify(Self.bexil) { $0.details = .loading }
    }
    // What is on its way when the program ends is loaded again.
    store.restart()
    #expect(store.leavesInFlight.count == 2)
  }

  @Test func `the welcome ends in all windows, and a new one has none [X2]`() {
    var store = TestStore<PokeApp>()
    let other = SceneID(value: 1)
    for id in [Self.window, other] {
      store.send(.windowOpened(id)) { $0.windows[id] = PokeWindow(isWelcoming: true) }
    }
    store.send(.welcomed) {
      $0.isWelcomed = true
      for id in [Self.window, other] { $0.windows[id]?.stack.pop() }
    }
    store.send(.windowOpened(SceneID(value: 2))) {
      $0.windows[SceneID(value: 2)] = PokeWindow(isWelcoming: false)
    }
    store.send(.windowOpened(other))
    store.send(.window(other, .opened(.welcome))) { $0.windows[other]?.stack.push(.welcome) }
    store.send(.welcomed) { $0.windows[other]?.stack.pop() }
  }

  @Test func `a screen is opened and left; the rows that it shows move`() async throws {
    var store = try await opened()
    let id = Self.window
    store.send(.welcomed) {
      $0.isWelcomed = true
      $0.windows[id]?.stack.pop()
    }
    let row = ListState(selected: 3)
    store.send(.window(id, .moved(row))) { $0.windows[id]?.list = row }
    store.send(.window(id, .opened(.favourites))) { $0.windows[id]?.stack.push(.favourites) }
    store.send(.window(id, .opened(.favourites)))
    store.send(.window(id, .moved(ListState(selected: 1)))) {
      $0.windows[id]?.favourites = ListState(selected: 1)
    }
    store.send(.window(id, .left)) { $0.windows[id]?.stack.pop() }
    store.send(.window(id, .left))
  }
}
