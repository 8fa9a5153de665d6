import Retrace

struct AthleteID: EntityID { var value: Int64 }

struct Athlete: TableEntity {
  var name: String
}

struct UsersState: RecordedState {
  var athletes: EntityTable<AthleteID, Athlete> = EntityTable()
  var isLoading: Bool = false
  var problem: String?
  var nextPage: Int64 = 1
  var chosen: AthleteID?
}

enum UsersAction: Recordable, Equatable {
  case cleared
  case opened
  case wasRead([Athlete])
  case requested
  case wereFound([Athlete])
  case changed
  case saved(Bool)
  case chosen(AthleteID?)
}

struct UsersEnvironment: Sendable {
  var read: @Sendable () async throws -> [Athlete]
  var find: @Sendable () async throws -> [Athlete]
  var save: @Sendable ([Athlete]) async throws -> Bool
}

struct UsersReducer: Reducer {
  func reduce(_ state: inout UsersState, _ action: UsersAction, at moment: Moment)
    -> Effect<UsersAction, UsersEnvironment>
  {
    switch action {
    case .requested:
      state.isLoading = true
      return .run(FindAthletes())
    case .opened: return .run(ReadAthletes())
    case .wasRead(let found):
      if found.isEmpty { return reduce(&state, .requested, at: moment) }
      for athlete in found { state.athletes.insert(athlete) }
      return .none
    case .wereFound(let found):
      for athlete in found { state.athletes.insert(athlete) }
      state.isLoading = false
      state.nextPage &+= 1
      return reduce(&state, .changed, at: moment)
    case .changed:
      var athletes: [Athlete] = []
      state.athletes.forEach { _, athlete in athletes.append(athlete) }
      return .run(SaveAthletes(athletes: athletes))
    case .saved(let isDone):
      state.problem = isDone ? nil : "The list was not saved."
      return .none
    case .chosen(let id):
      state.chosen = id
      return .none
    case .cleared:
      state = UsersState()
      return .none
    }
  }
}

struct FindAthletes: EffectLeaf {
  func run(in users: UsersEnvironment) async throws -> [UsersAction] {
    [.wereFound(try await users.find())]
  }
}

struct ReadAthletes: EffectLeaf {
  func run(in users: UsersEnvironment) async throws -> [UsersAction] {
    [.wasRead(try await users.read())]
  }
}

struct SaveAthletes: EffectLeaf {
  var athletes: [Athlete]

  func run(in users: UsersEnvironment) async throws -> [UsersAction] {
    [.saved(try await users.save(athletes))]
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
    state.athletes.forEach { _, athlete in lines.append(Screen.Line(athlete.name)) }
    return Screen(lines, size: size)
  }
}
