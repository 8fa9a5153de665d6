import Retrace

// MARK: Routes

/// The tabs of a shop.
enum ShopTab: Recordable, CaseIterable {
  case goods
  case basket
}

/// The routes of the shop; a product has parameters, which the customer edits.
enum ShopRoute: NavigationRoute {
  case goods
  case basket
  case product(ProductPage)
}

/// The page of one product.
struct ProductPage: Recordable, Hashable {
  var number: Int64
  var amount: Int64 = 1
}

/// What the window of the shop shows: a stack for each tab.
struct ShopState: Recordable, Equatable {
  var tabs: TabStacks<ShopTab, ShopRoute>
  var missing: [MissingTarget] = []

  init() {
    tabs = TabStacks(selected: .goods) { tab in tab == .goods ? .goods : .basket }
  }
}

extension ShopState: ReportsMissingTarget {
  mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }
}

/// The actions of the shop.
enum ShopAction: Recordable, Equatable {
  case selected(ShopTab)
  case opened(ProductPage)
  case dismissed(RouteID)
  case screen(RouteID, ShopScreenAction)
}

/// The actions of the shop's screens.
enum ShopScreenAction: Recordable, Equatable {
  case product(ProductAction)
}

/// The actions of the page of one product.
enum ProductAction: Recordable, Equatable {
  case amountChosen(Int64)
}

/// The reducer of the stacks.
struct ShopReducer: Reducer {
  func reduce(
    _ state: inout ShopState, _ action: ShopAction, at moment: Moment
  ) -> Effect<ShopAction, NoteServer> {
    switch action {
    case .selected(let tab): state.tabs.select(tab, again: TabReselection.popToRoot)
    case .opened(let page): state.tabs.modify(.goods) { $0.push(.product(page)) }
    case .dismissed(let id):
      if let tab = state.tabs.tab(of: id) { state.tabs.modify(tab) { $0.pop(through: id) } }
    case .screen: break
    }
    return .none
  }
}

/// The reducer of the page of one product.
struct ProductReducer: Reducer {
  func reduce(
    _ state: inout ProductPage, _ action: ProductAction, at moment: Moment
  ) -> Effect<ProductAction, NoteServer> {
    switch action {
    case .amountChosen(let amount): state.amount = max(1, amount)
    }
    return .none
  }
}

/// The place of the shop's routes, in whichever tab they are.
enum ShopRoutes: RouteScope {
  static func extract(_ action: ShopAction) -> (id: RouteID, action: ShopScreenAction)? {
    if case .screen(let id, let action) = action { (id, action) } else { nil }
  }
  static func embed(_ action: ShopScreenAction, for id: RouteID) -> ShopAction {
    .screen(id, action)
  }
  static func with<Result>(
    _ parent: inout ShopState, _ id: RouteID, _ body: (inout ShopRoute) -> Result
  ) -> Result? { parent.tabs.modify(id, body) }
}

/// The case of a route that is the page of a product.
enum ProductCase: ScreenScope {
  static func extract(_ action: ShopScreenAction) -> ProductAction? {
    switch action {
    case .product(let action): action
    }
  }
  static func embed(_ action: ProductAction) -> ShopScreenAction { .product(action) }
  static func with<Result>(
    _ route: inout ShopRoute, _ body: (inout ProductPage) -> Result
  ) -> Result? {
    guard case .product(var page) = route else { return nil }
    route = .goods
    defer { route = .product(page) }
    return body(&page)
  }
}

/// Returns the reducer of the page of every product on a stack.
func everyProduct() -> ForEachRoute<ProductReducer, ShopRoutes, ProductCase> {
  ProductReducer().forEachRoute(in: ShopRoutes.self, through: ProductCase.self)
}

/// Returns an effect that resets the amount on one page after a minute, and on no other.
func resetAmount(on id: RouteID) -> Effect<ShopAction, NoteServer> {
  let reset: Effect<ProductAction, NoteServer> = .send(.amountChosen(1)).delayed(by: .seconds(60))
  return reset.map(RouteEmbedding<ShopRoutes, ProductCase>(id: id))
}

// MARK: Links

extension ShopRoute: LinkedRoute {
  var link: DeepLink {
    switch self {
    case .goods: DeepLink("goods")
    case .basket: DeepLink("basket")
    case .product(let page):
      DeepLink("goods", "\(page.number)").item("amount", page.amount == 1 ? nil : page.amount)
    }
  }

  init(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
    if reader.take("basket") {
      self = .basket
    } else if reader.take("goods") {
      if reader.isAtEnd {
        self = .goods
      } else {
        let number = try reader.component(Int64.self)
        self = .product(ProductPage(number: number, amount: try reader.item("amount") ?? 1))
      }
    } else {
      throw reader.unknownComponent
    }
  }
}

/// Returns the stack that a link leads to, such as `shop://goods/7?amount=2`.
func stack(of text: String) throws(DeepLinkError) -> BackStack<ShopRoute> {
  let route = try ShopRoute(DeepLink(parsing: text, scheme: "shop"))
  guard case .product = route else { return BackStack(root: route) }
  return BackStack(root: .goods, pushed: [route])
}

/// Returns the names of a link's items.
func itemNames(of link: DeepLink) -> [String] {
  link.items.map { (item: DeepLink.Item) in item.name }
}

// MARK: Coordinators

/// The coordinator of a screen of the shop, which writes a line for each step.
final class ShopCoordinator: Coordinator {
  private let write: (String) -> Void

  init(writingTo write: @escaping (String) -> Void) { self.write = write }

  func newRoute(_ entry: BackStack<ShopRoute>.Entry) -> (any Coordinator<ShopRoute>)? {
    ShopCoordinator(writingTo: write)
  }

  func present(_ entry: BackStack<ShopRoute>.Entry) async {
    write("now at \(entry.route.path)")
  }

  func finish(_ entry: BackStack<ShopRoute>.Entry) async {
    write("left \(entry.route.path)")
  }
}

/// The coordinator of the shop's tabs.
final class ShopTabs: TabCoordinator {
  func newTab(_ tab: ShopTab) -> any Coordinator<ShopRoute> {
    ShopCoordinator { line in print("\(tab): \(line)") }
  }

  func select(_ tab: ShopTab) async { print("\(tab)") }
}

/// Shows a state of the shop, registers that the user went back, and returns the action to send.
func goBack(
  in router: TabRouter<ShopTab, ShopRoute>, showing state: ShopState
) async -> ShopAction? {
  await router.show(state.tabs)
  let goods: Router<ShopRoute> = router.router(of: .goods)
  return goods.userDismissed().map { id in .dismissed(id) }
}

/// Returns how many routes a change of state presents.
func presentedRoutes(from old: ShopState, to new: ShopState) -> Int {
  let steps: [TabStacks<ShopTab, ShopRoute>.Step] = old.tabs.steps(to: new.tabs)
  let pop: BackStack<ShopRoute>.Step = .pop
  return steps.count(where: { step in
    if case .inTab(_, let inner) = step { inner != pop } else { false }
  })
}
