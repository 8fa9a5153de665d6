public import RetraceState

/// Where a child feature lies in its parent, as a type: nothing is stored and nothing is copied.
///
/// Laws: `extract(embed(a))` is `a`; where `extract(p)` is an action, `embed` of it is `p`; what
/// ``with(_:_:)`` lends is the same part each time, and what is written to it is read back.
public protocol Scope: SendableMetatype {
  /// The state the part lies in.
  associatedtype ParentState
  /// The part.
  associatedtype ChildState
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of the child.
  associatedtype ChildAction: Sendable

  /// The child's action in an action of the parent, or `nil` if it is for somebody else.
  static func extract(_ action: ParentAction) -> ChildAction?

  /// The parent's action around one of the child.
  static func embed(_ action: ChildAction) -> ParentAction

  /// Lends the part in place.
  ///
  /// The body must get the stored part itself, as in `body(&parent.child)`: a part that is computed
  /// by get and set is copied whole for each action.
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout ChildState) -> Result
  ) -> Result
}

/// The embedding of a scope's actions, as a value.
@frozen
public struct ScopeEmbedding<S: Scope>: ActionEmbedding {
  /// Makes the embedding.
  @inlinable
  public init() {}

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

  /// Lets the child answer, on its part in place, the actions that are for it.
  @inlinable
  @inline(__always)
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let inner = S.extract(action) else { return .none }
    let effect = S.with(&state) { part in child.reduce(&part, inner, at: moment) }
    return effect.map(ScopeEmbedding<S>())
  }
}

extension Reducer {
  /// This reducer as a reducer of the parent that a scope names.
  @inlinable
  public func pulledBack<S: Scope>(through scope: S.Type) -> Pullback<Self, S>
  where S.ChildState == State, S.ChildAction == Action {
    Pullback(self, through: scope)
  }
}
