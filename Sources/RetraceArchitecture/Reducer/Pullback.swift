public import RetraceState

/// The place of a child feature in its parent, as a type without storage.
///
/// Laws: `extract(embed(a))` is `a`. Where `extract(p)` is an action, `embed` of it is `p`.
/// ``with(_:_:)`` passes the same part each time, and a value written to the part is read back.
public protocol Scope: SendableMetatype {
  /// The state that holds the part.
  associatedtype ParentState
  /// The part.
  associatedtype ChildState
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of the child.
  associatedtype ChildAction: Sendable

  /// Returns the child's action, or `nil` if the action is not for this child.
  static func extract(_ action: ParentAction) -> ChildAction?

  /// Returns the parent's action that wraps an action of the child.
  static func embed(_ action: ChildAction) -> ParentAction

  /// Calls `body` with the part in place.
  ///
  /// Pass the stored property itself, as in `body(&parent.child)`: a part that is computed by get
  /// and set is copied whole for each action.
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout ChildState) -> Result
  ) -> Result
}

/// The embedding of a scope's actions.
@frozen
public struct ScopeEmbedding<S: Scope>: ActionEmbedding {
  /// Makes the embedding.
  @inlinable
  public init() {}

  /// The child whose place the scope describes.
  public var scope: EffectScope.Component { EffectScope.Component(S.self) }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: S.ChildAction) -> S.ParentAction { S.embed(action) }
}

/// A child's reducer as a reducer of its parent.
@frozen
public struct Pullback<Child: Reducer, S: Scope>: Reducer
where Child.State == S.ChildState, Child.Action == S.ChildAction {
  @usableFromInline let child: Child

  /// Pulls a reducer back through a scope.
  @inlinable
  public init(_ child: Child, through scope: S.Type) { self.child = child }

  /// Reduces the child's part in place if the action is for the child.
  @inlinable
  @inline(__always)
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let inner = S.extract(action) else { return .none }
    let effect = S.with(&state) { part in child.reduce(&part, inner, at: moment) }
    return effect.map(ScopeEmbedding<S>())
  }

  /// Returns whether the child's part has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: inout S.ParentState
  ) -> Bool {
    guard let first = child.first, first.isIn(S.self) else { return true }
    return S.with(&state) { part in self.child.hasChild(child.dropFirst(), in: &part) }
  }
}

extension Reducer {
  /// Returns this reducer as a reducer of the parent that a scope names.
  @inlinable
  public func pulledBack<S: Scope>(through scope: S.Type) -> Pullback<Self, S>
  where S.ChildState == State, S.ChildAction == Action {
    Pullback(self, through: scope)
  }
}
