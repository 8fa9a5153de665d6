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
  ///   - action: The action.
  ///   - effect: The expected effect.
  ///   - change: Changes the previous state to the expected one; by default changes nothing.
  /// - Throws: ``TestMismatch`` if the state or the effect differs; the store then has the actual
  ///   ones.
  public mutating func send(
    _ action: App.Action, effect: AppEffect = .none,
    _ change: (inout App.State) -> Void = { _ in }
  ) throws(TestMismatch) {
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
  /// none of them cancels the leaf.
  ///
  /// - Parameters:
  ///   - name: The name of its type; if several leaves have that name, the first is run.
  ///   - environment: The environment; a leaf that sends an action needs none.
  ///   - expectedActions: The expected actions; `nil` to accept any.
  ///   - change: Changes the previous state to the expected one.
  /// - Throws: ``TestMismatch`` if no such leaf is in flight, if its delay is not over, if it needs
  ///   an environment, or if the actions or the state differ; or the error of the leaf, which is
  ///   then no longer in flight.
  public mutating func run(
    _ name: String, in environment: App.Environment? = nil,
    sending expectedActions: [App.Action]? = nil,
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
    for batch in await earlier.batches where fold.inFlight.contains(id) {
      for action in batch { _ = apply(action) }
      sent += batch
    }
    if fold.inFlight.contains(id) {
      end(id)
      for action in lastBatch { _ = apply(action) }
      sent += lastBatch
    }
    if let expectedActions, expectedActions != sent {
      throw TestMismatch("\(leaf) sent \(sent), but \(expectedActions) was expected")
    }
    try check(expected, after: "the leaf \(leaf)")
  }

  /// Simulates a restart of the process: finishes the leaves in flight by their declared policies.
  ///
  /// Leaves that run again stay in flight, and so do leaves that send an action and are not yet
  /// due.
  ///
  /// - Parameter change: Changes the previous state to the expected one.
  /// - Throws: ``TestMismatch`` if the state differs.
  public mutating func restart(
    _ change: (inout App.State) -> Void = { _ in }
  ) throws(TestMismatch) {
    var expected = fold.state
    change(&expected)
    let now = clock.moment
    for leaf in fold.inFlight.leaves {
      switch leaves[leaf.id]?.leaf.interruptionPolicy {
      case nil, .run: continue
      case .drop: end(leaf.id)
      case .send(let action):
        guard leaf.due <= now else { continue }
        end(leaf.id)
        _ = apply(action)
      }
    }
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
