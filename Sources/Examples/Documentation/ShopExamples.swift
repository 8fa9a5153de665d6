// What the examples of navigation use: a shop with a list of products, their pages and a basket.

import Retrace

enum ShopTab: Recordable, CaseIterable { case goods, basket }

struct ProductPage: Recordable, Hashable {
  var number: Int64 = 0
  var amount: Int64 = 1
}

struct Basket: Recordable, Hashable { var code: TextDraft }

struct ShopState: Recordable, Equatable, Composed, ReportsMissingTarget {
  var stack: BackStack<ShopRoute>

  mutating func targetWasMissing(_ target: MissingTarget) {}
}

enum ShopAction: Recordable, Equatable, Composed { case screen(RouteID, ShopScreenAction) }

enum ProductAction: Recordable, Equatable { case amountChosen(Int64) }

enum BasketAction: Recordable, Equatable { case codeEdited(TextReplacement) }

struct ProductReducer: Reducer {
  func reduce(
    _ state: inout ProductPage, _ action: ProductAction, at moment: Moment
  ) -> Effect<ProductAction, Never> { .none }
}

struct BasketReducer: Reducer {
  func reduce(
    _ state: inout Basket, _ action: BasketAction, at moment: Moment
  ) -> Effect<BasketAction, Never> { .none }
}

enum BasketScreen: ScreenModule {
  typealias Route = Basket
  typealias Action = BasketAction
  static var reducer: BasketReducer { BasketReducer() }

  static func link(of route: Basket) -> DeepLink { DeepLink("basket") }
  static func route(reading reader: inout DeepLinkReader) -> Basket? {
    reader.take("basket") ? Basket(code: TextDraft()) : nil
  }
}
