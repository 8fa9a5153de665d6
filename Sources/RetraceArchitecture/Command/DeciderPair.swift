public import RetraceState

/// Two deciders, each of which handles some of the commands.
///
/// A command that both handle is decided by the first.
@frozen
public struct DeciderPair<First: Decider, Second: Decider>: Decider
where
  First.Command == Second.Command, First.State == Second.State, First.Action == Second.Action,
  First.Refusal == Second.Refusal
{
  @usableFromInline let first: First
  @usableFromInline let second: Second

  /// Combines two deciders.
  @inlinable
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Returns whether one of the deciders handles a command.
  @inlinable
  public func handles(_ command: First.Command) -> Bool {
    first.handles(command) || second.handles(command)
  }

  /// Decides a command with the decider that handles it.
  @inlinable
  public func decide(
    _ command: First.Command, on state: borrowing First.State, at moment: Moment
  ) throws(First.Refusal) -> [First.Action] {
    first.handles(command)
      ? try first.decide(command, on: state, at: moment)
      : try second.decide(command, on: state, at: moment)
  }
}

/// The listed deciders, of which the first one that handles a command decides it.
///
/// ```swift
/// func deciders() -> some Decider<HeaterCommand, HeaterState, HeaterAction, HeaterRefusal> {
///   CombineDeciders {
///     DeciderScope({ $0.thermostat }, command: { $0.warm }) { ThermostatDecider() }
///     DeciderScope({ $0.lock }, command: { $0.lock }) { LockDecider() }
///   }
/// }
/// ```
@frozen
public struct CombineDeciders<
  Command: Sendable, State, Action: Sendable, Refusal: Error,
  Content: Decider<Command, State, Action, Refusal>
>: Decider {
  @usableFromInline let content: Content

  /// Combines the listed deciders.
  @inlinable
  public init(@DeciderBuilder<Command, State, Action, Refusal> _ content: () -> Content) {
    self.content = content()
  }

  /// Returns whether one of the deciders handles a command.
  @inlinable
  public func handles(_ command: Command) -> Bool { content.handles(command) }

  /// Decides a command with the first decider that handles it.
  @inlinable
  public func decide(
    _ command: Command, on state: borrowing State, at moment: Moment
  ) throws(Refusal) -> [Action] {
    try content.decide(command, on: state, at: moment)
  }
}

/// Builds one decider from a list of at least one, all of the same state, commands, facts and
/// refusals.
@resultBuilder
public enum DeciderBuilder<Command: Sendable, State, Action: Sendable, Refusal: Error> {
  /// Gives the names of parts in a listed decider their types.
  @inlinable
  public static func buildExpression<D: Decider<Command, State, Action, Refusal>>(
    _ decider: D
  ) -> D { decider }

  /// Starts with the first decider of a list.
  @inlinable
  public static func buildPartialBlock<First: Decider<Command, State, Action, Refusal>>(
    first: First
  ) -> First { first }

  /// Appends the next decider of a list.
  @inlinable
  public static func buildPartialBlock<
    Before: Decider<Command, State, Action, Refusal>, Next: Decider<Command, State, Action, Refusal>
  >(
    accumulated: Before, next: Next
  ) -> DeciderPair<Before, Next> {
    DeciderPair(accumulated, next)
  }
}
