public import Retrace
public import TimeTracking

/// The form for an account: to log in, to sign up, or to reset a password.
public struct AccountRoute: Recordable, Hashable {
  /// What the form is for.
  public var purpose: AccountPurpose
  /// Whether accounts have a password.
  public var needsPassword: Bool
  /// The e-mail address.
  public var email: TextDraft = TextDraft()  // recorded: constant default
  /// The surrogate of the password; `nil` for none.
  public var password: Secret?
  /// The focused field.
  public var field: AccountField = .email
  /// What became of the request.
  public var progress: AccountProgress = .idle

  /// Creates an empty form.
  public init(_ purpose: AccountPurpose, needsPassword: Bool = false) {
    self.purpose = purpose
    self.needsPassword = needsPassword
  }
}

/// What a form for an account is for.
public enum AccountPurpose: Recordable, Hashable, CaseIterable {
  case login
  case signUp
  case passwordReset
}

/// A field of the form.
public enum AccountField: Recordable, Hashable, CaseIterable {
  case email
  case password
}

/// What became of the request of a form.
public enum AccountProgress: Recordable, Hashable {
  /// Nothing was asked for since the last edit.
  case idle
  /// The answer has not come.
  case asking
  /// The account is known.
  case signedIn(SignedInAccount)
  /// The request failed.
  case failed(AccountProblem)
}

/// An account whose user is about to be shown.
public struct SignedInAccount: Recordable, Hashable {
  /// The name of the user.
  public var name: Name
  /// The e-mail address.
  public var email: String

  /// Creates a value.
  public init(name: Name, email: String) { (self.name, self.email) = (name, email) }
}

/// An action of the form.
public enum AccountAction: Recordable, Hashable {
  /// The e-mail address was edited.
  case edited(TextReplacement)
  /// The password was edited; `nil` if it is empty.
  case passwordEntered(Secret?)
  /// Another field got the focus.
  case focused(AccountField)
  /// The user asked for what the form is for.
  case submitted
  /// The account is known.
  case signedIn(SignedInAccount)
  /// The message about a new password was sent.
  case resetSent
  /// The request failed.
  case failed(AccountProblem)
  /// The user gave the request up.
  case givenUp
}

extension AccountRoute {
  /// The typed address; `nil` if it is none.
  var address: String? { EmailAddress.read(email.text) }

  var isAsking: Bool { if case .asking = progress { true } else { false } }

  /// Whether the form has a field for the password.
  var hasPassword: Bool { needsPassword && purpose != .passwordReset }

  /// Whether the password is enough: strong for a new account, and else not empty.
  var isPasswordEnough: Bool {
    guard hasPassword else { return true }
    guard let password, password.finding(Secret.isBlank) != true else { return false }
    return purpose != .signUp || password.isStrong
  }
}

extension Secret {
  /// The name of the rule that a password has blanks alone.
  public static var isBlank: String { "isBlank" }

  /// Whether a password has 8 characters or more, and digits, small and capital letters.
  public var isStrong: Bool {
    length >= 8 && classes.isSuperset(of: [.digits, .uppercase, .lowercase])
  }
}

/// The reducer of the form.
public struct AccountReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Edits the form, and asks.
  ///
  /// While an answer has not come, the form stays as it is.
  ///
  /// - Complexity: O(bytes of the address).
  public func reduce(
    _ state: inout AccountRoute, _ action: AccountAction, at moment: Moment
  ) -> Effect<AccountAction, TrackerEnvironment> {
    switch action {
    case .edited, .passwordEntered, .focused, .submitted:
      return state.isAsking ? .none : edit(&state, action)
    case .signedIn(let account):
      if state.isAsking { state.progress = .signedIn(account) }
    case .resetSent:
      if state.isAsking { state.progress = .idle }
    case .failed(let problem):
      guard state.isAsking else { break }
      state.progress = .failed(problem)
      switch problem {
      case .passwordNeeded, .passwordGone:
        (state.needsPassword, state.password, state.field) = (true, nil, .password)
      default: break
      }
    case .givenUp:
      guard state.isAsking else { break }
      state.progress = .idle
      return .cancelAll
    }
    return .none
  }

  private func edit(
    _ state: inout AccountRoute, _ action: AccountAction
  ) -> Effect<AccountAction, TrackerEnvironment> {
    switch action {
    case .edited(let edit):
      state.email.apply(edit)
      state.progress = .idle
    case .passwordEntered(let secret):
      state.password = secret
      state.progress = .idle
    case .focused(let field): state.field = field
    case .submitted:
      guard let address = state.address, state.isPasswordEnough else { break }
      state.progress = .asking
      return .run(
        AccountRequest(
          purpose: state.purpose, email: address,
          password: state.hasPassword ? state.password : nil))
    case .signedIn, .resetSent, .failed, .givenUp: break
    }
    return .none
  }
}

/// The screen of an account.
public enum AccountScreen: ScreenModule {
  /// The parameters.
  public typealias Route = AccountRoute
  /// The actions.
  public typealias Action = AccountAction

  /// The reducer.
  public static var reducer: AccountReducer { AccountReducer() }

  /// Returns `login`, `signUp` or `passwordReset`.
  public static func link(of route: AccountRoute) -> DeepLink { DeepLink(route.purpose.path) }

  /// Reads the link; the form is empty.
  public static func route(reading reader: inout DeepLinkReader) -> AccountRoute? {
    for purpose in AccountPurpose.allCases where reader.take(purpose.path) {
      return AccountRoute(purpose)
    }
    return nil
  }

  static func frame(of route: AccountRoute, in context: ScreenContext) -> AnyScreenFrame {
    AnyScreenFrame(AccountFrame(route, in: context))
  }
}

extension AccountPurpose {
  /// The component of the deep link.
  var path: String {
    switch self {
    case .login: "login"
    case .signUp: "signUp"
    case .passwordReset: "passwordReset"
    }
  }
}
