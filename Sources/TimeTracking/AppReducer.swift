public import RetraceArchitecture
public import RetraceState

/// The root reducer: library, timeline, each scene, and what scenes ask of the others.
public struct AppReducer: Reducer {
  /// Makes the reducer.
  public init() {}

  /// Lets each feature answer what is for it.
  public func reduce(
    _ state: inout AppState, _ action: AppAction, at moment: Moment
  ) -> Effect<AppAction, any TrackerEnvironment> {
    Self.body.reduce(&state, action, at: moment)
  }

  private static var body: some Reducer<AppState, AppAction, any TrackerEnvironment> {
    TimelineReducer().pulledBack(through: TimelineScope.self)
      .combined(with: LibraryReducer().pulledBack(through: LibraryScope.self))
      .combined(with: SceneReducer().forEachValue(in: ScenesScope.self))
      .combined(with: SceneFlowReducer())
  }
}

/// Where the timeline's actions lie; entries refer to the library, so the whole state is lent.
enum TimelineScope: Scope {
  static func extract(_ action: AppAction) -> TimelineAction? {
    if case .timeline(let action) = action { action } else { nil }
  }

  static func embed(_ action: TimelineAction) -> AppAction { .timeline(action) }

  static func with<Result>(
    _ parent: inout AppState, _ body: (inout AppState) -> Result
  ) -> Result { body(&parent) }
}

/// Where the library's actions lie; their outcome is the state's.
enum LibraryScope: Scope {
  static func extract(_ action: AppAction) -> LibraryAction? {
    if case .library(let action) = action { action } else { nil }
  }

  static func embed(_ action: LibraryAction) -> AppAction { .library(action) }

  static func with<Result>(
    _ parent: inout AppState, _ body: (inout AppState) -> Result
  ) -> Result { body(&parent) }
}

/// Where the scenes lie.
enum ScenesScope: ValueScope {
  static func extract(_ action: AppAction) -> (id: SceneID, action: SceneAction)? {
    if case .scene(let id, let action) = action { (id, action) } else { nil }
  }

  static func embed(_ action: SceneAction, for id: SceneID) -> AppAction { .scene(id, action) }

  static func with<Result>(
    _ parent: inout AppState, _ body: (inout [SceneID: Scene]) -> Result
  ) -> Result { body(&parent.scenes) }
}
