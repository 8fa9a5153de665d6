public import RetraceState

/// Code that runs before and after another reducer, such as a reset when the user signs out.
///
/// A hook is as pure as a reducer: its results are changes of the state and effects.
///
/// ```swift
/// struct EmptySearchHook: ReducerHook {
///   func after(
///     _ state: inout NotesState, _ action: NotesAction, at moment: Moment,
///     _ effect: Effect<NotesAction, NoteServer>
///   ) -> Effect<NotesAction, NoteServer> {
///     if state.search?.query.text.isEmpty == true { state.search = nil }
///     return effect
///   }
/// }
/// ```
public protocol ReducerHook<State, Action, Environment>: Sendable, SendableMetatype {
  /// The state of the decorated reducer.
  associatedtype State
  /// The actions of the decorated reducer.
  associatedtype Action: Sendable
  /// The environment of the decorated reducer's effects.
  associatedtype Environment: Sendable

  /// Runs before the reducer. The returned effect is merged with the reducer's.
  func before(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment>

  /// Runs after the reducer with the merged effect, and returns the effect to use instead.
  func after(
    _ state: inout State, _ action: Action, at moment: Moment,
    _ effect: Effect<Action, Environment>
  ) -> Effect<Action, Environment>
}

extension ReducerHook {
  /// By default does nothing.
  @inlinable
  public func before(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment> { .none }

  /// By default returns the effect unchanged.
  @inlinable
  public func after(
    _ state: inout State, _ action: Action, at moment: Moment,
    _ effect: Effect<Action, Environment>
  ) -> Effect<Action, Environment> { effect }
}

/// A reducer with a hook around it.
@frozen
public struct Decorated<Base: Reducer, Hook: ReducerHook>: Reducer
where
  Hook.State == Base.State, Hook.Action == Base.Action, Hook.Environment == Base.Environment
{
  @usableFromInline let base: Base
  @usableFromInline let hook: Hook

  /// Puts a hook around a reducer.
  @inlinable
  public init(_ base: Base, with hook: Hook) {
    self.base = base
    self.hook = hook
  }

  /// Runs the hook's `before`, the reducer, and the hook's `after`.
  @inlinable
  public func reduce(
    _ state: inout Base.State, _ action: Base.Action, at moment: Moment
  ) -> Effect<Base.Action, Base.Environment> {
    let before = hook.before(&state, action, at: moment)
    let effect = before.merged(with: base.reduce(&state, action, at: moment))
    return hook.after(&state, action, at: moment, effect)
  }

  /// Returns whether the reducer has a child.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: borrowing Base.State
  ) -> Bool? { base.hasChild(child, in: state) }
}

extension Reducer {
  /// Returns this reducer with a hook around it.
  @inlinable
  public func decorated<Hook: ReducerHook>(with hook: Hook) -> Decorated<Self, Hook>
  where Hook.State == State, Hook.Action == Action, Hook.Environment == Environment {
    Decorated(self, with: hook)
  }
}
