/// What should be done outside once an action is durable, as a value of one word.
public struct Effect<Action: Sendable, Environment: Sendable>: Sendable {
  /// Nothing to do.
  @inlinable public static var none: Effect { Effect() }

  @inlinable
  init() {}
}
