public import RetraceAvro
public import RetraceState

/// A reducer that runs another reducer on an optional part of a parent state.
///
/// An action for a part that is `nil` is reported to ``ReportsMissingTarget``.
///
/// ```swift
/// struct ShownSearch: Reducer {
///   var body: some Reducer<NotesState, NotesAction, NoteServer> {
///     IfLet({ $0.search }, action: { $0.search }) { SearchReducer() }
///   }
/// }
/// ```
@frozen
public struct IfLet<
  State: ReportsMissingTarget, Action: Sendable, Part: StatePart, Case: EnumCase, Child: Reducer
>: Reducer
where
  Part.Whole == State, Case.Whole == Action, Child.State: Recordable,
  Part.Value == Child.State?, Child.Action == Case.Value
{
  @usableFromInline let child: Child

  /// Creates a reducer of the parent.
  ///
  /// - Parameters:
  ///   - part: The name of the optional part in the parent's state.
  ///   - action: The name of the case that carries the child's actions.
  ///   - child: Returns the reducer of the unwrapped part.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) where State: Composed, Action: Composed {
    self.child = child()
  }

  /// Reduces the part if it is there.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Child.Environment> {
    guard let inner = Case.extract(action) else { return .none }
    let effect = Part.with(&state) { part in
      part?.modify { value in child.reduce(&value, inner, at: moment) }
    }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName))
      return .none
    }
    return effect.map(CaseEmbedding<Case>())
  }

  /// Returns whether the part is there, and has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? {
    guard let first = child.first, first.isIn(Case.self) else { return nil }
    let rest = child.dropFirst()
    return Part.read(state) { (part: borrowing Part.Value) in
      guard let value = copy part else { return false }
      return rest.isEmpty ? true : self.child.hasChild(rest, in: value)
    }
  }
}

extension Reducer where State: Composed & ReportsMissingTarget, Action: Composed {
  /// Returns a reducer that first runs a child on an optional part, and then this reducer, which
  /// may remove the part.
  @inlinable
  public func ifLet<Part: StatePart, Case: EnumCase, Child: Reducer>(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) -> ReducerPair<IfLet<State, Action, Part, Case, Child>, Self>
  where
    Part.Whole == State, Case.Whole == Action, Child.State: Recordable,
    Part.Value == Child.State?, Child.Action == Case.Value, Child.Environment == Environment
  {
    ReducerPair(IfLet(part, action: action, child: child), self)
  }
}

extension Recordable {
  /// Calls `body` with the value, so that optional chaining can change an optional part in place.
  @inlinable
  mutating func modify<Result>(to body: (inout Self) -> Result) -> Result { body(&self) }
}
