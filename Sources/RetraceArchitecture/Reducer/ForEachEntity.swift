public import RetraceAvro
public import RetraceState

/// Where the entities of a table lie in a parent, with one reducer for each.
public protocol EntityScope: SendableMetatype {
  /// The state the table lies in.
  associatedtype ParentState: ReportsMissingTarget
  /// The ids of the table.
  associatedtype ID: EntityID
  /// The entities of the table.
  associatedtype Entity: TableEntity
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of one entity.
  associatedtype ChildAction: Sendable

  /// The id and the entity's action in an action of the parent, or `nil` if it is for others.
  static func extract(_ action: ParentAction) -> (id: ID, action: ChildAction)?

  /// The parent's action around one of the entity of an id.
  static func embed(_ action: ChildAction, for id: ID) -> ParentAction

  /// Lends the table in place; it must be stored, not computed.
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout EntityTable<ID, Entity>) -> Result
  ) -> Result
}

/// The embedding of one entity's actions, as a value.
@frozen
public struct EntityEmbedding<S: EntityScope>: ActionEmbedding {
  /// The id of the entity.
  public let id: S.ID

  /// Makes the embedding for an id.
  @inlinable
  public init(id: S.ID) { self.id = id }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: S.ChildAction) -> S.ParentAction { S.embed(action, for: id) }
}

/// A reducer of one entity as a reducer of the parent of its table.
///
/// An action for an id without an entity is recorded by ``ReportsMissingTarget``.
@frozen
public struct ForEachEntity<Child: Reducer, S: EntityScope>: Reducer
where Child.State == S.Entity, Child.Action == S.ChildAction {
  @usableFromInline let child: Child

  /// Takes the reducer of one entity.
  @inlinable
  public init(_ child: Child, in scope: S.Type) { self.child = child }

  /// Lets the entity that an action names answer it, in place.
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
}

extension Reducer where State: TableEntity {
  /// This reducer of one entity as a reducer of the parent of its table.
  @inlinable
  public func forEach<S: EntityScope>(in scope: S.Type) -> ForEachEntity<Self, S>
  where S.Entity == State, S.ChildAction == Action {
    ForEachEntity(self, in: scope)
  }
}
