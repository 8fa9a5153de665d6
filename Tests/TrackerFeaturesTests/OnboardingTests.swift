import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing
import TimeTracking

@testable import TrackerFeatures

/// The first screens of a store without users: without an account, and with one.
@Suite struct OnboardingTests {
  /// Returns a scene on the first screen, as a driver opens it.
  private static func welcomed(
    needsPassword: Bool = false, _ services: AccountServices = AccountServices()
  ) throws -> Tracking {
    var tracking = try Tracking(user: nil)
    tracking.store.environment = services.environment(needsPassword: needsPassword)
    let welcome = WelcomeRoute(name: Name("anna"), needsPassword: needsPassword)
    try tracking.send(.scene(tracking.scene, .wentTo([.welcome(welcome)])))
    return tracking
  }

  /// Presses keys, and expects after each that the scene comes back as it is, and as it looks.
  private static func press(_ tracking: inout Tracking, _ names: String...) throws {
    for name in names {
      try tracking.press(name)
      let scene = try #require(tracking.store.state.scenes[tracking.scene])
      let bytes = scene.encoded()
      var reader = AvroReader(bytes.span)
      #expect(try Scene(decoding: &reader) == scene)
      #expect(tracking.replayedLines == tracking.lines)
    }
  }

  private static func form(_ tracking: Tracking) throws -> AccountRoute {
    guard case .account(let form)? = tracking.stack?.top else { throw NoForm() }
    return form
  }

  private struct NoForm: Error {}

  private static func paths(_ tracking: Tracking) -> [String]? {
    tracking.stack?.routes.map(\.path)
  }

  private static func answer(_ tracking: inout Tracking) async {
    await run(&tracking, "AccountRequest")
  }

  /// Runs a leaf, whatever it changes.
  private static func run(_ tracking: inout Tracking, _ name: String) async {
    tracking.store.isExhaustive = false
    await tracking.store.run(name)
    tracking.store.isExhaustive = true
  }

  /// Runs what follows a login: the command, if the user is new, and the way to the timer.
  private static func enter(_ tracking: inout Tracking) async {
    while !tracking.store.leavesInFlight.isEmpty {
      let name = tracking.store.leavesInFlight[0].name
      await run(&tracking, name)
    }
  }

  // MARK: Without an account

  @Test func `one key starts without an account, as the user of the login [M16]`() throws {
    var tracking = try Self.welcomed()
    #expect(Self.paths(tracking) == ["welcome"])
    #expect(tracking.text.contains("Start as anna"))
    try Self.press(&tracking, "enter")
    #expect(tracking.commands == [.user(.create(User(name: Name("anna"))))])
    #expect(Self.paths(tracking) == ["timer/0"])
    #expect(tracking.store.inFlight.isEmpty)
  }

  @Test func `another name is typed on the screen of the users`() throws {
    var tracking = try Self.welcomed()
    try Self.press(&tracking, "down", "down", "enter")
    #expect(Self.paths(tracking) == ["users"])
    try Self.press(&tracking, "text:zoe", "enter")
    #expect(tracking.lines[0].hasPrefix("Timer of zoe"))
  }

  @Test func `a user that another process made meanwhile is taken`() throws {
    var tracking = try Self.welcomed()
    try tracking.perform(.user(.create(User(name: Name("Anna")))))
    try Self.press(&tracking, "enter")
    #expect(tracking.commands.count == 1 && tracking.timer?.user == tracking.user)
  }

  @Test func `a click takes a way, and the wheel selects one`() throws {
    var tracking = try Self.welcomed()
    let row = try #require(tracking.lines.firstIndex { $0.contains("e-mail address") })
    try tracking.use(.scrolled(.down), row: row, column: 4)
    #expect(tracking.lines[row].hasPrefix("›"))
    try tracking.use(.pressed(.left), row: row, column: 4)
    #expect(Self.paths(tracking) == ["welcome", "login"])
  }

  // MARK: With an account

