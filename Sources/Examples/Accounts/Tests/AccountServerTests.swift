import Foundation
import Retrace
import RetraceRecording
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport
import TrackerFeatures

@testable import TrackerAccounts

/// The accounts of a server, which is a small one on this machine.
@Suite struct AccountServerTests {
  private let tool: RunningTool
  private let users: UserAPI

  init() throws {
    let place = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    tool = try RunningTool(place.appending(path: "Server/serve").path, [])
    let port = try #require(tool.readLine().flatMap { Int($0) })
    users = AccountServer(at: try #require(URL(string: "http://127.0.0.1:\(port)"))).users
  }

  private static func given(
    _ password: String, _ email: String = "ann@example.org"
  ) -> AccountCredentials {
    AccountCredentials(email: email, password: Array(password.utf8))
  }

  @Test func `a login gives the account with its token`() async throws {
    defer { _ = tool.finish() }
    #expect(users.needsPassword)
    let account = try await users.logIn(Self.given("Secret12"))
    #expect(account.name == "Ann" && account.token == "token-of-ann@example.org")
  }

  @Test func `wrong passwords are told until the account is locked`() async throws {
    defer { _ = tool.finish() }
    let problems: [AccountProblem] = [
      .wrongCredentials, .wrongCredentials, .oneMoreTry, .locked, .locked,
    ]
    for problem in problems {
      await #expect(throws: problem) { try await users.logIn(Self.given("wrong")) }
    }
    await #expect(throws: AccountProblem.locked) { try await users.logIn(Self.given("Secret12")) }
    await #expect(throws: AccountProblem.wrongCredentials) {
      try await users.logIn(Self.given("Secret12", "ben@example.org"))
    }
  }

  @Test func `a new account can log in, and its address is used`() async throws {
    defer { _ = tool.finish() }
    let given = Self.given("Other345", "ben@example.org")
    let account = try await users.signUp(given)
    #expect(account.name == "ben@example.org")
    await #expect(throws: AccountProblem.emailUsed) { try await users.signUp(given) }
    #expect(try await users.logIn(given).token == account.token)
  }

  @Test func `a reset is sent, or refused with the reason of the server`() async throws {
    defer { _ = tool.finish() }
    try await users.resetPassword("ann@example.org")
    await #expect(throws: AccountProblem.unknownEmail) {
      try await users.resetPassword("ben@example.org")
    }
    await #expect(throws: AccountProblem.told("Too many messages. Wait a minute.")) {
      try await users.resetPassword("busy@example.org")
    }
  }

  @Test func `a server that gives no answer is offline`() async throws {
    _ = tool.finish()
    await #expect(throws: AccountProblem.offline) { try await users.logIn(Self.given("Secret12")) }
    await #expect(throws: AccountProblem.offline) {
      try await users.resetPassword("ann@example.org")
    }
  }

  @Test func `the tracker logs in, keeps the token, and records neither it nor the password`()
    async throws
  {
    defer { _ = tool.finish() }
    var environment = TrackerEnvironment.failing()
    let tokens = Tokens()
    environment.users = users
    environment.keychain.store = { (token, account) throws(AccountProblem) in
      tokens.set("\(account): \(token)")
    }
    let password = Array("Secret12".utf8)
    let sealer = try #require(SecretSealer<SHA256Hasher>(key: [UInt8](repeating: 3, count: 32)))
    let secret = sealer.seal(password)
    environment.secrets.reveal = { $0 == secret ? password : nil }
    let store = try Store<TimeTracker>.inMemory(environment: environment)
    let scene = SceneID(value: 0)
    var form = AccountRoute(.login, needsPassword: true)
    form.email = TextDraft("ann@example.org")
    try await store.send([
      .opened(scene), .scene(scene, .wentTo([.welcome(WelcomeRoute()), .account(form)])),
    ])
    let id = try #require(store.state.scenes[scene]?.stack.topID)
    let receipt = try await store.send([
      .scene(scene, .screen(id, .account(.passwordEntered(secret)))),
      .scene(scene, .screen(id, .account(.submitted))),
    ])
    try await receipt.settled()
    #expect(store.state.scenes[scene]?.stack.top.path == "timer/0")
    let screen = TimeTracker.screen(
      of: scene, in: store.state, at: Moment(microseconds: 0),
      size: Screen.Size(columns: 60, rows: 8))
    #expect(screen.canvas.lines.first?.hasPrefix("Timer of Ann ") == true)
    #expect(tokens.last == "Ann: token-of-ann@example.org")
    try await store.close()
  }

  private final class Tokens: Sendable {
    private let text = Lock("")
    func set(_ value: String) { text.withLock { $0 = value } }
    var last: String { text.withLock { $0 } }
  }
}
