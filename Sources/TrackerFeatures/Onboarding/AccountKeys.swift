import Retrace
import TimeTracking

extension AccountFrame {
  /// The keys of the form: first of the password, then of all fields.
  static let keys = passwordKeys.within(fieldKeys)

  private static let passwordKeys = KeyTable<AccountFrame>("Password") {
    Binding(keys: [], label: "text", brief: "type", help: "Type the password.") { frame, key in
      guard frame.route.field == .password else { return nil }
      switch key.code {
      case .text(let text), .paste(let text): return frame.editing(.secret(.insert(text)))
      default: return nil
      }
    }
    Binding(.backspace, brief: "erase", help: "Delete the last character of the password.") {
      frame in
      frame.route.field == .password ? frame.editing(.secret(.deleteLast)) : nil
    }
    Binding(.ctrl("u"), brief: "the text", help: "Delete the password.") { frame in
      frame.route.field == .password ? frame.editing(.secret(.clear)) : nil
    }
  }

  private static let fieldKeys = KeyTable<AccountFrame>("Account") {
    Binding(.enter, hint: "go on", help: "Log in, sign up, or have the message sent.") {
      frame throws(KeyProblem) in try frame.submitting()
    }
    Binding(
      keys: [.tab, .down, .backtab, .up], label: "tab", areAvailableTogether: true,
      hint: "other field",
      help: "Go to the other field, if there is one."
    ) { frame, _ in
      guard frame.route.hasPassword else { return nil }
      let other: AccountField = frame.route.field == .email ? .password : .email
      return frame.editing(frame.focusing(other))
    }
    Binding(
      .ctrl("n"), hint: "new or known",
      help: "Make a new account instead, or log in to a known one."
    ) { frame in
      let other: AccountPurpose
      switch frame.route.purpose {
      case .login: other = .signUp
      case .signUp: other = .login
      case .passwordReset: return nil
      }
      return [.scene(.popped(frame.id)), .scene(.pushed(frame.route(for: other)))]
    }
    Binding(.ctrl("f"), hint: "forgot it", help: "Reset the password of a known account.") {
      frame in
      guard frame.route.purpose == .login, frame.route.hasPassword else { return nil }
      return [.scene(.pushed(frame.route(for: .passwordReset)))]
    }
    Binding(.escape, hint: "back", help: "Give a request up, or go back and keep the address.") {
      frame in
      if frame.route.isAsking { return [.screen(.account(.givenUp))] }
      return [.scene(frame.route.email.text.isEmpty ? .popped(frame.id) : .draftKept(frame.id))]
    }
    Binding(.ctrl("g"), brief: "discard", help: "Go back, and throw away what you typed.") {
      frame in
      [.scene(.discarded(frame.id))]
    }
    Binding(.ctrl("y"), brief: "bring back", help: "Bring back the address that you typed before.")
    {
      frame in
      frame.draft.map { [.scene(.draftOpened($0.id))] }
    }
    Binding.editing({ $0.text }, passing: [.text("?")]) { frame, edit in
      frame.editing(.screen(.account(.edited(edit))))
    }
  }
}
