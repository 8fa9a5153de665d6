public import RetraceAvro

/// A screen of an app: its parameters, its actions with their reducer, and its link.
///
/// It is an enum without cases, in the folder of the screen. A ``ScreenList`` has a line for each
/// screen; from the list, `Tools/generate` makes the routes and the actions of the app.
///
/// ```swift
/// enum ProductScreen: ScreenModule {
///   typealias Route = ProductPage
///   typealias Action = ProductAction
///   static var reducer: ProductReducer { ProductReducer() }
///
///   static func link(of route: ProductPage) -> DeepLink { DeepLink("goods", "\(route.number)") }
///   static func route(
///     reading reader: inout DeepLinkReader
///   ) throws(DeepLinkError) -> ProductPage? {
///     reader.take("goods") ? ProductPage(number: try reader.component()) : nil
///   }
/// }
/// ```
public protocol ScreenModule: SendableMetatype {
  /// The parameters of the screen: the payload of its route.
  associatedtype Route: Recordable, Hashable
  /// The actions of the screen.
  associatedtype Action: Recordable, Equatable
  /// The type of the reducer.
  associatedtype RouteReducer: Reducer
  where RouteReducer.State == Route, RouteReducer.Action == Action

  /// The reducer of the screen.
  static var reducer: RouteReducer { get }

  /// Returns the deep link of the screen.
  static func link(of route: Route) -> DeepLink

  /// Reads a deep link; returns `nil` for a link of another screen, however far it has read.
  ///
  /// - Throws: ``DeepLinkError`` if the link is of this screen and has an invalid value.
  static func route(reading reader: inout DeepLinkReader) throws(DeepLinkError) -> Route?
}

/// The screens of an app, a line for each.
///
/// From it, `Tools/generate` makes the routes, the actions of the screens and their reducer, named
/// after the list.
///
/// ```swift
/// enum ShopScreens: ScreenList {
///   typealias Environment = Never
///   case product(ProductScreen)
///   case basket(BasketScreen)
/// }
/// ```
///
/// This makes `ShopRoute`, which is a ``LinkedRoute``, `ShopScreenAction`, and `ShopScreensReducer`
/// for ``ForEachRoute``. A link is read by the first screen of the list that takes it.
///
/// If the list also declares `Frame`, the content of a screen, and `Context`, the input of a frame,
/// then each screen needs a function `frame(of:in:)` that creates the frame of a route in a
/// context. The list gets an internal function of that name, which calls the function of the
/// screen.
public protocol ScreenList: SendableMetatype {
  /// The environment of the effects of all screens.
  associatedtype Environment: Sendable
  /// The routes; generated.
  associatedtype Route: LinkedRoute
}
