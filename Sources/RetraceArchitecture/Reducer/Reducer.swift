public import RetraceState

/// A pure and total function from a state and an action to the next state.
///
/// A reducer reads no clock, no random numbers, no locale and no file: the clock is `moment`, ids
/// are counters in the state. A request that cannot be met is an outcome in the state, never a
/// trap.
public protocol Reducer<State, Action, Environment>: Sendable, SendableMetatype {
  /// What the reducer changes in place.
  associatedtype State
  /// What the reducer answers to.
  associatedtype Action: Sendable
  /// What effects run in; a reducer only names it.
  associatedtype Environment: Sendable

  /// Changes the state in place and answers what should be done outside.
  ///
  /// - Parameters:
  ///   - state: The state, changed in place.
  ///   - action: What happened or was asked.
  ///   - moment: When the action was sent, as recorded.
  /// - Returns: The effect to run once the action is durable.
  func reduce(
    _ state: inout State, _ action: Action, at moment: Moment
  ) -> Effect<Action, Environment>
}
