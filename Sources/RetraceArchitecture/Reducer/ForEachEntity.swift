public import RetraceAvro
public import RetraceState

/// The embedding of one element's actions by the case that carries them.
///
/// ```swift
/// func load(_ id: NoteID, title: String) -> Effect<NotesAction, NoteServer> {
///   Effect.run(LoadText(title: title)).map(ElementEmbedding<NotesAction.Parts._note>(id: id))
/// }
/// ```
@frozen
public struct ElementEmbedding<Case: IdentifiedCase>: ActionEmbedding
where Case.Whole: Sendable, Case.ID: EntityID, Case.Value: Sendable {
  /// The id of the element.
  public let id: Case.ID

  /// Creates the embedding for an id.
  @inlinable
  public init(id: Case.ID) { self.id = id }

  /// The entity with the id.
  public var scope: EffectScope.Component { EffectScope.Component(Case.self, id: id.value) }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: Case.Value) -> Case.Whole { Case.embed(action, for: id) }
}

/// A reducer that runs the reducer of an entity on a table in a parent state.
///
/// An action for an id without an entity is reported to ``ReportsMissingTarget``.
///
/// ```swift
/// struct AllNotes: Reducer {
///   var body: some Reducer<NotesState, NotesAction, NoteServer> {
///     ForEachEntity({ $0.notes }, action: { $0.note }) { NoteReducer() }
///   }
/// }
/// ```
@frozen
public struct ForEachEntity<
  State: ReportsMissingTarget, Action: Sendable, Part: StatePart, Case: IdentifiedCase,
  Child: Reducer
>: Reducer
where
  Part.Whole == State, Case.Whole == Action, Child.State: TableEntity,
  Part.Value == EntityTable<Case.ID, Child.State>, Child.Action == Case.Value
{
  @usableFromInline let child: Child

  /// Creates a reducer of the parent.
  ///
  /// - Parameters:
  ///   - part: The name of the table in the parent's state.
  ///   - action: The name of the case that carries the actions of one entity.
  ///   - child: Returns the reducer of one entity.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) where State: Composed, Action: Composed {
    self.child = child()
  }

  /// Reduces the entity that the action names, in place.
  @inlinable
  public func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Child.Environment> {
    guard let (id, inner) = Case.extract(action) else { return .none }
    let effect = Part.with(&state) { table in
      table.modify(id) { entity in child.reduce(&entity, inner, at: moment) }
    }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: Child.State.recordedName, id: id.value))
      return .none
    }
    return effect.map(ElementEmbedding<Case>(id: id))
  }

  /// Returns whether the table has the entity, and the entity has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing State
  ) -> Bool? {
    guard let first = child.first, first.isIn(Case.self), let number = first.id else { return nil }
    let rest = child.dropFirst()
    return Part.read(state) { (table: borrowing Part.Value) in
      let id = Case.ID(value: number)
      if rest.isEmpty { return table.contains(id) }
      guard let entity = table[id] else { return false }
      return self.child.hasChild(rest, in: entity)
    }
  }
}

extension Reducer where State: Composed & ReportsMissingTarget, Action: Composed {
  /// Returns a reducer that first runs a child on an entity of a table, and then this reducer,
  /// which may remove the entity.
  @inlinable
  public func forEach<Part: StatePart, Case: IdentifiedCase, Child: Reducer>(
    _ part: (State.Parts) -> Part, action: (Action.Parts) -> Case,
    child: () -> Child
  ) -> ReducerPair<ForEachEntity<State, Action, Part, Case, Child>, Self>
  where
    Part.Whole == State, Case.Whole == Action, Child.State: TableEntity,
    Part.Value == EntityTable<Case.ID, Child.State>, Child.Action == Case.Value,
    Child.Environment == Environment
  {
    ReducerPair(ForEachEntity(part, action: action, child: child), self)
  }
}
