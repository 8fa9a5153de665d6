public import RetraceState

/// A pure and total function from a state and an action to the next state.
///
/// A reducer reads no clock, no random numbers, no locale and no file: the clock is `moment`, and
/// ids are counters in the state. For an action that cannot be carried out, the reducer sets an
/// outcome in the state; it never traps.
public protocol Reducer<State, Action, Environment>: Sendable, SendableMetatype {
  /// The state, which the reducer changes in place.
  associatedtype State
  /// The actions that the reducer handles.
  associatedtype Action: Sendable
  /// The environment that effects run in; a reducer only names it.
  associatedtype Environment: Sendable

  /// Changes the state in place and returns the effect of the action.
  ///
  /// - Parameters:
  ///   - state: The state, changed in place.
  ///   - action: The action.
  ///   - moment: When the action was sent, as recorded.
  /// - Returns: The effect to run once the action is durable.
  func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment>
}
