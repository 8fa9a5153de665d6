package import RetraceArchitecture
import RetraceAvro

/// The actions of the planner.
package enum PlannerAction: Recordable, Hashable, Composed {
  /// The user signed in.
  case signedIn
  /// The user signed out.
  case signedOut
  /// The settings were opened.
  case settingsOpened
  /// A route of the window was dismissed.
  case dismissed(RouteID)
  /// A link was opened.
  case linkOpened(String)
  /// A page outside the app was asked for.
  case helpAsked(HelpPage)
  /// The page was opened.
  case externalPageShown
  /// Something happened in a route of the window.
  case window(RouteID, WindowAction)
}

/// Pages that are not part of the app.
package enum HelpPage: Recordable, Hashable {
  /// Help.
  case help
  /// The privacy policy.
  case privacy
}

/// The actions of the routes of the window.
package enum WindowAction: Recordable, Hashable, Composed {
  /// Something happened in the tabs.
  case main(MainAction)
  /// Something happened in the settings.
  case settings(SettingsAction)
}

/// The actions of the tabs.
package enum MainAction: Recordable, Hashable, Composed {
  /// A tab was selected.
  case selected(PlannerTab)
  /// A route was opened in the selected tab.
  case opened(MainRoute)
  /// A route in a tab was replaced with another one.
  case replaced(MainRoute)
  /// A route in a tab was dismissed.
  case dismissed(RouteID)
  /// Something happened on the screen of a route.
  case screen(RouteID, ScreenAction)
}

/// The actions of the settings.
package enum SettingsAction: Recordable, Hashable {
  /// A route was opened.
  case opened(SettingsRoute)
  /// A route was dismissed.
  case dismissed(RouteID)
}

/// The actions of the screens in the tabs.
package enum ScreenAction: Recordable, Hashable, Composed {
  /// An action of the editor of an entry.
  case startEdit(StartEditAction)
  /// An action of a report: a range was chosen.
  case reports(ReportRange)
}

/// The actions of the editor of an entry.
package enum StartEditAction: Recordable, Hashable {
  /// The description was changed.
  case described(String)
  /// Suggestions were asked for.
  case suggestionsAsked
  /// A suggestion has arrived.
  case suggested(String)
}
