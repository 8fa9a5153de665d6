public import RetraceArchitecture
public import RetraceAvro

/// What happened on a screen: the features, a line for each.
public enum ScreenAction: Recordable, Equatable, Composed {
  case users(UsersAction)
  case timer(TimerAction)
  case entryEditor(EntryEditorAction)
}

/// The reducers of the screens.
public struct ScreensReducer: RouteReducer {
  /// Makes the reducer.
  public init() {}

  /// The reducer of each screen.
  public var body: some RouteReducer<TrackerRoute, ScreenAction, Never> {
    IfRoute(\.users, action: \.users) { UsersReducer() }
    IfRoute(\.timer, action: \.timer) { TimerReducer() }
    IfRoute(\.entryEditor, action: \.entryEditor) { EntryEditorReducer() }
  }
}

extension TrackerRoute {
  /// The screen.
  var screen: any ScreenRoute {
    switch self {
    case .users(let route): route
    case .timer(let route): route
    case .entryEditor(let route): route
    }
  }
}

extension TrackerRoute: LinkedRoute {
  // lint:allow the fold changes routes and never prints one; links are for drivers and tools
  /// The deep link of the screen.
  public var link: DeepLink { screen.link }

  /// Reads the deep link of a screen; texts and selections are fresh.
  public init(reading reader: inout DeepLinkReader) throws(DeepLinkError) {
    if let route = try UsersRoute(reading: &reader) {
      self = .users(route)
    } else if let route = try EntryEditorRoute(reading: &reader) {
      self = .entryEditor(route)
    } else if let route = try TimerRoute(reading: &reader) {
      self = .timer(route)
    } else {
      throw reader.unknownComponent
    }
  }
}
