public import RetraceState

/// The reducer of the facts of a domain: carries their edits out.
///
/// An edit of an entity that does not exist changes nothing.
///
/// ```swift
/// extension ShelfApp {
///   static var reducer: EntityReducer<ShelfEntities, Never> { EntityReducer() }
///   static var decider: EntityDecider<ShelfEntities> { EntityDecider() }
/// }
/// ```
@frozen
public struct EntityReducer<List: EntityList, Environment: Sendable>: Reducer {
  /// Creates the reducer.
  @inlinable
  public init(_ list: List.Type = List.self, environment: Environment.Type = Environment.self) {}

  /// Carries out the edits of a fact.
  @inlinable
  public func reduce(
    _ state: inout List.State, _ action: EntityFact<List.Edit>, at moment: Moment
  ) -> Effect<EntityFact<List.Edit>, Environment> {
    switch action {
    case .edited(let edit):
      state.undoableFacts &+= 1
      carryOut(edit, on: &state, at: moment)
    case .bulkEdited(let edit): carryOut(edit, on: &state, at: moment)
    case .restored(let restored):
      state.undoableFacts &+= 1
      for edit in restored.edits { carryOut(edit, on: &state, at: moment) }
    }
    return .none
  }

  @inlinable
  func carryOut(_ edit: List.Edit, on state: inout List.State, at moment: Moment) {
    edit.apply(to: &state)
    List.touch(edit, in: &state, at: moment)
  }
}
