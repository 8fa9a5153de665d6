public import RetraceArchitecture
import RetraceState
public import Testing

extension TestStore {
  /// Sends actions as one batch and compares the new state and the effect with the expected ones.
  ///
  /// - Parameters:
  ///   - sceneActions: The actions.
  ///   - effect: The expected effect; for several actions, their effects merged. If `nil`, there
  ///     must be none in a store without an environment. In a store with one, and in a store that
  ///     is not exhaustive, any is put in flight.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one; by default changes nothing.
  public mutating func send(
    _ sceneActions: App.SceneAction..., effect: AppEffect? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) {
    report(carryOut(sceneActions, effect: effect, change), at: sourceLocation)
  }

  /// Decides a command, folds its facts, and compares these and the new state with the expected
  /// ones.
  ///
  /// ```swift
  /// var store = TestStore<HeaterApp>()
  /// store.perform(.warm(to: 21), facts: [.degreesChanged(from: 20, to: 21)])
  /// ```
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - expectedFacts: The expected facts; `nil` to accept any, as the state shows them.
  ///   - effect: The expected effect of the facts, merged; `nil` as for an action that is sent.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one.
  public mutating func perform(
    _ command: App.Command, facts expectedFacts: [App.Action]? = nil, effect: AppEffect? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) where App.Action: Equatable {
    var problems = leaveReceived("before the command")
    let (before, decision) = (fold.state, when(command))
    let effects = record(decision)
    if let expectedFacts {
      if let problem = decision.problem(expectedFacts) { problems.append(problem) }
    } else if !decision.isAccepted {
      problems.append("\(decision.name) \(decision.result)")
    }
    problems += compare(fold.state, from: before, change, after: decision.name)
    problems += compare(effects, effect, of: decision.name)
    report(problems, at: sourceLocation)
  }

  /// Decides a command, and compares its refusal with the expected one.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - expectedRefusal: The expected refusal.
  ///   - sourceLocation: The line of the call.
  public mutating func perform(
    _ command: App.Command, refused expectedRefusal: App.Refusal,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var problems = leaveReceived("before the command")
    let decision = when(command)
    _ = record(decision)
    if let problem = decision.problem(refused: expectedRefusal) { problems.append(problem) }
    report(problems, at: sourceLocation)
  }

  /// Folds the facts of a decision, after the record of its command.
  ///
  /// - Returns: The effects of the facts.
  mutating func record(_ decision: Decision) -> AppEffect {
    if case .unhandled = decision.outcome { return .none }
    let sequence = skipRecord()
    let effects = decision.facts.map { apply($0) }
    if Self.hasEdits(decision.facts) { history.add(decision.facts, at: sequence) }
    return .merge(effects)
  }

  private static func hasEdits(_ facts: [App.Action]) -> Bool {
    func hasEdits<Undoable: UndoableApp>(_ app: Undoable.Type) -> Bool {
      facts.contains { ($0 as? Undoable.Action).map { !Undoable.edits(of: $0).isEmpty } ?? false }
    }
    return (App.self as? any UndoableApp.Type).map { hasEdits($0) } ?? false
  }

  mutating func carryOut(
    _ sceneActions: [App.SceneAction], effect: AppEffect?, _ change: (inout App.State) -> Void
  ) -> [String] {
    let problems = leaveReceived("before the next action")
    guard let actions = App._sent(sceneActions) else {
      return problems + sceneActions.compactMap { problem(ofSending: App.action(for: $0)) }
    }
    let before = fold.state
    let effects = AppEffect.merge(actions.map { apply($0) })
    var what: String { ValueText.list(of: actions) }
    return problems + compare(fold.state, from: before, change, after: what)
      + compare(effects, effect, of: what)
  }

  private func problem(ofSending action: App.Action) -> String? {
    let text = ValueText.text(of: action)
    return switch App.role(of: action) {
    case .scene: nil
    case .fact: "\(text) is not an action of a scene but a fact: perform a command that leads to it"
    case .request(let command):
      "\(text) is not an action of a scene: perform the command \(ValueText.text(of: command))"
    }
  }

  /// Compares an effect with the expected one; `nil` stands for none where nothing is received.
  private mutating func compare(
    _ actual: AppEffect, _ expected: AppEffect?, of what: @autoclosure () -> String
  ) -> [String] {
    let isAny = environment != nil || !isExhaustive
    guard let expected = expected ?? (isAny ? nil : AppEffect.none) else {
      if !isExhaustive, !actual.isNone { skipped.append("the effect of \(what()): \(actual)") }
      return []
    }
    guard actual != expected else { return [] }
    return ["the effect of \(what()) is \(actual), but \(expected) was expected"]
  }
}
