import Retrace
import RetraceRecording
import RetraceTesting
import Testing

@testable import Listings

/// Runs the listings of the page *Coming from CoachTimer*.
@Suite struct AthletesTests {
  @Test func `an empty file leads to a request, and its answer is kept`() async throws {
    let filled = UsersEnvironment(
      read: { [] },
      find: { [.sample, .other] },
      save: { _ in true }
    )
    let initialState = UsersState()
    var store = TestStore<UsersApp>(state: initialState)
    try store.send(.opened, effect: .run(ReadAthletes()))
    try await store.run("ReadAthletes", in: filled, sending: [.wasRead([])]) {
      $0.isLoading = true
    }
    try await store.run("FindAthletes", in: filled, sending: [.wereFound([.sample, .other])]) {
      for athlete in [.sample, .other] as [Athlete] { $0.athletes.insert(athlete) }
      $0.isLoading = false
      $0.nextPage = 2
    }
    try await store.run("SaveAthletes", in: filled, sending: [.saved(true)])
    try store.finish()
  }

  @Test func `a failed save is shown, and a purge forgets everything`() async throws {
    var state = UsersState()
    state.athletes.insert(.sample)
    var store = TestStore<UsersApp>(state: state)
    try store.send(.chosen(AthleteID(value: 0))) { $0.chosen = AthleteID(value: 0) }
    try store.send(.saved(false)) { $0.problem = "The list was not saved." }
    try store.send(.cleared) { $0 = UsersState() }
    try store.finish()
  }
}

extension Athlete {
  static var sample: Athlete { Athlete(name: "Ada") }
  static var other: Athlete { Athlete(name: "Grace") }
}
