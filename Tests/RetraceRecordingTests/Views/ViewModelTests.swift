import RetraceArchitecture
import RetraceFixtures
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceRecording

/// What a screen of counters shows.
private struct CounterListState: Equatable, Sendable {
  struct Row: Equatable, Sendable {
    var id: Int64
    var text: String
  }

  var title: String
  var rows: [Row]
  var hint: String?

  init(title: String, rows: [Row], hint: String? = nil) {
    (self.title, self.rows, self.hint) = (title, rows, hint)
  }

  init(_ counters: EntityTable<CounterID, CounterEntity>) {
    var rows: [Row] = []
    counters.forEach { id, counter in
      rows.append(Row(id: id.value, text: "\(counter.name): \(counter.count)"))
    }
    self.init(
      title: "\(counters.count) counters", rows: rows, hint: rows.isEmpty ? "Add one." : nil)
  }
}

/// What can happen on it.
private enum CounterListEvent: Equatable, Sendable {
  case plusTapped(Int64)
  case addTapped
  case closeTapped
}

/// A screen, which sees only its view model.
private struct CounterListScreen {
  let model: StoreView<CounterListState, CounterListEvent>

  var lines: [String] { [model.state.title] + model.state.rows.map { $0.text } }

  func press(_ key: Character) throws(StoreError) {
    switch key {
    case "+": if let row = model.state.rows.first { try model.sendBlocking([.plusTapped(row.id)]) }
    case "a": try model.sendBlocking([.addTapped])
    default: try model.sendBlocking([.closeTapped])
    }
  }
}

/// A view of a store as the view model of a screen.
@Suite struct ViewModelTests {
  private func model(
    of store: Store<CounterApp>
  ) -> StoreView<CounterListState, CounterListEvent> {
    store.view({ $0.counters }, map: { CounterListState($0) }) { event in
      switch event {
      case .plusTapped(let id): .counted(CounterID(value: id), by: 1)
      case .addTapped: .added(name: "tea")
      case .closeTapped: nil
      }
    }
  }

  @Test func `a view model shows formatted state and forwards events [W1]`() throws {
    let store = try Store<CounterApp>.inMemory()
    let screen = CounterListScreen(model: model(of: store))
    #expect(screen.lines == ["0 counters"])
    for key in "a++x" { try screen.press(key) }
    #expect(screen.lines == ["1 counters", "tea: 2"])
    #expect(store.sequence == 4)
    try store.closeBlocking()
  }

  @Test func `a screen runs against a mock of its view model [W2]`() throws {
    let events = Lock<[CounterListEvent]>([])
    let mock = StoreView<CounterListState, CounterListEvent>(
      CounterListState(title: "mock", rows: [.init(id: 7, text: "one")])
    ) { state, batch in
      events.withLock { $0 += batch }
      state.rows[0].text += "!"
    }
    let screen = CounterListScreen(model: mock)
    let shown = Lock<[String]>([])
    let observation = mock.select({ $0.rows[0].text }) { text in
      shown.withLock { $0.append(text) }
    }
    #expect(screen.lines == ["mock", "one"])
    for key in "+x" { try screen.press(key) }
    #expect(events.withLock { $0 } == [.plusTapped(7), .closeTapped])
    #expect(screen.lines == ["mock", "one!!"])
    #expect(shown.withLock { $0 } == ["one", "one!", "one!!"])
    withExtendedLifetime(observation) {}
    let constant = CounterListScreen(model: StoreView(CounterListState(title: "empty", rows: [])))
    try constant.press("a")
    #expect(constant.lines == ["empty"])
  }

  @Test func `the state of a screen is rendered as text and as JSON [W3]`() throws {
    let store = try Store<CounterApp>.inMemory()
    let model = model(of: store)
    #expect(
      Rendering(model.state).text == """
        title: "0 counters"
        rows: []
        hint: "Add one."
        """)
    try model.sendBlocking([.addTapped, .plusTapped(0)])
    #expect(
      Rendering(model.state).text == """
        title: "1 counters"
        rows:
          0:
            id: 0
            text: "tea: 1"
        hint: null
        """)
    #expect(
      Rendering(model.state).json == """
        {"title":"1 counters","rows":[{"id":0,"text":"tea: 1"}],"hint":null}
        """)
    try store.closeBlocking()
  }
}
