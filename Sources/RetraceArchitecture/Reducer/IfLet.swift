public import RetraceAvro
public import RetraceState

/// A reducer that runs another reducer on an optional part of a parent state.
///
/// The scope gives access to the optional part. An action for a part that is `nil` is reported to
/// ``ReportsMissingTarget``.
@frozen
public struct IfLet<Child: Reducer, S: Scope>: Reducer
where
  Child.State: Recordable, S.ChildState == Child.State?, Child.Action == S.ChildAction,
  S.ParentState: ReportsMissingTarget
{
  @usableFromInline let child: Child

  /// Makes a reducer of the parent from the reducer of the unwrapped part.
  @inlinable
  public init(_ child: Child, through scope: S.Type) { self.child = child }

  /// Reduces the part if it is there.
  @inlinable
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let inner = S.extract(action) else { return .none }
    let effect = S.with(&state) { part in
      part?.modify { value in child.reduce(&value, inner, at: moment) }
    }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName))
      return .none
    }
    return effect.map(ScopeEmbedding<S>())
  }

  /// Returns whether the part is there, and has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: inout S.ParentState
  ) -> Bool {
    guard let first = child.first, first.isIn(S.self) else { return true }
    return S.with(&state) { part in
      part?.modify { value in self.child.hasChild(child.dropFirst(), in: &value) } ?? false
    }
  }
}

extension Reducer where State: Recordable {
  /// Returns this reducer as a reducer of a parent that holds the part as an optional.
  @inlinable
  public func ifLet<S: Scope>(through scope: S.Type) -> IfLet<Self, S>
  where S.ChildState == State?, S.ChildAction == Action, S.ParentState: ReportsMissingTarget {
    IfLet(self, through: scope)
  }
}

extension Recordable {
  /// Calls `body` with the value, so that optional chaining can change an optional part in place.
  @inlinable
  mutating func modify<Result>(to body: (inout Self) -> Result) -> Result { body(&self) }
}
