public import RetraceAvro
public import RetraceState

/// A collection of routes that are found by the ids that they got when they were pushed.
///
/// ``BackStack`` and ``TabStacks`` conform. ``ForEachRoute`` runs the reducers of screens on them.
public protocol RouteStorage<Route>: SendableMetatype {
  /// The routes.
  associatedtype Route: NavigationRoute

  /// Returns the route with an id, if any.
  subscript(id: RouteID) -> Route? { get }

  /// Changes the parameters of the route with an id in place.
  ///
  /// - Returns: The result of `body`, or `nil` if there is no route with the id.
  mutating func modify<Result>(_ id: RouteID, _ body: (inout Route) -> Result) -> Result?
}

extension BackStack: RouteStorage {}
extension TabStacks: RouteStorage {}

/// A reducer of the screens that a route can be: one ``IfRoute``, or a type that lists several.
///
/// ```swift
/// struct ShopPages: RouteReducer {
///   var body: some RouteReducer<ShopRoute, ShopScreenAction, Never> {
///     IfRoute({ $0.product }, action: { $0.product }) { ProductReducer() }
///     IfRoute({ $0.basket }, action: { $0.basket }) { BasketReducer() }
///   }
/// }
/// ```
public protocol RouteReducer<State, Action, Environment>: Reducer {
  /// Reduces the parameters of the screen that an action is for.
  ///
  /// - Parameters:
  ///   - route: The route, changed in place.
  ///   - action: The action of a screen.
  ///   - moment: When the action was sent.
  ///   - isMissing: Set to `true` if the action is for another screen than the route's.
  /// - Returns: The effect of the action.
  func reduce(
    _ route: inout State, _ action: Action, at moment: Moment, isMissing: inout Bool
  ) -> Effect<Action, Environment>
}

extension RouteReducer {
  /// Reduces an action; an action for another screen than the route's changes nothing.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment> {
    var isMissing = false
    return reduce(&state, action, at: moment, isMissing: &isMissing)
  }
}

extension RouteReducer where Body: RouteReducer {
  /// Runs ``Reducer/body``.
  @inlinable
  @inline(__always)
  public func reduce(
    _ route: inout Body.State, _ action: Body.Action, at moment: Moment, isMissing: inout Bool
  ) -> Effect<Body.Action, Body.Environment> {
    body.reduce(&route, action, at: moment, isMissing: &isMissing)
  }

  /// Runs ``Reducer/body``.
  @inlinable
  public func reduce(
    _ state: inout Body.State, _ action: Body.Action, at moment: Moment
  ) -> Effect<Body.Action, Body.Environment> { body.reduce(&state, action, at: moment) }
}

extension ReducerPair: RouteReducer where First: RouteReducer, Second: RouteReducer {
  /// Reduces with the first, then with the second.
  @inlinable
  @inline(__always)
  public func reduce(
    _ route: inout First.State, _ action: First.Action, at moment: Moment, isMissing: inout Bool
  ) -> Effect<First.Action, First.Environment> {
    let before = first.reduce(&route, action, at: moment, isMissing: &isMissing)
    return before.merged(with: second.reduce(&route, action, at: moment, isMissing: &isMissing))
  }
}

/// A reducer that runs the reducer of a screen on a route that is this screen, in place.
///
/// It is listed in ``ForEachRoute``, which reports an action for a route that is another screen.
@frozen
public struct IfRoute<
  State: NavigationRoute, Action: Sendable, Part: EnumCase, Case: EnumCase, Child: Reducer
