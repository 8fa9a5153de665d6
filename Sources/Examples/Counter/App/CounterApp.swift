public import Retrace

/// The reducer, a pure function of the state and an action: no clock, no files, no randomness.
public struct CounterReducer: Reducer {
  /// Reduces an action.
  public func reduce(
    _ state: inout CounterState, _ action: CounterAction, at moment: Moment
  ) -> Effect<CounterAction, Never> {
    switch action {
    case .added(let name):
      state.counters.insert(Count(name: name, value: 0))
    case .counted(let id, let step):
      if state.counters.modify(id, { $0.value &+= step }) == nil { state.refused += 1 }
    case .opened(let id):
      if state.counters.contains(id) { state.stack.push(.one(id)) } else { state.refused += 1 }
    case .closed:
      state.stack.popToRoot()
    }
    return .none
  }
}

/// The app, as it is recorded, replayed and restored.
public enum CounterApp: ReplayableApp {
  /// There are no effects.
  public typealias Environment = Never
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
        lines.append(Screen.Line("\(count.name): \(count.value)"))
      }
    }
    return Screen(lines, size: size)
  }
}
