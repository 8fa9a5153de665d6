public import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState

/// A store for tests of reducers: a test sends each action with the expected change and effect, and
/// runs effect leaves explicitly.
///
/// It uses `Fold`, as stores and replayers do, so it has the same effects in flight. Time stands
/// still unless the test advances ``clock``. After `given` and each `send`, `perform`, `run` and
/// `restart` it checks the app's invariants.
///
/// ```swift
/// var store = TestStore<CounterApp>()
/// try store.send(.added(name: "tea")) { $0.counters.insert(Count(name: "tea", value: 0)) }
/// try store.finish()
/// ```
public struct TestStore<App: ReplayableApp>: Sendable {
  /// The effect of an action.
  public typealias AppEffect = Effect<App.Action, App.Environment>

  /// The clock for the moments of actions and the delays of effects.
  public let clock: VirtualClock
  private var fold: Fold<App>
  private var leaves: [EffectLeafID: NumberedLeaf<App.Action, App.Environment>] = [:]
  /// The effects with leaves, by their causes.
  private var effects: [UInt64: AppEffect] = [:]

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
  /// try TestStore<HeaterApp>.given([]).when(.warm(to: 21))
  ///   .then([.degreesChanged(from: 20, to: 21)])
  /// try TestStore<HeaterApp>.given([]).when(.warm(to: 99)).then(refused: .tooHot(limit: 30))
  /// ```
  ///
  /// - Complexity: As the reducer and the invariants for each fact.
  /// - Throws: ``TestMismatch`` if the state breaks an invariant after a fact. In an
  ///   `UndoableApp` also if a fact tells an edit that the state does not show: a field did not
  ///   have the value before, or does not have the one after.
  public static func given(
    _ facts: [App.Action], clock: VirtualClock = VirtualClock()
  ) throws(TestMismatch) -> TestStore {
    var store = TestStore(clock: clock)
    for fact in facts {
      let before = store.state
      _ = store.apply(fact)
      if let app = App.self as? any UndoableApp.Type,
        let field = firstUntrueField(app, of: fact, before, store.state)
      {
        throw TestMismatch(
          "the given fact \(fact) tells an edit of \(field) that the state does not show")
      }
      try store.checkInvariants(after: "the given fact \(fact)")
    }
    return store
  }

  /// Returns the first field or entity whose edit by a fact the states before and after it do not
  /// show.
  private static func firstUntrueField<Undoable: UndoableApp>(
    _ app: Undoable.Type, of fact: Any, _ before: Any, _ after: Any
  ) -> String? {
    guard let fact = fact as? Undoable.Action, let before = before as? Undoable.State,
      let after = after as? Undoable.State
    else { return nil }
    var (start, end) = (Undoable.undoablePart(of: before), Undoable.undoablePart(of: after))
    let edits = Undoable.edits(of: fact)
    for edit in edits {
      let conflicts = edit.restorable(on: start, excluding: []).unrestored
      // A new entity cannot be restored; the state after the fact shows whether it was inserted.
      if let field = conflicts.first(where: { $0.field != nil }) { return text(field) }
      edit.apply(to: &start)
    }
    for edit in edits.reversed() {
      let inverted = edit.inverted
      if let field = inverted.restorable(on: end, excluding: []).unrestored.first {
        return text(field)
      }
      inverted.apply(to: &end)
    }
    return nil
  }

