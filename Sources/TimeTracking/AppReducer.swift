public import RetraceArchitecture
public import RetraceState

/// The root reducer: timeline, library, each scene, and what scenes ask of the others.
public struct AppReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// The reducers of the features.
  ///
  /// Entries refer to the library, so the timeline's reducer gets the whole state; the library's
  /// outcome is the state's.
  public var body: some Reducer<AppState, AppAction, any TrackerEnvironment> {
    Scope(action: \.timeline) { TimelineReducer() }
    Scope(action: \.library) { LibraryReducer() }
    ForEachValue(\.scenes, action: \.scene) { SceneReducer() }
    SceneFlowReducer()
  }

  /// Runs ``body``; here, so that it is specialized in this module and other modules call that.
  public func reduce(
    _ state: inout AppState, _ action: AppAction, at moment: Moment
  ) -> Effect<AppAction, any TrackerEnvironment> {
    body.reduce(&state, action, at: moment)
  }
}
