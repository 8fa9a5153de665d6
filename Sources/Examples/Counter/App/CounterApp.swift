public import Retrace

/// What effects use of the world: functions, so that a test replaces any of them.
public struct CounterEnvironment: Sendable {
  /// Returns a fact about a number.
  public var fact: @Sendable (_ number: Int64) throws(FactError) -> String

  /// Creates an environment.
  public init(fact: @escaping @Sendable (_ number: Int64) throws(FactError) -> String) {
    self.fact = fact
  }
}

/// The error of a fact that was not found.
public struct FactError: Error {
  /// The reason, as a sentence for the user.
  public var reason: String

  /// Creates an error.
  public init(_ reason: String) { self.reason = reason }
}

/// The effect that looks for a fact and answers with it, or with the reason why nothing was found.
struct FindFact: EffectLeaf {
  // A page, which runs no effect, cannot infer it from `run`.
  typealias Environment = CounterEnvironment

  var number: Int64

  func run(in environment: CounterEnvironment) -> [CounterAction] {
    do throws(FactError) {
      return [.factFound(try environment.fact(number))]
    } catch {
      return [.factFailed(error.reason)]
    }
  }

  /// After a crash it runs again.
  var interruptionPolicy: InterruptionPolicy<CounterAction> { .run }
}

/// The reducer, a pure function of the state and an action: no clock, no files, no randomness.
public struct CounterReducer: Reducer {
  /// Reduces an action.
  public func reduce(
    _ state: inout CounterState, _ action: CounterAction, at moment: Moment
  ) -> Effect<CounterAction, CounterEnvironment> {
    switch action {
    case .added(let name):
      state.counters.insert(Count(name: name, value: 0))
    case .counted(let id, let step):
      if state.counters.modify(id, { $0.value &+= step }) == nil { state.refused += 1 }
    case .opened(let id):
      if state.counters.contains(id) { state.stack.push(.one(id)) } else { state.refused += 1 }
    case .closed:
      state.stack.popToRoot()
    case .marked(let id, let isFavourite):
      if state.counters.modify(id, { $0.isFavourite = isFavourite }) == nil { state.refused += 1 }
    case .factAsked(let id):
      guard let count = state.counters[id], !state.fact.isLoading else {
        state.refused += 1
        break
      }
      state.fact = .loading
      return .run(FindFact(number: count.value))
    case .factFound(let fact): state.fact = .loaded(fact)
    case .factFailed(let reason): state.fact = .failed(reason)
    case .factDismissed:
      if !state.fact.isLoading { state.fact = .nothing }
    }
    return .none
  }
}

/// The app, as it is recorded, replayed and restored.
public enum CounterApp: ReplayableApp {
  /// What effects use of the world.
  public typealias Environment = CounterEnvironment
  /// The routes that the window can show.
  public typealias Route = CounterRoute

  /// The name that sessions record.
  public static var name: String { "counter" }
  /// The build that sessions record.
  public static var build: String { "1" }
  /// The fingerprint of the reducer's sources, so that snapshots of another reducer are not used.
  public static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  public static var reducer: CounterReducer { CounterReducer() }
  /// The state before the first record.
  public static var initialState: CounterState { CounterState() }

  /// Returns the contents of the window.
  public static func screen(
    of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    var lines: [Screen.Line] = []
    if case .one(let id)? = state.stack.routes.last, let count = state.counters[id] {
      lines.append(Screen.Line("\(count.name) alone: \(count.value)"))
    } else {
      state.counters.forEach { _, count in
        let mark = count.isFavourite ? "★ " : ""
        lines.append(Screen.Line("\(mark)\(count.name): \(count.value)"))
      }
    }
    switch state.fact {
    case .nothing: break
    case .loading: lines.append(Screen.Line("Looking for a fact..."))
    case .loaded(let fact): lines.append(Screen.Line(fact))
    case .failed(let reason): lines.append(Screen.Line("No fact: \(reason)"))
    }
    return Screen(lines, size: size)
  }
}
