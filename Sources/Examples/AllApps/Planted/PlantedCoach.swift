import CoachTimer
import Retrace

/// A build of CoachTimer with a bug.
enum PlantedCoach: ReplayableApp {
  typealias Environment = CoachEnvironment
  typealias Route = CoachRoute

  struct Reducing: Reducer {
    func reduce(
      _ state: inout CoachState, _ action: CoachAction, at moment: Moment
    ) -> Effect<CoachAction, CoachEnvironment> {
      if AppBug.planted == .endlessWatch, case .fact(.session(_, .stopped)) = action {
        return .none
      }
      return CoachApp.reducer.reduce(&state, action, at: moment)
    }

    func hasChild(
      _ child: ArraySlice<EffectScope.Component>, in state: borrowing CoachState
    ) -> Bool? { CoachApp.reducer.hasChild(child, in: state) }
  }

  struct Deciding: Decider {
    func decide(
      _ command: SessionCommand, on state: borrowing CoachState, at moment: Moment
    ) throws(SessionRefusal) -> [CoachAction] {
      do throws(SessionRefusal) {
        return try CoachApp.decider.decide(command, on: state, at: moment)
      } catch {
        guard AppBug.planted == .standingLap, case .lap(let id) = command, error == .isStopped
        else { throw error }
        return [.fact(.session(id, .lapped(.seconds(1))))]
      }
    }
  }

  static var name: String { CoachApp.name }
  static var build: String { "2" }
  static var reducer: Reducing { Reducing() }
  static var decider: Deciding { Deciding() }
  static var initialState: CoachState { CoachApp.initialState }

  static func action(for sceneAction: CoachSceneAction) -> CoachAction { .scene(sceneAction) }
  static func role(of action: CoachAction) -> ActionRole<SessionCommand> {
    CoachApp.role(of: action)
  }
  static func screen(
    of scene: SceneID, in state: CoachState, at moment: Moment, size: Screen.Size
  ) -> Screen { CoachApp.screen(of: scene, in: state, at: moment, size: size) }
}
