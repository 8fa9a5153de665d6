public import RetraceArchitecture

/// A store for tests of reducers: a test sends each action with the expected change and effect, and
/// runs effect leaves explicitly.
///
/// It uses `Fold`, as stores and replayers do, so it has the same effects in flight. Time stands
/// still unless the test advances ``clock``. After each `send`, `perform`, `run` and
/// `restart` it checks the app's invariants.
///
/// ```swift
/// var store = TestStore<Counter>()
/// try store.send(.added(1)) { $0.count = 1 }
/// try store.send(.saved, effect: .run(Save(count: 1)))
/// try await store.run("Save", in: desk) { $0.isSaved = true }
/// try store.finish()
/// ```
public struct TestStore<App: ReplayableApp> {
  /// The effect of an action.
  public typealias AppEffect = Effect<App.Action, App.Environment>

  /// The clock for the moments of actions and the delays of effects.
  public let clock: VirtualClock
  private var fold: Fold<App>
  private var leaves: [EffectLeafID: NumberedLeaf<App.Action, App.Environment>] = [:]

  /// Makes a store with a state.
  public init(state: App.State = App.initialState, clock: VirtualClock = VirtualClock()) {
    fold = Fold(state: state, sequence: 0)
    self.clock = clock
  }

  /// The state.
  public var state: App.State { fold.state }

  /// The effects in flight, in the order of their ids.
  public var inFlight: EffectsInFlight { fold.inFlight }

  /// The leaves in flight, in the order of their ids.
  public var leavesInFlight: [AnyEffectLeaf<App.Action, App.Environment>] {
    fold.inFlight.leaves.compactMap { leaves[$0.id]?.leaf }
  }

  /// Returns a store that has folded facts, to test a decision on the state after them.
  ///
  /// ```swift
  /// try TestStore<Timer>.given([.started(entry)]).when(.stop).then([.stopped(entry)])
  /// try TestStore<Timer>.given([]).when(.stop).then(refused: .nothingRuns)
  /// ```
  public static func given(
    _ facts: [App.Action], clock: VirtualClock = VirtualClock()
  ) -> TestStore {
    var store = TestStore(clock: clock)
    for fact in facts { _ = store.apply(fact) }
    return store
  }

  /// Decides a command on the state, which stays as it is.
  public func when(_ command: App.Command) -> Decision {
    do throws(App.Refusal) {
      let facts = try App._decide(command, on: fold, at: clock.moment)
      return Decision(command: command, outcome: facts.map { .accepted($0) } ?? .unhandled)
    } catch {
      return Decision(command: command, outcome: .refused(error))
    }
  }

  /// The outcome of deciding a command.
  public struct Decision {
    fileprivate enum Outcome {
      case accepted([App.Action])
      case refused(App.Refusal)
      case unhandled
    }

    fileprivate let command: App.Command
    fileprivate let outcome: Outcome

    /// The facts; none if the command was refused.
    public var facts: [App.Action] {
      if case .accepted(let facts) = outcome { facts } else { [] }
    }

    /// Compares the facts with the expected ones.
    ///
    /// - Throws: ``TestMismatch`` if they differ, or if the command was refused.
    public func then(_ expected: [App.Action]) throws(TestMismatch) where App.Action: Equatable {
      if case .accepted(expected) = outcome { return }
      throw TestMismatch("\(command) \(result), but \(expected) was expected")
    }

    /// Compares the refusal with the expected one.
    ///
    /// - Throws: ``TestMismatch`` if it differs, or if the command was accepted.
    public func then(refused expected: App.Refusal) throws(TestMismatch) {
      if case .refused(expected) = outcome { return }
      throw TestMismatch("\(command) \(result), but was expected to be refused as \(expected)")
    }

    private var result: String {
      switch outcome {
      case .accepted(let facts): "led to \(facts)"
      case .refused(let refusal): "was refused as \(refusal)"
      case .unhandled: "is handled by no decider"
      }
    }
  }

  /// Sends an action and compares the new state and the effect with the expected ones.
  ///
  /// - Parameters:
  ///   - sceneAction: The action.
  ///   - effect: The expected effect.
  ///   - change: Changes the previous state to the expected one; by default changes nothing.
  /// - Throws: ``TestMismatch`` if the action is a fact or asks for a command; if the state or the
  ///   effect differs, and then the store has the actual ones.
  public mutating func send(
    _ sceneAction: App.SceneAction, effect: AppEffect = .none,
    _ change: (inout App.State) -> Void = { _ in }
  ) throws(TestMismatch) {
    guard let action = App._sent([sceneAction])?.first else {
      throw TestMismatch("\(sceneAction) is not an action of a scene")
    }
    var expected = fold.state
    change(&expected)
    let actual = apply(action)
    try check(expected, after: "\(action)")
    guard actual == effect else {
      throw TestMismatch("the effect of \(action) is \(actual), but \(effect) was expected")
    }
  }

