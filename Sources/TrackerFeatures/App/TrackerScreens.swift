public import Retrace
public import TimeTracking

/// The list of the screens of the tracker.
public enum TrackerScreens: ScreenList {
  /// What effects use.
  public typealias Environment = TrackerEnvironment
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
  case welcome(WelcomeScreen)
  case account(AccountScreen)
}

extension TrackerRoute {
  /// The user whose time the screen shows; `nil` on a screen without one.
  public var user: UserID? {
    switch self {
    case .users, .welcome, .account: nil
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