>: RouteReducer
where
  Part.Whole == State, Case.Whole == Action, Part.Value == Child.State, Case.Value == Child.Action
{
  /// The environment of the screen's effects.
  public typealias Environment = Child.Environment

  @usableFromInline let child: Child

  /// Creates a reducer of the routes.
  ///
  /// - Parameters:
  ///   - screen: The name of the case of the route.
  ///   - action: The name of the case that carries the screen's actions.
  ///   - child: Returns the reducer of the screen.
  @inlinable
  public init(
    _ screen: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) where State: Composed, Action: Composed {
    self.child = child()
  }

  /// Reduces the parameters of the route if the action is for the screen.
  @inlinable
  @inline(__always)
  public func reduce(
    _ route: inout State, _ action: Action, at moment: Moment, isMissing: inout Bool
  ) -> Effect<Action, Child.Environment> {
    guard let inner = Case.extract(action) else { return .none }
    let effect = Part.with(&route) { value in child.reduce(&value, inner, at: moment) }
    guard let effect else {
      isMissing = true
      return .none
    }
    return effect.map(CaseEmbedding<Case>())
  }

  /// Returns whether the route is the screen, and the screen has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? {
    guard let first = child.first, first.isIn(Case.self) else { return nil }
    guard let value = Part.extract(copy state) else { return false }
    let rest = child.dropFirst()
    return rest.isEmpty ? true : self.child.hasChild(rest, in: value)
  }
}

/// A reducer that runs the reducers of screens on the routes of a ``BackStack`` or of
/// ``TabStacks``, in place.
///
/// The route is found by its id, wherever it is on the stack, so that the answer of an effect
/// reaches the screen that asked. The effects of a route end when it leaves the stack. An action
/// for a route that is gone, or that is another screen, is reported to ``ReportsMissingTarget``
/// with the id.
///
/// ```swift
/// struct ShopWindow: Reducer {
///   var body: some Reducer<ShopState, ShopAction, Never> {
///     ForEachRoute({ $0.stack }, action: { $0.screen }) { ShopPages() }
///   }
/// }
/// ```
@frozen
public struct ForEachRoute<
  State: ReportsMissingTarget, Action: Sendable, Part: StatePart, Case: IdentifiedCase,
  Screens: RouteReducer
>: Reducer
where
  Part.Whole == State, Case.Whole == Action, Case.ID == RouteID, Part.Value: RouteStorage,
  Part.Value.Route == Screens.State, Case.Value == Screens.Action
{
  @usableFromInline let screens: Screens

  /// Creates a reducer of the parent.
  ///
  /// - Parameters:
  ///   - part: The name of the stack, or of the stacks of tabs, in the parent's state.
  ///   - action: The name of the case that carries the actions of one route.
  ///   - screens: Returns the reducer of the screens.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    screens: () -> Screens
  ) where State: Composed, Action: Composed {
    self.screens = screens()
  }

  /// Reduces the parameters of the route that the action names, in place.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Screens.Environment> {
    guard let (id, inner) = Case.extract(action) else { return .none }
    var isMissing = false
    let effect = Part.with(&state) { routes in
      routes.modify(id) { route in
        screens.reduce(&route, inner, at: moment, isMissing: &isMissing)
      }
    }
    if effect == nil || isMissing {
      state.targetWasMissing(MissingTarget(type: Screens.State.recordedName, id: id.value))
    }
    return effect?.map(ElementEmbedding<Case>(id: id)) ?? .none
  }

  /// Returns whether the route is on the stack, and its screen has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? {
    guard let first = child.first, first.isIn(Case.self), let number = first.id else { return nil }
    let rest = child.dropFirst()
    return Part.read(state) { (routes: borrowing Part.Value) in
      guard let route = routes[RouteID(value: number)] else { return false }
      return rest.isEmpty ? true : screens.hasChild(rest, in: route)
    }
  }
}

extension Reducer where State: Composed & ReportsMissingTarget, Action: Composed {
  /// Returns a reducer that first runs the reducers of screens on the route that an action names,
  /// and then this reducer, which may pop the route.
  @inlinable
  public func forEachRoute<Part: StatePart, Case: IdentifiedCase, Screens: RouteReducer>(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    screens: () -> Screens
  ) -> ReducerPair<ForEachRoute<State, Action, Part, Case, Screens>, Self>
  where
    Part.Whole == State, Case.Whole == Action, Case.ID == RouteID, Part.Value: RouteStorage,
    Part.Value.Route == Screens.State, Case.Value == Screens.Action,
    Screens.Environment == Environment
  {
    ReducerPair(ForEachRoute(part, action: action, screens: screens), self)
  }
}
