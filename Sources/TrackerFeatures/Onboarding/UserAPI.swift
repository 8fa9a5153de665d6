// Embedded Swift runs no effects, and so needs none of their services.
#if !hasFeature(Embedded)
  public import Retrace

  /// What knows the accounts of users: functions, so that a test replaces any of them.
  public struct UserAPI: Sendable {
    /// Whether an account has a password.
    public var needsPassword: Bool
    /// Returns the account of an e-mail address and a password.
    public var logIn: @Sendable (AccountCredentials) async throws(AccountProblem) -> Account
    /// Makes an account of an e-mail address and a password.
    public var signUp: @Sendable (AccountCredentials) async throws(AccountProblem) -> Account
    /// Has a message sent to an e-mail address, by which a new password is chosen.
    public var resetPassword: @Sendable (_ email: String) async throws(AccountProblem) -> Void

    /// Creates a value.
    public init(
      needsPassword: Bool,
      logIn: @escaping @Sendable (AccountCredentials) async throws(AccountProblem) -> Account,
      signUp: @escaping @Sendable (AccountCredentials) async throws(AccountProblem) -> Account,
      resetPassword: @escaping @Sendable (_ email: String) async throws(AccountProblem) -> Void
    ) {
      self.needsPassword = needsPassword
      self.logIn = logIn
      self.signUp = signUp
      self.resetPassword = resetPassword
    }

    /// The accounts on this machine: a user of the store for each address, without a server and
    /// without a password.
    public static var local: UserAPI {
      UserAPI(
        needsPassword: false,
        logIn: { (credentials) throws(AccountProblem) in Account(email: credentials.email) },
        signUp: { (credentials) throws(AccountProblem) in Account(email: credentials.email) },
        resetPassword: { (_) throws(AccountProblem) in throw .noPasswords })
    }

    /// Returns a value of which every function fails.
    public static func failing(
      _ problem: AccountProblem, needsPassword: Bool = false
    ) -> UserAPI {
      UserAPI(
        needsPassword: needsPassword,
        logIn: { (_) throws(AccountProblem) in throw problem },
        signUp: { (_) throws(AccountProblem) in throw problem },
        resetPassword: { (_) throws(AccountProblem) in throw problem })
    }
  }

  /// What a user proves an account with.
  ///
  /// It is never recorded.
  public struct AccountCredentials: Sendable {
    /// The e-mail address.
    public var email: String
    /// The password in plain bytes; `nil` if none is needed.
    public var password: [UInt8]?

    /// Creates a value.
    public init(email: String, password: [UInt8]? = nil) {
      (self.email, self.password) = (email, password)
    }
  }

  /// An account, as its server answers.
  ///
  /// It is never recorded.
  public struct Account: Sendable {
    /// The e-mail address.
    public var email: String
    /// The name of the user; by default the address.
    public var name: String
    /// What later requests are made with; `nil` if there are none.
    public var token: String?

    /// Creates a value.
    public init(email: String, name: String? = nil, token: String? = nil) {
      self.email = email
      self.name = name ?? email
      self.token = token
    }
  }

  /// Keeps the tokens of accounts on this machine, outside the store.
  ///
  /// The functions throw ``AccountProblem/tokenNotKept`` if that is not possible.
  public struct Keychain: Sendable {
    /// Keeps the token of an account, in place of an earlier one.
    public var store: @Sendable (_ token: String, _ account: String) throws(AccountProblem) -> Void
    /// Returns the token of an account; `nil` if there is none.
    public var read: @Sendable (_ account: String) throws(AccountProblem) -> String?
    /// Removes the token of an account, if there is one.
    public var remove: @Sendable (_ account: String) throws(AccountProblem) -> Void

    /// Creates a value.
    public init(
      store:
        @escaping @Sendable (_ token: String, _ account: String) throws(AccountProblem) -> Void,
      read: @escaping @Sendable (_ account: String) throws(AccountProblem) -> String?,
      remove: @escaping @Sendable (_ account: String) throws(AccountProblem) -> Void
    ) {
      (self.store, self.read, self.remove) = (store, read, remove)
    }

    /// A value of which every function fails.
    public static var failing: Keychain {
      Keychain(
        store: { (_, _) throws(AccountProblem) in throw .tokenNotKept },
        read: { (_) throws(AccountProblem) in throw .tokenNotKept },
        remove: { (_) throws(AccountProblem) in throw .tokenNotKept })
    }
  }

  /// The passwords that were typed into this process, by their surrogates.
  ///
  /// Only the process knows what was typed. The log and the state have the surrogate, a `Secret`.
  public struct SecretKeeper: Sendable {
    /// Carries out an edit on the plain text of a surrogate, which is empty if it is not known, and
    /// returns the surrogate of the new text; `nil` for an empty one.
    public var enter: @Sendable (_ shown: Secret?, SecretEdit) -> Secret?
    /// Returns the plain bytes of a surrogate; `nil` if this process does not know them.
    public var reveal: @Sendable (Secret) -> [UInt8]?
    /// Forgets the plain bytes of a surrogate.
    public var forget: @Sendable (Secret) -> Void

    /// Creates a value.
    public init(
      enter: @escaping @Sendable (_ shown: Secret?, SecretEdit) -> Secret?,
      reveal: @escaping @Sendable (Secret) -> [UInt8]?,
      forget: @escaping @Sendable (Secret) -> Void
    ) {
      (self.enter, self.reveal, self.forget) = (enter, reveal, forget)
    }

    /// A value that keeps nothing.
    public static var empty: SecretKeeper {
      SecretKeeper(enter: { _, _ in nil }, reveal: { _ in nil }, forget: { _ in })
    }
  }
#endif
