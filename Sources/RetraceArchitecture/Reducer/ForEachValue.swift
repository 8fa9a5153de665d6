public import RetraceAvro
public import RetraceState

/// Where a small dictionary of parts lies in a parent, such as the scenes of a state.
public protocol ValueScope: SendableMetatype {
  /// The state the dictionary lies in.
  associatedtype ParentState: ReportsMissingTarget
  /// The ids of the parts.
  associatedtype ID: EntityID
  /// The parts.
  associatedtype Value: Recordable
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of one part.
  associatedtype ChildAction: Sendable

  /// The id and the part's action in an action of the parent, or `nil` if it is for others.
  static func extract(_ action: ParentAction) -> (id: ID, action: ChildAction)?

  /// The parent's action around one of the part of an id.
  static func embed(_ action: ChildAction, for id: ID) -> ParentAction

  /// Lends the dictionary in place; it must be stored, not computed.
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout [ID: Value]) -> Result
  ) -> Result
}

/// The embedding of one part's actions, as a value.
@frozen
public struct ValueEmbedding<S: ValueScope>: ActionEmbedding {
  /// The id of the part.
  public let id: S.ID

  /// Makes the embedding for an id.
  @inlinable
  public init(id: S.ID) { self.id = id }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: S.ChildAction) -> S.ParentAction { S.embed(action, for: id) }
}

/// A reducer of one part as a reducer of the parent of its dictionary.
///
/// An action for an id without a part is recorded by ``ReportsMissingTarget``. The part is changed
/// through its index, which lends it where it lies: through a key it would be moved out and back.
@frozen
public struct ForEachValue<Child: Reducer, S: ValueScope>: Reducer
where Child.State == S.Value, Child.Action == S.ChildAction {
  @usableFromInline let child: Child

  /// Takes the reducer of one part.
  @inlinable
  public init(_ child: Child, in scope: S.Type) { self.child = child }

  /// Lets the part that an action names answer it, in place.
  @inlinable
  public func reduce(
    _ state: inout S.ParentState, _ action: S.ParentAction, at moment: Moment
  ) -> Effect<S.ParentAction, Child.Environment> {
    guard let (id, inner) = S.extract(action) else { return .none }
    let effect = S.with(&state) { parts -> Effect<Child.Action, Child.Environment>? in
      guard let index = parts.index(forKey: id) else { return nil }
      return child.reduce(&parts.values[index], inner, at: moment)
    }
    guard let effect else {
      state.targetWasMissing(MissingTarget(type: S.Value.recordedName, id: id.value))
      return .none
    }
    return effect.map(ValueEmbedding<S>(id: id))
  }
}

extension Reducer where State: Recordable {
  /// This reducer of one part as a reducer of the parent of its dictionary.
  @inlinable
  public func forEachValue<S: ValueScope>(in scope: S.Type) -> ForEachValue<Self, S>
  where S.Value == State, S.ChildAction == Action {
    ForEachValue(self, in: scope)
  }
}
