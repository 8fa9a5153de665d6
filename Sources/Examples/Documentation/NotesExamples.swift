// What the examples in doc comments of reducers and effects use: an app of notes, which are on a
// server. `Tools/surface --examples` compiles the examples with these files.

import Retrace

struct NoteID: EntityID { var value: Int64 }

struct Note: TableEntity {
  var title: String
  var text: Loadable<String>
}

struct Search: Recordable, Equatable {
  var query: TextDraft
  var hits: Int64 = 0
}

struct Settings: Recordable, Equatable { var showsArchive: Bool = false }

struct NotesState: RecordedState, Composed, ReportsMissingTarget {
  var notes: EntityTable<NoteID, Note> = EntityTable()
  var drafts: [SceneID: TextDraft] = [:]
  var search: Search?
  var settings: Settings = Settings()
  var missing: MissingTarget?

  mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
}

/// A panel that shows a search or nothing.
enum SidePanel: ReportsMissingTarget, Composed {
  case closed
  case searching(Search)

  mutating func targetWasMissing(_ target: MissingTarget) {}
}

enum NotesAction: Recordable, Equatable, Composed {
  case added(title: String)
  case closed
  case note(NoteID, NoteAction)
  case draft(SceneID, TextReplacement)
  case search(SearchAction)
  case settings(SettingsAction)
}

enum NoteAction: Recordable, Equatable {
  case renamed(String)
  case loaded(String)
}

enum SearchAction: Recordable, Equatable {
  case edited(TextReplacement)
  case found(Int64)
}

enum SettingsAction: Recordable, Equatable { case archiveShown(Bool) }

struct NoteServer: Sendable {
  var text: @Sendable (_ title: String) async throws -> String
  var count: @Sendable (_ query: String) async throws -> Int64
}

/// The environment of an app of which the notes are a part.
struct Office: Sendable { var server: NoteServer }

struct CountHits: EffectLeaf {
  var query: String

  func run(in server: NoteServer) async throws -> [SearchAction] {
    [.found(try await server.count(query))]
  }
}

struct NoteReducer: Reducer {
  func reduce(
    _ state: inout Note, _ action: NoteAction, at moment: Moment
  ) -> Effect<NoteAction, NoteServer> { .none }
}

struct DraftReducer: Reducer {
  func reduce(
    _ state: inout TextDraft, _ action: TextReplacement, at moment: Moment
  ) -> Effect<TextReplacement, NoteServer> { .none }
}

struct SettingsReducer: Reducer {
  func reduce(
    _ state: inout Settings, _ action: SettingsAction, at moment: Moment
  ) -> Effect<SettingsAction, NoteServer> { .none }
}

enum NotesApp: ReplayableApp {
  typealias Environment = NoteServer
  typealias Route = CounterRoute

  static var name: String { "notes" }
  static var build: String { "2" }
  static var reducer: NotesReducer { NotesReducer() }
  static var initialState: NotesState { NotesState() }

  static func scenes(in state: NotesState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: NotesState) -> BackStack<Route>? { nil }
  static func screen(
    of scene: SceneID, in state: NotesState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}
