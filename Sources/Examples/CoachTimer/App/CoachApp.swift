package import Retrace

/// Everything that is recorded.
package struct CoachState: RecordedState, Composed, SingleScene {
  /// The users.
  package var users: UsersState = UsersState()
  /// The sessions.
  package var sessions: SessionsState = SessionsState()
  /// The window.
  package var window: WindowState = WindowState()

  /// The routes of the window.
  package var stack: BackStack<CoachRoute> { window.stack }
}

/// What is folded: what happens in the window and to users, and the facts about sessions.
package enum CoachAction: Recordable, Equatable, Composed {
  case scene(CoachSceneAction)
  case fact(SessionsFact)
}

/// The actions that are sent as they are.
package enum CoachSceneAction: Recordable, Equatable, Composed {
  case users(UsersAction)
  case window(WindowAction)
}

/// What effects use of the world.
package struct CoachEnvironment: Sendable {
  /// Reads the file of users.
  package var loadUsers: @Sendable () async throws -> KeptUsers
  /// Returns the users of a page of the server; an empty list after the last page.
  package var fetchUsers: @Sendable (_ page: Int64) async throws -> [User]
  /// Writes the file of users.
  package var persistUsers: @Sendable (KeptUsers) async throws -> Void
  /// Writes the sessions to a file, and returns its path.
  package var export: @Sendable (_ csv: String) async throws -> String
  /// Appends a line to the activity feed.
  package var note: @Sendable (_ line: String) async throws -> Void

  /// Creates an environment.
  package init(
    loadUsers: @escaping @Sendable () async throws -> KeptUsers,
    fetchUsers: @escaping @Sendable (_ page: Int64) async throws -> [User],
    persistUsers: @escaping @Sendable (KeptUsers) async throws -> Void,
    export: @escaping @Sendable (_ csv: String) async throws -> String,
    note: @escaping @Sendable (_ line: String) async throws -> Void
  ) {
    self.loadUsers = loadUsers
    self.fetchUsers = fetchUsers
    self.persistUsers = persistUsers
    self.export = export
    self.note = note
  }
}

/// The reducer of the app.
package struct CoachReducer: Reducer {
  /// The parts of the app, and the activity feed before them.
  package var body: some Reducer<CoachState, CoachAction, CoachEnvironment> {
    CoachParts().decorated(with: ActivityFeed())
  }
}

struct CoachParts: UpdatingReducer {
  var body: some Reducer<CoachState, CoachAction, CoachEnvironment> {
    Scope(action: { $0.scene }) { CoachScene() }
    Update(self)
    Scope({ $0.sessions }, action: { $0.fact }) { SessionsReducer() }
  }

  /// A fact ends what the window was told.
  func update(
    _ state: inout CoachState, _ action: CoachAction, at moment: Moment
  ) -> EffectOf<Self> {
    guard case .fact(let fact) = action else { return .none }
    state.window.notice = nil
    if case .session(let id, .saved) = fact, let session = state.sessions.list[id] {
      state.window.notice = .saved(name: session.name)
    }
    return .none
  }
}

struct CoachScene: Reducer {
  var body: some Reducer<CoachState, CoachSceneAction, CoachEnvironment> {
    Scope({ $0.users }, action: { $0.users }) { UsersReducer() }
    Scope(action: { $0.window }) { WindowReducer() }
  }
}

/// The app, as it is recorded, replayed and restored.
package enum CoachApp: InteractiveApp {
  package typealias Environment = CoachEnvironment
  package typealias Frame = CoachFrame
  package typealias Route = CoachRoute

  /// The name that sessions record.
  package static var name: String { "coach-timer" }
  /// The build that sessions record.
  package static var build: String { "1" }
  /// The fingerprint of the reducer's sources.
  package static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  package static var reducer: CoachReducer { CoachReducer() }
  /// The decider of commands.
  package static var decider: SessionDecider { SessionDecider() }
  /// The state before the first record.
  package static var initialState: CoachState { CoachState() }

  /// Returns the action that the log records for a scene action.
  package static func action(for sceneAction: CoachSceneAction) -> CoachAction {
    .scene(sceneAction)
  }

  /// Returns whether an action is a fact.
  package static func role(of action: CoachAction) -> ActionRole<SessionCommand> {
    if case .fact = action { .fact } else { .scene }
  }

  /// Returns the broken rules: the current session is the only one that is not saved.
  package static func violations(of state: borrowing CoachState) -> [Violation] {
    let unsaved = state.sessions.list.rows.filter { $0.entity.saved == nil }.map(\.id)
    if unsaved == (state.sessions.current.map { [$0] } ?? []) { return [] }
    return [Violation(of: "only the current session is not saved", "not saved: \(unsaved)")]
  }
}
