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
/// CombineDeciders {
///   TimerDecider().pulledBack(through: TimerCommands.self)
///   ProjectDecider().pulledBack(through: ProjectCommands.self)
/// }
/// ```
@frozen
public struct CombineDeciders<Content: Decider>: Decider {
  @usableFromInline let content: Content

  /// Combines the listed deciders.
  @inlinable
  public init(@DeciderBuilder _ content: () -> Content) {
    self.content = content()
  }

  /// Returns whether one of the deciders handles a command.
  @inlinable
  public func handles(_ command: Content.Command) -> Bool { content.handles(command) }

  /// Decides a command with the first decider that handles it.
  @inlinable
  public func decide(
    _ command: Content.Command, on state: borrowing Content.State, at moment: Moment
  ) throws(Content.Refusal) -> [Content.Action] {
    try content.decide(command, on: state, at: moment)
  }
}

/// Builds one decider from a list of at least one decider.
@resultBuilder
public enum DeciderBuilder {
  /// Starts with the first decider of a list.
  @inlinable
  public static func buildPartialBlock<First: Decider>(first: First) -> First { first }

  /// Appends the next decider of a list.
  @inlinable
  public static func buildPartialBlock<Before: Decider, Next: Decider>(
    accumulated: Before, next: Next
  ) -> DeciderPair<Before, Next>
  where
    Before.Command == Next.Command, Before.State == Next.State, Before.Action == Next.Action,
    Before.Refusal == Next.Refusal
  {
    DeciderPair(accumulated, next)
  }
}
