public import Retrace
public import TimeTracking

/// The first screen of a store without users.
public struct WelcomeRoute: Recordable, Hashable {
  /// The name with which a user goes on without an account; `nil` to ask for it.
  public var name: Name?
  /// Whether accounts have a password.
  public var needsPassword: Bool
  /// The selected way to go on.
  public var choice: WelcomeChoice = .start

  /// Creates a fresh screen.
  public init(name: Name? = nil, needsPassword: Bool = false) {
    self.name = name
    self.needsPassword = needsPassword
  }
}

/// A way to go on from the first screen.
public enum WelcomeChoice: Recordable, Hashable, CaseIterable {
  /// Without an account, as the user with the name of the screen.
  case start
  /// With an e-mail address.
  case email
  /// Without an account, as a user with another name.
  case otherName
}

/// An action of the first screen.
public enum WelcomeAction: Recordable, Hashable {
  /// A way to go on was selected.
  case selected(WelcomeChoice)
}

/// The reducer of the first screen.
public struct WelcomeReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Selects.
  public func reduce(
    _ state: inout WelcomeRoute, _ action: WelcomeAction, at moment: Moment
  ) -> Effect<WelcomeAction, TrackerEnvironment> {
    switch action {
    case .selected(let choice): state.choice = choice
    }
    return .none
  }
}

/// The first screen of a store without users.
public enum WelcomeScreen: ScreenModule {
  /// The parameters.
  public typealias Route = WelcomeRoute
  /// The actions.
  public typealias Action = WelcomeAction

  /// The reducer.
  public static var reducer: WelcomeReducer { WelcomeReducer() }

  /// Returns `welcome`.
  public static func link(of route: WelcomeRoute) -> DeepLink { DeepLink("welcome") }

  /// Reads the link.
  public static func route(reading reader: inout DeepLinkReader) -> WelcomeRoute? {
    reader.take("welcome") ? WelcomeRoute() : nil
  }

  static func frame(of route: WelcomeRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(WelcomeFrame(route, in: context))
  }
}
