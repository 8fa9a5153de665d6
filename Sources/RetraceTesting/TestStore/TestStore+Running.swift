public import RetraceArchitecture
import RetraceState
public import Testing

extension TestStore {
  /// Runs a leaf in flight, then folds its actions and its end.
  ///
  /// The batches that a `StreamingLeaf` sends are folded as it sends them, and stay folded if it
  /// throws. Once one of them cancels the leaf, its sender throws `CancellationError`, and that
  /// error of the leaf ends nothing. An answer that asks for a command is decided, and the facts
  /// are folded in its place.
  ///
  /// An issue is recorded if no such leaf is in flight, if its delay is not over, if a part before
  /// it in a concatenation has not ended, if it needs an environment, if it answers with a fact, or
  /// if the actions, the refusals, the error or the state differ.
  ///
  /// - Parameters:
  ///   - name: The name of its type; if several leaves have that name, the first is run.
  ///   - environment: The environment; `nil` for the store's. A leaf that sends an action needs
  ///     none.
  ///   - expectedActions: The expected actions, requests included; `nil` to accept any.
  ///   - expectedRefusals: The expected refusals of commands that the leaf asks for.
  ///   - expectedError: The type of the error that the leaf is expected to throw.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one.
  public mutating func run(
    _ name: String, in environment: App.Environment? = nil,
    sending expectedActions: [App.Action]? = nil, refused expectedRefusals: [App.Refusal] = [],
    failing expectedError: (any Error.Type)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) async where App.Action: Equatable {
    var problems = leaveReceived("before the leaf \(name)")
    defer { report(problems, at: sourceLocation) }
    let (found, problem) = leaf(named: name)
    guard let (id, leaf) = found else {
      problems.append(problem)
      return
    }
    let before = fold.state
    var failure: (any Error)?
    if let environment = environment ?? self.environment {
      if !runs.running.contains(id) { runs.start(leaf, id, in: environment) }
      problems += await finishLeaf(id, failingWith: &failure, isExpected: expectedError != nil)
    } else if let actions = leaf.immediateActions {
      problems += handle(.ended(id, .success(actions)))
    } else {
      problems.append("\(leaf) needs an environment")
      return
    }
    let answers = received.filter { $0.id == id }
    received.removeAll { $0.id == id }
    let (sent, refusals) = (answers.map(\.action), answers.compactMap(\.refusal))
    if let expectedError, failure.map({ type(of: $0) == expectedError }) != true {
      let found = failure.map { "threw \($0)" } ?? "threw nothing"
      problems.append("\(leaf) \(found), but \(expectedError) was expected")
    }
    if let expectedActions {
      problems += ValueText.differences(of: sent, from: expectedActions) {
        "action \($0 + 1) of \(leaf)"
      }
    }
    problems += compare(refusals, expectedRefusals, of: "\(leaf)")
    problems += compare(fold.state, from: before, change, after: "the leaf \(leaf)")
  }

  /// Folds what a leaf sends until it ends.
  ///
  /// - Parameters:
  ///   - failure: Receives the error that the leaf threw.
  ///   - isExpected: Whether an error is no problem.
  private mutating func finishLeaf(
    _ id: EffectLeafID, failingWith failure: inout (any Error)?, isExpected: Bool
  ) async -> [String] {
    var problems: [String] = []
    while runs.running.contains(id) {
      guard await runs.waitForEvent(within: .seconds(3_600), unless: { false }) else { break }
      guard let event = runs.next() else { continue }
      if case .ended(id, .failure(let error)) = event, fold.inFlight.contains(id) {
        failure = error
        if isExpected {
          end(id)
          continue
        }
      }
      problems += handle(event)
    }
    return problems
  }

  /// Simulates a restart of the process: finishes the leaves in flight by their declared policies.
  ///
  /// Leaves that run again stay in flight, and so do leaves that send an action and are not yet due
  /// or wait for an earlier part of a concatenation. An action that is sent may cancel a later
  /// leaf, which then sends nothing.
  ///
  /// - Parameters:
  ///   - expectedRefusals: The expected refusals of commands that are sent in place of leaves.
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the previous state to the expected one.
  public mutating func restart(
    refused expectedRefusals: [App.Refusal] = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout App.State) -> Void = { _ in }
  ) {
    runs.cancelAll()
    var problems = leaveReceived("before the restart")
    let before = fold.state
    // What ends is decided on what was in flight when the process ended, as in recovery.
    var ends: [(EffectLeafID, App.Action?)] = []
    for cause in effects.keys.sorted() {
      let walk = walk(of: cause, endingAt: clock.moment)
      for (ordinal, action) in walk.ends {
        ends.append((EffectLeafID(cause: cause, ordinal: ordinal), action))
      }
    }
    for (id, action) in ends where fold.inFlight.contains(id) {
      guard let leaf = leaves[id]?.leaf else { continue }
      end(id)
      if let action, let problem = fold(answer: [action], of: leaf, id) { problems.append(problem) }
    }
    problems += compare(received.compactMap(\.refusal), expectedRefusals, of: "a restart")
    received = []
    problems += compare(fold.state, from: before, change, after: "a restart")
    report(problems, at: sourceLocation)
  }

  /// Returns the leaf that a test may run, or why it may not run.
  private func leaf(named name: String) -> (found: (EffectLeafID, AppLeaf)?, problem: String) {
    for flying in fold.inFlight.leaves {
      guard let listed = leaves[flying.id], listed.leaf.name == name else { continue }
      guard flying.due <= clock.moment else {
        let time = Self.text(of: flying.due.microseconds - clock.moment.microseconds)
        return (nil, "\(listed.leaf) is not due yet, but in \(time): advance the clock")
      }
      guard walk(of: flying.id.cause).reached.contains(flying.id.ordinal) else {
        return (nil, "\(listed.leaf) waits for an earlier part of its concatenation")
      }
      return ((flying.id, listed.leaf), "")
    }
    let names = leavesInFlight.map(\.name)
    return (
      nil,
      names.isEmpty
        ? "no leaf \(name) is in flight"
        : "no leaf \(name) is in flight, but \(names.joined(separator: ", "))"
    )
  }
}
