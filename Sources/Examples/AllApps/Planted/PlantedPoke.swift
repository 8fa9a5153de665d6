import Poke
import PokeDomain
import PokeInjection
import Retrace

/// A build of Poke with a bug.
enum PlantedPoke: ReplayableApp {
  typealias Route = PokeRoute

  struct Forgetful: Reducer {
    func reduce(
      _ state: inout PokeState, _ action: PokeAction, at moment: Moment
    ) -> Effect<PokeAction, PokeEnvironment> {
      if case .item(_, .favouriteRemoved) = action { return .none }
      return PokeReducer().reduce(&state, action, at: moment)
    }

    func hasChild(
      _ child: ArraySlice<EffectScope.Component>, in state: borrowing PokeState
    ) -> Bool? { PokeReducer().hasChild(child, in: state) }
  }

  static var name: String { PokeApp.name }
  static var build: String { "2" }
  static var reducer: Forgetful { Forgetful() }
  static var initialState: PokeState { PokeState() }

  static func scenes(in state: PokeState) -> [SceneID] { PokeApp.scenes(in: state) }
  static func backStack(of scene: SceneID, in state: PokeState) -> BackStack<PokeRoute>? {
    PokeApp.backStack(of: scene, in: state)
  }
  static func screen(
    of scene: SceneID, in state: PokeState, at moment: Moment, size: Screen.Size
  ) -> Screen { PokeApp.screen(of: scene, in: state, at: moment, size: size) }
}
