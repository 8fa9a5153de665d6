import Retrace
import TimeTracking

/// The request to log in, to sign up, or to reset a password.
///
/// If the app ends before the answer, the request may have had its effect at the server. So it is
/// not made again, and the form says that it was interrupted.
struct AccountRequest: EffectLeaf {
  typealias Action = AccountAction
  typealias Environment = TrackerEnvironment

  var purpose: AccountPurpose
  var email: String
  /// The surrogate of the password.
  var password: Secret?

  var interruptionPolicy: InterruptionPolicy<AccountAction> { .send(.failed(.interrupted)) }
}

// Embedded Swift lists effects and runs none.
#if !hasFeature(Embedded)
  extension AccountRequest {
    /// Asks the accounts, and keeps the token of the answer.
    func run(in environment: TrackerEnvironment) async -> [AccountAction] {
      do throws(AccountProblem) {
        return [try await answer(of: environment)]
      } catch {
        return [.failed(error.bounded)]
      }
    }

    private func answer(
      of environment: TrackerEnvironment
    ) async throws(AccountProblem) -> AccountAction {
      if purpose == .passwordReset {
        try await environment.users.resetPassword(email)
        return .resetSent
      }
      var credentials = AccountCredentials(email: email)
      if let password {
        guard let plain = environment.secrets.reveal(password) else { throw .passwordGone }
        credentials.password = plain
      } else if environment.users.needsPassword {
        throw .passwordNeeded
      }
      let ask = purpose == .signUp ? environment.users.signUp : environment.users.logIn
      let account = try await ask(credentials)
      let name = Name(account.name)
      guard !name.isEmpty, name.text.utf8.count <= Name.bytesMax,
        account.email.utf8.count <= Name.bytesMax
      else { throw .unknown }
      if let token = account.token {
        try environment.keychain.store(token, name.text)
      }
      if let password { environment.secrets.forget(password) }
      return .signedIn(SignedInAccount(name: name, email: account.email))
    }
  }
#endif

/// The removal of the token of an account that was signed out.
///
/// It does the same each time, so it runs again if the app ended before.
struct RemoveToken: EffectLeaf {
  typealias Action = ScenesAction
  typealias Environment = TrackerEnvironment

  var account: Name

  var interruptionPolicy: InterruptionPolicy<ScenesAction> { .run }
}

#if !hasFeature(Embedded)
  extension RemoveToken {
    func run(in environment: TrackerEnvironment) throws(AccountProblem) -> [ScenesAction] {
      try environment.keychain.remove(account.text)
      return []
    }
  }
#endif
