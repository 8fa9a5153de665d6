package import RetraceArchitecture
package import RetraceScreen
package import RetraceState

/// An app that differs from ``CounterApp`` only in its reducer.
package protocol CounterVariant: ReplayableApp
where State == CounterState, Route == CounterRoute, Environment == Never {}

extension CounterVariant {
  package static var name: String { CounterApp.name }
  package static var build: String { CounterApp.build }
  package static var initialState: CounterState { CounterState() }
  package static func scenes(in state: CounterState) -> [SceneID] { CounterApp.scenes(in: state) }
  package static func backStack(of scene: SceneID, in state: CounterState) -> BackStack<
    CounterRoute
  >? {
    CounterApp.backStack(of: scene, in: state)
  }
  package static func screen(
    of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    CounterApp.screen(of: scene, in: state, at: moment, size: size)
  }
}