  private static func text(_ field: UnrestoredField) -> String {
    let entity = "\(field.type)=\(field.id)"
    return field.field.map { "\($0) of \(entity)" } ?? entity
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
  /// The batches that a `StreamingLeaf` sends are folded as it sends them, and stay folded if it
  /// throws. Once one of them cancels the leaf, its sender throws `CancellationError`, and that
  /// error of the leaf ends nothing. An answer that asks for a command is decided, and the facts
  /// are folded in its place.
  ///
  /// - Parameters:
  ///   - name: The name of its type; if several leaves have that name, the first is run.
  ///   - environment: The environment; a leaf that sends an action needs none.
  ///   - expectedActions: The expected actions, requests included; `nil` to accept any.
  ///   - expectedRefusals: The expected refusals of commands that the leaf asks for.
  ///   - change: Changes the previous state to the expected one.
  /// - Throws: ``TestMismatch`` if no such leaf is in flight, if its delay is not over, if a part
  ///   before it in a concatenation has not ended, if it needs an environment, if it answers with a
  ///   fact, or if the actions, the refusals or the state differ; or the error of the leaf, which
  ///   is then no longer in flight.
  public mutating func run(
    _ name: String, in environment: App.Environment? = nil,
    sending expectedActions: [App.Action]? = nil, refused expectedRefusals: [App.Refusal] = [],
    _ change: (inout App.State) -> Void = { _ in }
  ) async throws where App.Action: Equatable {
    let (id, leaf) = try leaf(named: name)
    var expected = fold.state
    change(&expected)
    let running = LeafRun(self, id, leaf)
    if let environment {
      let sender = EffectSender<App.Action> { try await running.send($0) }
      do {
        try await running.finish(leaf.run(in: environment, send: sender))
      } catch {
        let isCancelled = await running.isCancelled
        self = await running.store
        if let failure = await running.failure { throw failure }
        guard isCancelled, error is CancellationError else {
          if !isCancelled { end(id) }
          throw error
        }
      }
    } else if let immediate = leaf.immediateActions {
      try await running.finish(immediate)
    } else {
      throw TestMismatch("\(leaf) needs an environment")
    }
    self = await running.store
    if let failure = await running.failure { throw failure }
    let sent = await running.sent
    let refusals = await running.refusals
    if let expectedActions, expectedActions != sent {
      throw TestMismatch("\(leaf) sent \(sent), but \(expectedActions) was expected")
    }
    try Self.check(refusals, expectedRefusals, of: "\(leaf)")
    try check(expected, after: "the leaf \(leaf)")
  }

  /// Simulates a restart of the process: finishes the leaves in flight by their declared policies.
  ///
  /// Leaves that run again stay in flight, and so do leaves that send an action and are not yet due
  /// or wait for an earlier part of a concatenation. An action that is sent may cancel a later
  /// leaf, which then sends nothing.
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
      if let action { refusals += try apply(answer: [action], of: leaf) }
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
      guard walk(of: leaf.id.cause).reached.contains(leaf.id.ordinal) else {
        throw TestMismatch("\(listed.leaf) waits for an earlier part of its concatenation")
      }
      return (leaf.id, listed.leaf)
    }
    let names = leavesInFlight.map(\.name)
    throw TestMismatch("no leaf \(name) is in flight, but \(names)")
  }

  /// Walks over the effect of a record.
  ///
  /// - Parameter moment: The moment of a restart that ends leaves by their policies.
  private func walk(of cause: UInt64, endingAt moment: Moment? = nil) -> EffectWalk<App> {
    var walk = EffectWalk<App>(cause: cause, inFlight: fold.inFlight, restart: moment)
    for step in effects[cause]?.steps ?? [] {
      if let work = step.work { _ = walk.visit(work, isReached: true) }
    }
    return walk
  }

  /// Compares the state with the expected one, and checks the app's invariants.
  private func check(_ expected: App.State, after what: String) throws(TestMismatch) {
    try TestMismatch.check(state: fold.state, expected, after: what)
    try checkInvariants(after: what)
  }

  private func checkInvariants(after what: String) throws(TestMismatch) {
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
    if effect.leafCount > 0 { effects[sequence] = effect }
    return effect
  }

  /// Folds an answer of a leaf, as the store does.
  ///
  /// - Returns: The refusal of the command that it asks for, if there is one.
  fileprivate mutating func apply(
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

  fileprivate mutating func end(_ id: EffectLeafID) {
    fold.inFlight.finish(id)
    fold.skip(fold.sequence + 1)
    leaves[id] = nil
  }
}

/// The run of a leaf, and the store that folds the actions that it sends.
private actor LeafRun<App: ReplayableApp> {
  private(set) var store: TestStore<App>
  private(set) var sent: [App.Action] = []
  private(set) var refusals: [App.Refusal] = []
  /// The reason why a batch could not be folded.
  private(set) var failure: TestMismatch?
  private let id: EffectLeafID
  private let leaf: AnyEffectLeaf<App.Action, App.Environment>

  init(
    _ store: TestStore<App>, _ id: EffectLeafID, _ leaf: AnyEffectLeaf<App.Action, App.Environment>
  ) {
    self.store = store
    self.id = id
    self.leaf = leaf
  }

  /// Whether an action cancelled the leaf.
  var isCancelled: Bool { !store.inFlight.contains(id) }

  /// Folds a batch.
  ///
  /// - Throws: `CancellationError` if the leaf is cancelled; the mismatch of an invalid batch.
  func send(_ batch: [App.Action]) throws {
    if isCancelled { throw CancellationError() }
    try fold(batch)
  }

  /// Folds the last batch, after the end of the leaf; nothing if the leaf is cancelled.
  func finish(_ batch: [App.Action]) throws {
    if isCancelled { return }
    store.end(id)
    try fold(batch)
  }

  private func fold(_ batch: [App.Action]) throws(TestMismatch) {
    do throws(TestMismatch) {
      refusals += try store.apply(answer: batch, of: leaf)
      sent += batch
    } catch {
      failure = failure ?? error
      throw error
    }
  }
}

