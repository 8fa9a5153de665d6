public import RetraceState

/// A pure function from a command, a state and a moment to the facts of a decision.
///
/// A command asks for something and may be refused; a fact says what happened. A decider reads no
/// clock, no random numbers, no locale and no file: the clock is `moment`, and new ids come from
/// the state. The reducer that gets the facts checks nothing again.
///
/// A feature without children implements ``decide(_:on:at:)``; one with children lists deciders in
/// ``body``.
///
/// ```swift
/// struct ThermostatDecider: Decider {
///   func decide(
///     _ degrees: Int64, on thermostat: borrowing Thermostat, at moment: Moment
///   ) throws(HeaterRefusal) -> [HeaterAction] {
///     guard degrees <= 30 else { throw .tooHot(limit: 30) }
///     return [.degreesChanged(from: thermostat.degrees, to: degrees)]
///   }
/// }
/// ```
///
/// A store calls the decider inside the write transaction, on the state after the last record of
/// the log, so no other process can change the state before the facts are appended.
public protocol Decider<Command, State, Action, Refusal>: Sendable, SendableMetatype {
  /// The commands that the decider handles.
  associatedtype Command: Sendable
  /// The state on which it decides.
  associatedtype State
  /// The actions that it returns as facts.
  associatedtype Action: Sendable
  /// The type of its refusals.
  associatedtype Refusal: Error
  /// The type of ``body``; `Never` for a decider that implements ``decide(_:on:at:)``.
  associatedtype Body = Never

  /// Returns whether the decider handles a command; by default `true`, or as ``body`` does.
  ///
  /// A ``DeciderScope`` returns `false` for a command of another child. A combination returns
  /// `false` if none of its deciders handles the command.
  func handles(_ command: Command) -> Bool

  /// Decides a command; by default ``body`` does.
  ///
  /// - Parameters:
  ///   - command: The command, which the decider handles.
  ///   - state: The state right before the facts.
  ///   - moment: When the command is decided; the moment of the facts.
  /// - Returns: The facts, in order; none if nothing has to change.
  /// - Throws: The refusal.
  func decide(
    _ command: Command, on state: borrowing State, at moment: Moment
  ) throws(Refusal) -> [Action]

  /// The deciders that this one consists of; the first that handles a command decides it.
  @DeciderBuilder<Command, State, Action, Refusal> var body: Body { get }
}

extension Decider {
  /// Returns `true`.
  @inlinable
  public func handles(_ command: Command) -> Bool { true }
}

extension Decider where Body == Never {
  /// A decider that implements ``decide(_:on:at:)`` has no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Decider where Self: Reducer, Body == Never {
  /// A type that implements ``decide(_:on:at:)`` and ``Reducer/reduce(_:_:at:)`` has no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Decider where Body: Decider {
  /// Returns whether ``body`` handles a command.
  @inlinable
  public func handles(_ command: Body.Command) -> Bool { body.handles(command) }

  /// Decides a command with ``body``.
  @inlinable
  public func decide(
    _ command: Body.Command, on state: borrowing Body.State, at moment: Moment
  ) throws(Body.Refusal) -> [Body.Action] {
    try body.decide(command, on: state, at: moment)
  }
}

/// The decider of an app without commands.
@frozen
public struct NoDecider<State, Action: Sendable>: Decider {
  /// Creates the decider.
  @inlinable
  public init() {}

  /// Decides nothing, because there is no command.
  @inlinable
  public func decide(
    _ command: NoCommand, on state: borrowing State, at moment: Moment
  ) throws(NoCommand) -> [Action] {}
}

extension Decider {
  /// Decides several commands in order, each on the state after the facts of those before it.
  ///
  /// The decider of a composite command calls it, so the facts of all commands are one batch. If a
  /// command is refused, this throws its refusal and returns no facts.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - state: The state right before the facts.
  ///   - moment: The moment of the facts.
  ///   - reducer: The reducer of the facts, which gets a copy of the state.
  /// - Complexity: As deciding each command, plus reducing each fact once more.
  /// - Returns: The facts, in order.
  /// - Throws: The first refusal.
  /// - Precondition: The decider handles each command.
  @inlinable
  public func decideTogether<R: Reducer>(
    _ commands: [Command], on state: borrowing State, at moment: Moment, reducingWith reducer: R
  ) throws(Refusal) -> [Action] where R.State == State, R.Action == Action {
    var next = copy state
    var facts: [Action] = []
    for command in commands {
      precondition(handles(command), "decideTogether: no decider handles one of the commands")
      for fact in try decide(command, on: next, at: moment) {
        _ = reducer.reduce(&next, fact, at: moment)
        facts.append(fact)
      }
    }
    return facts
  }
}