  @Test func `the forms are routes above the first screen [M16]`() throws {
    var tracking = try Self.welcomed(needsPassword: true)
    try Self.press(&tracking, "text:e", "text:ann@example.org")
    #expect(Self.paths(tracking) == ["welcome", "login"])
    try Self.press(&tracking, "ctrl-n")
    #expect(Self.paths(tracking) == ["welcome", "signUp"])
    #expect(try Self.form(tracking).email.text == "ann@example.org")
    try Self.press(&tracking, "ctrl-n", "ctrl-f")
    #expect(Self.paths(tracking) == ["welcome", "login", "passwordReset"])
    try Self.press(&tracking, "ctrl-g", "escape", "escape")
    #expect(Self.paths(tracking) == ["welcome"])
    // What was typed is offered again.
    try Self.press(&tracking, "text:e", "ctrl-y")
    #expect(try Self.form(tracking).email.text == "ann@example.org")
  }

  @Test(arguments: ["welcome", "login", "signUp", "passwordReset"])
  func `each form has a link, which opens those below it [N1]`(link: String) throws {
    var tracking = try Tracking(user: nil)
    try tracking.send(TimeTracker.opening(link, in: tracking.scene, of: tracking.store.state))
    #expect(tracking.stack?.top.path == link)
    #expect(tracking.stack?.routes.first?.path == "welcome")
    #expect(TrackerRoute(path: link)?.path == link)
    #expect(TrackerRoute(path: "\(link)/1") == nil)
  }

  @Test func `an address makes the user of a local account, without a password [M16]`()
    async throws
  {
    let services = AccountServices()
    var tracking = try Self.welcomed(services)
    try Self.press(&tracking, "text:e", "text: ann@example.org ")
    #expect(tracking.text.contains("no password is needed"))
    try Self.press(&tracking, "enter")
    #expect(try Self.form(tracking).isAsking && tracking.text.contains("Waiting for the answer"))
    // While the answer is not there, keys change nothing, and say why.
    try Self.press(&tracking, "text:x")
    #expect(tracking.notice == .obstacle(.accountIsAsked))
    #expect(services.asked.withLock { $0 } == [])
    await Self.answer(&tracking)
    #expect(services.asked.withLock { $0 } == ["login ann@example.org"])
    await Self.enter(&tracking)
    #expect(Self.paths(tracking) == ["timer/0"])
    let user = tracking.domain.users[tracking.user]
    #expect(user?.name == Name("ann@example.org") && user?.email == "ann@example.org")
    #expect(services.tokens.withLock { $0 } == ["ann@example.org": "token of ann@example.org"])
    #expect(tracking.store.inFlight.isEmpty)
  }

  @Test func `an address that a user has opens the timer of the user`() async throws {
    var tracking = try Self.welcomed()
    var ben = User(name: Name("ben"))
    ben.email = "ben@example.org"
    try tracking.perform(.user(.create(User(name: Name("anna")))))
    try tracking.perform(.user(.create(ben)))
    try Self.press(&tracking, "text:e", "text:ben@example.org", "enter")
    await Self.answer(&tracking)
    await Self.enter(&tracking)
    #expect(Self.paths(tracking) == ["timer/1"] && tracking.domain.users.count == 2)
  }

  @Test(arguments: [
    ("", nil), ("ann", nil), ("ann@", nil), ("@example.org", nil), ("ann@example", nil),
    ("ann@example.o", nil), ("ann@@example.org", nil), ("an n@example.org", nil),
    ("ann@exa_mple.org", nil), ("ann@-example.org", nil), ("ann@example..org", nil),
    (".ann@example.org", nil), ("ann.@example.org", nil),
    (String(repeating: "a", count: 65) + "@example.org", nil),
    ("ann@" + String(repeating: "a.", count: 130) + "org", nil),
    ("ann@example.org", "ann@example.org"), ("  a.b+c@x-y.example.org ", "a.b+c@x-y.example.org"),
    ("jörg@müller.example", "jörg@müller.example"),
  ])
  func `an address has a name and a host [M16]`(text: String, address: String?) {
    #expect(EmailAddress.read(text) == address)
  }

