import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import TimeTracking

/// The domain as an app without scenes.
enum DomainApp: UndoableApp {
  typealias SceneAction = Never
  typealias Route = DomainRoute

  static var name: String { "domain" }
  static var build: String { "test" }
  static var reducer: DomainReducer { DomainReducer() }
  static var decider: DomainDecider { DomainDecider() }
  static var initialState: DomainState { DomainState() }

  static func action(for sceneAction: Never) -> DomainFact {}
  static func role(of action: DomainFact) -> ActionRole<DomainCommand> { .fact }
  static func canDecideAgain(_ command: DomainCommand) -> Bool {
    if case .importRun(.rows) = command { false } else { true }
  }
  static func violations(of state: borrowing DomainState) -> [Violation] {
    DomainEntities.violations(of: state)
  }

  static func edits(of fact: DomainFact) -> [DomainEdit] { fact.undoableEdits }
  static func editCount(in state: borrowing DomainState) -> Int64 { state.undoableFacts }
  static func command(for restore: Restore<DomainEdit>) -> DomainCommand { .restore(restore) }
  static func restored(in fact: DomainFact) -> Restored<DomainEdit>? { fact.restoredEdits }
  static func isStaleRestore(_ refusal: DomainRefusal) -> Bool { refusal == .staleRestore }

  static func scenes(in state: DomainState) -> [SceneID] { [] }
  static func backStack(
    of scene: SceneID, in state: DomainState
  ) -> BackStack<DomainRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: DomainState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}

/// The domain has no routes; an app needs a type of them.
enum DomainRoute: NavigationRoute {
  case none
  var path: String { "none" }
}
