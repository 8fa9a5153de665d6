import Retrace
import RetraceRecording
import RetraceTesting
import Testing

@testable import Listings

/// Runs the listings of the page *Coming from CoachTimer*.
@Suite struct AthletesTests {
  @Test func `an empty file leads to a request, and its answer is kept`() async throws {
    let filled = UsersEnvironment(
      loadUsers: { [] },
      fetch: { [.sample, .other] },
      persistUsers: { _ in true }
    )
    let initialState = UsersState()
    var store = TestStore<UsersApp>(state: initialState)
    try store.send(.load, effect: .run(LoadUsers()))
    try await store.run("LoadUsers", in: filled, sending: [.loadResponse([])]) {
      $0.isLoading = true
    }
    try await store.run("FetchUsers", in: filled, sending: [.fetchResponse([.sample, .other])]) {
      for athlete in [.sample, .other] as [Athlete] { $0.list.insert(athlete) }
      $0.isLoading = false
      $0.currentPage = 2
    }
    try await store.run("PersistUsers", in: filled, sending: [.persistUsersResponse(true)])
    try store.finish()
  }

  @Test func `a failed save is shown, and a purge forgets everything`() async throws {
    var state = UsersState()
    state.list.insert(.sample)
    var store = TestStore<UsersApp>(state: state)
    try store.send(.selectUser(AthleteID(value: 0))) { $0.currentUser = AthleteID(value: 0) }
    try store.send(.persistUsersResponse(false)) { $0.alert = "The list was not saved." }
    try store.send(.purge) { $0 = UsersState() }
    try store.finish()
  }
}

extension Athlete {
  static var sample: Athlete { Athlete(name: "Ada") }
  static var other: Athlete { Athlete(name: "Grace") }
}
