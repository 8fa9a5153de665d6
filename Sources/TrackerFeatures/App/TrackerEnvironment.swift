/// What the effects of the tracker use, and what a driver has beside them: services as values, so
/// that a test replaces any of them.
///
/// A replay has no environment. Effects take the time from the moment of their action, and the
/// store has the clock and the scheduler that start them.
public struct TrackerEnvironment: Sendable {
  // Embedded Swift lists effects and runs none.
  #if !hasFeature(Embedded)
    /// The accounts of users.
    public var users: UserAPI
    /// Where the token of an account is kept.
    public var keychain: Keychain
    /// The passwords that were typed into this process.
    public var secrets: SecretKeeper
    /// Where events of analytics go.
    public var analytics: AnalyticsSink

    /// Creates an environment.
    public init(
      users: UserAPI, keychain: Keychain, secrets: SecretKeeper, analytics: AnalyticsSink = .none
    ) {
      self.users = users
      self.keychain = keychain
      self.secrets = secrets
      self.analytics = analytics
    }

    /// Returns an environment whose services all fail, for tests that use none of them.
    ///
    /// - Parameter problem: What the accounts fail with.
    public static func failing(_ problem: AccountProblem = .unknown) -> TrackerEnvironment {
      TrackerEnvironment(users: .failing(problem), keychain: .failing, secrets: .empty)
    }
  #endif
}