/// A walk over the leaves of an effect, in order.
private struct EffectWalk<App: ReplayableApp> {
  let cause: UInt64
  let inFlight: EffectsInFlight
  /// The moment of a restart, at which leaves end by their policies; `nil` without a restart.
  let restart: Moment?
  private var ordinal: UInt32 = 0
  /// The ordinals of the leaves that wait for no earlier part of a concatenation.
  private(set) var reached: Set<UInt32> = []
  /// The leaves that a restart ends, each with the action sent in its place.
  private(set) var ends: [(ordinal: UInt32, action: App.Action?)] = []

  init(cause: UInt64, inFlight: EffectsInFlight, restart: Moment?) {
    self.cause = cause
    self.inFlight = inFlight
    self.restart = restart
  }

  /// Visits the leaves of a part.
  ///
  /// - Parameter isReached: Whether the parts before it in a concatenation have ended.
  /// - Returns: Whether everything in the part has ended.
  mutating func visit(
    _ work: EffectWork<App.Action, App.Environment>, isReached: Bool
  ) -> Bool {
    switch work.content {
    case .leaf(let leaf):
      defer { ordinal += 1 }
      if isReached { reached.insert(ordinal) }
      return hasEnded(leaf, isReached: isReached)
    case .cancellable(_, let inner), .delay(_, let inner):
      return visit(inner, isReached: isReached)
    case .merge(let parts):
      return parts.reduce(true) { ended, part in visit(part, isReached: isReached) && ended }
    case .concatenate(let parts):
      return parts.reduce(true) { ended, part in
        visit(part, isReached: isReached && ended) && ended
      }
    }
  }

  private mutating func hasEnded(
    _ leaf: AnyEffectLeaf<App.Action, App.Environment>, isReached: Bool
  ) -> Bool {
    guard let flying = inFlight.leaf(EffectLeafID(cause: cause, ordinal: ordinal)) else {
      return true
    }
    guard let restart else { return false }
    switch leaf.interruptionPolicy {
    case .drop: ends.append((ordinal, nil))
    case .send(let action) where isReached && flying.due <= restart:
      ends.append((ordinal, action))
    case .send, .run: return false
    }
    return true
  }
}

/// A difference between the expected and the actual result of a test.
public struct TestMismatch: Error, CustomStringConvertible {
  /// A description of the difference.
  public let description: String

  init(_ description: String) { self.description = description }

  /// Compares states; the error lists the parts that differ by their paths, such as
  /// `accounts[0].balance`.
  static func check<State: RecordedState>(
    state: State, _ expected: State, after what: String
  ) throws(TestMismatch) {
    guard state != expected else { return }
    var text = "after \(what) the state is not as expected:"
    let differences = differences(from: expected, to: state)
    for part in differences.prefix(differencesMax) {
      let (found, wanted) = (part.after?.text() ?? "absent", part.before?.text() ?? "absent")
      text += "\n  \(part.path)  is \(found), but \(wanted) was expected"
    }
    if differences.count > differencesMax { text += "\n  and other parts" }
    // A part that is not recorded, or the next id of a table.
    if differences.isEmpty { text += lines(from: expected, to: state) }
    throw TestMismatch(text)
  }

  private static var differencesMax: Int { 20 }

  /// Returns the parts of states that differ, with their encodings as the log has them.
  private static func differences<State: RecordedState>(
    from expected: State, to state: State
  ) -> [ValueDifference] {
    var composer = SchemaComposer()
    guard let codec = try? SchemaCodec(State.stateSchema(in: &composer)),
      let before = value(of: expected, codec), let after = value(of: state, codec)
    else { return [] }
    return codec.differences(from: before, to: after, limit: differencesMax + 1)
  }

  private static func value<State: RecordedState>(
    of state: State, _ codec: SchemaCodec
  ) -> AvroValue? {
    var writer = AvroWriter()
    state.encodeWhole(into: &writer)
    return try? codec.decode(writer.span)
  }

  /// Returns the lines of the dumps that differ.
  private static func lines(from expected: Any, to state: Any) -> String {
    var text = ""
    for change in lines(of: state).difference(from: lines(of: expected)).prefix(differencesMax) {
      switch change {
      case .insert(_, let line, _): text += "\n  is        \(line)"
      case .remove(_, let line, _): text += "\n  expected  \(line)"
      }
    }
    return text
  }

  private static func lines(of value: Any) -> [String] {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
      .map(String.init)
  }
}
