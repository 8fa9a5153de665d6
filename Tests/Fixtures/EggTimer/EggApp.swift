package import RetraceArchitecture
import RetraceAvro
package import RetraceScreen
package import RetraceState

/// A bug that is planted in a build of the egg timer.
package enum EggBug: String, CaseIterable, Sendable {
  /// The reducer ignores the key `b`.
  case droppedKey
  /// The reducer returns no effect for an egg that begins to boil.
  case noEffect
  /// The bell rings after eleven seconds, not after ten.
  case otherDelay
  /// The decider accepts that an egg begins to boil that boils already.
  case looserRefusal
  /// The app shows the list when it is opened again, not the screen that was left.
  case wrongRestore
}

/// A build of the egg timer: the type of its state, and its bug.
package protocol EggBuild: Sendable, SendableMetatype {
  /// The type of the state.
  associatedtype Kitchen: EggKitchen
  /// The bug, if the build has one.
  static var bug: EggBug? { get }
}

/// The build without a bug.
package enum SoundEggs: EggBuild {
  /// The state without the fields that were added later.
  package typealias Kitchen = EggState
  /// No bug.
  package static var bug: EggBug? { nil }
}

/// The environment of the egg timer: its effects need nothing.
package struct EggDesk: Sendable {
  /// Makes the environment.
  package init() {}
}

/// A bell that rings for an egg.
package struct EggBell: EffectLeaf, Hashable {
  /// The egg.
  package var egg: EggID

  /// Asks for the command to ring.
  package func run(in desk: EggDesk) async throws -> [EggAction] { [.request(.ring(egg))] }
}

/// What happens on the screen of the egg timer.
package enum EggSceneAction: Recordable, Equatable {
  /// A key was typed.
  case typed(String)
  /// What was typed was cleared, and the list is shown.
  case cleared
  /// A screen was opened.
  case opened(String)
  /// The app was left.
  case left
  /// The app was opened again.
  case reopened
}

/// The actions of the egg timer.
package enum EggAction: Recordable, Equatable {
  /// What happened on the screen.
  case scene(EggSceneAction)
  /// An egg was added.
  case added(name: String)
  /// An egg began to boil.
  case boiled(EggID)
  /// The bell rang for an egg, which boils no longer.
  case rang(EggID)
  /// The answer of an effect that asks for a command.
  case request(EggCommand)
}

/// The commands of the egg timer.
package enum EggCommand: Recordable, Equatable {
  /// Add an egg.
  case add(name: String)
  /// Boil an egg.
  case boil(EggID)
  /// Ring the bell for an egg.
  case ring(EggID)
}

/// The refusals of the egg timer.
package enum EggRefusal: Recordable, Error, Hashable {
  /// There is no such egg.
  case noEgg(EggID)
  /// The egg boils already.
  case alreadyBoils(EggID)
  /// The egg does not boil.
  case boilsNot(EggID)
}

/// The reducer of a build.
package struct EggReducer<Build: EggBuild>: Reducer {
  /// Reduces an action.
  package func reduce(
    _ state: inout Build.Kitchen, _ action: EggAction, at moment: Moment
  ) -> Effect<EggAction, EggDesk> {
    switch action {
    case .scene(let action): reduce(&state, action)
    case .added(let name): state.addEgg(named: name)
    case .boiled(let egg):
      state.setBoiling(true, of: egg)
      if Build.bug == .noEffect { return .none }
      let delay: ElapsedTime = .seconds(Build.bug == .otherDelay ? 11 : 10)
      return .run(EggBell(egg: egg)).delayed(by: delay)
    case .rang(let egg): state.setBoiling(false, of: egg)
    case .request: break
    }
    return .none
  }

  private func reduce(_ state: inout Build.Kitchen, _ action: EggSceneAction) {
    switch action {
    case .typed(let text):
      if Build.bug == .droppedKey, text.utf8.elementsEqual("b".utf8) { return }
      state.draft += text
    case .cleared: (state.draft, state.screen) = ("", "list")
    case .opened(let screen): state.screen = screen
    case .left: (state.savedScreen, state.screen) = (state.screen, "none")
    case .reopened: state.screen = Build.bug == .wrongRestore ? "list" : state.savedScreen
    }
  }
}

/// The decider of a build.
package struct EggDecider<Build: EggBuild>: Decider {
  /// Decides a command.
  package func decide(
    _ command: EggCommand, on state: borrowing Build.Kitchen, at moment: Moment
  ) throws(EggRefusal) -> [EggAction] {
    switch command {
    case .add(let name): return [.added(name: name)]
    case .boil(let egg):
      guard let isBoiling = state.isBoiling(egg) else { throw .noEgg(egg) }
      guard !isBoiling || Build.bug == .looserRefusal else { throw .alreadyBoils(egg) }
      return [.boiled(egg)]
    case .ring(let egg):
      guard let isBoiling = state.isBoiling(egg) else { throw .noEgg(egg) }
      guard isBoiling else { throw .boilsNot(egg) }
      return [.rang(egg)]
    }
  }
}

/// A timer for eggs, whose builds differ by a planted bug and by fields of the state.
package enum EggApp<Build: EggBuild>: ReplayableApp {
  /// The environment of effects.
  package typealias Environment = EggDesk
  /// The routes, which the app does not use.
  package typealias Route = CounterRoute
  /// What a caller sends.
  package typealias SceneAction = EggSceneAction

  /// The name that sessions record.
  package static var name: String { "egg" }
  /// The build that sessions record.
  package static var build: String { "test" }
  /// The reducer.
  package static var reducer: EggReducer<Build> { EggReducer() }
  /// The decider.
  package static var decider: EggDecider<Build> { EggDecider() }
  /// The state before the first record.
  package static var initialState: Build.Kitchen { Build.Kitchen() }

  /// Returns the action that the log records.
  package static func action(for sceneAction: EggSceneAction) -> EggAction { .scene(sceneAction) }

  /// Returns the role of an action.
  package static func role(of action: EggAction) -> ActionRole<EggCommand> {
    switch action {
    case .scene: .scene
    case .request(let command): .request(command)
    case .added, .boiled, .rang: .fact
    }
  }

  /// Returns the only scene.
  package static func scenes(in state: Build.Kitchen) -> [SceneID] { [SceneID(value: 0)] }

  /// Returns the stack of the only scene.
  package static func backStack(
    of scene: SceneID, in state: Build.Kitchen
  ) -> BackStack<CounterRoute>? { scene.value == 0 ? BackStack(root: .all) : nil }

  /// Returns what is typed, and the seconds of the moment.
  package static func screen(
    of scene: SceneID, in state: Build.Kitchen, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Screen.Line("\(state.draft) at \(moment.microseconds / 1_000_000) s"), size: size)
  }
}
