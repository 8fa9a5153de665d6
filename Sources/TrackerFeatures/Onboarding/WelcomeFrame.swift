import Retrace
import TimeTracking

/// The content of the first screen.
struct WelcomeFrame: ScreenFrame {
  var edge: Edge?
  let route: WelcomeRoute
  let domain: DomainState
  let memo: FrameMemo

  init(_ route: WelcomeRoute, in context: ScreenContext) {
    self.route = route
    domain = context.domain
    memo = context.memo
  }

  var routes: [TrackerRoute]? { [.welcome(route)] }

  /// Returns the steps of a way to go on.
  func steps(for choice: WelcomeChoice) -> [KeyStep] {
    switch choice {
    case .start:
      guard let name = route.name else { return steps(for: .otherName) }
      let opening = KeyStep.scene(.userOpened(name))
      // The command is decided first, so the new user is then found by the name.
      return domain.user(named: name) == nil
        ? [.command(.user(.create(User(name: name)))), opening] : [opening]
    case .email:
      return [
        .scene(.pushed(.account(AccountRoute(.login, needsPassword: route.needsPassword))))
      ]
    case .otherName: return [.scene(.wentTo([.users(UsersRoute())]))]
    }
  }

  func selecting(_ choice: WelcomeChoice) -> KeyStep { .screen(.welcome(.selected(choice))) }

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    canvas.drawLine("Welcome to track", style: .title, in: parts.title)
    lines(fitting: rect.columns).draw(in: parts.text, on: &canvas)
    list.draw(in: parts.list, on: &canvas)
  }

  func cursor(in rect: Rect) -> Screen.Cursor? { nil }

  /// What a user wants to know before the first choice.
  private func lines(fitting columns: Int) -> [Screen.Line] {
    let text =
      "Your time is recorded in a file on this machine. That needs no account and no password."
    return TextWidth.lines(of: text, cutTo: columns, indent: 0, linesMax: 4)
      .map { Screen.Line($0) }
  }

  private var list: List<Screen.Run> {
    let choices = WelcomeChoice.allCases
    let state = ListState(selected: Int64(route.choice.index), offset: 0)
    return List(count: choices.count, state: state, hasSelection: true, emptyText: "") {
      Screen.Run(text(of: choices[$0]))
    }
  }

  private func text(of choice: WelcomeChoice) -> String {
    switch choice {
    case .start:
      route.name.map { "Start as \(SafeText.line($0.text, bytesMax: 200))" }
        ?? "Start without an account"
    case .email: "Continue with an e-mail address"
    case .otherName: "Choose another name"
    }
  }

  /// Divides a rectangle; of a low one, the choices are left.
  private func parts(in rect: Rect) -> (title: Rect, text: Rect, list: Rect) {
    var rest = rect
    let title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    let wanted = lines(fitting: rect.columns).count
    let hasText = rect.rows > WelcomeChoice.allCases.count + wanted + 3
    _ = rest.removeTop(hasText ? 1 : 0)
    let text = rest.removeTop(hasText ? wanted : 0)
    _ = rest.removeTop(hasText ? 1 : 0)
    return (title, text, rest)
  }

  /// A click takes a way, and the wheel selects another one.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let place = Screen.Cursor(row: mouse.row, column: mouse.column)
    switch mouse.action {
    case .pressed(.left):
      let index = list.index(at: place, in: parts(in: rect).list)
      return index.map { steps(for: WelcomeChoice.allCases[$0]) } ?? []
    case .scrolled(.up): return [selecting(route.choice.moved(by: -1))]
    case .scrolled(.down): return [selecting(route.choice.moved(by: 1))]
    default: return []
    }
  }
}

extension WelcomeChoice: FieldOfForm {}

extension WelcomeFrame {
  /// The keys of the first screen.
  static let keys = KeyTable<WelcomeFrame>("Welcome") {
    Binding(.enter, hint: "go on", help: "Go on in the selected way; first without an account.") {
      frame in frame.steps(for: frame.route.choice)
    }
    Binding(
      keys: [.up, .down, .tab, .backtab], label: "up, down", hint: "select",
      help: "Select another way to go on."
    ) { frame, key in
      [frame.selecting(frame.route.choice.moved(by: key == .up || key == .backtab ? -1 : 1))]
    }
    Binding(.text("e"), hint: "e-mail", help: "Continue with an e-mail address.") { frame in
      frame.steps(for: .email)
    }
    Binding(.text("u"), hint: "another name", help: "Choose or create a user by another name.") {
      frame in frame.steps(for: .otherName)
    }
  }
}
