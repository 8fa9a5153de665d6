public import Retrace

/// Why a request about an account failed.
public enum AccountProblem: Error, Recordable, Hashable {
  /// The server gave no answer.
  case offline
  /// The e-mail address or the password is wrong.
  case wrongCredentials
  /// They are wrong, and one more wrong try locks the account.
  case oneMoreTry
  /// The account is locked.
  case locked
  /// Another account has the e-mail address.
  case emailUsed
  /// No account has the e-mail address.
  case unknownEmail
  /// The account needs a password.
  case passwordNeeded
  /// The typed password is not in the memory of this process, which began later.
  case passwordGone
  /// Accounts have no password that could be reset.
  case noPasswords
  /// The token of the account could not be kept.
  case tokenNotKept
  /// The app ended before the answer came.
  case interrupted
  /// The reason that the server gave, as a text.
  case told(String)
  /// Anything else.
  case unknown
}

extension AccountProblem {
  /// The most bytes of a server's text that are shown and recorded.
  public static var textBytesMax: Int { 200 }

  /// The problem with a server's text in one line, and not longer than ``textBytesMax``.
  var bounded: AccountProblem {
    guard case .told(let text) = self else { return self }
    return .told(SafeText.line(text, bytesMax: Self.textBytesMax - "…".utf8.count))
  }

  /// What happened, and what to do.
  var text: String {
    switch self {
    case .offline: "The server gives no answer. Check the connection, and press enter again."
    case .wrongCredentials: "The e-mail address or the password is wrong."
    case .oneMoreTry: "The e-mail address or the password is wrong. One more try is left."
    case .locked: "The account is locked after too many tries. Reset the password."
    case .emailUsed: "There is an account with this address. Press ctrl-n to log in."
    case .unknownEmail: "There is no account with this address."
    case .passwordNeeded: "This account needs a password."
    case .passwordGone: "The app was started again. Type the password again."
    case .noPasswords: "Accounts on this machine have no password. Log in with the address alone."
    case .tokenNotKept: "The token of the account could not be kept in a file."
    case .interrupted: "The app ended before the answer came. Press enter again."
    case .told(let text): SafeText.line(text, bytesMax: Self.textBytesMax)
    case .unknown: "That did not work. Press enter to try again."
    }
  }
}