  /// Decides a command, folds its facts, and compares these and the new state with the expected
  /// ones.
  ///
  /// Effects of the facts are put in flight.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - expectedFacts: The expected facts.
  ///   - change: Changes the previous state to the expected one.
  /// - Throws: ``TestMismatch`` if the command is refused or if the facts or the state differ; the
  ///   store then has the actual state.
  public mutating func perform(
    _ command: App.Command, facts expectedFacts: [App.Action],
    _ change: (inout App.State) -> Void = { _ in }
  ) throws(TestMismatch) where App.Action: Equatable {
    var expected = fold.state
    change(&expected)
    let decision = when(command)
    for fact in decision.facts { _ = apply(fact) }
    try decision.then(expectedFacts)
    try check(expected, after: "\(command)")
  }

  /// Runs a leaf in flight, then folds its actions and its end.
  ///
  /// The batches that a `StreamingLeaf` sends are folded in order before its end, for as long as
  /// none of them cancels the leaf. An answer that asks for a command is decided, and the facts are
  /// folded in its place.
  ///
  /// - Parameters:
  ///   - name: The name of its type; if several leaves have that name, the first is run.
  ///   - environment: The environment; a leaf that sends an action needs none.
  ///   - expectedActions: The expected actions, requests included; `nil` to accept any.
  ///   - expectedRefusals: The expected refusals of commands that the leaf asks for.
  ///   - change: Changes the previous state to the expected one.
  /// - Throws: ``TestMismatch`` if no such leaf is in flight, if its delay is not over, if it needs
  ///   an environment, if it answers with a fact, or if the actions, the refusals or the state
  ///   differ; or the error of the leaf, which is then no longer in flight.
  public mutating func run(
    _ name: String, in environment: App.Environment? = nil,
    sending expectedActions: [App.Action]? = nil, refused expectedRefusals: [App.Refusal] = [],
    _ change: (inout App.State) -> Void = { _ in }
  ) async throws where App.Action: Equatable {
    let (id, leaf) = try leaf(named: name)
    var expected = fold.state
    change(&expected)
    let lastBatch: [App.Action]
    let earlier = SentBatches<App.Action>()
    if let environment {
      let sender = EffectSender<App.Action> { await earlier.append($0) }
      do {
        lastBatch = try await leaf.run(in: environment, send: sender)
      } catch {
        end(id)
        throw error
      }
    } else if let immediate = leaf.immediateActions {
      lastBatch = immediate
    } else {
      throw TestMismatch("\(leaf) needs an environment")
    }
    var sent: [App.Action] = []
    var refusals: [App.Refusal] = []
    for batch in await earlier.batches where fold.inFlight.contains(id) {
      refusals += try apply(answer: batch, of: leaf)
      sent += batch
    }
    if fold.inFlight.contains(id) {
      end(id)
      refusals += try apply(answer: lastBatch, of: leaf)
      sent += lastBatch
    }
    if let expectedActions, expectedActions != sent {
      throw TestMismatch("\(leaf) sent \(sent), but \(expectedActions) was expected")
    }
    try Self.check(refusals, expectedRefusals, of: "\(leaf)")
    try check(expected, after: "the leaf \(leaf)")
  }

  /// Simulates a restart of the process: finishes the leaves in flight by their declared policies.
  ///
  /// Leaves that run again stay in flight, and so do leaves that send an action and are not yet
  /// due.
  ///
  /// - Parameters:
  ///   - expectedRefusals: The expected refusals of commands that are sent in place of leaves.
  ///   - change: Changes the previous state to the expected one.
  /// - Throws: ``TestMismatch`` if the refusals or the state differ.
  public mutating func restart(
    refused expectedRefusals: [App.Refusal] = [],
    _ change: (inout App.State) -> Void = { _ in }
  ) throws(TestMismatch) {
    var expected = fold.state
    change(&expected)
    var refusals: [App.Refusal] = []
    let now = clock.moment
    for flying in fold.inFlight.leaves {
      guard let leaf = leaves[flying.id]?.leaf else { continue }
      switch leaf.interruptionPolicy {
      case .run: continue
      case .drop: end(flying.id)
      case .send(let action):
        guard flying.due <= now else { continue }
        end(flying.id)
        refusals += try apply(answer: [action], of: leaf)
      }
    }
    try Self.check(refusals, expectedRefusals, of: "a restart")
    try check(expected, after: "a restart")
  }

