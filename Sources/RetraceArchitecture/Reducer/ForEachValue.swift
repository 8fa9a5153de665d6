public import RetraceAvro
public import RetraceState

/// A reducer that runs the reducer of a value on a small dictionary in a parent state, such as the
/// scenes.
///
/// An action for an id without a value is reported to ``ReportsMissingTarget``. The value is
/// changed in place through its index; through its key it would be moved out and back.
///
/// ```swift
/// struct AllDrafts: Reducer {
///   var body: some Reducer<NotesState, NotesAction, NoteServer> {
///     ForEachValue({ $0.drafts }, action: { $0.draft }) { DraftReducer() }
///   }
/// }
/// ```
@frozen
public struct ForEachValue<
  State: ReportsMissingTarget, Action: Sendable, Part: StatePart, Case: IdentifiedCase,
  Child: Reducer
>: Reducer
where
  Part.Whole == State, Case.Whole == Action, Case.ID: EntityID, Child.State: Recordable,
  Part.Value == [Case.ID: Child.State], Child.Action == Case.Value
{
  @usableFromInline let child: Child

  /// Creates a reducer of the parent.
  ///
  /// - Parameters:
  ///   - part: The name of the dictionary in the parent's state.
  ///   - action: The name of the case that carries the actions of one value.
  ///   - child: Returns the reducer of one value.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) where State: Composed, Action: Composed {
    self.child = child()
  }

  /// Reduces the value that the action names, in place.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Child.Environment> {
    guard let (id, inner) = Case.extract(action) else { return .none }
    let effect = Part.with(&state) { values -> Effect<Child.Action, Child.Environment>? in
      guard let index = values.index(forKey: id) else { return nil }
      return child.reduce(&values.values[index], inner, at: moment)
    }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName, id: id.value))
      return .none
    }
    return effect.map(ElementEmbedding<Case>(id: id))
  }

  /// Returns whether the dictionary has the value, and the value has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? {
    guard let first = child.first, first.isIn(Case.self), let number = first.id else { return nil }
    let rest = child.dropFirst()
    return Part.read(state) { (parts: borrowing Part.Value) in
      guard let value = (copy parts)[Case.ID(value: number)] else { return false }
      return rest.isEmpty ? true : self.child.hasChild(rest, in: value)
    }
  }
}

extension Reducer where State: Composed & ReportsMissingTarget, Action: Composed {
  /// Returns a reducer that first runs a child on a value of a dictionary, and then this reducer,
  /// which may remove the value.
  @inlinable
  public func forEach<Part: StatePart, Case: IdentifiedCase, Child: Reducer>(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) -> ReducerPair<ForEachValue<State, Action, Part, Case, Child>, Self>
  where
    Part.Whole == State, Case.Whole == Action, Child.State: Recordable, Case.ID: EntityID,
    Part.Value == [Case.ID: Child.State], Child.Action == Case.Value,
    Child.Environment == Environment
  {
    ReducerPair(ForEachValue(part, action: action, child: child), self)
  }
}
