public import Retrace
public import TimeTracking

/// The screen for choosing or creating a user.
public struct UsersRoute: Recordable, Hashable {
  /// The typed name.
  public var name: TextDraft = TextDraft()  // recorded: constant default
  /// The selected user.
  public var selection: UserID?

  /// Creates a fresh screen.
  public init() {}
}

/// An action of the screen of the users.
public enum UsersAction: Recordable, Hashable {
  /// The name was edited; no user is selected then.
  case edited(TextReplacement)
  /// A user was selected, or none.
  case selected(UserID?)
}

/// The reducer of the screen of the users.
public struct UsersReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Edits the name, and selects.
  ///
  /// - Complexity: O(bytes of the name).
  public func reduce(
    _ state: inout UsersRoute, _ action: UsersAction, at moment: Moment
  ) -> Effect<UsersAction, TrackerEnvironment> {
    switch action {
    case .edited(let edit):
      state.name.apply(edit)
      state.selection = nil
    case .selected(let user): state.selection = user
    }
    return .none
  }
}

/// The screen for choosing or creating a user.
public enum UsersScreen: ScreenModule {
  /// The parameters.
  public typealias Route = UsersRoute
  /// The actions.
  public typealias Action = UsersAction

  /// The reducer.
  public static var reducer: UsersReducer { UsersReducer() }

  /// Returns `users`.
  public static func link(of route: UsersRoute) -> DeepLink { DeepLink("users") }

  /// Reads the link.
  public static func route(reading reader: inout DeepLinkReader) -> UsersRoute? {
    reader.take("users") ? UsersRoute() : nil
  }

  static func frame(of route: UsersRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(UsersFrame(route, in: context))
  }
}
