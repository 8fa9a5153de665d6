public import RetraceAvro
public import RetraceState

/// The place of an entity table in a parent state, so that a reducer of one entity can run on it.
public protocol EntityScope: SendableMetatype {
  /// The state that holds the table.
  associatedtype ParentState: ReportsMissingTarget
  /// The ids of the table.
  associatedtype ID: EntityID
  /// The entities of the table.
  associatedtype Entity: TableEntity
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of one entity.
  associatedtype ChildAction: Sendable

  /// Returns the id and the entity's action, or `nil` if the action is not for this table.
  static func extract(_ action: ParentAction) -> (id: ID, action: ChildAction)?

  /// Returns the parent's action that wraps an action of the entity with an id.
  static func embed(_ action: ChildAction, for id: ID) -> ParentAction

  /// Calls `body` with the table in place; the table must be a stored property.
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout EntityTable<ID, Entity>) -> Result
  ) -> Result
}

/// The embedding of one entity's actions.
@frozen
public struct EntityEmbedding<S: EntityScope>: ActionEmbedding {
  /// The id of the entity.
  public let id: S.ID

  /// Makes the embedding for an id.
  @inlinable
  public init(id: S.ID) { self.id = id }

  /// The entity with the id.
  public var scope: EffectScope.Component { EffectScope.Component(S.self, id: id.value) }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: S.ChildAction) -> S.ParentAction { S.embed(action, for: id) }
}

/// A reducer that runs the reducer of an entity on a table in a parent state.
///
/// An action for an id without an entity is reported to ``ReportsMissingTarget``.
@frozen
public struct ForEachEntity<Child: Reducer, S: EntityScope>: Reducer
where Child.State == S.Entity, Child.Action == S.ChildAction {
  @usableFromInline let child: Child

  /// Makes a reducer of the parent from the reducer of one entity.
  @inlinable
  public init(_ child: Child, in scope: S.Type) { self.child = child }

  /// Reduces the entity that the action names, in place.
  @inlinable
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let (id, inner) = S.extract(action) else { return .none }
    let effect = S.with(&state) { table in
      table.modify(id) { entity in child.reduce(&entity, inner, at: moment) }
    }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: S.Entity.recordedName, id: id.value))
      return .none
    }
    return effect.map(EntityEmbedding<S>(id: id))
  }

  /// Returns whether the table has the entity, and the entity has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: inout S.ParentState
  ) -> Bool {
    guard let first = child.first, first.isIn(S.self), let number = first.id else { return true }
    let rest = child.dropFirst()
    return S.with(&state) { table in
      let id = S.ID(value: number)
      if rest.isEmpty { return table.contains(id) }
      guard var entity = table[id] else { return false }
      return self.child.hasChild(rest, in: &entity)
    }
  }
}

extension Reducer where State: TableEntity {
  /// Returns this reducer of one entity as a reducer of the parent of its table.
  @inlinable
  public func forEach<S: EntityScope>(in scope: S.Type) -> ForEachEntity<Self, S>
  where S.Entity == State, S.ChildAction == Action {
    ForEachEntity(self, in: scope)
  }
}
