public import RetraceArchitecture
public import RetraceState

/// Adds users, workspaces, projects and tags and records whether that could be done.
public struct LibraryReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Changes the library, or leaves it as it is and records why.
  ///
  /// - Complexity: O(entities of the kind).
  public func reduce(
    _ state: inout AppState, _ action: LibraryAction, at moment: Moment
  ) -> Effect<LibraryAction, any TrackerEnvironment> {
    state.record(state.library.perform(action))
    return .none
  }
}
