import Retrace

// MARK: Routes

/// The tabs of a shop.
enum ShopTab: Recordable, CaseIterable {
  case goods
  case basket
}

/// The routes of the shop; a product has parameters, which the customer edits.
enum ShopRoute: NavigationRoute, Composed {
  case goods
  case basket(Basket)
  case product(ProductPage)
}

/// The page of one product.
struct ProductPage: Recordable, Hashable {
  var number: Int64
  var amount: Int64 = 1
}

/// The basket, with a code that the customer types.
struct Basket: Recordable, Hashable {
  var code: TextDraft = TextDraft()  // recorded: no default
}

/// What the window of the shop shows: a stack for each tab.
struct ShopState: Recordable, Equatable, Composed {
  var tabs: TabStacks<ShopTab, ShopRoute>
  var missing: [MissingTarget] = []

  init() {
    tabs = TabStacks(selected: .goods) { tab in tab == .goods ? .goods : .basket(Basket()) }
  }
}

extension ShopState: ReportsMissingTarget {
  mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }
}

/// The actions of the shop.
enum ShopAction: Recordable, Equatable, Composed {
  case selected(ShopTab)
  case opened(ProductPage)
  case dismissed(RouteID)
  case screen(RouteID, ShopScreenAction)
}

/// The actions of the shop's screens.
enum ShopScreenAction: Recordable, Equatable, Composed {
  case product(ProductAction)
  case basket(BasketAction)
}

/// The actions of the page of one product.
enum ProductAction: Recordable, Equatable {
  case amountChosen(Int64)
}

/// The actions of the basket.
enum BasketAction: Recordable, Equatable {
  case codeEdited(TextReplacement)
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

/// The reducer of the basket.
struct BasketReducer: Reducer {
  func reduce(
    _ state: inout Basket, _ action: BasketAction, at moment: Moment
  ) -> Effect<BasketAction, NoteServer> {
    switch action {
    case .codeEdited(let edit): state.code.apply(edit)
    }
    return .none
  }
}

/// The screens of the shop.
struct ShopScreens: RouteReducer {
  var body: some RouteReducer<ShopRoute, ShopScreenAction, NoteServer> {
    IfRoute(\.product, action: \.product) { ProductReducer() }
    IfRoute(\.basket, action: \.basket) { BasketReducer() }
  }
}

/// The reducer of the shop: the screens first, then the stacks, which may pop a screen.
struct ShopWindow: Reducer {
  var body: some Reducer<ShopState, ShopAction, NoteServer> {
    ForEachRoute(\.tabs, action: \.screen) { ShopScreens() }
    ShopReducer()
  }
}

/// Changes a route of any type of stack, as `ForEachRoute` does.
func modify<Routes: RouteStorage>(
  _ routes: inout Routes, _ id: RouteID, _ body: (inout Routes.Route) -> Void
) -> Bool {
  routes.modify(id, body) != nil
}

/// Returns an effect that resets the amount on one page after a minute, and on no other.
func resetAmount(on id: RouteID) -> Effect<ShopAction, NoteServer> {
  let reset: Effect<ProductAction, NoteServer> = .send(.amountChosen(1)).delayed(by: .seconds(60))
  return reset.map(CaseEmbedding<ShopScreenAction.Parts._product>())
    .map(ElementEmbedding<ShopAction.Parts._screen>(id: id))
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
      self = .basket(Basket())
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
    ShopCoordinator { line in print(SafeText.line("\(tab): \(line)")) }
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
