import Retrace
import TimeTracking

/// The content of the form of an account.
struct AccountFrame: ScreenFrame {
  var edge: Edge?
  let route: AccountRoute
  let domain: DomainState
  let memo: FrameMemo
  /// The id of the route.
  let id: RouteID
  /// The draft that the form offers.
  let draft: KeptDraft?
  private let offer: Screen.Line?

  init(_ route: AccountRoute, in context: ScreenContext) {
    self.route = route
    domain = context.domain
    memo = context.memo
    id = context.route
    draft = context.draft(for: .account(route))
    offer = draft?.line(at: context.moment)
  }

  var routes: [TrackerRoute]? {
    let welcome = TrackerRoute.welcome(WelcomeRoute(needsPassword: route.needsPassword))
    guard route.purpose == .passwordReset else { return [welcome, .account(route)] }
    return [
      welcome, .account(AccountRoute(.login, needsPassword: route.needsPassword)), .account(route),
    ]
  }

  /// The fields that are shown.
  var fields: [AccountField] { route.hasPassword ? [.email, .password] : [.email] }

  /// The address, if it can be edited now.
  var text: TextDraft? { route.field == .email ? route.email : nil }

  /// Returns the form for another purpose, with the same address.
  func route(for purpose: AccountPurpose) -> TrackerRoute {
    var other = AccountRoute(purpose, needsPassword: route.needsPassword)
    other.email = route.email
    return .account(other)
  }

  /// Returns the steps that submit the form, or that say why it cannot be submitted.
  func submitting() throws(KeyProblem) -> [KeyStep] {
    if route.isAsking { return try telling(.accountIsAsked) }
    // While the frame is painted, the key is shown as available.
    if edge == nil { return [] }
    if route.address == nil { return try telling(.emailInvalid) }
    if !route.isPasswordEnough {
      return try telling(route.password == nil ? .passwordMissing : .passwordWeak)
    }
    return [.screen(.account(.submitted))]
  }

  /// Returns the steps of an edit, or that say that the answer has to come first.
  func editing(_ step: KeyStep) -> [KeyStep] {
    route.isAsking ? [.scene(.told(.obstacle(.accountIsAsked)))] : [step]
  }

  // MARK: Drawing

  func draw(in rect: Rect, on canvas: inout Canvas) {
    let parts = parts(in: rect)
    canvas.drawLine(route.purpose.title, style: .title, in: parts.title)
    form.draw(in: parts.form, on: &canvas)
    remarks(fitting: rect.columns).draw(in: parts.remarks, on: &canvas)
  }

  func cursor(in rect: Rect) -> Screen.Cursor? { form.cursor(in: parts(in: rect).form) }

  private var form: Form {
    let focus = fields.firstIndex(of: route.field) ?? 0
    return Form(
      fields.map { FormField($0.label, .text(input(of: $0)), problem: "") },
      state: FormState(focus: Int64(focus)))
  }

  private func input(of field: AccountField) -> TextInput {
    switch field {
    case .email: TextInput(route.email, placeholder: "name@example.org")
    case .password:
      TextInput(
        TextDraft(String(repeating: "•", count: route.password?.length ?? 0)),
        placeholder: route.purpose == .signUp ? "8 or more, of digits and both cases" : "")
    }
  }

  private func remarks(fitting columns: Int) -> [Screen.Line] {
    var remarks = FormRemarks(isDeleted: false, changes: [], fitting: columns)
    switch route.progress {
    case .idle: break
    case .asking: remarks.add("Waiting for the answer. escape gives up.", .strong)
    case .signedIn(let account):
      remarks.add(
        "Opening the timer of \(SafeText.line(account.name.text, bytesMax: 80)).", .strong)
    case .failed(let problem): remarks.add(problem.text, .warning)
    }
    if !route.needsPassword {
      remarks.add("The account is on this machine only; no password is needed.", .faint)
    }
    if let offer { remarks.add(offer.text, .faint, linesMax: 1) }
    return remarks.lines
  }

  /// Divides a rectangle; of a low one, the form gets nearly all rows.
  private func parts(in rect: Rect) -> (title: Rect, form: Rect, remarks: Rect) {
    var rest = rect
    let title = rest.removeTop(rect.rows > 3 ? 1 : 0)
    let wanted = form.rowCount(columns: rect.columns)
    _ = rest.removeTop(rect.rows > wanted + 6 ? 1 : 0)
    let form = rest.removeTop(min(wanted, rest.rows))
    _ = rest.removeTop(rect.rows > wanted + 6 ? 1 : 0)
    return (title, form, rest)
  }

  /// A click gives a field the focus, and sets the cursor of the address.
  func steps(for mouse: Mouse, in rect: Rect) -> [KeyStep] {
    let (form, place) = (form, Screen.Cursor(row: mouse.row, column: mouse.column))
    let rect = parts(in: rect).form
    guard mouse.action == .pressed(.left), !route.isAsking,
      let index = form.index(at: place, in: rect)
    else { return [] }
    let clicked = fields[index]
    var steps: [KeyStep] = clicked == route.field ? [] : [focusing(clicked)]
    if clicked == .email, let offset = form.offset(at: place, in: rect),
      offset != route.email.cursor
    {
      steps.append(.screen(.account(.edited(route.email.moving(to: offset)))))
    }
    return steps
  }

  func focusing(_ field: AccountField) -> KeyStep { .screen(.account(.focused(field))) }
}

extension AccountField {
  fileprivate var label: String {
    switch self {
    case .email: "E-mail"
    case .password: "Password"
    }
  }
}

extension AccountPurpose {
  fileprivate var title: String {
    switch self {
    case .login: "Log in"
    case .signUp: "New account"
    case .passwordReset: "Reset the password"
    }
  }
}
