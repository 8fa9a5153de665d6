public import RetraceAvro
public import RetraceState

/// The place of a scene's routes in a parent state, so that the reducer of one screen can run on
/// its route.
///
/// The parent's action carries the id that the route got when it was pushed. A ``ScreenScope`` says
/// which case of the route the screen is.
public protocol RouteScope: SendableMetatype {
  /// The state that holds the routes.
  associatedtype ParentState: ReportsMissingTarget
  /// The routes.
  associatedtype Route: NavigationRoute
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of all routes.
  associatedtype RouteAction: Sendable

  /// Returns the id and the route's action, or `nil` if the action is not for a route.
  static func extract(_ action: ParentAction) -> (id: RouteID, action: RouteAction)?

  /// Returns the parent's action that wraps an action of the route with an id.
  static func embed(_ action: RouteAction, for id: RouteID) -> ParentAction

  /// Calls `body` with the route in place; returns `nil` if there is no route with the id.
  ///
  /// ```swift
  /// parent.stack.modify(id, body)
  /// ```
  static func with<Result>(
    _ parent: inout ParentState, _ id: RouteID, _ body: (inout Route) -> Result
  ) -> Result?
}

/// The place of a screen in one case of the routes, as a type without storage.
///
/// Laws: `extract(embed(a))` is `a`, and where `extract(p)` is an action, `embed` of it is `p`.
/// ``with(_:_:)`` leaves the parent in the case in which it found it.
public protocol ScreenScope: SendableMetatype {
  /// The state that has the case; an enum or a value that holds one.
  associatedtype ParentState
  /// The value of the case.
  associatedtype ChildState
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of the child.
  associatedtype ChildAction: Sendable

  /// Returns the child's action, or `nil` if the action is not for this child.
  static func extract(_ action: ParentAction) -> ChildAction?

  /// Returns the parent's action that wraps an action of the child.
  static func embed(_ action: ChildAction) -> ParentAction

  /// Calls `body` with the value of the case; returns `nil` if the parent is in another case.
  ///
  /// Swift cannot change the value of a case in place. Put another case into the parent while
  /// `body` runs: otherwise both hold the value, and the first change copies it.
  ///
  /// ```swift
  /// guard case .open(var document) = parent else { return nil }
  /// parent = .closed
  /// defer { parent = .open(document) }
  /// return body(&document)
  /// ```
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout ChildState) -> Result
  ) -> Result?
}

/// The embedding of the actions of one screen.
@frozen
public struct RouteEmbedding<S: RouteScope, C: ScreenScope>: ActionEmbedding
where C.ParentAction == S.RouteAction {
  /// The id of the screen's route.
  public let id: RouteID

  /// Makes the embedding for an id.
  @inlinable
  public init(id: RouteID) { self.id = id }

  /// The screen of the route with the id.
  public var scope: EffectScope.Component {
    EffectScope.Component(RouteEmbedding.self, id: id.value)
  }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: C.ChildAction) -> S.ParentAction {
    S.embed(C.embed(action), for: id)
  }
}

/// A reducer that runs the reducer of a screen on the parameters of its route, in place.
///
/// The route is found by its id, wherever it is on the stack, so that the answer of an effect
/// reaches the screen that asked. The effects of a route end when it leaves the stack. An action
/// for a route that is gone, or that is another screen, is reported to ``ReportsMissingTarget``
/// with the id.
@frozen
public struct ForEachRoute<Child: Reducer, S: RouteScope, C: ScreenScope>: Reducer
where
  Child.State: Recordable, C.ParentState == S.Route, C.ChildState == Child.State,
  C.ParentAction == S.RouteAction, C.ChildAction == Child.Action
{
  @usableFromInline let child: Child

  /// Makes a reducer of the parent from the reducer of one screen.
  @inlinable
  public init(_ child: Child, in scope: S.Type, through screen: C.Type) { self.child = child }

  /// Reduces the parameters of the route that the action names, in place.
  @inlinable
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let (id, action) = S.extract(action), let inner = C.extract(action) else { return .none }
    let effect = S.with(&state, id) { route in
      C.with(&route) { parameters in child.reduce(&parameters, inner, at: moment) }
    }
    guard let found = effect, let effect = found else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName, id: id.value))
      return .none
    }
    return effect.map(RouteEmbedding<S, C>(id: id))
  }

  /// Returns whether the route is on the stack, is the screen, and the screen has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing S.ParentState
  ) -> Bool? {
    guard let first = child.first, first.isIn(RouteEmbedding<S, C>.self), let number = first.id
    else { return nil }
    let rest = child.dropFirst()
    var state = copy state
    let found = S.with(&state, RouteID(value: number)) { route in
      C.with(&route) { parameters in self.child.hasChild(rest, in: parameters) ?? true } ?? false
    }
    return found ?? false
  }
}

extension Reducer where State: Recordable {
  /// Returns this reducer of one screen as a reducer of the parent of the screen's routes.
  ///
  /// - Parameters:
  ///   - scope: The place of the routes.
  ///   - screen: The case of the route.
  @inlinable
  public func forEachRoute<S: RouteScope, C: ScreenScope>(
    in scope: S.Type, through screen: C.Type
  ) -> ForEachRoute<Self, S, C>
  where
    C.ParentState == S.Route, C.ChildState == State, C.ParentAction == S.RouteAction,
    C.ChildAction == Action
  {
    ForEachRoute(self, in: scope, through: screen)
  }
}
