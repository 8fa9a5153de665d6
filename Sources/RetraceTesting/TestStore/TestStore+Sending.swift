public import RetraceArchitecture
public import RetraceAvro
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
    report(carryOut(sceneActions, effect.map { .whole($0) }, change), at: sourceLocation)
  }

  /// Sends actions as one batch and compares the new state and the leaves of the effect with the
  /// expected ones.
  ///
  /// The effect of a nested feature is long to write: its actions are embedded at each level. A
  /// leaf is the same at every level, as it was made. Delays, keys, cancellations and the order of
  /// parts are not compared; for these there is `effect`.
  ///
  /// ```swift
  /// var store = TestStore<NotesApp>()
  /// store.send(.search(.edited(value())), starting: [CountHits(query: "tea")])
  /// ```
  ///
  /// - Parameters:
  ///   - sceneActions: The actions.
  ///   - leaves: The expected leaves, in the order of the effect; `[]` for none.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one; by default changes nothing.
  public mutating func send(
    _ sceneActions: App.SceneAction..., starting leaves: [any Recordable],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) {
    report(carryOut(sceneActions, .leaves(leaves), change), at: sourceLocation)
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
  ///   - effect: The expected effect of the facts, merged; `nil` to accept any, of which
  ///     ``finish(sourceLocation:)`` lists the leaves that are left.
  ///   - leaves: The expected leaves of the effect, as for a sent action; `nil` to accept any.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one.
  public mutating func perform(
    _ command: App.Command, facts expectedFacts: [App.Action]? = nil, effect: AppEffect? = nil,
    starting leaves: [any Recordable]? = nil, sourceLocation: SourceLocation = #_sourceLocation,
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
    if let effect { problems += compare(effects, .whole(effect), of: decision.name) }
    if let leaves { problems += compare(effects, .leaves(leaves), of: decision.name) }
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
    _ sceneActions: [App.SceneAction], _ effect: ExpectedEffect?,
    _ change: (inout App.State) -> Void
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

  /// What a test expects of an effect.
  enum ExpectedEffect {
    case whole(AppEffect)
    case leaves([any Recordable])
  }

  /// Compares an effect with the expected one; `nil` stands for none where nothing is received.
  private mutating func compare(
    _ actual: AppEffect, _ expected: ExpectedEffect?, of what: @autoclosure () -> String
  ) -> [String] {
    switch expected {
    case .whole(let expected):
      return problem(actual, expected, of: what())
    case .leaves(let expected):
      let found = actual.leaves.map(\.leaf.base)
      guard !found.elementsEqual(expected, by: Self.isSame) else { return [] }
      let (started, wanted) = (Self.list(of: found), Self.list(of: expected))
      return ["\(what()) started \(started), but \(wanted) was expected"]
    case nil where environment == nil && isExhaustive:
      return problem(actual, .none, of: what())
    case nil:
      if !isExhaustive, !actual.isNone { skipped.append("the effect of \(what()): \(actual)") }
      return []
    }
  }

  private func problem(
    _ actual: AppEffect, _ expected: AppEffect, of what: @autoclosure () -> String
  ) -> [String] {
    guard actual != expected else { return [] }
    return ["the effect of \(what()) is \(actual), but \(expected) was expected"]
  }

  /// Returns whether both leaves have one type and are recorded as the same bytes.
  private static func isSame(_ left: any Recordable, _ right: any Recordable) -> Bool {
    type(of: left) == type(of: right) && left.encoded() == right.encoded()
  }

  private static func list(of leaves: [any Recordable]) -> String {
    leaves.isEmpty ? "no leaf" : leaves.map { "\($0)" }.joined(separator: ", ")
  }
}