  @Test func `a form is submitted only with what its accounts need [M16]`() throws {
    var tracking = try Self.welcomed(needsPassword: true)
    try Self.press(&tracking, "text:e", "text:ann", "enter")
    #expect(tracking.notice == .obstacle(.emailInvalid))
    try Self.press(&tracking, "text:@example.org", "enter")
    #expect(tracking.notice == .obstacle(.passwordMissing))
    try Self.press(&tracking, "tab", "text:short", "enter")
    #expect(try Self.form(tracking).isAsking)
    tracking = try Self.welcomed(needsPassword: true)
    try Self.press(&tracking, "text:e", "ctrl-n", "text:ann@example.org", "tab")
    for (typed, isStrong) in [("short1", false), ("A", false), ("?", true)] {
      try Self.press(&tracking, "text:\(typed)", "enter")
      #expect(try Self.form(tracking).isAsking == isStrong, "\(typed)")
      if !isStrong { #expect(tracking.notice == .obstacle(.passwordWeak)) }
    }
  }

  @Test func `a password is shown as dots, and only the services know it [M16]`() async throws {
    let services = AccountServices()
    var tracking = try Self.welcomed(needsPassword: true, services)
    try Self.press(
      &tracking, "text:e", "text:ann@example.org", "tab", "text:Secret", "text:x", "backspace",
      "paste:Word1")
    let secret = try #require(try Self.form(tracking).password)
    #expect(secret.length == 11 && tracking.text.contains(" •••••••••••"))
    #expect(!tracking.text.contains("Secret"))
    let bytes = tracking.store.state.scenes[tracking.scene].map { $0.encoded() } ?? []
    #expect(!String(decoding: bytes, as: UTF8.self).contains("Secret"))
    try Self.press(&tracking, "enter")
    await Self.answer(&tracking)
    #expect(services.asked.withLock { $0 } == ["login ann@example.org SecretWord1"])
    await Self.enter(&tracking)
    #expect(Self.paths(tracking) == ["timer/0"])
  }

  @Test func `a password of an earlier process has to be typed again`() async throws {
    var tracking = try Self.welcomed(needsPassword: true)
    try Self.press(&tracking, "text:e", "text:ann@example.org", "tab", "text:secret")
    tracking.store.environment = AccountServices().environment(needsPassword: true)
    try Self.press(&tracking, "enter")
    await Self.answer(&tracking)
    let form = try Self.form(tracking)
    #expect(form.progress == .failed(.passwordGone) && form.password == nil)
    #expect(form.field == .password)
  }

  @Test func `accounts that need a password get the field, also by a link`() async throws {
    var tracking = try Self.welcomed()
    tracking.store.environment = AccountServices().environment(needsPassword: true)
    try Self.press(&tracking, "text:e", "text:ann@example.org", "enter")
    await Self.answer(&tracking)
    #expect(try Self.form(tracking).progress == .failed(.passwordNeeded))
    #expect(tracking.text.contains("Password"))
    try Self.press(&tracking, "text:word", "enter")
    await Self.answer(&tracking)
    await Self.enter(&tracking)
    #expect(Self.paths(tracking) == ["timer/0"])
  }

  @Test(
    arguments: [
      (AccountProblem.offline, "no answer"), (.wrongCredentials, "is wrong."),
      (.oneMoreTry, "One more try"), (.locked, "locked"), (.emailUsed, "is an account"),
      (.unknownEmail, "no account"), (.tokenNotKept, "could not be kept"),
      (.told("say \u{1B}[2J"), "say \\u{1B}[2J"), (.unknown, "did not work"),
    ])
  func `each problem has a text, and the form can be submitted again [M16]`(
    problem: AccountProblem, text: String
  ) async throws {
    let services = AccountServices { (_) throws(AccountProblem) in throw problem }
    for keys in [[], ["ctrl-n"]] {
      var tracking = try Self.welcomed(services)
      try Self.press(&tracking, "text:e", "text:ann@example.org")
      for key in keys { try Self.press(&tracking, key) }
      try Self.press(&tracking, "enter")
      await Self.answer(&tracking)
      #expect(try Self.form(tracking).progress == .failed(problem.bounded))
      #expect(tracking.text.contains(text), "\(tracking.text)")
      try Self.press(&tracking, "enter")
      #expect(try Self.form(tracking).isAsking)
    }
  }

  @Test func `a message is sent to reset a password, and the form goes back [M16]`() async throws {
    let services = AccountServices()
    var tracking = try Self.welcomed(needsPassword: true, services)
    try Self.press(&tracking, "text:e", "text:ann@example.org", "ctrl-f", "enter")
    await Self.answer(&tracking)
    #expect(services.asked.withLock { $0 } == ["reset ann@example.org"])
    #expect(Self.paths(tracking) == ["welcome", "login"])
    #expect(tracking.notice == .resetSent && tracking.text.contains("message is on its way"))
  }

  // MARK: Late answers

  @Test func `a request that was given up answers nobody`() async throws {
    var tracking = try Self.welcomed()
    try Self.press(&tracking, "text:e", "text:ann@example.org", "enter", "escape")
    #expect(try Self.form(tracking).progress == .idle && tracking.store.inFlight.isEmpty)
    // The answer to a request that was given up changes nothing.
    let id = try #require(tracking.stack?.topID)
    let account = SignedInAccount(name: Name("ann"), email: "ann@example.org")
    let late = ScenesAction.scene(tracking.scene, .screen(id, .account(.signedIn(account))))
    try tracking.send(late)
    #expect(try Self.form(tracking).progress == .idle)
    try Self.press(&tracking, "enter", "ctrl-n")
    #expect(tracking.store.inFlight.isEmpty && tracking.domain.users.count == 0)
    try tracking.send(late)
    #expect(Self.paths(tracking) == ["welcome", "signUp"])
  }

  // MARK: Signing out

  @Test func `signing out removes the token, and asks for the user`() async throws {
    let services = AccountServices()
    var tracking = try Self.welcomed(services)
    try Self.press(&tracking, "text:e", "text:ann@example.org", "enter")
    await Self.answer(&tracking)
    await Self.enter(&tracking)
    #expect(services.tokens.withLock { $0.count } == 1)
    try tracking.send(.scene(tracking.scene, .signedOut))
    #expect(Self.paths(tracking) == ["users"])
    await Self.run(&tracking, "RemoveToken")
    #expect(services.tokens.withLock { $0.isEmpty })
  }

  // MARK: Random keys

  @Test func `random keys and answers keep the form, and reach the timer [M16]`() async throws {
    let keys = [
      "enter", "enter", "enter", "tab", "escape", "text:e", "text:u", "text:ann@example.org",
      "text:x", "backspace", "ctrl-u", "ctrl-n", "ctrl-f", "ctrl-g", "ctrl-y", "text:Secret12",
      "up", "down", "text:?", "left",
    ]
    var random = withSeed { $0 }
    var (arrivals, failures) = (0, 0)
    for round in 0..<repetitions(200, few: 30) {
      let fails = round % 3 == 0
      let services = AccountServices { (credentials) throws(AccountProblem) in
        if fails { throw .offline }
        return Account(email: credentials.email)
      }
      var tracking = try Self.welcomed(needsPassword: round % 2 == 0, services)
      for _ in 0..<80 {
        if tracking.timer != nil { break }
        let flying = tracking.store.leavesInFlight
        if let leaf = flying.first, Bool.random(using: &random) {
          await Self.run(&tracking, leaf.name)
        } else {
          try Self.press(&tracking, keys.randomElement(using: &random) ?? "enter")
        }
        #expect(tracking.lines == tracking.freshLines)
        if case .account(let form)? = tracking.stack?.top {
          #expect(form.isAsking == (tracking.store.leavesInFlight.first?.name == "AccountRequest"))
          if case .failed = form.progress { failures += 1 }
        }
        #expect(tracking.notice.map { if case .unavailable = $0 { true } else { false } } != true)
      }
      if tracking.timer != nil { arrivals += 1 }
    }
    #expect(arrivals > 5 && failures > 0)
  }
}
