public import RetraceArchitecture
import RetraceAvro
@_exported public import RetraceRandom
import RetraceSchema
import RetraceState
// The macro of default arguments, which is also found in a file that imports XCTest.
@_exported public import Testing

/// A store for tests of reducers, deciders and effects: a test sends each action with the expected
/// change, and receives what effects answer.
///
/// It uses `Fold`, as stores and replayers do, so it has the same effects in flight. Time stands
/// still unless the test advances ``clock``. After each step it compares the state with the
/// expected one, and checks the app's invariants.
///
/// A difference is recorded as an issue at the line of the call, under Swift Testing and under
/// XCTest. The test goes on, and the store has the actual state.
///
/// ```swift
/// var store = TestStore<NotesApp>()
/// store.send(.closed) { $0.search = nil }
/// store.finish()
/// ```
///
/// Effects run only when the test says so. In a store with an environment, a test receives what
/// they answer: `receive` runs the leaves that are due, in the order of the effect, until the
/// answer is there. In one without, a test compares each effect, and runs the leaves that it names.
///
/// A copy of a store has a state of its own, and shares the leaves that run.
public struct TestStore<App: ReplayableApp>: Sendable {
  /// The effect of an action.
  public typealias AppEffect = Effect<App.Action, App.Environment>

  /// The clock for the moments of actions and the delays of effects.
  public let clock: VirtualClock
  /// The environment in which leaves run when their answers are received; a test changes it at any
  /// time, for the leaves that start later.
  public var environment: App.Environment?
  /// Whether a test has to name all that changes; `true` by default.
  ///
  /// If `false`, only the parts that a change sets are compared, a received action may follow
  /// others that were not asserted, and effects that were not given are not compared. What was
  /// left out is listed in ``skipped``. The closure of a change is called with the new state and
  /// with the one before, so it sets values, and does not add to them.
  public var isExhaustive = true
  /// What was not compared while ``isExhaustive`` was `false`, a line for each part.
  public internal(set) var skipped: [String] = []
  var fold: Fold<App>
  var leaves: [EffectLeafID: NumberedLeaf<App.Action, App.Environment>] = [:]
  /// The effects with leaves, by their causes.
  var effects: [UInt64: AppEffect] = [:]
  /// What was received and folded, and is not asserted yet.
  var received: [Received] = []
  /// The commands that can be undone and redone.
  var history = ChangeHistory<App.Action>()
  let runs = LeafRuns<App>()

  /// Makes a store with a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - environment: The environment of effects; without one, a test compares effects, and runs
  ///     leaves by their names.
  ///   - clock: The clock.
  public init(
    state: App.State = App.initialState, environment: App.Environment? = nil,
    clock: VirtualClock = VirtualClock()
  ) {
    self.init(fold: Fold(state: state, sequence: 0), environment: environment, clock: clock)
  }

  init(fold: Fold<App>, environment: App.Environment?, clock: VirtualClock) {
    self.fold = fold
    self.environment = environment
    self.clock = clock
  }

  /// The state; while received actions are not asserted, the state before the first of them.
  public var state: App.State { received.first?.before ?? fold.state }

  /// The effects in flight, in the order of their ids.
  public var inFlight: EffectsInFlight { fold.inFlight }

  /// The leaves in flight, in the order of their ids.
  public var leavesInFlight: [AnyEffectLeaf<App.Action, App.Environment>] {
    fold.inFlight.leaves.compactMap { leaves[$0.id]?.leaf }
  }

  /// Compares the state with the expected one, at the end of a test or between two steps.
  ///
  /// - Parameters:
  ///   - sourceLocation: The line of the call.
  ///   - change: Changes the state to the expected one.
  public mutating func assert(
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout App.State) -> Void
  ) {
    report(compare(state, from: state, change, after: "these steps"), at: sourceLocation)
  }

  /// Ends a test: nothing may be in flight, and no received action left to assert.
  ///
  /// In a store that is not exhaustive, they are listed in ``skipped``.
  public mutating func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    var problems = leaveReceived("before the end")
    if !fold.inFlight.isEmpty {
      let names = leavesInFlight.map { Self.text(of: $0) }.joined(separator: ", ")
      if isExhaustive {
        problems.append("still in flight: \(names)")
      } else {
        skipped.append("in flight at the end: \(names)")
      }
    }
    runs.cancelAll()
    report(problems, at: sourceLocation)
  }
}

