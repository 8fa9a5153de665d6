import ExampleTestSupport
import Foundation
import Retrace
import RetraceTesting
import Testing

@testable import CoachTimer
@testable import CoachTimerLive

@Suite struct CoachUsersTests {
  private typealias AppEffect = TestStore<CoachApp>.AppEffect

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
  private static let firstPage = [User.ada, .béla, .mei]

  /// Returns an effect of the users as one of the app.
  private static func effect(_ effect: EffectOf<UsersReducer>) -> AppEffect {
    effect.map(CaseEmbedding<CoachSceneAction.Parts._users>())
      .map(CaseEmbedding<CoachAction.Parts._scene>())
  }

  @Test func `users come from the server if the file has none, and are kept in it [X1]`()
    async throws
  {
    let server = try PageServer()
    let environment = folder.environment(server: server.address)
    var store = TestStore<CoachApp>()
    store.send(.users(.load), effect: Self.effect(.run(LoadUsers()))) {
      $0.users.isLoading = true
    }
    await store.run(
      "LoadUsers", in: environment, sending: [.scene(.users(.loadResponse(KeptUsers())))])
    await store.run(
      "FetchUsers", in: environment, sending: [.scene(.users(.fetchResponse(Self.firstPage)))]
    ) {
      for user in Self.firstPage { $0.users.list.insert(user) }
      $0.users.isLoading = false
      $0.users.isPersisting = true
      $0.users.currentPage = 2
    }
    await store.run(
      "PersistUsers", in: environment, sending: [.scene(.users(.persistUsersResponse(true)))]
    ) { $0.users.isPersisting = false }
    await store.run("NoteActivity", in: environment)
    store.finish()

    var next = TestStore<CoachApp>()
    next.send(.users(.load), effect: Self.effect(.run(LoadUsers()))) {
      $0.users.isLoading = true
    }
    await next.run("LoadUsers", in: folder.environment()) {
      for user in Self.firstPage { $0.users.list.insert(user) }
      $0.users.isLoading = false
      $0.users.currentPage = 2
    }
    next.finish()
  }

  @Test func `a page changes the users whose numbers are known, and the last one is followed`()
    async throws
  {
    let server = try PageServer()
    let environment = folder.environment(server: server.address)
    var store = TestStore<CoachApp>.given([.scene(.users(.fetchResponse(Self.firstPage)))])
    await store.run("PersistUsers", in: environment) { $0.users.isPersisting = false }
    await store.run("NoteActivity", in: environment)
    store.send(.users(.fetch), effect: Self.effect(.run(FetchUsers(page: 2)))) {
      $0.users.isLoading = true
    }
    // A second request while one is in flight has no effect.
    store.send(.users(.fetch))
    await store.run("FetchUsers", in: environment) {
      $0.users.list.modify(UserID(value: 1)) { $0.surname = "Tóth-Varga" }
      $0.users.list.insert(.noor)
      $0.users.isLoading = false
      $0.users.isPersisting = true
      $0.users.currentPage = 3
    }
    await store.run("PersistUsers", in: environment) { $0.users.isPersisting = false }
    await store.run("NoteActivity", in: environment)
    store.send(.users(.fetch), effect: Self.effect(.run(FetchUsers(page: 3)))) {
      $0.users.isLoading = true
    }
    await store.run("FetchUsers", in: environment) {
      $0.users.isLoading = false
      $0.users.isComplete = true
    }
    store.send(.users(.fetch))
  }

  @Test func `a server that does not answer is an alert, which can be closed [X1]`() async throws {
    var store = TestStore<CoachApp>()
    store.send(.users(.fetch), effect: Self.effect(.run(FetchUsers(page: 1)))) {
      $0.users.isLoading = true
    }
    let environment = folder.environment()
    let problem = try await #require(throws: UserServer.Problem.self) {
      try await environment.fetchUsers(1)
    }
    #expect("\(problem)".hasPrefix("The server did not answer ("))
    await store.run("FetchUsers", in: environment) {
      $0.users.isLoading = false
      $0.users.alert = "Page 1 of the users was not fetched: \(problem)"
    }
    store.send(.users(.alertDismissed)) { $0.users.alert = nil }
    store.finish()
  }

  @Test func `a file that cannot be written, or is damaged, is an alert`() async throws {
    let environment = folder.environment()
    let file = folder.place.appending(path: "users.json")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    var store = TestStore<CoachApp>.given([.scene(.users(.fetchResponse([.ada])))])
    await store.run("PersistUsers", in: environment) {
      $0.users.isPersisting = false
      $0.users.alert = "The file of users could not be written."
    }
    try FileManager.default.removeItem(at: file)
    try Data("[".utf8).write(to: file)
    store = TestStore()
    store.send(.users(.load), effect: Self.effect(.run(LoadUsers()))) {
      $0.users.isLoading = true
    }
    let problem = try await #require(throws: (any Error).self) {
      try await environment.loadUsers()
    }
    await store.run("LoadUsers", in: environment) {
      $0.users.isLoading = false
      $0.users.alert = "The file of users could not be read: \(problem)"
    }
  }

  @Test func `a purge forgets all users, and those fetched later have other ids`() async throws {
    let environment = folder.environment()
    var store = TestStore<CoachApp>.given([.scene(.users(.fetchResponse([.ada])))])
    // A purge waits until the file is written.
    store.send(.users(.purge), effect: Self.note("all users were purged", in: store))
    await store.run("PersistUsers", in: environment) { $0.users.isPersisting = false }
    let effect = Self.note("all users were purged", in: store)
      .merged(with: Self.effect(.run(PersistUsers(kept: KeptUsers()))))
    store.send(.users(.purge), effect: effect) {
      $0.users.list.remove(UserID(value: 0))
      $0.users.currentPage = 1
      $0.users.isPersisting = true
    }
    await store.run("PersistUsers", in: environment) { $0.users.isPersisting = false }
    let kept = try await environment.loadUsers()
    #expect(kept == KeptUsers())
    store.send(.users(.fetch), effect: Self.effect(.run(FetchUsers(page: 1)))) {
      $0.users.isLoading = true
    }
    let server = try PageServer()
    await store.run("FetchUsers", in: folder.environment(server: server.address)) {
      $0.users.add(Self.firstPage)
      $0.users.isLoading = false
      $0.users.isPersisting = true
      $0.users.currentPage = 2
    }
    #expect(store.state.users.list[UserID(value: 1)] == .ada)
  }

  /// Returns the effect that notes an activity.
  private static func note(_ text: String, in store: TestStore<CoachApp>) -> AppEffect {
    .run(NoteActivity(line: "\(store.clock.moment.timestamp) \(text)"))
  }
}
