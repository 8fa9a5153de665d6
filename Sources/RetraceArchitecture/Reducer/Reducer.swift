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

  /// Returns whether the state has a child; `true` for children of other reducers.
  ///
  /// The fold calls it after each action for the children that have effects in flight, and ends the
  /// effects of those that are gone. A reducer composed by this module passes the call on to its
  /// parts. A reducer that calls others in its own ``reduce(_:_:at:)`` has to do the same; by
  /// default the answer is `true`.
  ///
  /// - Parameters:
  ///   - child: The way to the child; the first component is a child of this reducer.
  ///   - state: The state, which is not changed.
  /// - Complexity: O(reducers beside the way), and that of looking up the entities on the way.
  func hasChild(_ child: ArraySlice<EffectScope.Component>, in state: inout State) -> Bool
}

extension Reducer {
  /// Returns `true`: a reducer that is not composed has no children.
  @inlinable
  public func hasChild(
    _ child: ArraySlice<EffectScope.Component>, in state: inout State
  ) -> Bool { true }
}
