public import Retrace
public import TimeTracking

/// The list of the screens of the tracker.
public enum TrackerScreens: ScreenList {
  /// The app has no effects.
  public typealias Environment = Never
  typealias Context = ScreenContext
  typealias Frame = AnyScreenFrame

  case users(UsersScreen)
  case entryEditor(EntryEditorScreen)
  case reports(ReportsScreen)
  case settings(SettingsScreen)
  case timer(TimerScreen)
  case projectForm(ProjectFormScreen)
  case lists(ListsScreen)
  case history(HistoryScreen)
  case calendar(CalendarScreen)
}

extension TrackerRoute {
  /// The user whose time the screen shows; `nil` on the list of users.
  public var user: UserID? {
    switch self {
    case .users: nil
    case .entryEditor(let route): route.user
    case .reports(let route): route.user
    case .settings(let route): route.user
    case .timer(let route): route.user
    case .projectForm(let route): route.user
    case .lists(let route): route.user
    case .history(let route): route.user
    case .calendar(let route): route.user
    }
  }
}