extension TestStore {
  /// Records the problems of one step as one issue.
  func report(_ problems: [String], at location: SourceLocation) {
    guard !problems.isEmpty else { return }
    Issues.record(problems.joined(separator: "\n"), at: location)
  }

  /// Compares a state with the one that a change makes, and checks the app's invariants.
  ///
  /// - Parameters:
  ///   - actual: The state.
  ///   - before: The state before the step.
  ///   - change: Changes the state before the step to the expected one.
  ///   - what: What was done in the step; called if there is something to tell.
  mutating func compare(
    _ actual: App.State, from before: App.State, _ change: (inout App.State) -> Void,
    after what: @autoclosure () -> String
  ) -> [String] {
    var expected = isExhaustive ? before : actual
    change(&expected)
    var problems: [String] = []
    if actual != expected {
      problems.append(StateText.mismatch(of: actual, from: expected, after: what()))
    } else if !isExhaustive {
      var asserted = before
      change(&asserted)
      let step = asserted == actual ? "" : what()
      for part in StateText.differences(from: asserted, to: actual) {
        let (old, new) = (part.before?.text() ?? "absent", part.after?.text() ?? "absent")
        skipped.append("after \(step): \(part.path) changed from \(old) to \(new)")
      }
    }
    return problems + violations(after: what())
  }

  func violations(after what: @autoclosure () -> String) -> [String] {
    let violations = App.violations(of: fold.state)
    guard !violations.isEmpty else { return [] }
    let list = violations.map(\.description).joined(separator: "; ")
    return ["the state breaks an invariant after \(what()): \(list)"]
  }

  /// Gives up what was received and not asserted.
  mutating func leaveReceived(_ when: String) -> [String] {
    guard !received.isEmpty else { return [] }
    let list = ValueText.list(of: received.map(\.action))
    received = []
    guard !isExhaustive else { return ["received and not asserted \(when): \(list)"] }
    skipped.append("received \(when): \(list)")
    return []
  }

  /// Folds an action at the moment of the clock.
  mutating func apply(_ action: App.Action) -> AppEffect {
    let sequence = fold.sequence + 1
    let effect = fold.apply(action, at: clock.moment, sequence: sequence)
    keep(effect, of: sequence)
    runs.cancel { [inFlight = fold.inFlight] in !inFlight.contains($0) }
    return effect
  }

  /// Keeps the leaves of an effect, to run them.
  mutating func keep(_ effect: AppEffect, of sequence: UInt64) {
    for leaf in effect.leaves {
      leaves[EffectLeafID(cause: sequence, ordinal: leaf.ordinal)] = leaf
    }
    if effect.leafCount > 0 { effects[sequence] = effect }
  }

  /// Folds the record of a command, which changes no state.
  mutating func skipRecord() -> UInt64 {
    fold.skip(fold.sequence + 1)
    return fold.sequence
  }

  /// Ends a leaf.
  mutating func end(_ id: EffectLeafID) {
    fold.inFlight.finish(id)
    _ = skipRecord()
    leaves[id] = nil
  }

  /// Walks over the effect of a record.
  ///
  /// - Parameter moment: The moment of a restart that ends leaves by their policies.
  func walk(of cause: UInt64, endingAt moment: Moment? = nil) -> EffectWalk<App> {
    var walk = EffectWalk<App>(cause: cause, inFlight: fold.inFlight, restart: moment)
    for step in effects[cause]?.steps ?? [] {
      if let work = step.work { _ = walk.visit(work, isReached: true) }
    }
    return walk
  }

  /// An action that a leaf sent, and the states around it.
  struct Received: Sendable {
    var action: App.Action
    var before: App.State
    var after: App.State
    /// Why the command that the action asks for was refused.
    var refusal: App.Refusal?
    /// The leaf.
    var id: EffectLeafID
  }
}
