import Retrace
import RetraceRecording
import RetraceTesting
import Testing

@testable import Listings

/// Runs the listings of the page *Coming from CoachTimer*.
@Suite struct AthletesTests {
  @Test func `an empty file leads to a request, and its answer is kept`() async {
    let filled = UsersEnvironment(
      read: { [] },
      find: { [.sample, .other] },
      save: { _ in true }
    )
    let initialState = UsersState()
    await assert(
      initialValue: initialState, reducer: UsersReducer(), environment: filled,
      steps: .send(.opened),
      .receive(.wasRead([])) { $0.isLoading = true },
      .receive(.wereFound([.sample, .other])) {
        for athlete in [.sample, .other] as [Athlete] { $0.athletes.insert(athlete) }
        $0.isLoading = false
        $0.nextPage = 2
      },
      .receive(.saved(true)))
  }

  @Test func `actions are logged, and told as activities`() async throws {
    let lines = Lines()
    let feed = Lines()
    let store = try Store<UsersApp>.inMemory()
    let debug = store.observeCommits(
      .logging { line in lines.append(line) }, .activityFeed { feed.append($0.name) })
    try await store.send(.chosen(nil))
    #expect(lines.all.count == 1)
    #expect(feed.all == ["chosen"])
    debug.cancel()
    try await store.close()
  }

  @Test func `a test runs leaves by their names`() async {
    let filled = UsersEnvironment(read: { [] }, find: { [.sample] }, save: { _ in true })
    var store = TestStore<UsersApp>()
    store.send(.opened, effect: .run(ReadAthletes()))
    await store.run("ReadAthletes", in: filled, sending: [.wasRead([])]) { $0.isLoading = true }
    await store.run("FindAthletes", in: filled, sending: [.wereFound([.sample])]) {
      $0.athletes.insert(.sample)
      $0.isLoading = false
      $0.nextPage = 2
    }
    await store.run("SaveAthletes", in: filled, sending: [.saved(true)])
    store.finish()
  }

  @Test func `a failed save is shown, and a purge forgets everything`() async throws {
    var state = UsersState()
    state.athletes.insert(.sample)
    var store = TestStore<UsersApp>(state: state)
    store.send(.chosen(AthleteID(value: 0))) { $0.chosen = AthleteID(value: 0) }
    store.send(.saved(false)) { $0.problem = "The list was not saved." }
    store.send(.cleared) { $0 = UsersState() }
    store.finish()
  }
}

extension Athlete {
  static var sample: Athlete { Athlete(name: "Ada") }
  static var other: Athlete { Athlete(name: "Grace") }
}
