public import RetraceArchitecture
public import RetraceAvro
public import RetraceState
public import Testing

extension Reducer where State: Equatable & Sendable, Action: Recordable {
  /// Reduces an action, and compares the new state and the effect with the expected ones.
  ///
  /// ```swift
  /// NotesReducer().testReduce(NotesState(), .closed) { $0.search = nil }
  /// NotesReducer().testReduceNoOp(NotesState(), .closed)
  /// ```
  ///
  /// - Parameters:
  ///   - state: The state before the action.
  ///   - action: The action.
  ///   - moment: The moment of the action.
  ///   - effect: The expected effect; by default none.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the state to the expected one; by default changes nothing.
  public func testReduce(
    _ state: State, _ action: Action, at moment: Moment = Moment(microseconds: 1_000_000),
    effect: Effect<Action, Environment> = .none,
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout State) -> Void = { _ in }
  ) {
    record(state, action, at: moment, effect: effect, sourceLocation, change)
  }

  /// Reduces an action, and compares the new state with the expected one, whatever the effect is.
  ///
  /// - Parameters:
  ///   - state: The state before the action.
  ///   - action: The action.
  ///   - moment: The moment of the action.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the state to the expected one.
  public func testReduceState(
    _ state: State, _ action: Action, at moment: Moment = Moment(microseconds: 1_000_000),
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout State) -> Void
  ) {
    record(state, action, at: moment, effect: nil, sourceLocation, change)
  }

  /// Reduces an action, and compares the effect with the expected one, whatever the new state is.
  ///
  /// - Parameters:
  ///   - state: The state before the action.
  ///   - action: The action.
  ///   - moment: The moment of the action.
  ///   - effect: The expected effect.
  ///   - sourceLocation: The line of the call.
  public func testReduceEffect(
    _ state: State, _ action: Action, at moment: Moment = Moment(microseconds: 1_000_000),
    _ effect: Effect<Action, Environment>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(state, action, at: moment, effect: effect, sourceLocation, comparingState: false)
  }

  /// Reduces an action, and records an issue if it has an effect, whatever the new state is.
  ///
  /// - Parameters:
  ///   - state: The state before the action.
  ///   - action: The action.
  ///   - moment: The moment of the action.
  ///   - sourceLocation: The line of the call.
  public func testReduceNoEffect(
    _ state: State, _ action: Action, at moment: Moment = Moment(microseconds: 1_000_000),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(state, action, at: moment, effect: Effect.none, sourceLocation, comparingState: false)
  }

  /// Reduces an action, and records an issue if it changes the state or has an effect.
  ///
  /// - Parameters:
  ///   - state: The state before the action.
  ///   - action: The action.
  ///   - moment: The moment of the action.
  ///   - sourceLocation: The line of the call.
  public func testReduceNoOp(
    _ state: State, _ action: Action, at moment: Moment = Moment(microseconds: 1_000_000),
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    record(state, action, at: moment, effect: Effect.none, sourceLocation)
  }

  private func record(
    _ state: State, _ action: Action, at moment: Moment, effect: Effect<Action, Environment>?,
    _ location: SourceLocation, comparingState: Bool = true,
    _ change: (inout State) -> Void = { _ in }
  ) {
    var (actual, expected) = (state, state)
    let found = reduce(&actual, action, at: moment)
    var what: String { ValueText.text(of: action) }
    var problems: [String] = []
    change(&expected)
    if comparingState, actual != expected {
      problems.append(
        StateText.mismatch(
          of: FeatureState(value: actual), from: FeatureState(value: expected), after: what))
    }
    if let effect, found != effect {
      problems.append("the effect of \(what) is \(found), but \(effect) was expected")
    }
    guard !problems.isEmpty else { return }
    Issues.record(problems.joined(separator: "\n"), at: location)
  }
}
