import RetraceArchitecture
import RetraceHashing
import RetraceSystem
import TrackerFeatures

/// Services that answer as a test says, and note what they were asked.
final class AccountServices: Sendable {
  /// What was asked, in order: the function, and what it was given.
  let asked = Lock<[String]>([])
  /// The tokens of the keychain by their accounts.
  let tokens = Lock<[String: String]>([:])
  private let answer: @Sendable (AccountCredentials) throws(AccountProblem) -> Account
  private let vault = Lock(SecretVault())

  /// Creates services.
  ///
  /// - Parameter answer: Returns the account for a login or a sign-up. If it throws, a reset of the
  ///   password throws the same error.
  init(
    _ answer: @escaping @Sendable (AccountCredentials) throws(AccountProblem) -> Account = {
      (credentials) throws(AccountProblem) in
      Account(email: credentials.email, token: "token of \(credentials.email)")
    }
  ) {
    self.answer = answer
  }

  /// The environment of these services.
  func environment(needsPassword: Bool = false) -> TrackerEnvironment {
    TrackerEnvironment(
      users: UserAPI(
        needsPassword: needsPassword,
        logIn: { [self] (credentials) throws(AccountProblem) in
          try answer("login", credentials)
        },
        signUp: { [self] (credentials) throws(AccountProblem) in
          try answer("signUp", credentials)
        },
        resetPassword: { [self] (email) throws(AccountProblem) in
          _ = try answer("reset", AccountCredentials(email: email))
        }),
      keychain: keychain, secrets: secrets)
  }

  private func answer(
    _ name: String, _ credentials: AccountCredentials
  ) throws(AccountProblem) -> Account {
    let password = credentials.password.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
    asked.withLock { $0.append("\(name) \(credentials.email)\(password)") }
    return try answer(credentials)
  }

  private var keychain: Keychain {
    Keychain(
      store: { [self] (token, account) throws(AccountProblem) in
        tokens.withLock { $0[account] = token }
      },
      read: { [self] (account) throws(AccountProblem) in tokens.withLock { $0[account] } },
      remove: { [self] (account) throws(AccountProblem) in
        _ = tokens.withLock { $0.removeValue(forKey: account) }
      })
  }

  private var secrets: SecretKeeper {
    let sealer = SecretSealer<SwiftHasher>(key: [UInt8](repeating: 7, count: 32))
    return SecretKeeper(
      enter: { [self] shown, edit in
        vault.withLock { vault in
          var plain = shown.flatMap { vault.reveal($0) } ?? []
          if let shown { vault.remove(shown) }
          edit.apply(to: &plain)
          guard !plain.isEmpty, let secret = sealer?.seal(plain) else { return nil }
          vault.store(plain, for: secret)
          return secret
        }
      },
      reveal: { [self] secret in vault.withLock { $0.reveal(secret) } },
      forget: { [self] secret in vault.withLock { vault in _ = vault.remove(secret) } })
  }
}
