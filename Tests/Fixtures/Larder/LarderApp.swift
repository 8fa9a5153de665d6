package import RetraceArchitecture
import RetraceAvro
package import RetraceScreen
package import RetraceState

/// What happens in the only window of the larder.
package enum LarderSceneAction: Recordable, Equatable {
  /// A jar was selected.
  case selected(JarID)
  /// A spoon of the selected jar was asked for; an effect asks for the command.
  case hungry
}

/// The actions of the larder app.
package typealias LarderAction = EntityAction<LarderSceneAction, LarderEntities>

/// The state of the larder app: the entities, and the window.
package struct LarderAppState: RecordedState, Composed, SingleScene {
  /// The entities.
  package var larder: LarderState = LarderState()
  /// The selected jar.
  package var selected: JarID?
}

/// An effect that asks for a spoon of a jar.
package struct Bite: EffectLeaf, Hashable {
  /// The jar.
  package var jar: JarID

  /// Asks for the command.
  package func run(in environment: LarderDesk) async throws -> [LarderAction] {
    [.request(.jar(.take(jar)))]
  }
}

/// The environment of the larder: its effects need nothing.
package struct LarderDesk: Sendable {
  /// Makes the environment.
  package init() {}
}

/// The reducer of the window.
package struct LarderSceneReducer: Reducer {
  /// Reduces an action.
  package func reduce(
    _ state: inout LarderAppState, _ action: LarderAction, at moment: Moment
  ) -> Effect<LarderAction, LarderDesk> {
    switch action {
    case .scene(.selected(let jar)): state.selected = jar
    case .scene(.hungry):
      if let jar = state.selected { return .run(Bite(jar: jar)) }
    case .fact, .request: break
    }
    return .none
  }
}

/// An app with one list of entities and one window, which states only what is its own.
package enum LarderApp: EntityApp {
  package typealias Entities = LarderEntities
  package typealias SceneAction = LarderSceneAction
  package typealias Domain = LarderAppState.Parts._larder

  package static var name: String { "larder" }
  package static var build: String { "test" }
  package static var initialState: LarderAppState { LarderAppState() }
  package static var reducer: some Reducer<LarderAppState, LarderAction, LarderDesk> {
    CombineReducers {
      Scope({ $0.larder }, action: { $0.fact }) { EntityReducer(LarderEntities.self) }
      LarderSceneReducer()
    }
  }

  package static func screen(
    of scene: SceneID, in state: LarderAppState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    let jar = state.selected.flatMap { state.larder.jars[$0] }
    return Screen(Screen.Line(jar.map { "\($0.name): \($0.spoons)" } ?? "no jar"), size: size)
  }
}
