public import RetraceState

/// Code that runs after a reducer if a value that it watches has changed.
///
/// It is as pure as a reducer: its results are changes of the state and an effect.
///
/// ```swift
/// struct ArchiveHandler: ChangeHandler {
///   func value(of state: borrowing NotesState) -> Bool { state.settings.showsArchive }
///
///   func changed(
///     from old: Bool, to new: Bool, in state: inout NotesState, at moment: Moment
///   ) -> Effect<NotesAction, NoteServer> {
///     if new { state.drafts = [:] }
///     return .none
///   }
/// }
/// ```
public protocol ChangeHandler<State, Action, Environment>: Sendable, SendableMetatype {
  /// The state of the reducer.
  associatedtype State
  /// The actions of the reducer.
  associatedtype Action: Sendable
  /// The environment of the reducer's effects.
  associatedtype Environment: Sendable
  /// The value that is watched.
  associatedtype Value: Equatable

  /// Returns the watched value of a state; called before and after each action.
  func value(of state: borrowing State) -> Value

  /// Runs once for each action that changed the value.
  func changed(
    from old: Value, to new: Value, in state: inout State, at moment: Moment
  ) -> Effect<Action, Environment>
}

/// A reducer with a handler for the changes of one value.
@frozen
public struct OnChange<Base: Reducer, Handler: ChangeHandler>: Reducer
where
  Handler.State == Base.State, Handler.Action == Base.Action,
  Handler.Environment == Base.Environment
{
  @usableFromInline let base: Base
  @usableFromInline let handler: Handler

  /// Adds a handler to a reducer.
  @inlinable
  public init(_ base: Base, handler: Handler) {
    self.base = base
    self.handler = handler
  }

  /// Runs the reducer, and then the handler if the value changed.
  @inlinable
  public func reduce(
    _ state: inout Base.State, _ action: Base.Action, at moment: Moment
  ) -> Effect<Base.Action, Base.Environment> {
    let old = handler.value(of: state)
    let effect = base.reduce(&state, action, at: moment)
    let new = handler.value(of: state)
    if old == new { return effect }
    return effect.merged(with: handler.changed(from: old, to: new, in: &state, at: moment))
  }

  /// Returns whether the reducer has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing Base.State
  ) -> Bool? { base.hasChild(child, in: state) }
}

extension Reducer {
  /// Returns this reducer with a handler for the changes of one value.
  @inlinable
  public func onChange<Handler: ChangeHandler>(_ handler: Handler) -> OnChange<Self, Handler>
  where Handler.State == State, Handler.Action == Action, Handler.Environment == Environment {
    OnChange(self, handler: handler)
  }
}
