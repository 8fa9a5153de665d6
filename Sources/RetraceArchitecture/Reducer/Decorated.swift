public import RetraceState

/// Something done before and after another reducer, such as noting the name of each action.
///
/// A hook is as pure as a reducer: what it has to tell lies in the state or in an effect.
public protocol ReducerHook<State, Action, Environment>: Sendable, SendableMetatype {
  /// The state of the reducer around which the hook lies.
  associatedtype State
  /// Its actions.
  associatedtype Action: Sendable
  /// The environment of its effects.
  associatedtype Environment: Sendable

  /// Is called before the reducer; its effect merges with that of the reducer.
  func before(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment>

  /// Is called after the reducer with the effect so far, and answers what it shall be.
  func after(
    _ state: inout State, _ action: Action, at moment: Moment,
    _ effect: Effect<Action, Environment>
  ) -> Effect<Action, Environment>
}

extension ReducerHook {
  /// Does nothing, unless a hook says otherwise.
  @inlinable
  public func before(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment> { .none }

  /// Answers the effect as it is, unless a hook says otherwise.
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

  /// Calls the hook, the reducer, and the hook again.
  @inlinable
  public func reduce(
    _ state: inout Base.State, _ action: Base.Action, at moment: Moment
  ) -> Effect<Base.Action, Base.Environment> {
    let before = hook.before(&state, action, at: moment)
    let effect = before.merged(with: base.reduce(&state, action, at: moment))
    return hook.after(&state, action, at: moment, effect)
  }
}

extension Reducer {
  /// This reducer with a hook around it.
  @inlinable
  public func decorated<Hook: ReducerHook>(with hook: Hook) -> Decorated<Self, Hook>
  where Hook.State == State, Hook.Action == Action, Hook.Environment == Environment {
    Decorated(self, with: hook)
  }
}
