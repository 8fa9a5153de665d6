public import Retrace

/// A user who is signed in.
public struct User: Recordable, Hashable {
  /// The name of the user.
  public var name: String
  /// Creates a user.
  public init(name: String) { self.name = name }
}

/// The places of the app.
public enum AppRoute: NavigationRoute {
  /// The app is starting.
  case loading
  /// The user signs in.
  case onboarding
  /// The user tracks time.
  case timer

  /// The path of the place.
  public var path: String {
    switch self {
    case .loading: "loading"
    case .onboarding: "onboarding"
    case .timer: "timer"
    }
  }
}

/// The state of signing in, with a part that only this module can read.
public struct OnboardingState: RecordedState {
  /// The user.
  public var user: Loadable<User> = .nothing
  /// The places from the root to the one that is shown.
  public var stack: BackStack<AppRoute> = BackStack(root: .loading)
  /// What the user has typed.
  public var local: Local = Local()
  /// Creates the state before the first action.
  public init() {}

  /// The fields of the form.
  public struct Local: RecordedState {
    var email: TextDraft = TextDraft()
    var password: Secret?
  }
}

extension OnboardingState.Local {
  var credentials: Credentials { Credentials(email: email.text, password: password) }
}

/// What a user signs in with.
public struct Credentials: Recordable, Hashable {
  /// The address.
  public var email: String
  /// The surrogate of the password; the plain text is in the vault of the process.
  public var password: Secret?
}

/// The actions of signing in.
public enum OnboardingAction: Recordable, Equatable, Composed {
  /// The form was opened.
  case launched
  /// The user edited the address.
  case emailEntered(TextReplacement)
  /// The user entered a password.
  case passwordEntered(Secret)
  /// Something happened to the form.
  case emailLogin(EmailLoginAction)
}

/// The actions of the form.
public enum EmailLoginAction: Recordable, Equatable {
  /// The user asked to sign in.
  case submitted
  /// The server knows the user.
  case signedIn(User)
  /// The server refused, or was not reached.
  case failed(String)
}

/// The part of the server that signing in uses.
public struct AccountServer: Sendable {
  /// Returns the user with these credentials.
  public var user: @Sendable (Credentials) async throws -> User
  /// Creates the part.
  public init(user: @escaping @Sendable (Credentials) async throws -> User) { self.user = user }
}

/// The reducer of signing in.
public struct OnboardingReducer: UpdatingReducer {
  /// Creates the reducer.
  public init() {}

  /// The form, and the feature's own part.
  public var body: some Reducer<OnboardingState, OnboardingAction, AccountServer> {
    Scope(action: { $0.emailLogin }) { EmailLoginReducer() }
    Update(self)
  }

  /// Changes the fields.
  public func update(
    _ state: inout OnboardingState, _ action: OnboardingAction, at moment: Moment
  ) -> Effect<OnboardingAction, AccountServer> {
    switch action {
    case .launched: state.stack.replaceAll(with: .onboarding)
    case .emailEntered(let edit): state.local.email.apply(edit)
    case .passwordEntered(let password): state.local.password = password
    case .emailLogin: break
    }
    return .none
  }
}

struct EmailLoginReducer: Reducer {
  func reduce(_ state: inout OnboardingState, _ action: EmailLoginAction, at moment: Moment)
    -> Effect<EmailLoginAction, AccountServer>
  {
    switch action {
    case .submitted:
      state.user = .loading
      return .run(FindUser(login: state.local.credentials))
    case .signedIn(let user):
      state.user = .loaded(user)
      state.stack.replaceAll(with: .timer)
    case .failed(let reason): state.user = .failed(reason)
    }
    return .none
  }
}

struct FindUser: EffectLeaf {
  var login: Credentials
  func run(in server: AccountServer) async -> [EmailLoginAction] {
    do { return [.signedIn(try await server.user(login))] } catch { return [.failed("\(error)")] }
  }
}
