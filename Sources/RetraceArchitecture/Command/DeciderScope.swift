public import RetraceState

/// A child's decider as a decider of its parent.
///
/// It names the child's state and the cases that carry the child's commands, facts and refusals.
/// Leave out the cases of facts and refusals if the child uses the types of its parent.
///
/// ```swift
/// struct HeaterDecider: Decider {
///   var body: some Decider<HeaterCommand, HeaterState, HeaterAction, HeaterRefusal> {
///     DeciderScope({ $0.thermostat }, command: { $0.warm }) { ThermostatDecider() }
///     DeciderScope({ $0.lock }, command: { $0.lock }) { LockDecider() }
///   }
/// }
/// ```
@frozen
public struct DeciderScope<
  Command: Sendable, State, Action: Sendable, Refusal: Error, Part: StatePart, Request: EnumCase,
  Fact: EnumCase, Reason: EnumCase, Child: Decider
>: Decider
where
  Part.Whole == State, Request.Whole == Command, Fact.Whole == Action, Reason.Whole == Refusal,
  Child.State == Part.Value, Child.Command == Request.Value, Child.Action == Fact.Value,
  Child.Refusal == Reason.Value
{
  @usableFromInline let child: Child

  /// Creates a decider of the parent.
  ///
  /// - Parameters:
  ///   - part: The name of the child's state in the parent's.
  ///   - command: The name of the case that carries the child's commands.
  ///   - fact: The name of the case that carries the child's facts.
  ///   - refusal: The name of the case that carries the child's refusals.
  ///   - child: Returns the decider of the child.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, command: (Command.Parts) -> Request,
    fact: (Action.Parts) -> Fact, refusal: (Refusal.Parts) -> Reason,
    child: () -> Child
  ) where State: Composed, Command: Composed, Action: Composed, Refusal: Composed {
    self.child = child()
  }

  /// Creates a decider of the parent from a child that has the refusals of its parent.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, command: (Command.Parts) -> Request,
    fact: (Action.Parts) -> Fact,
    child: () -> Child
  ) where State: Composed, Command: Composed, Action: Composed, Reason == Itself<Refusal> {
    self.child = child()
  }

  /// Creates a decider of the parent from a child with its parent's facts and refusals.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, command: (Command.Parts) -> Request,
    child: () -> Child
  )
  where State: Composed, Command: Composed, Fact == Itself<Action>, Reason == Itself<Refusal> {
    self.child = child()
  }

  /// Creates a decider of the parent from a child with its parent's commands and refusals, such as
  /// an ``EntityDecider`` at the root of an app.
  @inlinable
  public init(
    _ part: (State.Parts) -> Part, fact: (Action.Parts) -> Fact, child: () -> Child
  )
  where
    State: Composed, Action: Composed, Request == Itself<Command>, Reason == Itself<Refusal>
  {
    self.child = child()
  }

  /// Creates a decider of the parent from a child that decides on all of the parent's state, as for
  /// rules that concern several tables.
  @inlinable
  public init(
    command: (Command.Parts) -> Request, fact: (Action.Parts) -> Fact,
    refusal: (Refusal.Parts) -> Reason,
    child: () -> Child
  ) where Command: Composed, Action: Composed, Refusal: Composed, Part == Itself<State> {
    self.child = child()
  }

  /// Creates a decider of the parent from a child with its parent's state, facts and refusals.
  @inlinable
  public init(
    command: (Command.Parts) -> Request, child: () -> Child
  )
  where Command: Composed, Part == Itself<State>, Fact == Itself<Action>, Reason == Itself<Refusal>
  {
    self.child = child()
  }

  /// Returns whether the command is for the child, and the child handles it.
  @inlinable
  public func handles(_ command: Command) -> Bool {
    Request.extract(command).map { child.handles($0) } ?? false
  }

  /// Decides the child's command on the child's part of the state.
  @inlinable
  public func decide(
    _ command: Command, on state: borrowing State, at moment: Moment
  ) throws(Refusal) -> [Action] {
    guard let inner = Request.extract(command) else { return [] }
    do throws(Reason.Value) {
      let facts = try Part.read(state) { (part: borrowing Part.Value) throws(Reason.Value) in
        try child.decide(inner, on: part, at: moment)
      }
      // A loop, because `map` looks up its types at run time where it is not specialized.
      var actions: [Action] = []
      actions.reserveCapacity(facts.count)
      for index in 0..<facts.count { actions.append(Fact.embed(facts[index])) }
      return actions
    } catch {
      throw Reason.embed(error)
    }
  }
}
