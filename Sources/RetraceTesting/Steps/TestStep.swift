public import RetraceArchitecture
public import RetraceAvro
public import Testing

/// One step of a test that ``assert(initialValue:reducer:environment:clock:steps:sourceLocation:)``
/// runs.
///
/// ```swift
/// let step: TestStep<NotesState, NotesAction, NoteServer> = .send(.closed) { $0.search = nil }
/// ```
public struct TestStep<State, Action: Sendable, Environment: Sendable> {
  typealias Change = (inout State) -> Void

  enum Content {
    case send([Action], Change)
    case receive([Action], after: Duration, inAnyOrder: Bool, Change)
    case receiveOne((Action) -> Bool, after: Duration, Change)
    case environment((inout Environment) -> Void)
    case work(() async throws -> Void)
  }

  let content: Content
  let location: SourceLocation

  /// Sends actions as one batch; before it, no leaf may be due, and no received action be left.
  ///
  /// - Parameters:
  ///   - actions: The actions.
  ///   - sourceLocation: The line of the step.
  ///   - change: Changes the previous state to the expected one; by default changes nothing.
  public static func send(
    _ actions: Action..., sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping (inout State) -> Void = { _ in }
  ) -> TestStep { TestStep(content: .send(actions, change), location: sourceLocation) }

  /// Receives actions; see
  /// ``TestStore/receive(_:after:inAnyOrder:refused:timeout:sourceLocation:_:)``.
  ///
  /// - Parameters:
  ///   - actions: The expected actions.
  ///   - time: How far the clock is advanced first.
  ///   - inAnyOrder: Whether the actions may come in any order.
  ///   - sourceLocation: The line of the step.
  ///   - change: Changes the state before the first action to the one after the last.
  public static func receive(
    _ actions: Action..., after time: Duration = .zero, inAnyOrder: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping (inout State) -> Void = { _ in }
  ) -> TestStep {
    TestStep(
      content: .receive(actions, after: time, inAnyOrder: inAnyOrder, change),
      location: sourceLocation)
  }

  /// Receives one action that a predicate accepts.
  ///
  /// - Parameters:
  ///   - isExpected: Whether an action is the expected one.
  ///   - time: How far the clock is advanced first.
  ///   - sourceLocation: The line of the step.
  ///   - change: Changes the state before the action to the one after it.
  public static func receive(
    where isExpected: @escaping (Action) -> Bool, after time: Duration = .zero,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping (inout State) -> Void = { _ in }
  ) -> TestStep {
    TestStep(
      content: .receiveOne(isExpected, after: time, change), location: sourceLocation)
  }

  /// Changes the environment for the leaves that start later.
  public static func environment(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: @escaping (inout Environment) -> Void
  ) -> TestStep { TestStep(content: .environment(change), location: sourceLocation) }

  /// Does something else, such as checking what the environment was asked for; an error that it
  /// throws is recorded as an issue.
  public static func `do`(
    sourceLocation: SourceLocation = #_sourceLocation, _ work: @escaping () async throws -> Void
  ) -> TestStep { TestStep(content: .work(work), location: sourceLocation) }
}

/// Tests a reducer with its effects, step by step, each at the line of its step.
///
/// Every change of the state and every action that an effect sends has to be named, in order.
/// Before a step that sends, and at the end, no leaf may be due and no received action be left.
///
/// ```swift
/// await assert(
///   initialValue: NotesState(), reducer: NotesReducer(), environment: value(),
///   steps: .send(.search(.edited(value()))), .receive(.search(.found(3))) { $0.search?.hits = 3 })
/// ```
///
/// - Parameters:
///   - initialValue: The state before the first step.
///   - reducer: The reducer; its state is recorded, so that differences have names.
///   - environment: The environment of its effects.
///   - clock: The clock for moments and delays.
///   - steps: The steps.
///   - sourceLocation: The line of the call, for what is left at the end.
public func assert<Feature: Reducer>(
  initialValue: Feature.State, reducer: Feature, environment: Feature.Environment,
  clock: VirtualClock = VirtualClock(),
  steps: TestStep<Feature.State, Feature.Action, Feature.Environment>...,
  sourceLocation: SourceLocation = #_sourceLocation
) async where Feature.State: Equatable & Sendable, Feature.Action: Recordable & Equatable {
  var store = FeatureApp<Feature>.store(
    of: reducer, state: initialValue, environment: environment, clock: clock)
  for step in steps { await store.take(step) }
  store.finish(sourceLocation: sourceLocation)
}

extension TestStore {
  /// Takes a step of a feature.
  fileprivate mutating func take<Feature: Reducer>(
    _ step: TestStep<Feature.State, Feature.Action, Feature.Environment>
  ) async
  where
    App == FeatureApp<Feature>, Feature.State: Equatable & Sendable,
    Feature.Action: Recordable & Equatable
  {
    switch step.content {
    case .send(let actions, let change):
      let due = dueLeaves.map { "\($0.leaf)" }
      if !due.isEmpty {
        let list = due.joined(separator: ", ")
        report(["not received before the next action: what \(list) sends"], at: step.location)
      }
      let problems = carryOut(actions, nil) { change(&$0.value) }
      report(problems, at: step.location)
    case .receive(let actions, let time, let inAnyOrder, let change):
      let problems = await take(
        actions, after: time, inAnyOrder, [], .seconds(10)
      ) { change(&$0.value) }
      report(problems, at: step.location)
    case .receiveOne(let isExpected, let time, let change):
      await receive(where: isExpected, after: time, sourceLocation: step.location) {
        change(&$0.value)
      }
    case .environment(let change):
      if var changed = environment {
        change(&changed)
        environment = changed
      }
    case .work(let work):
      do {
        try await work()
      } catch {
        report(["the step threw \(error)"], at: step.location)
      }
    }
  }
}
