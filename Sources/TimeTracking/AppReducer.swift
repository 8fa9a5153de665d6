public import RetraceArchitecture

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
}
