public import Retrace
public import TimeTracking

/// The screen of a user's settings.
public struct SettingsRoute: Recordable, Hashable {
  /// The user.
  public var user: UserID
  /// The selected row.
  public var row: SettingsRow = .name  // recorded: constant default
  /// What is open over the rows; `nil` for nothing.
  public var dialog: SettingsDialog?
  /// What the user is asked.
  public var question: SettingsQuestion?

  /// Creates a fresh screen.
  public init(user: UserID) { self.user = user }
}

/// A row of the settings.
public enum SettingsRow: Recordable, Hashable {
  /// The name of the user.
  case name
  /// The email address of the user.
  case email
  /// The workspace of new entries.
  case workspace
  /// A preference.
  case preference(Preference)
  /// The version of the app.
  case version
  /// The place of the store.
  case store
  /// The number of recorded changes.
  case changes
  /// The license of a linked library, by its place in the list.
  case license(Int64)
  /// The way out to the list of users.
  case signOut
  /// The calendar files and folders of this machine.
  case calendars
}

/// What is open over the rows of the settings.
public enum SettingsDialog: Recordable, Hashable {
  /// The value of the selected row is typed.
  case text(TextDraft)
  /// The value of the selected row is chosen from a list.
  case choices(ListState)
}

/// A change that the user is asked about.
public enum SettingsQuestion: Recordable, Hashable {
  /// Rates of entries get another currency, unconverted.
  case changesCurrency
  /// The user leaves to the list of users, and what was typed and not saved is dropped.
  case signsOut
}

/// An action of the settings.
public enum SettingsAction: Recordable, Hashable {
  /// A row was selected.
  case selected(SettingsRow)
  /// A value is typed or chosen, or no longer is.
  case opened(SettingsDialog?)
  /// The typed value was edited.
  case edited(TextReplacement)
  /// The user is asked, or has answered.
  case asked(SettingsQuestion?)
}

/// The reducer of the settings.
public struct SettingsReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Selects, opens, edits and asks.
  ///
  /// - Complexity: O(bytes of the typed value).
  public func reduce(
    _ state: inout SettingsRoute, _ action: SettingsAction, at moment: Moment
  ) -> Effect<SettingsAction, TrackerEnvironment> {
    // A question is about what was shown with it.
    state.question = nil
    switch action {
    case .selected(let row): (state.row, state.dialog) = (row, nil)
    case .opened(let dialog): state.dialog = dialog
    case .edited(let edit):
      guard case .text(var draft)? = state.dialog else { break }
      draft.apply(edit)
      state.dialog = .text(draft)
    case .asked(let question): state.question = question
    }
    return .none
  }
}

/// The screen of a user's settings.
public enum SettingsScreen: ScreenModule {
  /// The parameters.
  public typealias Route = SettingsRoute
  /// The actions.
  public typealias Action = SettingsAction

  /// The reducer.
  public static var reducer: SettingsReducer { SettingsReducer() }

  /// Returns `timer/USER/settings`.
  public static func link(of route: SettingsRoute) -> DeepLink {
    DeepLink("timer", "\(route.user.value)", "settings")
  }

  /// Reads the link.
  public static func route(reading reader: inout DeepLinkReader) -> SettingsRoute? {
    guard reader.take("timer"), let user: UserID = try? reader.id(), reader.take("settings") else {
      return nil
    }
    return SettingsRoute(user: user)
  }

  static func frame(of route: SettingsRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(SettingsFrame(route, in: context))
  }
}
