import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceScreen
import RetraceState
import RetraceTesting

/// What the effects of the app use; its reducer only names the type.
struct Services: Sendable {
  var names: NameService
  var instruments: Instruments
  var analytics: AnalyticsSink
}

/// Looks names up.
struct NameService: Sendable {
  var find: @Sendable (_ key: String) async throws -> String

  static let live = NameService { "\($0) from the network" }
  static let mock = NameService { "mock \($0)" }
  static let failing = NameService { _ in throw Unimplemented("NameService.find") }
}

/// What makes a result differ from one call to the next.
struct Instruments: Sendable {
  var now: @Sendable () -> Moment
  var zone: ZoneRules
  var nextID: @Sendable () -> Int64
  var random: @Sendable () -> UInt64
  var clock: any Clock<Duration>
}

/// Receives events of analytics; several are one.
struct AnalyticsSink: Sendable {
  var track: @Sendable ([String]) async throws -> Void

  static let failing = AnalyticsSink { _ in throw Unimplemented("AnalyticsSink.track") }

  static func composite(_ sinks: AnalyticsSink...) -> AnalyticsSink {
    AnalyticsSink { events in for sink in sinks { try await sink.track(events) } }
  }
}

enum NamesOfServices: EnvironmentProjection {
  static func project(_ services: Services) -> NameService { services.names }
}

/// A leaf that is recorded as one text.
protocol TextLeaf: EffectLeaf {
  init(text: String)
  var text: String { get }
}

extension TextLeaf {
  static func schema(in composer: inout SchemaComposer) -> Schema { .string }
  func encode(into writer: inout AvroWriter) { writer.string(text) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    self.init(text: try reader.string())
  }
}

/// Adds a counter with a name that is looked up.
struct FindName: TextLeaf {
  var text: String
  static var recordedName: String { "FindName" }

  func run(in service: NameService) async throws -> [CounterAction] {
    [.added(name: try await service.find(text))]
  }
}

/// Adds a counter whose name says what the instruments show.
struct ReadInstruments: TextLeaf {
  var text: String
  static var recordedName: String { "ReadInstruments" }

  func run(in services: Services) async throws -> [CounterAction] {
    let instruments = services.instruments
    try await instruments.clock.sleep(for: .seconds(5))
    let day = instruments.zone.local(at: instruments.now()).date
    return [
      .added(name: "\(text) \(instruments.nextID()) \(instruments.random() % 100) \(day)")
    ]
  }
}

/// Sends events to the sink of the environment.
struct TrackEvents: TextLeaf {
  var text: String
  static var recordedName: String { "TrackEvents" }

  func run(in services: Services) async throws -> [CounterAction] {
    try await services.analytics.track([text])
    return []
  }
}

/// A feature with an environment of its own, a part of the app's.
struct NameReducer: Reducer {
  func reduce(
    _ state: inout CounterState, _ action: CounterAction, at moment: Moment
  ) -> Effect<CounterAction, NameService> {
    guard case .noticed(let key) = action, key != "instruments" else { return .none }
    return .run(FindName(text: key))
  }
}

/// Counts, and reads the instruments on request.
struct ServedReducer: Reducer {
  func reduce(
    _ state: inout CounterState, _ action: CounterAction, at moment: Moment
  ) -> Effect<CounterAction, Services> {
    _ = CounterReducer().reduce(&state, action, at: moment)
    return action == .noticed("instruments") ? .run(ReadInstruments(text: "read")) : .none
  }
}

/// Makes events of actions and of the state before them.
struct AnalyticsHook: ReducerHook {
  func before(
    _ state: inout CounterState, _ action: CounterAction, at moment: Moment
  ) -> Effect<CounterAction, Services> {
    guard case .counted(_, let step) = action else { return .none }
    return .run(TrackEvents(text: "counted \(step) on \(state.total)"))
  }
}

enum ServedApp: ReplayableApp {
  typealias Environment = Services
  typealias Route = CounterRoute

  static var name: String { "served" }
  static var build: String { "test" }
  static var initialState: CounterState { CounterState() }
  static var reducer: some Reducer<CounterState, CounterAction, Services> {
    CombineReducers {
      ServedReducer()
      NameReducer().pulledBack(environment: NamesOfServices.self)
    }
    .decorated(with: AnalyticsHook())
  }

  static func scenes(in state: CounterState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: CounterState) -> BackStack<CounterRoute>? {
    nil
  }
  static func screen(
    of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}

extension CounterState {
  /// The names of the counters, in the order of their ids.
  var names: [String] {
    var names: [String] = []
    counters.forEach { _, counter in names.append(counter.name) }
    return names
  }
}
