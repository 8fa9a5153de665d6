import Retrace
import RetraceRecording
import RetraceSystem
import RetraceTesting
import Testing

@testable import Listings
@testable import Onboarding

/// Runs the listings of the page *Coming from Toggl's architecture*.
@Suite struct SignInTests {
  private struct Offline: Error {}

  private static let ada = User(name: "Ada")
  private static let first = WorkspaceID(value: 0)

  private let appEnvironment = AppEnvironment(
    server: AccountServer { login in
      guard login.email == "ada@example.com" else { throw Offline() }
      return ada
    })

  /// Returns the edit of a user who types a text into an empty field.
  private static func typed(_ text: String) -> TextReplacement {
    TextDraft().replacement(for: .insert(text))
  }

  @Test func `actions and batches are sent, and the whole state or a part is observed`()
    async throws
  {
    let lines = Lines()
    let names = Lines()
    let store = try Store<SignInApp>.inMemory(environment: appEnvironment)

    let whole = store.observe { state in lines.append("state: \(state)") }

    let name = store.select({ $0.onboarding.user.value?.name }, map: { $0 ?? "nobody" }) {
      names.append($0)
    }
    try await store.send(.launched)
    try await store.send(.onboarding(.launched))
    try await store.send([.timer(.workspaceAdded(name: "Home")), .timer(.startTapped(Self.first))])
    // The first state, and one for each call: the batch is one.
    #expect(lines.all.count == 4)
    try await store.send(.onboarding(.emailEntered(Self.typed("ada@example.com"))))
    let receipt = try await store.send(.onboarding(.emailLogin(.submitted)))
    try await receipt.settled()
    try await store.flush()
    #expect(names.all == ["nobody", "Ada"])
    #expect(store.state.onboarding.stack.routes == [.timer])
    #expect(store.state.workspaces[Self.first]?.runningSince != nil)
    whole.cancel()
    name.cancel()
    try await store.close()
  }

  @Test func `a view has a part of the state and of the actions`() async throws {
    let store = try Store<SignInApp>.inMemory(environment: appEnvironment)
    let onboarding = store.view({ $0.onboarding }, action: AppAction.onboarding)
    try await onboarding.send(.launched)
    #expect(onboarding.state.stack.routes == [.onboarding])
    try await store.close()
  }

  @Test func `a log has a line for each action`() async throws {
    let lines = Lines()
    let store = try Store<SignInApp>.inMemory(environment: appEnvironment)
    let logging = store.observeCommits(.logging { line in lines.append(line) })
    try await store.send([.launched, .onboarding(.launched)])
    #expect(lines.all.count == 2)
    logging.cancel()
    try await store.close()
  }

  @Test func `a refused login is shown, and a known user skips the form`() async throws {
    var store = TestStore<SignInApp>()
    store.send(.launched) { $0.onboarding.stack.replaceAll(with: .onboarding) }
    let request = FindUser(login: Credentials(email: "", password: nil))
    store.send(.onboarding(.emailLogin(.submitted)), starting: [request]) {
      $0.onboarding.user = .loading
    }
    await store.run(
      "FindUser", in: appEnvironment,
      sending: [.onboarding(.emailLogin(.failed("Offline()")))]
    ) { $0.onboarding.user = .failed("Offline()") }
    store.send(.onboarding(.emailLogin(.signedIn(Self.ada)))) {
      $0.onboarding.user = .loaded(Self.ada)
      $0.onboarding.stack.replaceAll(with: .timer)
    }
    store.send(.launched) { $0.onboarding.stack.replaceAll(with: .timer) }
    store.finish()
  }

  @Test func `a password is recorded as its surrogate`() throws {
    let key = [UInt8](repeating: 7, count: SecretSealer<SHA256Hasher>.keyByteCount)
    let sealer = try #require(SecretSealer<SHA256Hasher>(key: key))
    let password = sealer.seal(Array("secret".utf8))
    let store = try Store<SignInApp>.inMemory()
    try store.sendBlocking([.onboarding(.passwordEntered(password))])
    #expect(!"\(store.state)".contains("secret"))
    try store.closeBlocking()
  }

  @Test func `a router shows the stack of the state with the coordinator`() async throws {
    let coordinator = WindowCoordinator()
    let router = Router(coordinator)
    var store = TestStore<SignInApp>()
    await router.show(store.state.onboarding.stack)
    #expect(coordinator.shown == ["loading"])
    store.send(.launched) { $0.onboarding.stack.replaceAll(with: .onboarding) }
    await router.show(store.state.onboarding.stack)
    #expect(coordinator.shown == ["onboarding"])
  }
}