  /// Checks that nothing is in flight.
  ///
  /// - Throws: ``TestMismatch`` that lists the leaves in flight.
  public func finish() throws(TestMismatch) {
    guard !fold.inFlight.isEmpty else { return }
    let names = leavesInFlight.map(\.description).joined(separator: ", ")
    throw TestMismatch("still in flight: \(names)")
  }

  private func leaf(
    named name: String
  ) throws(TestMismatch) -> (EffectLeafID, AnyEffectLeaf<App.Action, App.Environment>) {
    for leaf in fold.inFlight.leaves {
      guard let listed = leaves[leaf.id], listed.leaf.name == name else { continue }
      guard leaf.due <= clock.moment else {
        throw TestMismatch("\(listed.leaf) is not due yet")
      }
      return (leaf.id, listed.leaf)
    }
    let names = leavesInFlight.map(\.name)
    throw TestMismatch("no leaf \(name) is in flight, but \(names)")
  }

  /// Compares the state with the expected one, and checks the app's invariants.
  private func check(_ expected: App.State, after what: String) throws(TestMismatch) {
    try TestMismatch.check(state: fold.state, expected, after: what)
    let violations = App.violations(of: fold.state)
    guard violations.isEmpty else {
      let list = violations.map(\.description).joined(separator: "; ")
      throw TestMismatch("the state breaks an invariant after \(what): \(list)")
    }
  }

  private mutating func apply(_ action: App.Action) -> AppEffect {
    let sequence = fold.sequence + 1
    let effect = fold.apply(action, at: clock.moment, sequence: sequence)
    for leaf in effect.leaves {
      leaves[EffectLeafID(cause: sequence, ordinal: leaf.ordinal)] = leaf
    }
    return effect
  }

  /// Folds an answer of a leaf, as the store does.
  ///
  /// - Returns: The refusal of the command that it asks for, if there is one.
  private mutating func apply(
    answer actions: [App.Action], of leaf: AnyEffectLeaf<App.Action, App.Environment>
  ) throws(TestMismatch) -> [App.Refusal] {
    let answer: EffectAnswer<App>
    do throws(InvalidEffectAnswer) {
      answer = try EffectAnswer(actions)
    } catch {
      throw TestMismatch("\(leaf) answered \(actions). \(error)")
    }
    switch answer {
    case .actions(let actions):
      for action in actions { _ = apply(action) }
    case .command(let command):
      let decision = when(command)
      // The record of the command, which changes no state.
      fold.skip(fold.sequence + 1)
      for fact in decision.facts { _ = apply(fact) }
      switch decision.outcome {
      case .accepted: return []
      case .refused(let refusal): return [refusal]
      case .unhandled: throw TestMismatch("\(command) of \(leaf) is handled by no decider")
      }
    }
    return []
  }

  private static func check(
    _ refusals: [App.Refusal], _ expected: [App.Refusal], of what: String
  ) throws(TestMismatch) {
    guard refusals != expected else { return }
    throw TestMismatch(
      "commands of \(what) were refused as \(refusals), but \(expected) was expected")
  }

  private mutating func end(_ id: EffectLeafID) {
    fold.inFlight.finish(id)
    fold.skip(fold.sequence + 1)
    leaves[id] = nil
  }
}

/// The batches that a leaf sent, in order.
private actor SentBatches<Action: Sendable> {
  private(set) var batches: [[Action]] = []

  func append(_ batch: [Action]) { batches.append(batch) }
}

/// A difference between the expected and the actual result of a test.
public struct TestMismatch: Error, CustomStringConvertible {
  /// A description of the difference.
  public let description: String

  init(_ description: String) { self.description = description }

  /// Compares states; the error lists the lines of their dumps that differ.
  static func check<State: Equatable>(
    state: State, _ expected: State, after what: String
  ) throws(TestMismatch) {
    guard state != expected else { return }
    let found = lines(of: state)
    let wanted = lines(of: expected)
    var text = "after \(what) the state is not as expected:"
    for change in found.difference(from: wanted).prefix(20) {
      switch change {
      case .insert(_, let line, _): text += "\n  is        \(line)"
      case .remove(_, let line, _): text += "\n  expected  \(line)"
      }
    }
    throw TestMismatch(text)
  }

  private static func lines(of value: Any) -> [String] {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
      .map(String.init)
  }
}
