import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceScreen
import RetraceState

/// An app that is one reducer, so that a test store folds it; it is never recorded.
enum FeatureApp<Feature: Reducer>: ReplayableApp
where Feature.State: Equatable & Sendable, Feature.Action: Recordable {
  typealias State = FeatureState<Feature.State>
  typealias Action = Feature.Action
  typealias Environment = Feature.Environment
  typealias Route = FeatureRoute

  struct Root: Reducer {
    let feature: Feature

    func reduce(
      _ state: inout FeatureState<Feature.State>, _ action: Feature.Action, at moment: Moment
    ) -> Effect<Feature.Action, Feature.Environment> {
      feature.reduce(&state.value, action, at: moment)
    }

    func hasChild(
      _ child: ArraySlice<EffectScope.Component>,
      in state: borrowing FeatureState<Feature.State>
    ) -> Bool? { feature.hasChild(child, in: state.value) }
  }

  static var name: String { "feature" }
  static var build: String { "test" }
  static var reducer: Root { preconditionFailure("a feature has no app: pass its reducer") }
  static var initialState: State { preconditionFailure("a feature has no app: pass its state") }

  static func scenes(in state: State) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: State) -> BackStack<Route>? { nil }
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }

  /// Returns a test store of a reducer.
  static func store(
    of feature: Feature, state: Feature.State, environment: Feature.Environment?,
    clock: VirtualClock
  ) -> TestStore<Self> {
    let fold = Fold<Self>(
      state: FeatureState(value: state), sequence: 0, reducer: Root(feature: feature))
    return TestStore(fold: fold, environment: environment, clock: clock)
  }
}

/// The state of a feature: a recorded value or a recorded state, whose parts have names.
struct FeatureState<Value: Equatable & Sendable>: RecordedState {
  var value: Value

  static var recordedName: String { "FeatureState" }

  static func stateSchema(in composer: inout SchemaComposer) -> Schema {
    if let type = Value.self as? any Recordable.Type { return type.schema(in: &composer) }
    if let type = Value.self as? any RecordedState.Type { return type.stateSchema(in: &composer) }
    return .null
  }

  init(value: Value) { self.value = value }

  /// A feature's state is not stored.
  init(decodingScalars reader: inout AvroReader) throws(AvroError) {
    throw AvroError(.outOfRange, at: reader.offset, "feature")
  }

  func encodeScalars(into writer: inout AvroWriter) { encodeWhole(into: &writer) }

  func visitTables(_ visitor: inout some TableVisitor) {}

  func encodeWhole(into writer: inout AvroWriter) {
    if let value = value as? any Recordable {
      value.encode(into: &writer)
    } else if let state = value as? any RecordedState {
      state.encodeWhole(into: &writer)
    }
  }
}

/// The route of a feature, which has no screens.
enum FeatureRoute: NavigationRoute {
  init(decoding reader: inout AvroReader) throws(AvroError) {
    throw AvroError(.outOfRange, at: reader.offset, "route")
  }

  var path: String { "" }
  static var recordedName: String { "FeatureRoute" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .null }
  func encode(into writer: inout AvroWriter) {}
}
