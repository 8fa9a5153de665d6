public import RetraceAvro
public import RetraceState

/// The place of a small dictionary in a parent state, such as the scenes, so that a reducer of one
/// value can run on it.
public protocol ValueScope: SendableMetatype {
  /// The state that holds the dictionary.
  associatedtype ParentState: ReportsMissingTarget
  /// The ids of the values.
  associatedtype ID: EntityID
  /// The values.
  associatedtype Value: Recordable
  /// The actions of the parent.
  associatedtype ParentAction: Sendable
  /// The actions of one value.
  associatedtype ChildAction: Sendable

  /// Returns the id and the value's action, or `nil` if the action is not for this dictionary.
  static func extract(_ action: ParentAction) -> (id: ID, action: ChildAction)?

  /// Returns the parent's action that wraps an action of the value with an id.
  static func embed(_ action: ChildAction, for id: ID) -> ParentAction

  /// Calls `body` with the dictionary in place; the dictionary must be a stored property.
  static func with<Result>(
    _ parent: inout ParentState, _ body: (inout [ID: Value]) -> Result
  ) -> Result
}

/// The embedding of one value's actions.
@frozen
public struct ValueEmbedding<S: ValueScope>: ActionEmbedding {
  /// The id of the value.
  public let id: S.ID

  /// Makes the embedding for an id.
  @inlinable
  public init(id: S.ID) { self.id = id }

  /// The value with the id.
  public var scope: EffectScope.Component { EffectScope.Component(S.self, id: id.value) }

  /// Embeds one action.
  @inlinable
  public func embed(_ action: S.ChildAction) -> S.ParentAction { S.embed(action, for: id) }
}

/// A reducer that runs the reducer of a value on a dictionary in a parent state.
///
/// An action for an id without a value is reported to ``ReportsMissingTarget``. The value is
/// changed in place through its index; through its key it would be moved out and back.
@frozen
public struct ForEachValue<Child: Reducer, S: ValueScope>: Reducer
where Child.State == S.Value, Child.Action == S.ChildAction {
  @usableFromInline let child: Child

  /// Makes a reducer of the parent from the reducer of one value.
  @inlinable
  public init(_ child: Child, in scope: S.Type) { self.child = child }

  /// Reduces the value that the action names, in place.
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

  /// Returns whether the dictionary has the value, and the value has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: inout S.ParentState
  ) -> Bool {
    guard let first = child.first, first.isIn(S.self), let number = first.id else { return true }
    return S.with(&state) { parts in
      guard let index = parts.index(forKey: S.ID(value: number)) else { return false }
      return self.child.hasChild(child.dropFirst(), in: &parts.values[index])
    }
  }
}

extension Reducer where State: Recordable {
  /// Returns this reducer of one value as a reducer of the parent of its dictionary.
  @inlinable
  public func forEachValue<S: ValueScope>(in scope: S.Type) -> ForEachValue<Self, S>
  where S.Value == State, S.ChildAction == Action {
    ForEachValue(self, in: scope)
  }
}
