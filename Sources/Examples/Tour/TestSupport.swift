import Counter
import Retrace
import RetraceTestSupport

/// Tests that an action changes only what it should; a difference is thrown.
func checkCounting() throws(TestMismatch) {
  var store = TestStore<CounterApp>()
  try store.send(.added(name: "apples")) {
    $0.counters.insert(Count(name: "apples", value: 0))
  }
  try store.finish()
}

/// Tests a delayed effect, and returns the time that passed on the clock of the test.
func checkSearch(in server: NoteServer) async throws -> Duration {
  let clock = VirtualClock(at: Moment(microseconds: 0))
  let start: VirtualClock.Instant = clock.now
  var state = NotesState()
  state.search = Search(query: TextDraft())
  var store = TestStore<NotesApp>(state: state, clock: clock)
  try store.send(
    .search(.edited(TextDraft().replacement(for: .insert("milk")))),
    effect: EffectWork.run(CountHits(query: "milk"))
      .debounced(SearchWork.hits, for: ElapsedTime(microseconds: 500_000))
      .map(CaseEmbedding<NotesAction.Parts._search>())
  ) { $0.search?.query = TextDraft("milk") }
  clock.advance(by: .milliseconds(500))
  try await store.run("CountHits", in: server, sending: [.search(.found(3))]) {
    $0.search?.hits = 3
  }
  try store.finish()
  return start.duration(to: clock.now)
}

/// Tests a decision: given actions, when a command, then facts or a refusal.
///
/// `CounterApp` has no commands, so `commands` is always empty.
func checkDecisions(_ commands: [CounterApp.Command]) throws(TestMismatch) {
  let given = try TestStore<CounterApp>.given([.added(name: "apples")])
  for command in commands {
    let decision: TestStore<CounterApp>.Decision = given.when(command)
    try decision.then([])
  }
}

/// Returns random actions that are the same in each run with the same seed.
func randomActions(_ count: Int, seed: UInt64) -> [CounterAction] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { _ in
    .counted(CounterID(value: 0), by: Int64.random(in: -9...9, using: &random))
  }
}

/// Returns the lines of a synthetic time log, and how many of them an import should accept.
func timeLogLines(rows: Int) -> (lines: [String], accepted: Int) {
  var lines: [String] = []
  let expectation: SyntheticTimeLog.Expectation = SyntheticTimeLog(rows: rows).forEachLine {
    lines.append($0)
  }
  return (lines, expectation.created)
}
