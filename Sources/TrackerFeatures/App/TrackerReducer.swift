public import Retrace
public import TimeTracking

/// The root reducer of the tracker.
public struct TrackerReducer: Reducer {
  /// Creates the reducer.
  public init() {}

  /// The reducers of the facts of the domain and of the scenes.
  public var body: some Reducer<TrackerState, TrackerAction, TrackerEnvironment> {
    CombineReducers {
      Scope({ $0.domain }, action: { $0.fact }) {
        // The reducer of the domain, whose facts have no effects.
        EntityReducer(DomainEntities.self, environment: TrackerEnvironment.self)
      }
      Scope({ $0.itself }, action: { $0.scenes }) { ScenesReducer() }
    }
  }
}

/// The root decider of the tracker, which is the decider of the domain.
public struct TrackerDecider: Decider {
  /// Creates the decider.
  public init() {}

  /// Decides a command on the domain.
  public func decide(
    _ command: DomainCommand, on state: borrowing TrackerState, at moment: Moment
  ) throws(DomainRefusal) -> [TrackerAction] {
    try DomainDecider().decide(command, on: state.domain, at: moment).map { .fact($0) }
  }
}
