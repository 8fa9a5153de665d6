import Foundation
import Retrace
import RetraceRecording
import RetraceReplay
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking
import TrackerFeatures

@testable import TrackerApp

/// Logins on a store: the log has the account, and neither the password nor the token.
@Suite struct AccountStoreTests {
  /// Returns an environment in which a function answers each login.
  private static func environment(
    in fixture: TrackerFixture, needsPassword: Bool = true, analytics: AnalyticsSink = .none,
    _ logIn: @escaping @Sendable (AccountCredentials) async throws(AccountProblem) -> Account
  ) -> TrackerEnvironment {
    var users = UserAPI.failing(.unknown, needsPassword: needsPassword)
    users.logIn = logIn
    return TrackerEnvironment(
      users: users, keychain: .folder("\(fixture.directory)/keychain"), secrets: .inMemory(),
      analytics: analytics)
  }

  /// A tracker in a temporary directory, for tests that wait for effects.
  private static func withFixture(_ body: (TrackerFixture) async throws -> Void) async throws {
    let directory = try FileSystem.makeTemporaryDirectory("retrace-accounts-")
    defer { try? FileSystem.removeTree(directory) }
    try await body(TrackerFixture(directory: directory))
  }

  /// Opens the app on a terminal's first screen while the body runs.
  private static func app<R>(
    _ fixture: TrackerFixture, _ environment: TrackerEnvironment?,
    _ body: (SceneDriver) async throws -> R
  ) async throws -> R {
    let tracker = try TrackerStore.open(
      at: fixture.store, zone: .utc, login: "anna", now: TrackerFixture.morning,
      environment: environment)
    defer { try? tracker.store.closeBlocking() }
    let driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 72, rows: 20))
    try driver.enter(as: Name("anna"), welcomes: true)
    return try await body(driver)
  }

  private static func paths(_ driver: SceneDriver) -> [String]? {
    driver.tracker.store.state.scenes[driver.scene]?.stack.routes.map(\.path)
  }

  private static func form(_ driver: SceneDriver) -> AccountRoute? {
    guard case .account(let form)? = driver.tracker.store.state.scenes[driver.scene]?.stack.top
    else { return nil }
    return form
  }

  /// Waits until the driver is somewhere, however long that takes on a busy machine.
  private static func wait(
    _ driver: SceneDriver, until isThere: (SceneDriver) -> Bool
  ) async throws {
    while !isThere(driver) { try await Task.sleep(for: .milliseconds(2)) }
  }

  @Test func `the log has no byte of a password or a token, and the keychain has the token [M16]`()
    async throws
  {
    try await Self.withFixture { fixture in
      let passwords = Lock<[String]>([])
      let environment = Self.environment(in: fixture) { (given) throws(AccountProblem) in
        let password = given.password.map { String(decoding: $0, as: UTF8.self) } ?? ""
        passwords.withLock { $0.append(password) }
        return Account(email: given.email, name: "ann", token: "tok3n-of-ann")
      }
      try await Self.app(fixture, environment) { driver in
        #expect(Self.paths(driver) == ["welcome"])
        try driver.press([.text("e"), .text("ann@example.org"), .tab])
        for character in "hunter2Pass" { try driver.press([.text(String(character))]) }
        try driver.press([.backspace, .paste("sW0rd!")])
        #expect(Self.form(driver)?.password?.length == 16)
        try driver.press([.enter])
        try await Self.wait(driver) { Self.paths($0) == ["timer/0"] }
        #expect(driver.tracker.domain.users[UserID(value: 0)]?.name == Name("ann"))
      }
      #expect(passwords.withLock { $0 } == ["hunter2PassW0rd!"])
      for name in try FileSystem.list(fixture.store) {
        let path = "\(fixture.store)/\(name)"
        guard try FileSystem.info(path).isRegular else { continue }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for secret in ["hunter2", "unter2Pas", "sW0rd", "tok3n"] {
          #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name) has \(secret)")
        }
      }
      #expect(try environment.keychain.read("ann") == "tok3n-of-ann")
    }
  }

  @Test func `a request in flight when the app ends is told as interrupted [M16]`() async throws {
    try await Self.withFixture { fixture in
      let parked = Lock<[CheckedContinuation<Void, Never>]>([])
      defer { for continuation in parked.withLock({ $0 }) { continuation.resume() } }
      let silent = Self.environment(in: fixture) { (_) async throws(AccountProblem) in
        await withCheckedContinuation { continuation in
          parked.withLock { $0.append(continuation) }
        }
        throw .offline
      }
      try await Self.app(fixture, silent) { driver in
        try driver.press([.text("e"), .text("ann@example.org"), .tab, .text("word"), .enter])
        try await Self.wait(driver) { _ in parked.withLock { !$0.isEmpty } }
        #expect(Self.form(driver)?.progress == .asking)
      }
      // A command of another process needs no environment for that.
      try fixture.open { _ in }
      try await Self.app(fixture, silent) { driver in
        #expect(Self.paths(driver) == ["welcome", "login"])
        #expect(Self.form(driver)?.progress == .failed(.interrupted))
        #expect(
          driver.frame()?.screen.canvas.lines.contains { $0.contains("ended before") } == true)
      }
    }
  }

  @Test func `the text of a server is recorded in one short and safe line [M16]`() async throws {
    try await Self.withFixture { fixture in
      let long = String(repeating: "\u{1B}[2J\u{202E}\n", count: 10_000)
      let environment = Self.environment(in: fixture, needsPassword: false) {
        (_) throws(AccountProblem) in throw .told(long)
      }
      try await Self.app(fixture, environment) { driver in
        try driver.press([.text("e"), .text("ann@example.org"), .enter])
        try await Self.wait(driver) { Self.form($0)?.progress != .asking }
        guard case .failed(.told(let text))? = Self.form(driver)?.progress else {
          Issue.record("the request did not fail")
          return
        }
        #expect(text.utf8.count <= AccountProblem.textBytesMax)
        #expect(SafeText.line(text, bytesMax: AccountProblem.textBytesMax) == text)
      }
    }
  }

  @Test func `local accounts need neither a server nor a password [M16]`() async throws {
    try await Self.withFixture { fixture in
      let environment = TrackerEnvironment(
        users: .local, keychain: .failing, secrets: .inMemory())
      try await Self.app(fixture, environment) { driver in
        try driver.press([.text("e"), .text("ann@example.org"), .enter])
        try await Self.wait(driver) { Self.paths($0) == ["timer/0"] }
        #expect(driver.tracker.domain.users[UserID(value: 0)]?.email == "ann@example.org")
      }
      // A store with users shows no first screen.
      try await Self.app(fixture, environment) { driver in
        #expect(Self.paths(driver) == ["timer/0"])
      }
      let storage = try LogStorage.open(at: fixture.store, access: .read)
      defer { storage.close() }
      let found = try Verifier<TimeTracker>.verify(storage, decidingCommands: true)
      #expect(found.firstDivergence == nil && found.decisions?.divergences == 0)
    }
  }

  @Test func `a token is a file for the user alone, replaced as a whole`() throws {
    try TrackerFixture.with { fixture in
      let folder = "\(fixture.directory)/a/keychain"
      let keychain = Keychain.folder(folder)
      #expect(try keychain.read("ann") == nil)
      try keychain.remove("ann")
      for token in ["first", "second, and longer", ""] {
        try keychain.store(token, "ann")
        #expect(try keychain.read("ann") == token)
      }
      try keychain.store("other", "../ben\n")
      #expect(try FileSystem.info(folder).mode == 0o700)
      let names = try FileSystem.list(folder)
      #expect(names.count == 2)
      for name in names { #expect(try FileSystem.info("\(folder)/\(name)").mode == 0o600) }
      try keychain.remove("ann")
      #expect(try keychain.read("ann") == nil && keychain.read("../ben\n") == "other")
      let blocked = Keychain.folder("\(folder)/\(names[0])/below")
      #expect(throws: AccountProblem.tokenNotKept) { try blocked.store("token", "ann") }
    }
  }

  // MARK: Analytics

  @Test func `events follow from what was recorded, and a replay tells none [M18]`() async throws {
    try await Self.withFixture { fixture in
      let told = Lock<[AnalyticsEvent]>([])
      let others = Lock(0)
      let sink = AnalyticsSink.composite([
        AnalyticsSink { events, _ in told.withLock { $0 += events } },
        AnalyticsSink { events, _ in others.withLock { $0 += events.count } },
      ])
      let environment = Self.environment(in: fixture, needsPassword: false, analytics: sink) {
        (_) throws(AccountProblem) in throw .wrongCredentials
      }
      func events(_ keys: Key...) async throws -> [AnalyticsEvent] {
        told.withLock { $0 = [] }
        try await Self.app(fixture, environment) { driver in
          let observation = driver.observeAnalytics()
          defer { observation?.cancel() }
          try driver.press(keys)
          if Self.form(driver)?.progress == .asking {
            try await Self.wait(driver) { Self.form($0)?.progress != .asking }
          }
        }
        return told.withLock { $0 }
      }
      #expect(
        try await events(.text("e"), .text("ann@example.org"), .enter) == [.loginRefused])
      #expect(try await events(.escape, .enter) == [])
      #expect(
        try await events(.text("n"), .text("mail"), .enter)
          == [.editViewOpened(.newEntry), .editViewClosed(.saved)])
      #expect(try await events(.text("s")) == [.timeEntryStopped(.timer)])
      #expect(
        try await events(
          .down, .text("e"), .escape, .text("e"), .text("!"), .escape, .text("e"),
          .text("?"), .ctrl("g"))
          == [
            .editViewOpened(.entry), .editViewClosed(.unchanged), .editViewOpened(.entry),
            .editViewClosed(.kept), .editViewOpened(.entry), .editViewClosed(.discarded),
          ])
      #expect(try await events(.text("d")) == [.timeEntryDeleted(.entry)])
      #expect(try await events(.text("z")) == [.timeEntryDeletionUndone])
      let count = others.withLock { $0 }
      let storage = try LogStorage.open(at: fixture.store, access: .read)
      defer { storage.close() }
      _ = try Verifier<TimeTracker>.verify(storage, decidingCommands: true)
      var replayer = try Replayer<TimeTracker>(storage)
      try replayer.seek(to: replayer.last)
      #expect(others.withLock { $0 } == count)
    }
  }

  @Test func `a deletion is told once, by the fact and not by a key [M18] [i9]`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        try driver.press([.text("anna"), .enter, .text("n"), .text("mail"), .enter, .text("s")])
        let told = Lock<[AnalyticsEvent]>([])
        let sink = AnalyticsSink { events, _ in told.withLock { $0 += events } }
        let store = driver.tracker.store
        let observation = store.observeCommits(.analytics(in: driver.scene, to: sink))
        defer { observation.cancel() }
        // Keys that delete nothing tell nothing, and a deletion by no key is told.
        try driver.press([.text("x"), .down, .text("d")])
        try driver.press([.text("d")])
        try driver.press([.text("n"), .text("8:00 - 8:10 other"), .enter])
        told.withLock { $0 = [] }
        try store.performBlocking(.entry(.delete(TimeEntryID(value: 1), reason: nil)))
        #expect(told.withLock { $0 } == [.timeEntryDeleted(.entry)])
      }
    }
  }

  @Test func `the file of the events has a line for each, without texts [M18]`() throws {
    try TrackerFixture.with { fixture in
      let path = "\(fixture.directory)/events.jsonl"
      let file = AnalyticsFile(at: path)
      file.sink.track([.editViewOpened(.newEntry), .signedOut], TrackerFixture.morning)
      file.sink.track([.timeEntryDeleted(.group)], TrackerFixture.morning)
      #expect(file.finish() == nil)
      let lines = String(
        decoding: try FileSystem.readWhole(path, limitBytes: 1 << 16), as: UTF8.self)
      #expect(
        lines == """
          {"moment":"2026-03-02T09:00:00Z","event":"editViewOpened","detail":"newEntry"}
          {"moment":"2026-03-02T09:00:00Z","event":"signedOut"}
          {"moment":"2026-03-02T09:00:00Z","event":"timeEntryDeleted","detail":"group"}

          """)
      #expect(try FileSystem.info(path).mode == 0o600)
      let missing = AnalyticsFile(at: "\(path)/below")
      missing.sink.track([.signedOut], TrackerFixture.morning)
      #expect(missing.finish() != nil)
    }
  }

  // MARK: Loading

  @Test func `the steps of opening a store are told in order, and what fails is passed on [M17]`()
    throws
  {
    try TrackerFixture.with { fixture in
      let steps = Lock<[OpeningStep]>([])
      func open(creating: Bool) throws(StoreError) -> TrackerStore {
        try LoadingScreen(store: fixture.store, palette: nil).during {
          (tell) throws(StoreError) in
          try TrackerStore.open(
            at: fixture.store, creating: creating, zone: .utc, login: "anna",
            observingSteps: { step in
              steps.withLock { $0.append(step) }
              tell(step)
            })
        }
      }
      #expect(throws: StoreError.self) { try open(creating: false) }
      #expect(steps.withLock { $0 } == [.openingFiles])
      steps.withLock { $0 = [] }
      let tracker = try open(creating: true)
      try tracker.close()
      #expect(steps.withLock { $0 } == OpeningStep.allCases)
    }
  }

  @Test(arguments: [(20, 5), (40, 12), (80, 24), (120, 40)])
  func `what is shown while a store is opened says where and at which step [M17]`(
    columns: Int, rows: Int
  ) {
    let size = Screen.Size(columns: columns, rows: rows)
    let loading = LoadingScreen(store: "/stores/anna/\u{1B}[2Jstore", palette: nil)
    for step in OpeningStep.allCases {
      let screen = loading.screen(at: step, after: 12, size: size)
      #expect(screen.canvas.size == size)
      let lines = screen.canvas.lines
      #expect(lines[0].hasPrefix("Opening"))
      #expect(!lines.joined().contains("\u{1B}"))
      if columns > 40 {
        #expect(lines[0].hasPrefix("Opening /stores/anna/"))
        #expect(lines[2...].contains { $0.hasSuffix("(12 s)") })
        #expect(lines.contains { $0.hasPrefix("ctrl-c leaves") })
      }
    }
  }
}
