// A medium shows routes with concurrency, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  public import RetraceAvro

  /// An object that shows routes on some medium and makes no decisions.
  ///
  /// A ``Router`` asks the coordinator of the topmost route for the coordinator of the next one, so
  /// coordinators form a chain that begins at the app's. A coordinator whose route contains a stack
  /// or tabs has a router of its own for these, which aims at them in ``aim(at:)`` and proceeds to
  /// them in ``present(_:)`` and ``update(_:)``.
  ///
  /// ```swift
  /// final class PrintingCoordinator: Coordinator {
  ///   func newRoute(_ entry: BackStack<ShopRoute>.Entry) -> (any Coordinator<ShopRoute>)? {
  ///     PrintingCoordinator()
  ///   }
  ///   func present(_ entry: BackStack<ShopRoute>.Entry) async { print("at \(entry.route.path)") }
  ///   func finish(_ entry: BackStack<ShopRoute>.Entry) async { print("left \(entry.route.path)") }
  /// }
  /// ```
  public protocol Coordinator<Route>: AnyObject {
    /// The routes that it shows.
    associatedtype Route: NavigationRoute

    /// Returns the coordinator of a route above this one, or `nil` to show the route in place.
    ///
    /// The router calls it once for each push. After `nil` the route counts as shown: the router
    /// updates and finishes it through this coordinator, and asks this coordinator for the next
    /// one.
    func newRoute(_ entry: BackStack<Route>.Entry) -> (any Coordinator<Route>)?

    /// Sets the target parameters of its own route, or of one that it shows in place; by default
    /// does nothing.
    ///
    /// The router calls it before each ``present(_:)`` and ``update(_:)``, and as soon as there are
    /// newer parameters, even during a step. So an inner router goes on to these, and does not
    /// present again what the user has dismissed meanwhile.
    func aim(at entry: BackStack<Route>.Entry)

    /// Shows the route for which this coordinator was made.
    func present(_ entry: BackStack<Route>.Entry) async

    /// Handles changed parameters of its own route or one that it shows in place; by default does
    /// nothing.
    func update(_ entry: BackStack<Route>.Entry) async

    /// Removes its own route, or one that it shows in place, and returns when the medium has done
    /// so.
    func finish(_ entry: BackStack<Route>.Entry) async
  }

  extension Coordinator {
    /// Does nothing: the route contains no stack.
    public func aim(at entry: BackStack<Route>.Entry) {}

    /// Does nothing: what the medium shows does not depend on the parameters.
    public func update(_ entry: BackStack<Route>.Entry) async {}
  }

  /// An object that shows tabs on some medium and makes no decisions.
  ///
  /// ```swift
  /// final class PrintingTabs: TabCoordinator {
  ///   func newTab(_ tab: ShopTab) -> any Coordinator<ShopRoute> { PrintingCoordinator() }
  ///   func select(_ tab: ShopTab) async { print("\(tab)") }
  /// }
  /// ```
  public protocol TabCoordinator<Tab, Route>: AnyObject {
    /// The tabs.
    associatedtype Tab: Recordable & Hashable & CaseIterable
    /// The routes in the tabs.
    associatedtype Route: NavigationRoute

    /// Returns the coordinator that is asked for the root of a tab's stack; called once for each
    /// tab.
    func newTab(_ tab: Tab) -> any Coordinator<Route>

    /// Shows the stack of a tab, and returns when the medium has done so.
    func select(_ tab: Tab) async
  }
#endif
