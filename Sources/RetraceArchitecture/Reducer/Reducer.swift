public import RetraceState

/// A pure and total function from a state and an action to the next state.
///
/// A reducer reads no clock, no random numbers, no locale and no file: the clock is `moment`, and
/// ids are counters in the state. For an action that cannot be carried out, the reducer sets an
/// outcome in the state; it never traps.
///
/// A feature without children implements ``reduce(_:_:at:)``. One with children lists reducers in
/// ``body``; if it also has logic of its own, it is an ``UpdatingReducer``. A public root reducer
/// that another module calls directly also implements ``reduce(_:_:at:)`` by calling it on
/// ``body``: otherwise the other module would call a body whose type it does not know.
///
/// ```swift
/// struct ChildrenReducer: Reducer {
///   var body: some Reducer<NotesState, NotesAction, NoteServer> {
///     Scope({ $0.settings }, action: { $0.settings }) { SettingsReducer() }
///     IfLet({ $0.search }, action: { $0.search }) { SearchReducer() }
///   }
/// }
/// ```
public protocol Reducer<State, Action, Environment>: Sendable, SendableMetatype {
  /// The state, which the reducer changes in place.
  associatedtype State
  /// The actions that the reducer handles.
  associatedtype Action: Sendable
  /// The environment that effects run in; a reducer only names it.
  associatedtype Environment: Sendable
  /// The type of ``body``; `Never` for a reducer that implements ``reduce(_:_:at:)``.
  associatedtype Body = Never

  /// Changes the state in place and returns the effect of the action; by default runs ``body``.
  ///
  /// - Parameters:
  ///   - state: The state, changed in place.
  ///   - action: The action.
  ///   - moment: When the action was sent, as recorded.
  /// - Returns: The effect to run once the action is durable.
  func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment>

  /// Returns whether the state has a child; `nil`, the default, if the child is unknown here.
  ///
  /// The fold calls it after each action for the children that have effects in flight, and ends the
  /// effects of children that are gone. A reducer with a ``body`` passes the call on to its parts.
  /// A reducer that calls others in its own ``reduce(_:_:at:)`` has to do the same.
  ///
  /// - Parameters:
  ///   - child: The path to the child; the first component is a child of this reducer.
  ///   - state: The state.
  /// - Complexity: O(reducers beside the path), plus looking up the entities on the path.
  func hasChild(_ child: ArraySlice<EffectScope.Component>, in state: borrowing State) -> Bool?

  /// The reducers that this one consists of, run in order.
  @ReducerBuilder<State, Action, Environment> var body: Body { get }
}

extension Reducer {
  /// Returns `nil`: a reducer that is not composed has no children.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? { nil }
}

extension Reducer where Body == Never {
  /// A reducer that implements ``reduce(_:_:at:)`` has no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Reducer where Body: Reducer {
  /// Runs ``body``.
  @inlinable
  @inline(__always)
  public func reduce(
    _ state: inout Body.State, _ action: Body.Action, at moment: Moment
  ) -> Effect<Body.Action, Body.Environment> {
    body.reduce(&state, action, at: moment)
  }

  /// Returns whether ``body`` has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing Body.State
  ) -> Bool? { body.hasChild(child, in: state) }
}

/// A reducer with the state, the actions and the environment of another one, as in
/// `var body: some ReducerOf<Self>`.
///
/// ```swift
/// struct DecoratedNotes: Reducer {
///   var body: some ReducerOf<NotesReducer> { NotesReducer().decorated(with: EmptySearchHook()) }
/// }
/// ```
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action, R.Environment>

/// The effects that a reducer returns, as in `func saved() -> EffectOf<Self>`.
public typealias EffectOf<R: Reducer> = Effect<R.Action, R.Environment>

/// A reducer with logic of its own beside its children.
///
/// ```swift
/// struct NotesReducer: UpdatingReducer {
///   var body: some Reducer<NotesState, NotesAction, NoteServer> {
///     Update(self)
///       .ifLet({ $0.search }, action: { $0.search }) { SearchReducer() }
///   }
///
///   func update(
///     _ state: inout NotesState, _ action: NotesAction, at moment: Moment
///   ) -> EffectOf<Self> {
///     if case .closed = action { state.search = nil }
///     return .none
///   }
/// }
/// ```
public protocol UpdatingReducer<State, Action, Environment>: Reducer {
  /// Changes the state in place and returns the effect of the action, without the children's part.
  ///
  /// It runs where ``Reducer/body`` lists ``Update``.
  func update(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment>
}

/// The place of a reducer's own logic among its children.
@frozen
public struct Update<Base: UpdatingReducer>: Reducer {
  @usableFromInline let base: Base

  /// Creates a reducer that calls ``UpdatingReducer/update(_:_:at:)``.
  @inlinable
  public init(_ base: Base) { self.base = base }

  /// Calls ``UpdatingReducer/update(_:_:at:)``.
  @inlinable
  @inline(__always)
  public func reduce(
    _ state: inout Base.State, _ action: Base.Action, at moment: Moment
  ) -> Effect<Base.Action, Base.Environment> {
    base.update(&state, action, at: moment)
  }
}
