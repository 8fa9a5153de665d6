package import RetraceArchitecture
package import RetraceAvro
package import RetraceScreen
package import RetraceState

/// The state of the errand app: the results, in order.
package struct ErrandState: RecordedState {
  /// The texts that were noted, in order.
  package var done: [String] = []
  /// Makes the state before the first record.
  package init() {}
}

/// An effect that runs at an ``ErrandDesk``.
package struct Errand: EffectLeaf, Hashable {
  /// What happens to an errand if the program ends before the errand has finished.
  package enum Ended: Recordable, Hashable {
    /// The errand is dropped.
    case drop
    /// The errand runs again.
    case run
    /// An action is sent that notes the end of the errand.
    case send
  }

  /// The name of the errand.
  package var name: String
  /// What happens to the errand if the program ends before the errand has finished.
  package var ended: Ended

  /// Makes an errand.
  package init(_ name: String, ended: Ended = .drop) {
    self.name = name
    self.ended = ended
  }

  /// Runs the errand at the desk and returns an action that notes it as done.
  package func run(in desk: ErrandDesk) async throws -> [ErrandAction] {
    [.noted("done \(try await desk.run(name))")]
  }

  /// The policy that the errand was made with.
  package var interruptionPolicy: InterruptionPolicy<ErrandAction> {
    switch ended {
    case .drop: .drop
    case .run: .run
    case .send: .send(.noted("ended \(name)"))
    }
  }
}

/// The actions of the errand app.
package enum ErrandAction: Recordable, Hashable {
  /// Notes a text.
  case noted(String)
  /// Runs an errand after a delay, under an id unless that is empty.
  case started(Errand, after: ElapsedTime, id: String)
  /// Replaces the errand that runs under an id.
  case restarted(Errand, id: String)
  /// Runs errands concurrently.
  case together([Errand])
  /// Runs errands one after the other, each after a delay.
  case inOrder([Errand], after: ElapsedTime)
  /// Notes a text after a delay.
  case reminded(String, after: ElapsedTime)
  /// Cancels the errands that run under an id.
  case stopped(id: String)
  /// Notes a text and sends itself again, a number of times.
  case chained(String, times: Int64)
}

/// A reducer that returns effects of every kind.
package struct ErrandReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Reduces an action.
  package func reduce(
    _ state: inout ErrandState, _ action: ErrandAction, at moment: Moment
  ) -> Effect<ErrandAction, ErrandDesk> {
    switch action {
    case .noted(let text):
      state.done.append(text)
      return .none
    case .started(let errand, let time, let id):
      var work = EffectWork<ErrandAction, ErrandDesk>.run(errand)
      if time > .zero { work = work.delayed(by: time) }
      return id.isEmpty ? Effect(work) : work.cancellable(id)
    case .restarted(let errand, let id):
      return .run(errand).cancellable(id, cancelInFlight: true)
    case .together(let errands):
      return Effect(.merge(errands.map { .run($0) }))
    case .inOrder(let errands, let time):
      return .concatenate(
        errands.map { time > .zero ? .run($0).delayed(by: time) : .run($0) })
    case .reminded(let text, let time):
      return Effect.send(.noted(text)).delayed(by: time).cancellable("reminder")
    case .stopped(let id):
      return .cancel(id)
    case .chained(let name, let times):
      state.done.append("\(name) \(times)")
      return times > 0 ? .send(.chained(name, times: times - 1)) : .none
    }
  }
}

/// An app for tests, with effects of every kind.
package enum ErrandApp: ReplayableApp {
  /// The desk at which errands run.
  package typealias Environment = ErrandDesk
  /// The routes of the app.
  package typealias Route = CounterRoute

  /// The name that sessions record.
  package static var name: String { "errands" }
  /// The build that sessions record.
  package static var build: String { "test" }
  /// The fingerprint of the reducer.
  package static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  package static var reducer: ErrandReducer { ErrandReducer() }
  /// The state before the first record.
  package static var initialState: ErrandState { ErrandState() }

  /// Returns the only scene.
  package static func scenes(in state: ErrandState) -> [SceneID] { [SceneID(value: 0)] }

  /// Returns the stack of the only scene.
  package static func backStack(
    of scene: SceneID, in state: ErrandState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  /// Returns a screen with one line for each result.
  package static func screen(
    of scene: SceneID, in state: ErrandState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(lines: state.done.map { Screen.Line($0) })
  }
}
