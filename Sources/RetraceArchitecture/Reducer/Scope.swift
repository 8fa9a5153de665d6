public import RetraceState

/// The embedding of a child's actions by the case that carries them.
///
/// ```swift
/// func count(_ query: String) -> Effect<NotesAction, NoteServer> {
///   Effect.run(CountHits(query: query)).map(CaseEmbedding<NotesAction.Parts._search>())
/// }
/// ```
@frozen
public struct CaseEmbedding<Case: EnumCase>: ActionEmbedding
where Case.Whole: Sendable, Case.Value: Sendable {
  /// Creates the embedding.
  @inlinable
  public init() {}

  /// The child that the case is for.
  public var scope: EffectScope.Component { EffectScope.Component(Case.self) }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: Case.Value) -> Case.Whole { Case.embed(action) }
}

/// A child's reducer as a reducer of its parent.
///
/// Two children whose actions have one case share their cancellation keys.
///
/// ```swift
/// struct ShownSettings: Reducer {
///   var body: some Reducer<NotesState, NotesAction, NoteServer> {
///     Scope({ $0.settings }, action: { $0.settings }) { SettingsReducer() }
///   }
/// }
/// ```
@frozen
public struct Scope<
  State, Action: Sendable, Part: StatePart, Case: EnumCase, Child: Reducer
>: Reducer
where
  Part.Whole == State, Case.Whole == Action, Child.State == Part.Value,
  Child.Action == Case.Value
{
  @usableFromInline let child: Child

  /// Creates a reducer of the parent.
  ///
  /// - Parameters:
  ///   - part: The name of the child's state in the parent's, such as `{ $0.settings }`.
  ///   - action: The name of the case that carries the child's actions.
  ///   - child: Returns the reducer of the child.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) where State: Composed, Action: Composed {
    self.child = child()
  }

  /// Creates a reducer of the parent from a child that works on all of the parent's state.
  @inlinable
  public init(
    action: (Action.Parts) -> Case, child: () -> Child
  ) where Part == Itself<State>, Action: Composed {
    self.child = child()
  }

  /// Reduces the child's part in place if the action is for the child.
  @inlinable
  @inline(__always)
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Child.Environment> {
    guard let inner = Case.extract(action) else { return .none }
    let effect = Part.with(&state) { part in child.reduce(&part, inner, at: moment) }
    return effect.map(CaseEmbedding<Case>())
  }

  /// Returns whether the child has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? {
    guard let first = child.first, first.isIn(Case.self) else { return nil }
    let rest = child.dropFirst()
    if rest.isEmpty { return true }
    return Part.read(state) { (part: borrowing Part.Value) in self.child.hasChild(rest, in: part) }
  }
}
