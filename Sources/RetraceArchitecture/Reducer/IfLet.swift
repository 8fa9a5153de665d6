public import RetraceAvro
public import RetraceState

/// A reducer of a part that may be missing, as a reducer of the parent.
///
/// The scope lends the optional part. An action for a part that is missing is recorded by
/// ``ReportsMissingTarget``.
@frozen
public struct IfLet<Child: Reducer, S: Scope>: Reducer
where
  Child.State: Recordable, S.ChildState == Child.State?, Child.Action == S.ChildAction,
  S.ParentState: ReportsMissingTarget
{
  @usableFromInline let child: Child

  /// Takes the reducer of the part when it is there.
  @inlinable
  public init(_ child: Child, through scope: S.Type) { self.child = child }

  /// Lets the part answer what is for it, if it is there.
  @inlinable
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let inner = S.extract(action) else { return .none }
    let effect = S.with(&state) { part in
      part?.lent { value in child.reduce(&value, inner, at: moment) }
    }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName))
      return .none
    }
    return effect.map(ScopeEmbedding<S>())
  }
}

extension Reducer where State: Recordable {
  /// This reducer as a reducer of a parent in which its part may be missing.
  @inlinable
  public func ifLet<S: Scope>(through scope: S.Type) -> IfLet<Self, S>
  where S.ChildState == State?, S.ChildAction == Action, S.ParentState: ReportsMissingTarget {
    IfLet(self, through: scope)
  }
}

extension Recordable {
  /// Lends the value, so that an optional part can be changed in place by optional chaining.
  @inlinable
  mutating func lent<Result>(to body: (inout Self) -> Result) -> Result { body(&self) }
}
