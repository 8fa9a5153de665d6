import Retrace

/// The pages of a window.
enum PageRoute: NavigationRoute, Composed {
  case list
  case note(NoteState)

  var path: String {
    switch self {
    case .list: "list"
    case .note: "note"
    }
  }
}

/// What is shown beside the pages.
enum Panel: Recordable, Equatable, Composed, ReportsMissingTarget {
  case closed
  case note(NoteState)

  /// Does nothing: an action for a panel that is closed has no meaning.
  mutating func targetWasMissing(_ target: MissingTarget) {}
}

struct PagesState: RecordedState, Composed, ReportsMissingTarget {
  var stack: BackStack<PageRoute> = BackStack(root: .list)
  var panel: Panel = .closed
  var missing: MissingTarget?

  mutating func targetWasMissing(_ target: MissingTarget) { missing = target }
}

enum PagesAction: Recordable, Equatable, Composed {
  case page(RouteID, PageAction)
  case panel(PageAction)
}

enum PageAction: Recordable, Equatable, Composed { case note(NoteAction) }

struct PagesReducer: Reducer {
  var body: some Reducer<PagesState, PagesAction, RowsServer> {
    ForEachRoute({ $0.stack }, action: { $0.page }) {
      IfRoute({ $0.note }, action: { $0.note }) { NoteReducer() }
    }
    Scope({ $0.panel }, action: { $0.panel }) { PanelReducer() }
  }
}

struct PanelReducer: Reducer {
  var body: some Reducer<Panel, PageAction, RowsServer> {
    IfCaseLet({ $0.note }, action: { $0.note }) { NoteReducer() }
  }
}
