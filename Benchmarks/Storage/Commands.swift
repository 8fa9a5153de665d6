import Figures
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceScreen
import RetraceState

/// A key that becomes a command, which is performed, beside the same fact that is sent in an app
/// without commands: both are recorded, reduced and committed one by one, in a store in memory,
/// which waits for no disk.
func registerCommandRows() {
  let count = 100_000
  compare(
    Row(
      "command: interpret, decide, reduce, append, commit",
      input: "\(grouped(count)) keys, each a command with one fact",
      unit: .microseconds, limit: "one more record, with the command"),
    ours: {
      try measured(
        count, adding: { store in try store.performBlocking(.add) },
        step: { (store: Store<CountersApp>, number) in
          let intents = try keys.value(for: .text("+"), in: CounterID(value: number)) ?? []
          if let refusal = try store.carryOutBlocking(intents) { throw refusal }
        })
    },
    yardsticks: [
      Yardstick("its fact, sent", .timesYardstick(atMost: 1.3)) {
        try measured(
          count, adding: { store in try store.sendBlocking([.added]) },
          step: { (store: Store<SentCountersApp>, number) in
            let before = store.state.counters[CounterID(value: number)]?.value ?? 0
            try store.sendBlocking([
              .counted(CounterID(value: number), Change(from: before, to: before + 1))
            ])
          })
      }
    ])
}

/// What keys do with the selected counter, beside keys that do nothing here.
private let keys = Bindings<CounterID, [CountersApp.Intent]>("Counters") {
  Binding(.up, help: "Select the counter above.") { _ in [] }
  Binding(.down, help: "Select the counter below.") { _ in [] }
  Binding(.enter, hint: "open", help: "Open the counter.") { _ in [] }
  Binding(.escape, hint: "back", help: "Close the counter.") { _ in [] }
  Binding(.text("+"), hint: "add", help: "Add one.") { id in [.command(.count(id, by: 1))] }
  Binding(.text("-"), hint: "subtract", help: "Subtract one.") { id in
    [.command(.count(id, by: -1))]
  }
  Binding(.text("n"), hint: "new", help: "Add a counter.") { _ in [.command(.add)] }
  Binding(.text("?"), hint: "keys", help: "Show the keys.") { _ in [] }
}

private func measured<App: CountersVariant>(
  _ count: Int, adding: (Store<App>) throws -> Void, step: (Store<App>, Int64) throws -> Void
) throws -> Measured {
  let store = try Store<App>.inMemory()
  defer { try? store.closeBlocking() }
  for _ in 0..<100 { try adding(store) }
  let start = FiguresClock.wall.now
  for number in 0..<count { try step(store, Int64(number % 100)) }
  let nanoseconds = FiguresClock.wall.now - start
  var sum: UInt64 = 0
  store.state.counters.forEach { _, counter in sum += UInt64(counter.value) }
  return Measured(nanoseconds: nanoseconds, operations: UInt64(count), checksum: sum)
}

struct CounterID: EntityID {
  var value: Int64
  static var recordedName: String { "CounterID" }
}

struct Counter: TableEntity {
  var value: Int64
}

struct CountersState: RecordedState {
  var counters: EntityTable<CounterID, Counter> = EntityTable()
}

enum CountersAction: Recordable, Equatable {
  case added
  case counted(CounterID, Change<Int64>)
}

enum CountersCommand: Recordable, Equatable {
  case add
  case count(CounterID, by: Int64)
}

enum CountersRefusal: Recordable, Error, Equatable {
  case noCounter(CounterID)
}

enum CountersRoute: NavigationRoute {
  case all

  var path: String { "counters" }
}

struct CountersReducer: Reducer {
  func reduce(
    _ state: inout CountersState, _ action: CountersAction, at moment: Moment
  ) -> Effect<CountersAction, Never> {
    switch action {
    case .added: state.counters.insert(Counter(value: 0))
    case .counted(let id, let change):
      _ = state.counters.modify(id) { $0.value = change.after }
    }
    return .none
  }
}

struct CountersDecider: Decider {
  func decide(
    _ command: CountersCommand, on state: borrowing CountersState, at moment: Moment
  ) throws(CountersRefusal) -> [CountersAction] {
    switch command {
    case .add: return [.added]
    case .count(let id, let step):
      guard let counter = state.counters[id] else { throw .noCounter(id) }
      return [.counted(id, Change(from: counter.value, to: counter.value + step))]
    }
  }
}

protocol CountersVariant: ReplayableApp
where
  State == CountersState, Action == CountersAction, Environment == Never, Route == CountersRoute
{}

/// The app with commands.
enum CountersApp: CountersVariant {
  static var reducer: CountersReducer { CountersReducer() }
  static var decider: CountersDecider { CountersDecider() }
  static func action(for sceneAction: Never) -> CountersAction {}
  static func role(of action: CountersAction) -> ActionRole<CountersCommand> { .fact }
}

/// The app without commands.
enum SentCountersApp: CountersVariant {
  static var reducer: CountersReducer { CountersReducer() }
}

extension CountersVariant {
  static var name: String { "counters" }
  static var build: String { "1" }
  static var initialState: CountersState { CountersState() }
  static func scenes(in state: CountersState) -> [SceneID] { [] }
  static func backStack(
    of scene: SceneID, in state: CountersState
  ) -> BackStack<CountersRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: CountersState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}
