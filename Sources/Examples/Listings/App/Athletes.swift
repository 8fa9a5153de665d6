import Retrace

struct AthleteID: EntityID { var value: Int64 }

struct Athlete: TableEntity {
  var name: String
}

struct UsersState: RecordedState {
  var list: EntityTable<AthleteID, Athlete> = EntityTable()
  var isLoading: Bool = false
  var alert: String?
  var currentPage: Int64 = 1
  var currentUser: AthleteID?
}

enum UsersAction: Recordable, Equatable {
  case purge
  case load
  case loadResponse([Athlete])
  case fetch
  case fetchResponse([Athlete])
  case persistUsers
  case persistUsersResponse(Bool)
  case selectUser(AthleteID?)
}

struct UsersEnvironment: Sendable {
  var loadUsers: @Sendable () async throws -> [Athlete]
  var fetch: @Sendable () async throws -> [Athlete]
  var persistUsers: @Sendable ([Athlete]) async throws -> Bool
}

struct UsersReducer: Reducer {
  func reduce(_ state: inout UsersState, _ action: UsersAction, at moment: Moment)
    -> Effect<UsersAction, UsersEnvironment>
  {
    switch action {
    case .fetch:
      state.isLoading = true
      return .run(FetchUsers())
    case .load: return .run(LoadUsers())
    case .loadResponse(let found):
      if found.isEmpty { return reduce(&state, .fetch, at: moment) }
      for athlete in found { state.list.insert(athlete) }
      return .none
    case .fetchResponse(let found):
      for athlete in found { state.list.insert(athlete) }
      state.isLoading = false
      state.currentPage &+= 1
      return reduce(&state, .persistUsers, at: moment)
    case .persistUsers:
      var athletes: [Athlete] = []
      state.list.forEach { _, athlete in athletes.append(athlete) }
      return .run(PersistUsers(athletes: athletes))
    case .persistUsersResponse(let isDone):
      state.alert = isDone ? nil : "The list was not saved."
      return .none
    case .selectUser(let id):
      state.currentUser = id
      return .none
    case .purge:
      state = UsersState()
      return .none
    }
  }
}

struct FetchUsers: EffectLeaf {
  func run(in users: UsersEnvironment) async throws -> [UsersAction] {
    [.fetchResponse(try await users.fetch())]
  }
}

struct LoadUsers: EffectLeaf {
  func run(in users: UsersEnvironment) async throws -> [UsersAction] {
    [.loadResponse(try await users.loadUsers())]
  }
}

struct PersistUsers: EffectLeaf {
  var athletes: [Athlete]

  func run(in users: UsersEnvironment) async throws -> [UsersAction] {
    [.persistUsersResponse(try await users.persistUsers(athletes))]
  }
}

enum UsersApp: ReplayableApp {
  typealias Environment = UsersEnvironment
  typealias Route = ListRoute

  static var name: String { "users" }
  static var build: String { "1" }
  static var initialState: UsersState { UsersState() }
  static var reducer: UsersReducer { UsersReducer() }

  static func scenes(in state: UsersState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(of scene: SceneID, in state: UsersState) -> BackStack<ListRoute>? {
    scene.value == 0 ? BackStack(root: .list) : nil
  }

  static func screen(
    of scene: SceneID, in state: UsersState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    var lines: [Screen.Line] = []
    state.list.forEach { _, athlete in lines.append(Screen.Line(athlete.name)) }
    return Screen(lines, size: size)
  }
}
