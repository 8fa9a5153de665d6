public import RetraceArchitecture
public import RetraceState

/// The facts of the domain.
public typealias DomainFact = EntityFact<DomainEdit>

/// The reducer of the domain's facts.
public struct DomainReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Applies the edits of a fact.
  public func reduce(
    _ state: inout DomainState, _ action: DomainFact, at moment: Moment
  ) -> Effect<DomainFact, Never> {
    EntityReducer(DomainEntities.self).reduce(&state, action, at: moment)
  }
}

/// The decider of the domain's commands.
public struct DomainDecider: Decider {
  /// Creates the decider.
  public init() {}

  /// Decides a command.
  ///
  /// Whatever the command is, facts that would change a closed period are refused.
  public func decide(
    _ command: DomainCommand, on state: borrowing DomainState, at moment: Moment
  ) throws(DomainRefusal) -> [DomainFact] {
    let facts = try EntityDecider(DomainEntities.self).decide(command, on: state, at: moment)
    try state.checkClosed(facts)
    return facts
  }
}
