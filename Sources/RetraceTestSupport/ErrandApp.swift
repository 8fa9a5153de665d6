public import RetraceArchitecture
public import RetraceAvro
public import RetraceScreen
public import RetraceState

/// The state of the app of errands: what was done, in order.
public struct ErrandState: RecordedState {
  /// The texts of what was noted and done.
  public var done: [String] = []
  /// Makes the state before the first record.
  public init() {}
}

/// Something to do outside.
public struct Errand: EffectLeaf, Recordable, Hashable {
  /// What becomes of an errand if the program ended meanwhile.
  public enum Ended: Recordable, Hashable {
    /// It is given up.
    case drop
    /// It runs again.
    case run
    /// It is noted as ended.
    case send
  }

  /// What to do.
  public var name: String
  /// What becomes of it if the program ended meanwhile.
  public var ended: Ended

  /// Makes an errand.
  public init(_ name: String, ended: Ended = .drop) {
    self.name = name
    self.ended = ended
  }

  /// Runs the errand at the desk, and answers that it is done.
  public func run(in desk: ErrandDesk) async throws -> [ErrandAction] {
    [.noted("done \(try await desk.run(name))")]
  }

  /// What was asked for.
  public var ifEnded: EndedPolicy<ErrandAction> {
    switch ended {
    case .drop: .drop
    case .run: .run
    case .send: .send(.noted("ended \(name)"))
    }
  }
}

/// What can happen in the app of errands.
public enum ErrandAction: Recordable, Hashable {
  /// Something was noted.
  case noted(String)
  /// An errand is to be run after a time, under a name unless that is empty.
  case started(Errand, after: ElapsedTime, id: String)
  /// The errand that runs under a name is replaced by another one.
  case restarted(Errand, id: String)
  /// Errands are to be run at the same time.
  case together([Errand])
  /// Errands are to be run one after the other, each after a time.
  case inOrder([Errand], after: ElapsedTime)
  /// A text is to be noted after a time.
  case reminded(String, after: ElapsedTime)
  /// What runs under a name is to be cancelled.
  case stopped(id: String)
  /// An errand is to be run whose answer starts others, so many times.
  case chained(String, times: Int64)
}

/// Answers effects of every arrangement.
public struct ErrandReducer: Reducer {
  /// Makes a reducer.
  public init() {}

  /// Reduces an action.
  public func reduce(
    _ state: inout ErrandState, _ action: ErrandAction, at moment: Moment
  ) -> Effect<ErrandAction, ErrandDesk> {
    switch action {
    case .noted(let text):
      state.done.append(text)
      return .none
    case .started(let errand, let time, let id):
      var effect = Effect<ErrandAction, ErrandDesk>.run(errand)
      if time > .zero { effect = effect.delayed(by: time) }
      return id.isEmpty ? effect : effect.cancellable(CancellationID(id))
    case .restarted(let errand, let id):
      return .run(errand).cancellable(CancellationID(id), cancelInFlight: true)
    case .together(let errands):
      return .merge(errands.map { .run($0) })
    case .inOrder(let errands, let time):
      return .concatenate(
        errands.map { time > .zero ? .run($0).delayed(by: time) : .run($0) })
    case .reminded(let text, let time):
      return Effect.send(.noted(text)).delayed(by: time).cancellable("reminder")
    case .stopped(let id):
      return .cancel(CancellationID(id))
    case .chained(let name, let times):
      state.done.append("\(name) \(times)")
      return times > 0 ? .send(.chained(name, times: times - 1)) : .none
    }
  }
}

/// An app whose actions have effects of every arrangement, for tests.
public enum ErrandApp: ReplayableApp {
  /// The desk at which errands run.
  public typealias Environment = ErrandDesk
  /// Where a scene can be.
  public typealias Route = CounterRoute

  /// The name that sessions record.
  public static var name: String { "errands" }
  /// The build that sessions record.
  public static var build: String { "test" }
  /// The fingerprint of the reducer.
  public static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  public static var reducer: ErrandReducer { ErrandReducer() }
  /// The state before the first record.
  public static var initialState: ErrandState { ErrandState() }

  /// The only scene.
  public static func scenes(in state: ErrandState) -> [SceneID] { [SceneID(value: 0)] }

  /// The stack of the only scene.
  public static func backStack(
    of scene: SceneID, in state: ErrandState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  /// What was done, a line each.
  public static func screen(
    of scene: SceneID, in state: ErrandState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(lines: state.done.map { Screen.Line($0) })
  }
}
