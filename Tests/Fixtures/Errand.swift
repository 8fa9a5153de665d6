package import RetraceArchitecture
import RetraceAvro
package import RetraceState

/// An effect that runs at a ``HouseDesk``.
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
  package func run(in desk: HouseDesk) async throws -> [HouseAction] {
    [.noted("done \(try await desk.run(name))")]
  }

  /// The actions of an errand whose name starts with "note ", which needs no desk; otherwise `nil`.
  package var immediateActions: [HouseAction]? {
    name.utf8.starts(with: "note ".utf8) ? [.noted(name)] : nil
  }

  /// The policy that the errand was made with.
  package var interruptionPolicy: InterruptionPolicy<HouseAction> {
    switch ended {
    case .drop: .drop
    case .run: .run
    case .send: .send(.noted("ended \(name)"))
    }
  }
}

/// The reducer of the errands, which returns effects of every kind.
package struct ErrandReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Reduces an action.
  package func reduce(
    _ state: inout HouseState, _ action: HouseAction, at moment: Moment
  ) -> Effect<HouseAction, HouseDesk> {
    switch action {
    case .noted(let text):
      state.done.append(text)
      return .none
    case .started(let errand, let time, let id):
      var work = EffectWork<HouseAction, HouseDesk>.run(errand)
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
    default: return .none
    }
  }
}
