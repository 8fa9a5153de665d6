import Retrace

struct ItemID: EntityID { var value: Int64 }

struct Item: Recordable, Hashable {
  var id: ItemID
  var name: String
}

struct ListState: RecordedState {
  var items: [Item] = []
  var isLoading: Bool = false
}

enum ListEvent: Recordable, Equatable {
  case wanted
  case arrived([Item])
  case opened(ItemID)
}

struct ListDependencies: Sendable {
  var items: @Sendable () async throws -> [Item]
  var log: @Sendable (String) -> Void
}

struct ListReducer: Reducer {
  func reduce(_ state: inout ListState, _ event: ListEvent, at moment: Moment)
    -> Effect<ListEvent, ListDependencies>
  {
    switch event {
    case .wanted:
      state.items = []
      state.isLoading = true
      return .run(FindItems())
    case .arrived(let items):
      state.items = items
      state.isLoading = false
    case .opened: break
    }
    return .none
  }
}

struct FindItems: EffectLeaf {
  func run(in dependencies: ListDependencies) async -> [ListEvent] {
    dependencies.log("the list is read")
    return [.arrived((try? await dependencies.items()) ?? [])]
  }
}

struct ViewState: Equatable {
  var isStarred: Bool = false
  var title: String = ""
  var picture: String?
  var kinds: [String] = []
  var number: Int64 = 0
}

extension ViewState {
  init(_ item: Item) {
    title = item.name
    number = item.id.value
  }
}

enum ListRoute: NavigationRoute {
  case list
  case detail(ItemID)

  var path: String {
    switch self {
    case .list: "list"
    case .detail(let id): "list/\(id.value)"
    }
  }
}

struct ItemState: RecordedState, Composed {
  var items: ListState = ListState()
  var stack: BackStack<ListRoute> = BackStack(root: .list)
}

enum ItemEvent: Recordable, Equatable, Composed { case items(ListEvent) }

struct ItemReducer: UpdatingReducer {
  var body: some Reducer<ItemState, ItemEvent, ListDependencies> {
    Scope({ $0.items }, action: { $0.items }) { ListReducer() }
    Update(self)
  }

  func update(
    _ state: inout ItemState, _ event: ItemEvent, at moment: Moment
  ) -> Effect<ItemEvent, ListDependencies> {
    if case .items(.opened(let id)) = event { state.stack.push(.detail(id)) }
    return .none
  }
}

enum ItemApp: ReplayableApp {
  typealias Environment = ListDependencies
  typealias Route = ListRoute

  static var name: String { "items" }
  static var build: String { "1" }
  static var initialState: ItemState { ItemState() }
  static var reducer: ItemReducer { ItemReducer() }

  static func scenes(in state: ItemState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(of scene: SceneID, in state: ItemState) -> BackStack<ListRoute>? {
    scene.value == 0 ? state.stack : nil
  }

  static func screen(
    of scene: SceneID, in state: ItemState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(state.items.items.map { Screen.Line($0.name) }, size: size)
  }
}
