import Retrace

// A small app with every kind of child feature, for the examples of reducers and effects.

/// The id of a note.
struct NoteID: EntityID { var value: Int64 }

/// A note; its text is on a server.
struct Note: TableEntity {
  var title: String
  var text: Loadable<String>
}

/// A running search.
struct Search: Recordable, Equatable {
  var query: TextDraft
  var hits: Int64 = 0
}

/// The settings of the app.
struct Settings: Recordable, Equatable {
  var showsArchive: Bool = false
}

/// The state: a table, a dictionary, an optional part and a part that is always there.
struct NotesState: RecordedState, Composed {
  var notes: EntityTable<NoteID, Note> = EntityTable()
  var drafts: [SceneID: TextDraft] = [:]
  var search: Search?
  var settings: Settings = Settings()
  var stack: BackStack<NotesRoute> = BackStack(root: .list)
  var missing: [MissingTarget] = []
}

extension NotesState: ReportsMissingTarget {
  mutating func targetWasMissing(_ target: MissingTarget) { missing.append(target) }
}

/// The routes of the app.
enum NotesRoute: NavigationRoute {
  case list
  case note(NoteID)

  var path: String {
    switch self {
    case .list: "notes"
    case .note(let id): "notes/\(id.value)"
    }
  }

  init?(path: String) {
    if path == "notes" {
      self = .list
    } else if path.hasPrefix("notes/"), let id = Int64(path.dropFirst(6)) {
      self = .note(NoteID(value: id))
    } else {
      return nil
    }
  }
}

/// The actions, nested by feature.
enum NotesAction: Recordable, Equatable, Composed {
  case added(title: String)
  case opened(NoteID)
  case closed
  case note(NoteID, NoteAction)
  case draft(SceneID, TextReplacement)
  case search(SearchAction)
  case settings(SettingsAction)
}

/// The actions of one note.
enum NoteAction: Recordable, Equatable {
  case renamed(String)
  case requested
  case loaded(String)
  case failed(String)
}

/// The actions of a search.
enum SearchAction: Recordable, Equatable {
  case edited(TextReplacement)
  case found(Int64)
}

/// The actions of the settings.
enum SettingsAction: Recordable, Equatable {
  case archiveShown(Bool)
}

/// The environment of effects.
struct NoteServer: Sendable {
  /// Loads the text of a note.
  var text: @Sendable (_ title: String) async throws -> String
  /// Counts the notes that match a query.
  var count: @Sendable (_ query: String) async throws -> Int64
}
