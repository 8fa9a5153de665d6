import Retrace

struct CartState: RecordedState {
  var items: [String] = []
  var pieces: Int64 = 0
  var isOrdered: Bool = false
}

enum CartFact: Recordable, Equatable {
  case itemAdded(String, count: Int64 = 1)
  case ordered  // recorded: was confirmed
}

enum CartCommand: Recordable, Equatable {
  case addItem(String)
  case order
}

enum CartRefusal: Recordable, Error, Equatable {
  case isOrdered
  case isEmpty
  case hasNoName
}

struct CartDecider: Decider {
  func decide(
    _ command: CartCommand, on state: borrowing CartState, at moment: Moment
  ) throws(CartRefusal) -> [CartFact] {
    if state.isOrdered { throw .isOrdered }
    switch command {
    case .addItem(let name):
      if name.isEmpty { throw .hasNoName }
      if state.items.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return [] }
      return [.itemAdded(name)]
    case .order:
      if state.items.isEmpty { throw .isEmpty }
      return [.ordered]
    }
  }
}

struct CartReducer: Reducer {
  func reduce(
    _ state: inout CartState, _ fact: CartFact, at moment: Moment
  ) -> Effect<CartFact, Never> {
    switch fact {
    case .itemAdded(let name, let count):
      state.items.append(name)
      state.pieces &+= count
    case .ordered: state.isOrdered = true
    }
    return .none
  }
}

enum CartApp: ReplayableApp {
  typealias Environment = Never
  typealias Route = ListRoute
  typealias SceneAction = Never

  static var name: String { "cart" }
  static var build: String { "2" }
  static var initialState: CartState { CartState() }
  static var reducer: CartReducer { CartReducer() }
  static var decider: CartDecider { CartDecider() }

  static func action(for sceneAction: Never) -> CartFact {}
  static func role(of action: CartFact) -> ActionRole<CartCommand> { .fact }

  static func scenes(in state: CartState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: CartState) -> BackStack<ListRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: CartState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(state.items.map { Screen.Line($0) }, size: size) }
}

extension CartApp {
  // Build 1 recorded an item of another shop as a case of its own.
  static var upcasters: [CaseName: Upcaster<CartFact>] {
    [CaseName("CartFact", "addedFrom"): addedFrom]
  }

  // Build 1 recorded that the user looked at the cart.
  static var retired: [CaseName: RetiredCase] { [CaseName("CartFact", "looked"): .skip] }

  @Sendable private static func addedFrom(
    _ payloads: AvroValue, _ record: RecordContext
  ) -> [CartFact] {
    guard case .string(let item)? = payloads["item"] else { return [] }
    return [.itemAdded(item)]
  }
}
