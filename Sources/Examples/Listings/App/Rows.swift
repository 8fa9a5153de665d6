import Retrace

struct RowID: EntityID { var value: Int64 }

struct Row: TableEntity {
  var name: String
  var hits: Int64 = 0
}

struct RowsState: RecordedState, Composed, ReportsMissingTarget {
  var rows: EntityTable<RowID, Row> = EntityTable()
  var query: TextDraft = TextDraft()
  var newest: RowID?
  var found: Int64 = 0
  var followed: [RowID] = []
  var note: NoteState?
  var missing: MissingTarget?

  mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
}

enum RowsAction: Recordable, Equatable, Composed {
  case added(name: String)
  case row(RowID, RowAction)
  case queryEdited(TextReplacement)
  case reloadTapped
  case stopTapped
  case found(Int64)
  case noteTapped
  case note(NoteAction)
  case followed([RowID])
  case noticed(String)
}

enum RowAction: Recordable, Equatable { case tapped }

struct NoteState: Recordable, Hashable { var text: TextDraft }

enum NoteAction: Recordable, Equatable { case edited(TextReplacement) }

struct RowsServer: Sendable {
  var count: @Sendable (_ query: String) async throws -> Int64
  var notices: @Sendable (_ row: RowID) -> AsyncStream<String>
}

struct RowReducer: Reducer {
  func reduce(
    _ row: inout Row, _ action: RowAction, at moment: Moment
  ) -> Effect<RowAction, RowsServer> {
    row.hits &+= 1
    return .none
  }
}

struct NoteReducer: Reducer {
  func reduce(
    _ note: inout NoteState, _ action: NoteAction, at moment: Moment
  ) -> Effect<NoteAction, RowsServer> {
    switch action {
    case .edited(let edit): note.text.apply(edit)
    }
    return .none
  }
}

struct RowsReducer: UpdatingReducer {
  var body: some Reducer<RowsState, RowsAction, RowsServer> {
    CombineReducers {
      ForEachEntity({ $0.rows }, action: { $0.row }) { RowReducer() }
      Update(self)
        .ifLet({ $0.note }, action: { $0.note }) { NoteReducer() }
    }
    .onChange(FollowedHandler())
    .decorated(with: FoundHook())
  }

  func update(
    _ state: inout RowsState, _ action: RowsAction, at moment: Moment
  ) -> Effect<RowsAction, RowsServer> {
    switch action {
    case .added(let name):
      let id = state.rows.insert(Row(name: name))
      state.newest = id
    case .queryEdited(let edit):
      state.query.apply(edit)
      let count = CountRows(query: state.query.text)
      return .run(count).debounced("search", for: .seconds(1))
    case .reloadTapped:
      let count = CountRows(query: state.query.text)
      return .run(count).cancellable("reload", cancelInFlight: true)
    case .stopTapped: return .cancel("reload")
    case .found(let number): state.found = number
    case .followed(let ids): state.followed = ids
    case .noticed(let name): state.newest = state.rows.insert(Row(name: name))
    case .noteTapped: state.note = NoteState(text: TextDraft())
    case .note, .row: break
    }
    return .none
  }
}

struct CountRows: EffectLeaf {
  var query: String

  func run(in server: RowsServer) async throws -> [RowsAction] {
    [.found(try await server.count(query))]
  }
}

struct Notices: StreamingLeaf {
  var row: RowID

  func run(in server: RowsServer, send: EffectSender<RowsAction>) async throws {
    for await notice in server.notices(row) { try await send(.noticed(notice)) }
  }

  var interruptionPolicy: StreamInterruptionPolicy<RowsAction> { .resume }
}

struct FollowedHandler: ChangeHandler {
  func value(of state: borrowing RowsState) -> [RowID] { state.followed }

  func changed(
    from old: [RowID], to new: [RowID], in state: inout RowsState, at moment: Moment
  ) -> Effect<RowsAction, RowsServer> {
    .subscribe(to: new.map { Notices(row: $0) }, insteadOf: old.map { Notices(row: $0) })
  }
}

struct FoundHook: ReducerHook {
  func after(
    _ state: inout RowsState, _ action: RowsAction, at moment: Moment,
    _ effect: Effect<RowsAction, RowsServer>
  ) -> Effect<RowsAction, RowsServer> {
    if state.query.text.isEmpty { state.found = 0 }
    return effect
  }
}

enum RowsApp: ReplayableApp {
  typealias Environment = RowsServer
  typealias Route = ListRoute

  static var name: String { "rows" }
  static var build: String { "1" }
  static var initialState: RowsState { RowsState() }
  static var reducer: RowsReducer { RowsReducer() }

  static func scenes(in state: RowsState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: RowsState) -> BackStack<ListRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: RowsState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen([Screen.Line("\(state.found) found")], size: size) }
}
