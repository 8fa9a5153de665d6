public import RetraceAvro
public import RetraceState

/// A reducer that runs another reducer on the payload of one case of a parent state.
///
/// An action for a state in another case is reported to ``ReportsMissingTarget``.
///
/// ```swift
/// struct PanelReducer: Reducer {
///   var body: some Reducer<SidePanel, NotesAction, NoteServer> {
///     IfCaseLet({ $0.searching }, action: { $0.search }) { SearchReducer() }
///   }
/// }
/// ```
@frozen
public struct IfCaseLet<
  State: ReportsMissingTarget, Action: Sendable, Part: EnumCase, Case: EnumCase, Child: Reducer
>: Reducer
where
  Part.Whole == State, Case.Whole == Action, Child.State: Recordable,
  Part.Value == Child.State, Child.Action == Case.Value
{
  @usableFromInline let child: Child

  /// Creates a reducer of the parent.
  ///
  /// - Parameters:
  ///   - part: The name of the case of the parent's state.
  ///   - action: The name of the case that carries the child's actions.
  ///   - child: Returns the reducer of the payload.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) where State: Composed, Action: Composed {
    self.child = child()
  }

  /// Reduces the payload if the parent is in the case.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Child.Environment> {
    guard let inner = Case.extract(action) else { return .none }
    let effect = Part.with(&state) { value in child.reduce(&value, inner, at: moment) }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName))
      return .none
    }
    return effect.map(CaseEmbedding<Case>())
  }

  /// Returns whether the parent is in the case, and its value has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? {
    guard let first = child.first, first.isIn(Case.self) else { return nil }
    let rest = child.dropFirst()
    guard let value = Part.extract(copy state) else { return false }
    return rest.isEmpty ? true : self.child.hasChild(rest, in: value)
  }
}

extension Reducer where State: Composed & ReportsMissingTarget, Action: Composed {
  /// Returns a reducer that first runs a child on the payload of a case, and then this reducer,
  /// which may change the case.
  @inlinable
  public func ifCaseLet<Part: EnumCase, Case: EnumCase, Child: Reducer>(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) -> ReducerPair<IfCaseLet<State, Action, Part, Case, Child>, Self>
  where
    Part.Whole == State, Case.Whole == Action, Child.State: Recordable,
    Part.Value == Child.State, Child.Action == Case.Value, Child.Environment == Environment
  {
    ReducerPair(IfCaseLet(part, action: action, child: child), self)
  }
}
