import Onboarding
import Retrace

struct WorkspaceID: EntityID { var value: Int64 }

struct Workspace: TableEntity {
  var name: String
  var runningSince: Moment?
}

struct AppState: RecordedState, Composed {
  var workspaces: EntityTable<WorkspaceID, Workspace> = EntityTable()
  var onboarding: OnboardingState = OnboardingState()
}

enum AppAction: Recordable, Equatable, Composed {
  case launched
  case onboarding(OnboardingAction)
  case timer(TimerAction)
}

enum TimerAction: Recordable, Equatable {
  case workspaceAdded(name: String)
  case startTapped(WorkspaceID)
}

struct AppEnvironment: Sendable {
  var server: AccountServer
}

extension AppEnvironment {
  enum Server: EnvironmentProjection {
    static func project(_ environment: AppEnvironment) -> AccountServer { environment.server }
  }
}

struct AppReducer: UpdatingReducer {
  var body: some Reducer<AppState, AppAction, AppEnvironment> {
    Update(self)
    Scope({ $0.onboarding }, action: { $0.onboarding }) {
      OnboardingReducer().pulledBack(environment: AppEnvironment.Server.self)
    }
    Scope(action: { $0.timer }) { TimerReducer() }
  }

  func update(
    _ state: inout AppState, _ action: AppAction, at moment: Moment
  ) -> Effect<AppAction, AppEnvironment> {
    switch action {
    case .launched:
      let isKnown = state.onboarding.user.value != nil
      state.onboarding.stack.replaceAll(with: isKnown ? .timer : .onboarding)
      return .none
    case .onboarding, .timer: return .none
    }
  }
}

struct TimerReducer: Reducer {
  typealias State = AppState
  typealias Action = TimerAction
  typealias Environment = AppEnvironment

  func reduce(_ state: inout State, _ action: Action, at moment: Moment) -> EffectOf<Self> {
    switch action {
    case .workspaceAdded(let name):
      state.workspaces.insert(Workspace(name: name, runningSince: nil))
    case .startTapped(let id):
      state.workspaces.modify(id) { $0.runningSince = moment }
    }
    return .none
  }
}

final class WindowCoordinator: Coordinator {
  var shown: [String] = []
  func newRoute(_ entry: BackStack<AppRoute>.Entry) -> (any Coordinator<AppRoute>)? { self }
  func present(_ entry: BackStack<AppRoute>.Entry) async { shown.append(entry.route.path) }
  func finish(_ entry: BackStack<AppRoute>.Entry) async { shown.removeLast() }
}

enum SignInApp: ReplayableApp {
  typealias Environment = AppEnvironment
  typealias Route = AppRoute

  static var name: String { "sign-in" }
  static var build: String { "1" }

  static func scenes(in state: AppState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(of scene: SceneID, in state: AppState) -> BackStack<AppRoute>? {
    scene.value == 0 ? state.onboarding.stack : nil
  }

  static func screen(
    of scene: SceneID, in state: AppState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen([Screen.Line(state.onboarding.stack.top.path)], size: size)
  }
}

extension SignInApp {
  static var initialState: AppState { AppState() }
  static var reducer: AppReducer { AppReducer() }
}
